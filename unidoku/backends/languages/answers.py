"""Read the answers that solvers print for an exported board, and check them against the board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from unidoku.backends.languages.catalogue import Language, find_language
from unidoku.backends.languages.proof import fault_of_proof
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Grid
from unidoku.core.verify.boards import faults_of
from unidoku.errors import FormatError
from unidoku.support.arguments import named_arguments
from unidoku.support.text import without_colours

Verdict: TypeAlias = Literal["satisfiable", "unsatisfiable", "unknown"]

_MOST = 64 << 20
"""The largest number of characters of an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A solver's answer about a board.

    Args:
        verdict: whether there is a solution.
        grid: the solution that it names, if any.
        faults: what is wrong with that grid; empty if it is a solution.
        proved: whether a checked proof shows that there is no solution.
    """

    verdict: Verdict
    grid: Grid | None = None
    faults: tuple[str, ...] = ()
    proved: bool = False

    @property
    def holds(self) -> bool:
        """Whether its solution, or its proof that there is none, was checked and is correct."""
        return self.proved or (self.grid is not None and not self.faults)


@named_arguments
def read_answer(
    board: BoardLike,
    text: str,
    language: str,
    *,
    proof: str | None = None,
    other_than: Sequence[Grid] = (),
) -> Answer:
    """Read a solver's output and check the grid that it names.

    A text in which no verdict is found, such as a crash, has the verdict ``unknown``.

    >>> board = Board.parse("12.. 34.. 21.. 43.2")
    >>> from unidoku.backends.languages import export
    >>> read_answer(board, "s UNSATISFIABLE", "dimacs").verdict
    'unsatisfiable'

    Args:
        board: the board that was exported, in any form as for `unidoku.solve`.
        text: the solver's output, or the content of the file that it wrote.
        language: name of the language that the solver read.
        proof: a proof in DRAT or LRAT that there is no solution, as text; for ``dimacs``. It is
            checked if the solver's verdict is that there is none.
        other_than: for the proof, the grids that were excluded when the board was exported.

    Raises:
        InputError: the language is unknown or has no proofs.
        FormatError: the text says that there is a solution and names no grid, names two values for
            a cell, or is too long; or the proof cannot be read.
        NotInstalledError: the proof checker is not installed.
    """
    if len(text) > _MOST:
        raise FormatError(f"expected an answer, got {len(text):,} characters")
    board, row = as_board(board), find_language(language)
    verdict, grid = _read(board, _with_numbers(board, without_colours(text)), row)
    if verdict != "satisfiable":
        if proof is None or verdict == "unknown":
            return Answer(verdict)
        fault = fault_of_proof(board, proof, row.name, other_than)
        faults = (f"the proof does not hold: {fault}",) if fault else ()
        return Answer(verdict, faults=faults, proved=not fault)
    assert grid is not None
    return Answer(verdict, grid, tuple(faults_of(board, grid)))


def _read(board: Board, text: str, row: Language) -> tuple[Verdict, Grid | None]:
    """Return the verdict of an answer, and the last grid that it names; raise FormatError."""
    try:
        verdict, grid = _READERS[row.answers](board, text)
    except FormatError:
        raise
    except ValueError:  # of `int`
        raise FormatError(f"{row.name}: expected numbers, got one of thousands of digits") from None
    if verdict == "satisfiable" and grid is None:
        raise FormatError(f"{row.name}: expected a value for each cell beside 'satisfiable'")
    return verdict, grid


def _with_numbers(board: Board, text: str) -> str:
    """Return an answer about a readable export with its cells as in the fast form.

    A cell is c5 instead of A6, its candidates are x47 instead of xA6_2, and holds(5,2) instead of
    holds(a6,2).
    """
    layout = expanded_layout(board.layout)
    number_of = {name: cell for cell, name in enumerate(layout.identifiers)}
    in_atoms = {name.lower(): cell for name, cell in number_of.items()}

    def replaced(match: re.Match[str]) -> str:
        before, name, value = match.groups()
        if (cell := (in_atoms if before == "holds(" else number_of).get(name)) is None:
            return match[0]
        if before == "holds(":
            return f"{before}{cell}"
        if before:
            return f"{before}{cell * layout.n + int(value)}" if value else match[0]
        return match[0] if value else f"c{cell}"

    name = r"[A-Za-z]\d{1,4}|r\d{1,4}c\d{1,4}"
    return re.sub(rf"(?<![A-Za-z0-9_])([xy]|holds\(|)({name})(?:_(\d{{1,4}}))?\b", replaced, text)


@dataclass(frozen=True, slots=True)
class Grids:
    """The grids of an answer that may have several.

    Args:
        verdict: whether there is a solution.
        grids: the grids that it names, each once, in its order.
        complete: whether it says that there are no more.
    """

    verdict: Verdict
    grids: tuple[Grid, ...]
    complete: bool


_BEGINNINGS = {"array": r"(?=\bx\s*=)", "lists": r"(?=<instantiation\b|^v(?: \d+)+ *$)"}
"""Where each of several solutions begins, by the reader of the answers."""

_COMPLETE = re.compile(
    r"^(?:no more solutions|d COMPLETE EXPLORATION|={10})[^\S\n]*$", re.MULTILINE
)
"""Final messages of programs that have printed all solutions: ours, ACE's, MiniZinc's."""


def can_be_several(language: str) -> bool:
    """Return whether `read_grids` finds several solutions in one output."""
    return find_language(language).answers in _BEGINNINGS


def read_grids(board: Board, text: str, language: str) -> Grids:
    """Read the output of a program that prints one solution after the other.

    Raises:
        FormatError: a solution of the text cannot be read.
    """
    row, text = find_language(language), without_colours(text)
    verdict, last = _read(board, text, row)
    if verdict != "satisfiable":
        return Grids(verdict, (), complete=True)
    beginning = _BEGINNINGS.get(row.answers)
    parts = re.split(beginning, text, flags=re.MULTILINE)[1:] if beginning else []
    grids_read = [_READERS[row.answers](board, part)[1] for part in parts]
    grids = tuple(dict.fromkeys(grid for grid in (*grids_read, last) if grid is not None))
    return Grids(verdict, grids, _COMPLETE.search(text) is not None)


_NONE = re.compile(
    r"^[^\w\n]*(?:s )?unsat(?:isfiable)?[^\w\n]*$"
    r"|infeasible|no (?:integer |primal )?feasible|no (?:more )?solution",
    re.IGNORECASE | re.MULTILINE,
)

_PROVED_NONE = re.compile(
    r"^(?:integer )?infeasible|problem (?:is|proven) infeasible|has no \w+ feasible"
    r"|status:\s+(?:integer )?(?:infeasible|empty|undefined)",
    re.IGNORECASE | re.MULTILINE,
)
"""Final messages of solvers of linear programs, which occur nowhere else in their output."""

_SOME = re.compile(
    r"^[^\w\n]*(?:s )?sat(?:isfiable)?[^\w\n]*$"
    r"|optim(?:al|um)|new solution|^-{10}$|^(?:c )?answer: 1",
    re.IGNORECASE | re.MULTILINE,
)


def _verdict_of(text: str) -> Verdict:
    """Return the verdict that the words of an answer express."""
    if _NONE.search(text):
        return "unsatisfiable"
    return "satisfiable" if _SOME.search(text) else "unknown"


def _of_candidates(board: Board, true: Iterable[int]) -> Grid | None:
    """Return the grid of the candidates that hold; None unless there is one for each cell."""
    n, size = board.layout.n, len(board.layout)
    values = [0] * size
    for at in true:
        if at < size * n:
            if values[at // n]:
                raise FormatError(f"{board.layout.names[at // n]}: expected one value, got two")
            values[at // n] = at % n + 1
    return tuple(values) if all(values) else None


def _literals(board: Board, text: str) -> tuple[Verdict, Grid | None]:
    """Read ``s`` and ``v`` lines of SAT and pseudo-Boolean solvers, or MiniSat's file."""
    lines = re.findall(r"^v\s+(.*)$", text, re.MULTILINE)
    if not lines:
        lines = re.findall(r"^SAT\n([-\d\s]+)", text, re.MULTILINE)
    words = [word for line in lines for word in line.split()]
    numbers = (int(word.lstrip("x")) for word in words if re.fullmatch(r"x?[1-9]\d*", word))
    return _verdict_of(text), _of_candidates(board, (number - 1 for number in numbers))


