"""The languages, one row for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import cast

from unidoku.backends.languages.model import BoardModel
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid, Layout
from unidoku.core.verify.boards import faults_of
from unidoku.errors import InputError, nearest
from unidoku.support.arguments import named_arguments


@dataclass(frozen=True, slots=True)
class Language:
    """A language of solvers.

    Args:
        name: name of the language.
        ending: ending of its files' names.
        writer: module and function that write it.
        answers: reader of its solvers' answers, one of those in
            `unidoku.backends.languages.answers`.
        summary: short description.
        max_sum: the largest number that a weighted sum may reach so that all of its usual solvers
            are exact, see `unidoku.backends.sum_range`; None for no limit.
    """

    name: str
    ending: str
    writer: str
    answers: str
    summary: str
    max_sum: int | None = None

    def write(self, model: BoardModel) -> Iterator[str]:
        """Yield the lines of a board."""
        module, _, name = self.writer.partition(":")
        function = getattr(import_module(f"unidoku.backends.languages.{module}"), name)
        return cast(Callable[[BoardModel], Iterator[str]], function)(model)


_IN_FLOATS = 10_000
"""What linear solvers keep apart. GLPK takes a variable for 0 or 1 if a hundred-thousandth is
missing (``tol_int``), others if a millionth is. What a sum reaches, and up to twice as much in an
alternative, is multiplied by that and must stay below 1."""

_IN_CLASP = 1 << 24
"""What clasp and gringo count in 32 bits: all candidates add up what a sum reaches 73 times."""

_IN_TOULBAR2 = 1 << 55
"""What toulbar2 counts in 64 bits: all candidates add up what a sum reaches 73 times."""

_IN_CHOCO = 21_474_836
"""The largest bound of an integer in Choco, the least of the constraint solvers of 32 bits."""

_IN_GNU_PROLOG = 1 << 27
"""What GNU Prolog counts in 29 bits with a sign."""


_ROWS = (
    Language("dimacs", ".cnf", "clauses:write_dimacs", "literals", "clauses (CNF)"),
    Language(
        "opb", ".opb", "linear:write_opb", "literals", "pseudo-Boolean constraints", _IN_CLASP
    ),
    Language("smtlib", ".smt2", "smt:write_integers", "values", "SMT-LIB in integers (QF_LIA)"),
    Language(
        "smtlib-bv", ".bv.smt2", "smt:write_bit_vectors", "values", "SMT-LIB in bit vectors (QF_BV)"
    ),
    Language(
        "lp", ".lp", "linear:write_lp", "columns", "a 0-1 program in CPLEX's LP format", _IN_FLOATS
    ),
    Language("mps", ".mps", "linear:write_mps", "columns", "a 0-1 program in free MPS", _IN_FLOATS),
    Language("asp", ".asp", "clauses:write_asp", "atoms", "an answer-set program", _IN_CLASP),
    Language("minizinc", ".mzn", "minizinc:write_minizinc", "array", "a MiniZinc model", _IN_CHOCO),
    Language(
        "flatzinc",
        ".fzn",
        "flatzinc:write_flatzinc",
        "array",
        "FlatZinc, as MiniZinc compiles it for Gecode",
        _IN_CHOCO,
    ),
    Language("xcsp3", ".xml", "xcsp3:write_xcsp3", "lists", "XCSP3, constraints in XML", _IN_CHOCO),
    Language("cfn", ".cfn", "linear:write_cfn", "columns", "a cost function network", _IN_TOULBAR2),
    Language("prolog", ".pl", "prolog:write_swi", "array", "SWI-Prolog with its library clpfd"),
    Language(
        "gnu-prolog",
        ".gnu.pl",
        "prolog:write_gnu",
        "array",
        "GNU Prolog with its finite domains",
        _IN_GNU_PROLOG,
    ),
)

LANGUAGES: Mapping[str, Language] = MappingProxyType({row.name: row for row in _ROWS})
"""Each language by its name."""


def find_language(name: str) -> Language:
    """Return the language of a name.

    Raises:
        InputError: there is no language of that name.
    """
    if name in LANGUAGES:
        return LANGUAGES[name]
    ending = f".{_OTHER_NAMES.get(name.lower(), name.lower()).removeprefix('.')}"
    by_ending = [row.name for row in LANGUAGES.values() if row.ending == ending]
    hint = f"did you mean {by_ending[0]!r}?" if by_ending else nearest(name, LANGUAGES)
    raise InputError(f"expected a language, got {name!r}; {hint}")


_OTHER_NAMES: Mapping[str, str] = {
    "sat": "cnf",
    "smt": "smt2",
    "smt-lib": "smt2",
    "xcsp": "xml",
    "lp-format": "lp",
    "pb": "opb",
}
"""Endings of the languages that people also call by other names than their endings."""


@named_arguments
def export(
    board: BoardLike,
    /,
    language: str,
    *,
    variant: str | Layout | None = None,
    other_than: Sequence[Grid] = (),
    fast: bool = False,
) -> str:
    """Return a board in a language that solvers read.

    The readable form names the cells, and has a comment and the constraints of each unit and rule.
    The fast form is what programs get that are backends: simplified rules, and cells by number.

    >>> print(export("1... .... .... ....", "dimacs").splitlines()[2])
    c 1 to 4: A1 is 1 to 4

    Hidden cells are ordinary cells, numbered after those of the grid.

    Args:
        board: a board or its text.
        language: name of one of `LANGUAGES`.
        variant: the variant of a text.
        other_than: known solutions; the text asks for another solution.
        fast: whether to return the fast form.

    Raises:
        InputError: the language is unknown, or one of the grids is not a solution.
    """
    puzzle = as_board(board, variant)
    for grid in other_than:
        if faults := faults_of(puzzle, grid):
            raise InputError(f"other_than: expected a solution of the board: {faults[0]}")
    model = BoardModel(expanded(puzzle), tuple(other_than), readable=not fast)
    lines = find_language(language).write(model)
    return "\n".join([*lines, ""])
