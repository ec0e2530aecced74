"""Boards without rules as text: plain lines, SadMan's ``.sdk`` and ``.sdm``, lines of HoDoKu.

A file of SadMan or SudoCue has one puzzle with notes, ``.sdk``, or one on each line, ``.sdm``.

A line of HoDoKu's library is ``:technique:candidates:cells:deleted:eliminations:placements:more:``;
some of the last parts may be missing. In a cell, ``+`` comes before a digit that was placed and is
not a given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unidoku.core.bits import all_values, bit, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.text import read_all
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.families import Rest
from unidoku.formats.losses import Report, Written, one_a_line, only_puzzle
from unidoku.formats.puzzles import Puzzle
from unidoku.support.text import plural

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

_PLAIN = re.compile(r"0000|")
"""The technique of a line that is only a puzzle."""

_SIDE = 9

_AFTER = ("eliminations", "placements", "what follows the placements")


def is_classic(layout: Layout) -> bool:
    """Return whether a layout has the units of the classic layout, and values from 1."""
    try:
        return layout.first_value == 1 and layout.base == named_layout("classic", layout.n)
    except LayoutError:
        return False


def _rest(puzzle: Puzzle) -> Rest:
    """Return the rest of a puzzle without its layout, which is lost unless it is classic."""
    rest = Rest(puzzle)
    if not is_classic(rest.layout):
        rest.report.drop(f"the layout {rest.layout.name}")
    return rest


def _text_line(puzzle: Puzzle) -> Written:
    rest = _rest(puzzle)
    rest.givens()
    name = f"  # {puzzle.name}" if puzzle.name else ""
    return Written(puzzle.board.text("line") + name, rest.losses("name"))


write_text = one_a_line(_text_line)
"""Writes boards as lines of symbols, which contain the givens and nothing else."""


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
        elif match := _SECTION.fullmatch(stripped):
            section = match[1].lower()
            if section != "puzzle":
                report.drop(f"section {match[1][:40]}")
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


def _givens_of(puzzle: Puzzle, form: str) -> tuple[Rest, str]:
    """Return the rest of a puzzle without its givens, and the givens as a text with 0 for empty.

    Raises:
        InputError: it is not a square with one digit for each cell.
    """
    layout = puzzle.board.layout
    is_square = (
        layout.rows == layout.columns == layout.n
        and len(layout) == layout.n**2
        and not layout.hidden
    )
    if layout.n not in _SIZES or not is_square:
        cells = f"{layout.rows} by {layout.columns} cells of {plural(layout.n, 'value')}"
        got = f"{layout.name}, {cells}"
        raise InputError(f"{form} holds squares of 4, 6, 8 or 9 values, got {got}")
    rest = _rest(puzzle)
    return rest, "".join(map(str, rest.givens()))


def write_sdk(puzzles: Sequence[Puzzle]) -> Written:
    """Return a puzzle as a file.

    Raises:
        InputError: there are several, or it is not a square with one digit for each cell.
    """
    puzzle = only_puzzle(puzzles, ".sdk", "; write .sdm")
    rest, digits = _givens_of(puzzle, ".sdk")
    if not (puzzle.name + puzzle.author).isprintable():
        raise InputError(f".sdk holds names of one line, got {puzzle.name[:40]!r}")
    side = rest.layout.n
    notes = (("A", puzzle.author), ("D", puzzle.name))
    rows = digits.replace("0", ".")
    lines = [f"#{letter}{' '.join(value.split())}" for letter, value in notes if value]
    lines += [rows[start : start + side] for start in range(0, side * side, side)]
    return Written("\n".join(lines), rest.losses("name", "author"))


def _sdm_line(puzzle: Puzzle) -> Written:
    rest, digits = _givens_of(puzzle, ".sdm")
    return Written(digits, rest.losses())


write_sdm = one_a_line(_sdm_line)


def read_hodoku(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the board in a line.

    >>> cells = "7" + "." * 80
    >>> [puzzle.board.values("A2") for puzzle in read_hodoku(f":0000:x:{cells}:112 212:::")]
    [(3, 4, 5, 6, 7, 8, 9)]

    Raises:
        FormatError: it is not such a line.
    """
    line = text.strip()
    if line.startswith("#"):
        return
    parts = line.split(":")
    if parts[0] or len(parts) < 5:
        raise FormatError(
            f"expected a line such as :0000:x:<81 cells>:<deleted>::, got {line[:40]!r}"
        )
    report = Report()
    technique, candidates, cells, deleted, *after = parts[1:]
    if not _PLAIN.fullmatch(technique):
        report.drop(f"technique {technique[:40]}")
    if candidates not in ("", "x"):
        report.drop("the candidates of the technique")
    for part, name in zip(after, _AFTER, strict=False):
        if part.strip():
            report.drop(name)
    yield Puzzle(_board(cells, deleted, report), "", 1, losses=report.losses)


def _board(cells: str, deleted: str, report: Report) -> Board:
    if not re.fullmatch(rf"(?:\+?[1-9]|[.0]){{{_SIDE**2}}}", cells):
        raise FormatError(
            f"expected {_SIDE**2} cells, digits and dots, and + before placed digits, "
            f"got {cells[:40]!r}"
        )
    if "+" in cells:
        report.approximate("placed digits are givens")
    layout = named_layout("classic", _SIDE)
    masks = [
        all_values(_SIDE) if digit in ".0" else bit(int(digit)) for digit in cells.replace("+", "")
    ]
    for triple in deleted.split():
        if not re.fullmatch("[1-9]{3}", triple):
            raise FormatError(
                f"expected deleted candidates as digit, row and column, such as 132, "
                f"got {triple[:20]!r}"
            )
        digit, row, column = map(int, triple)
        masks[(row - 1) * _SIDE + column - 1] &= ~bit(digit)
    return Board(layout, tuple(masks))


def _hodoku_line(puzzle: Puzzle) -> Written:
    """Return a puzzle as a line.

    Raises:
        InputError: it is not a 9×9 board with boxes.
    """
    board = puzzle.board
    layout = board.layout
    if layout.n != _SIDE or len(layout) != _SIDE**2 or layout.hidden:
        raise InputError(f"HoDoKu holds boards of 9×9 cells, got {layout.name}")
    rest = _rest(puzzle)
    deleted = [
        f"{digit}{row + 1}{column + 1}"
        for (row, column), mask, given in zip(
            layout.positions, board.candidates, board.givens, strict=True
        )
        if not given
        for digit in values_of(all_values(_SIDE) & ~mask)
    ]
    cells = "".join(map(str, board.givens)).replace("0", ".")
    return Written(f":0000:x:{cells}:{' '.join(deleted)}:::", rest.losses())


write_hodoku = one_a_line(_hodoku_line)
