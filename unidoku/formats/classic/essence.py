"""Parameters of Essence Prime, ``.param``: the states of puzzles that Demystify explains.

The names are those of the models in ``eprime/`` of Demystify (stacs-cp/demystify-rs). They
determine the family; other models are refused. The parameters of a Sudoku are ``fixed`` alone, and
those of a model with further rules, ``miracle``, are the same: it is read as a Sudoku.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from unidoku.core.board import Board
from unidoku.core.cells import neighbours
from unidoku.core.layout import MAX_VALUES, Layout
from unidoku.core.rules import Contains, Greater, Killer, PairSum, Rule, Skyscraper, XSum
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.classic.parameters import Parameters, read_items, read_numbers
from unidoku.formats.families import MOST_SIDE, Run, kakuro, takuzu
from unidoku.formats.frame import Frame
from unidoku.formats.puzzles import Puzzle
from unidoku.support.text import listed

Rows: TypeAlias = list[list[int]]

_ITEM = re.compile(r"\s*letting\s+([A-Za-z]\w*)\s+be\s+(-?\d{1,6}|\[(?:[^A-Za-z]|true|false)*\])")

_ROWS = re.compile(r"\[([^\[\]]*)\]")

_MOST = 400_000


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in a file of parameters.

    >>> [puzzle] = read("letting n be 2 letting initial be [[2, 1], [2, 2]]")
    >>> puzzle.board.layout.name, puzzle.board.givens
    ('takuzu', (0, 2, 0, 0))

    Raises:
        FormatError: they are not the parameters of such a family.
    """
    if len(text) > _MOST:
        raise FormatError(f"expected up to {_MOST:,} characters of parameters, got more")
    data = re.sub(r"\$.*", "", text)
    data = re.sub(r"\A\s*language\s+ESSENCE'\s+[\d.]+", "", data)
    items = read_items(data, _ITEM, "letting n be 6")
    for family in _FAMILIES:
        if family.needed <= items.keys() <= family.needed | family.further:
            try:
                board = family.read(_Parameters(items))
            except LayoutError as error:
                raise FormatError(f"{family.name}: {error}") from error
            yield Puzzle(board, "", 1)
            return
    families = ", ".join(each.name for each in _FAMILIES)
    got = listed(sorted(items))[:80] or "none"
    raise FormatError(f"expected the parameters of a puzzle ({families}), got {got}")


class _Parameters(Parameters):
    """The values of parameters of Essence."""

    def row(self, name: str) -> list[int]:
        """Return the numbers of an array of one dimension."""
        return read_numbers(name, self._items[name].removeprefix("[").removesuffix("]"))

    def rows(self, name: str, columns: int | None = None, rows: int | None = None) -> Rows:
        """Return the rows of an array of two dimensions, which are equally long.

        Raises:
            FormatError: it is not such an array.
        """
        inside = self._items[name].removeprefix("[").removesuffix("]")
        if between := _ROWS.sub("", inside).replace(",", "").strip():
            raise FormatError(
                f"{name}: expected rows such as [[1, 2], [3, 4]], got {between[:40]!r}"
            )
        table = [read_numbers(name, row) for row in _ROWS.findall(inside)]
        wide = len(table[0]) if columns is None and table else columns
        if wrong := [row for row in table if len(row) != wide]:
            raise FormatError(f"{name}: expected rows of {wide}, got one of {len(wrong[0])}")
        if not table or rows not in (None, len(table)):
            raise FormatError(f"{name}: expected {rows or 'some'} rows, got {len(table)}")
        return table

    def square(self, name: str, size: int, least: int, most: int) -> list[int]:
        """Return the numbers of a square in reading order.

        Raises:
            FormatError: it is not such a square, or a number is out of bounds.
        """
        numbers = [number for row in self.rows(name, size, size) for number in row]
        if wrong := [number for number in numbers if not least <= number <= most]:
            raise FormatError(f"{name}: expected {least} to {most}, got {wrong[0]}")
        return numbers


def _read_sudoku(data: _Parameters) -> Board:
    return Board.from_values(named_layout("classic", 9), data.square("fixed", 9, 0, 9))


def _read_takuzu(data: _Parameters) -> Board:
    size = data.number("n", 2, MAX_VALUES)
    if size % 2:
        raise FormatError(f"n: expected an even number, got {size}")
    cells = data.square("initial", size, 0, 2)  # 2 is an empty cell
    layout = takuzu(size, size, distinct=True)
    return Board.from_values(layout, [0 if cell == 2 else cell + 1 for cell in cells])


def _read_futoshiki(data: _Parameters) -> Board:
    size = data.number("grid_size", 1, MAX_VALUES)
    pairs = []
    for less in data.rows("lt", 4):
        if not all(1 <= number <= size for number in less):
            raise FormatError(f"lt: expected rows and columns from 1 to {size}, got {less}")
        low, high = ((row - 1) * size + column - 1 for row, column in (less[:2], less[2:]))
        pairs.append((high, low))
    layout = named_layout("latin", size).with_rules(Greater(tuple(pairs)))
    return Board.from_values(layout, data.square("values", size, 0, size))


