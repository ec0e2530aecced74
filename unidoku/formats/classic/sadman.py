"""SadMan's and SudoCue's ``.sdk`` and ``.sdm``: one puzzle with notes, or one on each line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unidoku.core.board import Board
from unidoku.core.text import read_all
from unidoku.errors import FormatError, InputError
from unidoku.formats.classic.plain import is_classic
from unidoku.formats.families import Rest
from unidoku.formats.interface import one_a_line
from unidoku.formats.losses import Report, Written
from unidoku.formats.puzzles import Puzzle

_NOTES = {
    "A": "author",
    "B": "date",
    "C": "comment",
    "D": "description",
    "L": "level",
    "S": "source",
    "U": "URL",
}
"""The meaning of a line that begins with a hash and a letter."""

_NOTE = re.compile(rf"#([{''.join(_NOTES)}])(.*)")

_SIZES = (4, 6, 8, 9)
"""Squares in boxes with one digit for each cell."""

_SECTION = re.compile(r"\[\s*(\w+)\s*\]")


def read_sdk(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in a file: its givens, its description as a name, and its author.

    Raises:
        FormatError: it is not a board in rows, or contains more than one; the message states the
            place.
    """
    report = Report()
    notes: dict[str, str] = {}
    grid: list[str] = []
    section = "puzzle"
    for line in text.splitlines():
        stripped = line.strip()
        symbols = ""
        if note := _NOTE.fullmatch(stripped):
            notes.setdefault(_NOTES[note[1]], " ".join(note[2].split()))
        elif found := _SECTION.fullmatch(stripped):
            section = found[1].lower()
            if section != "puzzle":
                report.drop(f"section {found[1][:40]}")
        elif section == "puzzle" and not stripped.startswith("#"):
            symbols = line
        grid.append(symbols)  # a blank line replaces other lines, so that lines keep their numbers
    found_boards = read_all("\n".join(grid), "classic")
    if len(found_boards) != 1:
        raise FormatError(f"expected one puzzle, got {len(found_boards)}; read it by --from text")
    (parsed, _, line_number) = found_boards[0]
    name, author = notes.pop("description", ""), notes.pop("author", "")
    for key, value in notes.items():
        if value:
            report.drop(key)
    yield Puzzle(Board.of(*parsed), name, line_number, author=author, losses=report.losses)


def _held(puzzle: Puzzle, form: str) -> tuple[Rest, str]:
    """Return the rest of a puzzle without its givens, and the givens as a text with 0 for empty.

    Raises:
        InputError: it is not a square with one digit for each cell.
    """
    rest = Rest(puzzle)
    layout = rest.layout
    is_square = (
        layout.rows == layout.columns == layout.n
        and len(layout) == layout.n**2
        and not layout.hidden
    )
    if layout.n not in _SIZES or not is_square:
        raise InputError(f"{form} holds squares of 4, 6, 8 or 9 values, got {layout.name}")
    if not is_classic(layout):
        rest.report.drop(f"the layout {layout.name}")
    return rest, "".join(map(str, rest.givens()))


def write_sdk(puzzles: Sequence[Puzzle]) -> Written:
    """Return a puzzle as a file.

    Raises:
        InputError: there are several, or it is not a square with one digit for each cell.
    """
    if len(puzzles) > 1:
        raise InputError(f".sdk holds one puzzle, got {len(puzzles)}; write .sdm")
    (puzzle,) = puzzles
    rest, digits = _held(puzzle, ".sdk")
    if not (puzzle.name + puzzle.author).isprintable():
        raise InputError(f".sdk holds names of one line, got {puzzle.name[:40]!r}")
    side = rest.layout.n
    notes = (("A", puzzle.author), ("D", puzzle.name))
    rows = digits.replace("0", ".")
    lines = [f"#{letter}{' '.join(value.split())}" for letter, value in notes if value]
    lines += [rows[start : start + side] for start in range(0, side * side, side)]
    return Written("\n".join(lines), rest.losses("name", "author"))


def _sdm_line(puzzle: Puzzle) -> Written:
    rest, digits = _held(puzzle, ".sdm")
    return Written(digits, rest.losses())


write_sdm = one_a_line(_sdm_line)
