"""The languages, one row for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of solvers.

    Args:
        name: name of the language.
        summary: short description.
        ending: ending of its files' names.
        writer: module and function that write it.
        answers: reader of its solvers' answers, one of those in
            `unidoku.backends.languages.answers`.
        max_sum: the largest number that a weighted sum may reach so that all of its usual solvers
            are exact, see `unidoku.backends.sum_range`; None for no limit.
    """

    name: str
    summary: str
    ending: str
    writer: str
    answers: str
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


def _rows() -> Iterable[Language]:
    yield Language(
        name="dimacs",
        summary="clauses (CNF)",
        ending=".cnf",
        writer="clauses:write_dimacs",
        answers="literals",
    )
    yield Language(
        name="opb",
        summary="pseudo-Boolean constraints",
        ending=".opb",
        writer="linear:write_opb",
        answers="literals",
        max_sum=_IN_CLASP,
    )
    yield Language(
        name="smtlib",
        summary="SMT-LIB in integers (QF_LIA)",
        ending=".smt2",
        writer="smt:write_integers",
        answers="values",
    )
    yield Language(
        name="smtlib-bv",
        summary="SMT-LIB in bit vectors (QF_BV)",
        ending=".bv.smt2",
        writer="smt:write_bit_vectors",
        answers="values",
    )
    yield Language(
        name="lp",
        summary="a 0-1 program in CPLEX's LP format",
        ending=".lp",
        writer="linear:write_lp",
        answers="columns",
        max_sum=_IN_FLOATS,
    )
    yield Language(
        name="mps",
        summary="a 0-1 program in free MPS",
        ending=".mps",
        writer="linear:write_mps",
        answers="columns",
        max_sum=_IN_FLOATS,
    )
    yield Language(
        name="asp",
        summary="an answer-set program",
        ending=".asp",
        writer="clauses:write_asp",
        answers="atoms",
        max_sum=_IN_CLASP,
    )
    yield Language(
        name="minizinc",
        summary="a MiniZinc model",
        ending=".mzn",
        writer="minizinc:write_minizinc",
        answers="array",
        max_sum=_IN_CHOCO,
    )
    yield Language(
        name="flatzinc",
        summary="FlatZinc, as MiniZinc compiles it for Gecode",
        ending=".fzn",
        writer="flatzinc:write_flatzinc",
        answers="array",
        max_sum=_IN_CHOCO,
    )
    yield Language(
        name="xcsp3",
        summary="XCSP3, constraints in XML",
        ending=".xml",
        writer="xcsp3:write_xcsp3",
        answers="lists",
        max_sum=_IN_CHOCO,
    )
    yield Language(
        name="cfn",
        summary="a cost function network",
        ending=".cfn",
        writer="linear:write_cfn",
        answers="columns",
        max_sum=_IN_TOULBAR2,
    )
    yield Language(
        name="prolog",
        summary="SWI-Prolog with its library clpfd",
        ending=".pl",
        writer="prolog:write_swi",
        answers="array",
    )
    yield Language(
        name="gnu-prolog",
        summary="GNU Prolog with its finite domains",
        ending=".gnu.pl",
        writer="prolog:write_gnu",
        answers="array",
        max_sum=_IN_GNU_PROLOG,
    )


LANGUAGES: Mapping[str, Language] = MappingProxyType({row.name: row for row in _rows()})
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
