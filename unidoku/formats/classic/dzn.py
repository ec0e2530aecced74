"""Data of MiniZinc's benchmarks, ``.dzn``: nonograms, Kakuro, Futoshiki, Latin squares with holes.

The names are those of the models ``nonogram/non.mzn`` and ``kakuro/kakuro.mzn`` of MiniZinc's
benchmarks, of Håkan Kjellerstrand's ``futoshiki.mzn`` and ``nonogram_create_automaton2.mzn``, and
of ``QuasigroupCompletion.mzn`` in CSPLib (problem 67). They determine the family.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TypeAlias

from unidoku.core.board import Board
from unidoku.core.layout import MAX_VALUES, Layout, Position
from unidoku.core.rules import Greater, Killer
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.classic.parameters import Parameters, read_items, read_numbers
from unidoku.formats.families import MOST_SIDE, Rest, Run, kakuro, nonogram, nonogram_clues
from unidoku.formats.grid_parts import square_parts
from unidoku.formats.losses import Report, Written, only_puzzle
from unidoku.formats.puzzles import Puzzle
from unidoku.support.text import listed

Array: TypeAlias = list[list[int]]
"""The rows of a two-dimensional array; a single number is an array of one row."""

_ITEM = re.compile(r"\s*([A-Za-z]\w*)\s*=\s*([^;]*);")

_ARRAY = re.compile(r"array2d\s*\(([^\[]*)\[([^\]]*)\]\s*\)")

_MOST_NUMBERS = 100_000


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle in a file of data.

    >>> text = "X = 2; Y = 1; maxlen = 1; rows = [|1|]; cols = [|1|0|];"
    >>> [rule.blocks for puzzle in read(text) for rule in puzzle.board.layout.rules]
    [(1,), (1,), ()]

    Raises:
        FormatError: it is not data of such a family.
    """
    data = re.sub(r"%.*", "", text)
    items = read_items(data, _ITEM, "size = 5;")
    for family in _FAMILIES:
        if all(name in items for name in family.needed):
            report = Report()
            for name in sorted(items.keys() - family.needed - family.further):
                report.drop(f"parameter {name[:40]}")
            try:
                board = family.read(_Data(items), report)
            except LayoutError as error:
                raise FormatError(f"{family.name}: {error}") from error
            yield Puzzle(board, "", 1, losses=report.losses)
            return
    wanted = [f"{listed(sorted(each.needed))} ({each.name})" for each in _FAMILIES]
    raise FormatError(f"expected the parameters {'; or '.join(wanted)}; got {listed(items)[:80]}")


class _Data(Parameters):
    """The values of parameters of MiniZinc."""

    def has(self, name: str) -> bool:
        """Return whether a parameter is there."""
        return name in self._items

    def side(self, name: str) -> int:
        """Return the side of a square of numbers, at least 1."""
        item = self._items[name][: 8 * _MOST_NUMBERS].partition("[")[2]
        return max(1, math.isqrt(len(re.findall(r"\d+", item))))

    def array(self, name: str, columns: int, rows: int | None = None) -> Array:
        """Return the rows of an array with this number of columns, and of rows if that is known.

        Raises:
            FormatError: it is not such an array.
        """
        item = self._items[name]
        if len(item) > 8 * _MOST_NUMBERS:
            raise FormatError(f"{name}: expected up to {_MOST_NUMBERS:,} numbers, got more")
        if match := _ARRAY.fullmatch(item):
            numbers = read_numbers(name, match[2])
            if len(numbers) % columns:
                raise FormatError(f"{name}: expected rows of {columns}, got {len(numbers)} numbers")
            table = [numbers[start : start + columns] for start in range(0, len(numbers), columns)]
        elif match := re.fullmatch(r"\[\|(.*?)\|?\s*\]", item, re.DOTALL):
            table = [read_numbers(name, row) for row in match[1].split("|")]
            table = [row for row in table if row]
        else:
            raise FormatError(f"{name}: expected an array such as [|1, 2|3, 4|], got {item[:40]!r}")
        if wrong := [row for row in table if len(row) != columns]:
            raise FormatError(f"{name}: expected rows of {columns}, got one of {len(wrong[0])}")
        if rows is not None and len(table) != rows:
            raise FormatError(f"{name}: expected {rows} rows, got {len(table)}")
        return table


def _read_nonogram(data: _Data, report: Report) -> Board:
    columns, rows = data.number("X", 1, MOST_SIDE), data.number("Y", 1, MOST_SIDE)
    most = data.number("maxlen", 1, MOST_SIDE)
    clues = [
        [_blocks(name, row, room) for row in data.array(name, most, count)]
        for name, count, room in (("rows", rows, columns), ("cols", columns, rows))
    ]
    return Board.empty(nonogram(*clues))


