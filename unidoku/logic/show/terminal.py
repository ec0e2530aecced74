"""A state and a step as a grid of characters, in colour in terminals.

A sign in front of a candidate says its role in the step, so that it can be read without colours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, TypeAlias

from rich.text import Text

from unidoku.core.bits import value_of, values_of
from unidoku.core.layout import Layout, row_name
from unidoku.draw.board import marks_a_side, sides
from unidoku.draw.strokes import CELL
from unidoku.logic import Candidate, State, Step
from unidoku.logic.show.drawn import drawn_layout
from unidoku.support.language import message

Kind: TypeAlias = Literal["", "line", "given", "found", "pattern", "fin", "gone", "placed"]
"""The role of a piece of text, which sets its colour; empty for candidates and names."""

Piece: TypeAlias = tuple[str, Kind]
"""Adjacent characters of a line in one role."""

SIGNS: dict[Kind, str] = {"pattern": "*", "fin": "^", "gone": "-", "placed": "+"}
"""The sign in front of a candidate."""

_LIGHT = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
_HEAVY = " ╹╻┃╸┛┓┫╺┗┏┣━┻┳╋"
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8


def candidate_grid(state: State, step: Step | None = None) -> list[list[Piece]]:
    """Return the lines of a grid: each candidate in its place, placed values in brackets.

    A cell without candidates has an exclamation mark. Heavy lines separate boxes and regions. The
    candidates of the step get their signs.
    """
    sheet = _Sheet.of(drawn_layout(state.layout))
    kinds = _kinds(step)
    for cell, mask in enumerate(state.candidates[: state.layout.drawn]):
        given = state.board.givens[cell]
        if given or state.placed >> cell & 1 or not mask:
            value = given or value_of(mask)
            text = f"[{state.layout.shown[value]}]" if value else "!"
            sheet.write_middle(cell, text, "given" if given else "found")
            continue
        for value in values_of(mask):
            sheet.write_candidate(cell, value, kinds.get((cell, value), ""))
    sheet.draw_lines()
    sheet.name_lines()
    return sheet.lines()


def candidate_list(state: State, step: Step) -> list[list[Piece]]:
    """Return a line for each cell of a step, for boards with a grid that is too wide."""
    kinds = _kinds(step)
    lines: list[list[Piece]] = []
    for cell in sorted({cell for cell, _ in kinds}):
        line: list[Piece] = [(f"{state.layout.names[cell]}:", "")]
        for value in values_of(state.candidates[cell]):
            kind = kinds.get((cell, value), "")
            line += [(" ", ""), (SIGNS.get(kind, "") + state.layout.shown[value], kind)]
        lines.append(line)
    return lines


def grid_width(layout: Layout) -> int:
    """Return the width of a layout's grid in characters."""
    return _Sheet.of(drawn_layout(layout)).width


def _kinds(step: Step | None) -> dict[Candidate, Kind]:
    """Return the role of each candidate in a step; later roles replace earlier ones."""
    if step is None:
        return {}
    kinds: dict[Candidate, Kind] = {}
    for link in step.links:
        kinds |= {link.start: "pattern", link.end: "pattern"}
    kinds |= dict.fromkeys(step.pattern, "pattern")
    kinds |= dict.fromkeys(step.fins, "fin")
    kinds |= dict.fromkeys(step.eliminations, "gone")
    kinds |= dict.fromkeys(step.placements, "placed")
    return kinds