def _columns(board: Board, text: str) -> tuple[Verdict, Grid | None]:
    """Read the values of the columns x1, x2, … of a linear program, in any form."""
    pattern = r"\bx(\d+)\b[\s=*\"a-wyz]*(-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)"
    candidates = (
        int(match[1]) - 1 for match in re.finditer(pattern, text) if float(match[2]) > 0.5
    )
    try:
        grid = _of_candidates(board, candidates)
    except FormatError:
        if _verdict_of(text) != "unsatisfiable":
            raise
        grid = None  # values of the relaxation of an infeasible program
    # Their logs mention infeasible nodes on the way to a solution.
    if grid is not None and not _PROVED_NONE.search(text):
        return "satisfiable", grid
    return _verdict_of(text), grid


def _values(board: Board, text: str) -> tuple[Verdict, Grid | None]:
    """Read ``(c0 5)``, ``(define-fun c0 () Int 5)``, in decimals or bits; or Boolector's lines."""
    sort = r"\(\)\s+(?:Int|\(_ BitVec \d+\))\s+"
    value = r"#b[01]+|#x[\da-fA-F]+|\d+|\(_ bv(\d+)"
    pattern = rf"\(\s*(?:define-fun\s+)?c(\d+)\s+(?:{sort})?({value})"
    lines = re.findall(r"^c(\d+) ([01]+)$", text, re.MULTILINE)
    values = {int(cell): int(bits, 2) for cell, bits in lines}
    for cell, text_of_value, bits in re.findall(pattern, text):
        if bits:
            number = int(bits)
        elif text_of_value.startswith("#"):
            number = int(text_of_value[2:], 2 if text_of_value[1] == "b" else 16)
        else:
            number = int(text_of_value)
        values[int(cell)] = number
    grid = tuple(values.get(cell, 0) for cell in board.layout.cells)
    return _verdict_of(text), (grid if all(grid) else None)