def _blocks(name: str, row: Sequence[int], room: int) -> tuple[int, ...]:
    """Return the lengths of the runs of ones; -1 fills up the row."""
    cells = [number for number in row if number != -1]
    if set(cells) - {0, 1} or len(cells) > room:
        raise FormatError(f"{name}: expected blocks as 0 and 1, and -1 behind, got {row}"[:120])
    return tuple(len([*run]) for filled, run in groupby(cells) if filled)


def _read_clues(data: _Data, report: Report) -> Board:
    """Return a nonogram whose clues are the lengths of its blocks, with zeros before them."""
    height, width = data.number("rows", 1, MOST_SIDE), data.number("cols", 1, MOST_SIDE)
    clues = []
    for name, count, room in (("row", height, width), ("col", width, height)):
        most = data.number(f"{name}_rule_len", 1, MOST_SIDE)
        rows = data.array(f"{name}_rules", most, count)
        blocks = [tuple([length for length in row if length]) for row in rows]
        for row in blocks:
            if any(length < 0 for length in row) or sum(row) + len(row) - 1 > room:
                raise FormatError(f"{name}_rules: expected blocks in {room} cells, got {row}"[:120])
        clues.append(blocks)
    return Board.empty(nonogram(*clues))


def _read_latin(data: _Data, report: Report) -> Board:
    size = data.number("N", 1, MAX_VALUES)
    values = [value for row in data.array("start", size, size) for value in row]
    if wrong := [value for value in values if not 0 <= value <= size]:
        raise FormatError(f"start: expected 0 to {size}, got {wrong[0]}")
    return Board.from_values(named_layout("latin", size), values)


def _read_kakuro(data: _Data, report: Report) -> Board:
    rows, columns = data.number("h", 1, MOST_SIDE), data.number("w", 1, MOST_SIDE)
    white = sorted(
        (row, column)
        for row, numbers in enumerate(data.array("grid_data", columns, rows), start=1)
        for column, is_white in enumerate(numbers, start=1)
        if is_white
    )
    if not white:
        raise FormatError("grid_data: expected a cell that is not blacked out, got none")
    # The first row and column contain only clues.
    top, left = (min(2, *(position[axis] for position in white)) for axis in (0, 1))
    places = {position: cell for cell, position in enumerate(white)}
    runs: list[Run] = []
    for letter, down, right in (("h", 0, 1), ("v", 1, 0)):
        name, most = f"{letter}_clue", rows * columns
        for clue in data.array(name, 4, data.number(f"n_{letter}", 0, most)):
            row, column, length, total = clue
            word = [(row + down * step, column + right * step) for step in range(1, length + 1)]
            if not 1 <= length <= 9 or not all(position in places for position in word):
                raise FormatError(f"{name}: expected a word of 1 to 9 white cells, got {clue}")
            runs.append((tuple(places[position] for position in word), total))
    if set(places.values()) - {cell for cells, _ in runs for cell in cells}:
        report.approximate("cells in no word hold 1 to 9, and not 0 as in the model")
    return Board.empty(kakuro(((row - top, column - left) for row, column in white), runs))


def _read_futoshiki(data: _Data, report: Report) -> Board:
    size = data.number("SIZE", 1, MOST_SIDE) if data.has("SIZE") else data.side("values")
    values = [value for row in data.array("values", size, size) for value in row]
    if wrong := [value for value in values if not 0 <= value <= size]:
        raise FormatError(f"values: expected 0 to {size}, got {wrong[0]}")
    pairs = []
    for less in data.array("lt", 4):
        if not all(1 <= number <= size for number in less):
            raise FormatError(f"lt: expected rows and columns from 1 to {size}, got {less}")
        low, high = ((row - 1) * size + column - 1 for row, column in (less[:2], less[2:]))
        pairs.append((high, low))
    layout = named_layout("latin", size)
    rules = [Greater(tuple(pairs))] if pairs else []
    return Board.from_values(layout.with_rules(*rules), values)


def write(puzzles: Sequence[Puzzle]) -> Written:
    """Return a nonogram, a Kakuro or a Futoshiki as data.

    Raises:
        InputError: it is of another family, or there are several.
    """
    rest = Rest(only_puzzle(puzzles, ".dzn"))
    layout = rest.layout
    if layout.n == 2:
        data = _nonogram_data(rest)
    else:
        data = _futoshiki_data(rest) if layout.units else _kakuro_data(rest)
    text = "\n".join(f"{name} = {value};" for name, value in data)
    return Written(text, rest.losses())


Data: TypeAlias = Iterator[tuple[str, object]]