@dataclass
class _Sheet:
    """Characters at lines and columns, with their kinds.

    Args:
        layout: layout of the cells.
        side: number of candidates side by side in a cell.
        digits: number of digits of the largest value.
    """

    layout: Layout
    side: int
    digits: int
    characters: dict[tuple[int, int], tuple[str, Kind]] = field(default_factory=dict)

    @classmethod
    def of(cls, layout: Layout) -> _Sheet:
        return cls(layout, marks_a_side(layout.n), len(layout.shown[-1]))

    @property
    def across(self) -> int:
        """Characters from the left line of a cell to that of the next."""
        return max(self.side * (self.digits + 1), self.digits + 2) + 2

    @property
    def down(self) -> int:
        """Lines from the upper line of a cell to that of the next."""
        return -(-self.layout.n // self.side) + 1

    @property
    def margin(self) -> int:
        """Room for the names of rows."""
        return len(row_name(self.layout.rows - 1, self.layout.rows)) + 1

    @property
    def width(self) -> int:
        return self.margin + self.layout.columns * self.across + 1

    def corner(self, row: int, column: int) -> tuple[int, int]:
        return row * self.down + 1, column * self.across + self.margin

    def write(self, line: int, column: int, text: str, kind: Kind) -> None:
        for offset, character in enumerate(text):
            self.characters[line, column + offset] = (character, kind)

    def write_middle(self, cell: int, text: str, kind: Kind) -> None:
        line, column = self.corner(*self.layout.positions[cell])
        middle = (self.across - len(text) + 1) // 2
        self.write(line + (self.down + 1) // 2, column + middle, text, kind)

    def write_candidate(self, cell: int, value: int, kind: Kind) -> None:
        line, column = self.corner(*self.layout.positions[cell])
        down, right = divmod(value - 1, self.side)
        text = SIGNS.get(kind, "") + self.layout.shown[value]
        end = column + (right + 1) * (self.digits + 1)
        self.write(line + down + 1, end - len(text) + 1, text, kind)

    def draw_lines(self) -> None:
        """Draw the sides of all cells; heavy lines continue where light lines meet them."""
        arms: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        for (x1, y1, x2, y2), kind in sides(self.layout).items():
            begin, end = self.corner(y1 // CELL, x1 // CELL), self.corner(y2 // CELL, x2 // CELL)
            points = [
                (line, column)
                for line in range(begin[0], end[0] + 1)
                for column in range(begin[1], end[1] + 1)
            ]
            out, back = (_RIGHT, _LEFT) if y1 == y2 else (_DOWN, _UP)
            weight = int(kind == "thick")
            for point in points[:-1]:
                arms[point][weight] |= out
            for point in points[1:]:
                arms[point][weight] |= back
        for (line, column), (light, heavy) in arms.items():
            self.write(line, column, _HEAVY[heavy] if heavy else _LIGHT[light], "line")

    def name_lines(self) -> None:
        layout = self.layout
        for column in range(layout.columns):
            name = str(column + 1)
            _, left = self.corner(0, column)
            self.write(0, left + (self.across - len(name) + 1) // 2, name, "")
        for row in range(layout.rows):
            top, _ = self.corner(row, 0)
            self.write(top + (self.down + 1) // 2, 0, row_name(row, layout.rows), "")

    def lines(self) -> list[list[Piece]]:
        return [list(self._line(line)) for line in range(self.layout.rows * self.down + 2)]

    def _line(self, line: int) -> Iterator[Piece]:
        last = max((column for at, column in self.characters if at == line), default=-1)
        blank: tuple[str, Kind] = (" ", "")
        characters = [self.characters.get((line, column), blank) for column in range(last + 1)]
        for kind, group in groupby(characters, key=lambda item: item[1]):
            yield "".join(character for character, _ in group), kind


_STYLES: dict[Kind, str] = {
    "": "",
    "line": "dim",
    "given": "bold",
    "found": "blue",
    "pattern": "bold cyan",
    "fin": "bold yellow",
    "gone": "bold red strike",
    "placed": "bold green reverse",
}

MEANINGS: dict[Kind, str] = {
    "pattern": "rests on",
    "fin": "fin",
    "gone": "leaves",
    "placed": "is placed",
}


def grid_text(state: State, step: Step | None, width: int) -> Text:
    """Return the candidates of a state, with those of a step marked, and the key to the signs.

    A grid wider than ``width`` characters becomes a list of the cells of the step.
    """
    if grid_width(state.layout) <= width or step is None:
        lines = candidate_grid(state, step)
    else:
        lines = candidate_list(state, step)
    if key := _key(lines):
        lines.append(key)
    return Text("\n").join(map(_styled, lines))


def _key(lines: Iterable[Iterable[Piece]]) -> list[Piece]:
    used = {kind for line in lines for _, kind in line}
    pieces: list[Piece] = []
    for kind, meaning in MEANINGS.items():
        if kind in used:
            pieces += [(SIGNS[kind], kind), (f" {message(meaning)}   ", "")]
    return pieces


def _styled(pieces: Iterable[Piece]) -> Text:
    line = Text(no_wrap=True, overflow="ignore", end="")
    for text, kind in pieces:
        line.append(text, _STYLES[kind])
    return line