def _read_killer(data: _Parameters) -> Board:
    totals = data.row("hints")
    cages: defaultdict[int, list[int]] = defaultdict(list)
    for cell, cage in enumerate(data.square("grid", 9, 0, len(totals))):
        cages[cage].append(cell)
    cages.pop(0, None)  # cells in no cage
    rules = [Killer(tuple(cells), totals[cage - 1]) for cage, cells in sorted(cages.items())]
    return Board.empty(named_layout("classic", 9).with_rules(*rules))


def _read_skyscrapers(data: _Parameters) -> Board:
    size = data.number("grid_size", 1, MAX_VALUES)
    clues = data.rows("side_labels", size, 4)
    rules = [Skyscraper(line, clue) for line, clue in _at_sides(size, clues)]
    layout = named_layout("latin", size).with_rules(*rules)
    return Board.from_values(layout, data.square("GRID", size, 0, size))


def _read_x_sums(data: _Parameters) -> Board:
    clues = data.rows("side_labels", 9, 4)
    rules = [XSum(line, clue) for line, clue in _at_sides(9, clues)]
    layout = named_layout("classic", 9).with_rules(*rules)
    return Board.from_values(layout, data.square("GRID", 9, 0, 9))


def _at_sides(size: int, clues: Rows) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each line with its clue, if it has one."""
    lines = Frame(size, size).views("left", "top", "right", "bottom")
    for line, clue in zip(lines, chain(*clues), strict=True):
        if clue:
            yield line, clue


def _read_stars(data: _Parameters) -> Board:
    size = data.number("grid_size", 1, MAX_VALUES)
    stars = data.number("starcount", 1, size)
    areas: defaultdict[int, list[int]] = defaultdict(list)
    for cell, area in enumerate(data.square("cages", size, 1, size)):
        areas[area].append(cell)
    layout = Layout.from_units(2, (), shape=(size, size), first_value=0)
    groups: list[Sequence[int]] = [*Frame(size, size).lines(), *areas.values()]
    rules: list[Rule] = [Contains(tuple(cells), (1,) * stars, True) for cells in groups]
    rules.append(PairSum(neighbours(layout, corners=True), 2, True))
    shapes = tuple(tuple(cells) for cells in areas.values())
    return Board.empty(replace(layout, rules=(*rules,), areas=shapes, name="star battle"))


def _read_kakuro(data: _Parameters) -> Board:
    blanks = data.rows("blanks")
    rows, columns = len(blanks), len(blanks[0])
    if max(rows, columns) > MOST_SIDE:
        raise FormatError(f"blanks: expected up to {MOST_SIDE} rows and columns, got more")
    white = [(r, c) for r in range(rows) for c in range(columns) if blanks[r][c]]
    if not white:
        raise FormatError("blanks: expected a cell that is not blacked out, got none")
    places = {position: cell for cell, position in enumerate(white)}
    runs: list[Run] = []
    for name, down, right in (("horzsums", 0, 1), ("vertsums", 1, 0)):
        for row, totals in enumerate(data.rows(name, columns, rows)):
            for column, total in enumerate(totals):
                run: list[int] = []
                at = row + down, column + right
                while total and at in places:
                    run.append(places[at])
                    at = at[0] + down, at[1] + right
                if total and not 1 <= len(run) <= 9:
                    raise FormatError(f"{name}: expected a run of 1 to 9 cells, got {len(run)}")
                if total:
                    runs.append((tuple(run), total))
    top, left = (min(position[axis] for position in white) for axis in (0, 1))
    return Board.empty(kakuro(((row - top, column - left) for row, column in white), runs))


@dataclass(frozen=True, slots=True)
class _Family:
    """A family, with the parameters that its model needs and those that it may have."""

    name: str
    needed: frozenset[str]
    read: Callable[[_Parameters], Board]
    further: frozenset[str] = frozenset()


_FAMILIES = (
    _Family("Sudoku", frozenset(["fixed"]), _read_sudoku),
    _Family("Takuzu", frozenset(["initial", "n"]), _read_takuzu),
    _Family(
        "Futoshiki",
        frozenset(["grid_size", "lt", "values"]),
        _read_futoshiki,
        frozenset(["lastdx"]),
    ),
    _Family(
        "Kakuro",
        frozenset(["blanks", "horzsums", "vertsums"]),
        _read_kakuro,
        frozenset(["height", "width"]),
    ),
    _Family("killer", frozenset(["grid", "hints"]), _read_killer, frozenset(["n_hints"])),
    _Family("Skyscrapers", frozenset(["GRID", "grid_size", "side_labels"]), _read_skyscrapers),
    _Family("X-sums", frozenset(["GRID", "side_labels"]), _read_x_sums),
    _Family("star battle", frozenset(["cages", "grid_size", "starcount"]), _read_stars),
)