def _rows(rows: Sequence[Sequence[int]]) -> str:
    """Return a two-dimensional array as text; an empty one has no rows."""
    return f"[|{_list(rows, between='|')}|]"


def _nonogram_data(rest: Rest) -> Data:
    rows, columns = nonogram_clues(rest, ".dzn")
    if any(rest.givens()):
        rest.report.drop("givens")
    ones = [[_ones(blocks) for blocks in clues] for clues in (rows, columns)]
    most = max(len(row) for clues in ones for row in clues)
    filled = [[row + [-1] * (most - len(row)) for row in clues] for clues in ones]
    yield from (("X", len(columns)), ("Y", len(rows)), ("maxlen", most))
    yield from (("rows", _rows(filled[0])), ("cols", _rows(filled[1])))


def _ones(blocks: Sequence[int]) -> list[int]:
    """Return ones for filled cells and a zero between blocks; a single zero for no block."""
    return [cell for block in blocks for cell in [0] + [1] * block][1:] or [0]


def _kakuro_data(rest: Rest) -> Data:
    """Yield the data of Kakuro, with a row above and a column left of the cells for the clues."""
    layout = rest.layout
    if layout.n != 9 or layout.first_value != 1 or layout.units or layout.hidden:
        raise InputError(".dzn holds nonograms, Kakuro of values 1 to 9, and Futoshiki")
    clues: dict[str, list[list[int]]] = {"h": [], "v": []}
    for rule in rest.take(Killer, lambda rule: _word(layout, rule) is not None):
        letter, (row, column) = _word(layout, rule) or ("", (0, 0))
        clues[letter].append([row + 1, column + 1, len(rule.cage), rule.total or 0])
    if any(rest.givens()):
        rest.report.drop("givens")
    cells = [
        [int((row - 1, column - 1) in layout.cell_at) for column in range(layout.columns + 1)]
        for row in range(layout.rows + 1)
    ]
    yield from (("h", layout.rows + 1), ("w", layout.columns + 1), ("grid_data", _rows(cells)))
    for letter, runs in clues.items():
        yield from ((f"n_{letter}", len(runs)), (f"{letter}_clue", _rows(sorted(runs))))


def _word(layout: Layout, rule: Killer) -> tuple[str, Position] | None:
    """Return the direction of a word with a total, and the place of its clue."""
    places = [layout.positions[cell] for cell in sorted(rule.cage)]
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)} or {(0, 1)}
    row, column = places[0]
    if rule.total is None or len(set(rule.cage)) < len(rule.cage):
        return None
    if steps == {(0, 1)}:
        return "h", (row + 1, column)
    return ("v", (row, column + 1)) if steps == {(1, 0)} else None


def _futoshiki_data(rest: Rest) -> Data:
    layout = rest.layout
    parts = square_parts(layout, ".dzn")
    if parts.regions or parts.falling or parts.rising or parts.units:
        rest.report.drop("units that are not rows or columns")
    parts.drop_moves(rest.report)
    pairs = [pair for rule in rest.take(Greater) for pair in rule.pairs]
    less = [
        [*(k + 1 for k in layout.positions[low]), *(k + 1 for k in layout.positions[high])]
        for high, low in pairs
    ]
    values = rest.givens()
    side = layout.n
    squares = [values[start : start + side] for start in range(0, side * side, side)]
    yield from (("SIZE", side), ("lastdx", len(less) - 1))
    yield "values", f"array2d(1..{side}, 1..{side}, [{_list(squares)}])"
    yield "lt", f"array2d(0..{len(less) - 1}, 0..3, [{_list(less)}])"


def _list(rows: Sequence[Sequence[int]], between: str = ",") -> str:
    return between.join("\n  " + ", ".join(map(str, row)) for row in rows)


@dataclass(frozen=True, slots=True)
class _Family:
    """A family, with the parameters that its model needs and those that it may have."""

    name: str
    needed: frozenset[str]
    read: Callable[[_Data, Report], Board]
    further: frozenset[str] = frozenset()


_FAMILIES = (
    _Family("nonogram", frozenset(["X", "Y", "maxlen", "rows", "cols"]), _read_nonogram),
    _Family(
        "kakuro",
        frozenset(["h", "w", "grid_data", "n_h", "h_clue", "n_v", "v_clue"]),
        _read_kakuro,
    ),
    _Family(
        "nonogram with blocks",
        frozenset(["rows", "row_rule_len", "row_rules", "cols", "col_rule_len", "col_rules"]),
        _read_clues,
    ),
    _Family("Latin square", frozenset(["N", "start"]), _read_latin),
    _Family(
        "futoshiki", frozenset(["values", "lt"]), _read_futoshiki, frozenset(["SIZE", "lastdx"])
    ),
)