def _atoms(board: Board, text: str) -> tuple[Verdict, Grid | None]:
    """Read ``holds(k,v)`` of the last answer set."""
    last = text.rpartition("Answer:")[2]
    n = board.layout.n
    candidates = (
        int(cell) * n + int(value) - 1 for cell, value in re.findall(r"holds\((\d+),(\d+)\)", last)
    )
    return _verdict_of(text), _of_candidates(board, candidates)


def _array(board: Board, text: str) -> tuple[Verdict, Grid | None]:
    """Read ``x = [5, 3, …]`` of MiniZinc, or ``x = array1d(1..81, [5, 3, …])``."""
    match = re.search(r"\bx\s*=[^\[;]{0,99}\[([\d,\s]*)\]", text)
    values = tuple(int(word) for word in match[1].split(",") if word.strip()) if match else ()
    grid = values[: len(board.layout)] if len(values) >= len(board.layout) else None
    return ("satisfiable" if grid else _verdict_of(text)), grid


def _lists(board: Board, text: str) -> tuple[Verdict, Grid | None]:
    """Read ``<list> c0 c1 </list> <values> 5 3 </values>`` of XCSP3; ``2x5`` is five times 2.

    Of ``v 5 3``, as cosoco prints each solution at once, the first values are those of the cells.
    A cell that is left out, or has ``*`` as its value, is in no constraint and holds any value.
    """
    marked = re.sub(r"^v\b", "", text, flags=re.MULTILINE)
    lists = re.findall(r"<list>([^<]*)</list>\s*<values>([^<]*)</values>", marked)
    values: dict[str, int] = {}
    for names, texts in lists[-1:]:
        numbers: list[int] = []
        for word in texts.split():
            value, _, count = word.partition("x")
            times = min(int(count), len(names)) if count.isdigit() else 1
            numbers += [int(value) if value.isdigit() else 1] * times
        values = dict(zip(names.split(), numbers, strict=False))
    if not lists and (lines := re.findall(r"^v((?: \d+)+) *$", text, re.MULTILINE)):
        numbers = [int(word) for word in lines[-1].split()]
        values = {f"c{cell}": value for cell, value in enumerate(numbers)}
    grid = tuple(values.get(f"c{cell}", 1) for cell in board.layout.cells)
    if values and all(grid):
        return "satisfiable", grid
    return _verdict_of(text), None


_READERS: dict[str, Callable[[Board, str], tuple[Verdict, Grid | None]]] = {
    "literals": _literals,
    "columns": _columns,
    "values": _values,
    "atoms": _atoms,
    "array": _array,
    "lists": _lists,
}
