"""The sudoku kinds of ipuz, a format in JSON: givens, boxes, zones, cages and the solution."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from unidoku.core.board import Board
from unidoku.core.layout import Layout, Unit
from unidoku.core.rules import KenKen, Killer, Rule
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.draft import json_object, one_line, whole_number
from unidoku.formats.families import Rest
from unidoku.formats.frame import MOST_SIDE, box_of
from unidoku.formats.grid_parts import square_parts
from unidoku.formats.losses import Report, Written, only_puzzle
from unidoku.formats.puzzles import Puzzle
from unidoku.support.schema import shown

_KIND = "http://ipuz.org/sudoku"

_BOXLESS = ("latinsquare", "jigsawsudoku", "calcudoku")
"""Kinds that have no boxes unless the file states them."""

_KNOWN = ("", "wordoku", "diagonalsudoku", "hypersudoku", "killersudoku", *_BOXLESS)

_READ = frozenset(["version", "kind", "title", "author", "charset", "empty", "boxes", "puzzle"]) | {
    *("solution", "zones", "cages"),
    *("displaycharset", "showoperators", "cageborder", "dimensions"),
}
"""Keys that are read, and keys that only affect how a puzzle is shown."""

_OF_CAGES = frozenset(["cells", "rect", "style", "value", "operator"])

_SIGNS = ("+", "-", "*", "/")

Json: TypeAlias = Mapping[str, Any]


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle of a file.

    >>> kind = '"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku#1"]'
    >>> rows = "[[1,0,0,0],[0,0,2,0],[0,3,0,0],[0,0,0,4]]"
    >>> text = f'{{{kind}, "charset": "1234", "boxes": true, "puzzle": {rows}}}'
    >>> [puzzle.board.text("line") for puzzle in read(text)]
    ['1.....2..3.....4']

    Raises:
        FormatError: it is not a sudoku of ipuz; the message names the key.
    """
    content = text.strip()
    if wrapped := re.fullmatch(r"ipuz\s*\((.*)\)\s*;?", content, re.DOTALL):
        content = wrapped[1]
    yield _Reader(json_object(content, "ipuz")).puzzle()


class _Reader:
    """A file as a table, with its losses."""

    def __init__(self, table: Json) -> None:
        self._table = table
        self._report = Report()
        self._kinds = [*self._kinds_of(table.get("kind"))]

    def _kinds_of(self, value: object) -> Iterator[str]:
        """Yield the part after "sudoku" of each kind."""
        for kind in value if isinstance(value, list) else []:
            match = re.fullmatch(
                rf"{_KIND}(?:/(\w+))?(?:#\d+)?", kind if isinstance(kind, str) else ""
            )
            if match is None:
                self._report.drop(f"kind {one_line(kind) or shown(kind)}")
            elif (variant := match[1] or "") not in _KNOWN:
                self._report.drop(f"kind {variant[:40]}")
            yield from [match[1] or ""] if match else []

    def puzzle(self) -> Puzzle:
        """Return the puzzle."""
        if not self._kinds:
            raise FormatError(f"kind: expected {_KIND}, got {shown(self._table.get('kind'))}")
        for key in sorted(self._table.keys() - _READ):
            self._report.drop(f"key {key[:40]}")
        rows = self._rows("puzzle")
        side = len(rows)
        symbols = self._symbols(side)
        layout = self._layout(side)
        layout = layout.with_rules(*self._cages(layout))
        values = [self._value(cell, symbols, "given", "puzzle") for row in rows for cell in row]
        board = Board.from_values(layout, values)
        return Puzzle(
            board,
            one_line(self._table.get("title")),
            1,
            author=one_line(self._table.get("author")),
            solution=self._solution(side, symbols),
            losses=self._report.losses,
        )

    def _rows(self, key: str) -> Sequence[Sequence[object]]:
        rows = self._table.get(key)
        side = len(rows) if isinstance(rows, list) else 0
        if not 1 <= side <= MOST_SIDE or not all(
            isinstance(row, list) and len(row) == side for row in rows or ()
        ):
            raise FormatError(f"{key}: expected as many rows as columns, 1 to {MOST_SIDE}")
        return rows  # type: ignore[return-value]  # a list of lists

    def _symbols(self, side: int) -> dict[str, int]:
        """Return the value of each symbol."""
        symbols = self._table.get("charset") or DIGITS_FIRST[:side]
        if not isinstance(symbols, str) or len(symbols) != side or len(set(symbols)) < side:
            raise FormatError(
                f"charset: expected {side} different characters, got {shown(symbols)}"
            )
        if symbols != DIGITS_FIRST[:side]:
            self._report.approximate(f"the characters {symbols} are values 1 to {side}")
        return {symbol: value for value, symbol in enumerate(symbols, start=1)}

    def _value(self, cell: object, symbols: Mapping[str, int], key: str, where: str) -> int:
        if isinstance(cell, dict):
            for further in sorted(cell.keys() - {key}):
                self._report.drop(f"{further[:40]} of cells")
            cell = cell.get(key)
        empty = str(self._table.get("empty", 0))
        if cell is None or cell is False or str(cell) in (empty, "", "0") or cell == 0:
            return 0
        # A number is a value, even "16" with a charset of 16 letters.
        if type(cell) is int and 1 <= cell <= len(symbols):
            return cell
        if not isinstance(cell, str) or cell not in symbols:
            values = "".join(symbols)
            got = f"got {shown(cell)}"
            raise FormatError(f"{where}: expected a value of {values} or {empty}, {got}")
        return symbols[cell]

    def _layout(self, side: int) -> Layout:
        """Return rows, columns, boxes and zones."""
        kinds = set(self._kinds)
        has_boxes = self._table.get("boxes")
        if has_boxes is None:
            has_boxes = not kinds & set(_BOXLESS)
            self._report.read_as(
                f"without the key boxes there are {'some' if has_boxes else 'none'}"
            )
        name = "classic" if has_boxes else "latin"
        additions = [("diagonalsudoku", "+x"), ("hypersudoku", "+windoku")]
        name += "".join(plus for kind, plus in additions if kind in kinds)
        try:
            layout = named_layout(name, side)
        except LayoutError as error:
            raise FormatError(f"boxes: {error}") from error
        zones = self._list("zones")
        units = [
            Unit(cells, "region" if len(cells) == side else "unit", f"zone {number}")
            for number, zone in enumerate(zones, start=1)
            for cells in [self._cells(zone, side, "zones")]
        ]
        if not units:
            return layout
        self._report.read_as("the values of a zone differ")
        try:
            return Layout.from_units(
                side, [*layout.units, *units], positions=layout.positions, name=f"{name} with zones"
            )
        except LayoutError as error:
            raise FormatError(f"zones: {error}") from error

    def _list(self, key: str) -> list[Json]:
        values = self._table.get(key) or []
        if not isinstance(values, list) or not all(isinstance(entry, dict) for entry in values):
            raise FormatError(f"{key}: expected a list of objects, got {shown(values)}")
        return values

    def _cells(self, value: Json, side: int, key: str) -> tuple[int, ...]:
        """Return cells that are given as columns and rows, or as the corners of a rectangle."""
        if "style" in value:
            self._report.drop(f"style of {key}")
        first = 1 if side in self._numbers and 0 not in self._numbers else 0
        self._report.read_as(f"cells as column and row, from {first}")
        cells, corners = value.get("cells"), value.get("rect")
        if _are_places([corners], 4, range(first, first + side)):
            left, top, right, bottom = corners  # type: ignore[misc]  # four numbers
            cells = [[x, y] for y in range(top, bottom + 1) for x in range(left, right + 1)]
        if not cells or not _are_places(cells, 2, range(first, first + side)):
            got = shown(corners if cells is None else cells)
            raise FormatError(
                f"{key}: expected cells such as [[0, 0], [1, 0]] of the grid, got {got}"
            )
        cells_in_order = sorted(column - first + side * (row - first) for column, row in cells)
        if len(set(cells_in_order)) < len(cells_in_order):
            raise FormatError(f"{key}: expected each cell once, got {shown(cells)}")
        return tuple(cells_in_order)

    @cached_property
    def _numbers(self) -> set[int]:
        """The columns and rows that zones and cages name.

        Programs differ in the number of the first one; if all cells of a board are in cages, it can
        be determined.
        """
        return {
            number
            for entry in (*self._list("zones"), *self._list("cages"))
            for places in (entry.get("cells"), [entry.get("rect")])
            for position in (places if isinstance(places, list) else ())
            for number in (position if isinstance(position, list) else ())
            if type(number) is int
        }

    def _cages(self, layout: Layout) -> Iterator[Rule]:
        is_killer = "killersudoku" in self._kinds or "calcudoku" not in self._kinds
        for entry in self._list("cages"):
            cells = self._cells(entry, layout.n, "cages")
            total, sign = entry.get("value"), entry.get("operator")
            for further in sorted(entry.keys() - _OF_CAGES):
                self._report.drop(f"{further[:40]} of cages")
            if total is not None and (total := whole_number(total)) is None:
                got = shown(entry.get("value"))
                raise FormatError(f"cages: expected a number as value, got {got}")
            if is_killer and sign in (None, "+"):
                self._report.read_as("the values of a killer's cage differ")
                yield Killer(cells, total)
            elif sign in _SIGNS and total is not None:
                try:
                    yield KenKen(cells, total, str(sign))
                except LayoutError as error:
                    raise FormatError(f"cages: {error}") from error
            else:
                raise FormatError(
                    f"cages: expected a value and an operator +, -, * or /, got {shown(entry)}"
                )

    def _solution(self, side: int, symbols: Mapping[str, int]) -> tuple[int, ...] | None:
        if not self._table.get("solution"):
            return None
        rows = self._rows("solution")
        if len(rows) != side:
            raise FormatError(f"solution: expected {side} rows, got {len(rows)}")
        values = [self._value(cell, symbols, "value", "solution") for row in rows for cell in row]
        if 0 in values:
            self._report.drop("the solution, which is incomplete")
            return None
        return tuple(values)


def _are_places(value: object, count: int, allowed: range) -> bool:
    """Return whether a value is a list of lists of this many numbers of rows and columns."""
    return isinstance(value, list) and all(
        isinstance(position, list)
        and len(position) == count
        and all(type(number) is int and number in allowed for number in position)
        for position in value
    )


def write(puzzles: Sequence[Puzzle]) -> Written:
    """Return a puzzle as a file.

    Raises:
        InputError: there are several puzzles, or it is not a square.
    """
    puzzle = only_puzzle(puzzles, "ipuz")
    rest = Rest(puzzle)
    layout = rest.layout
    units, kinds = _units(rest)
    cages, further = _cages_of(rest)
    kinds += further
    table: dict[str, object] = {
        "version": "http://ipuz.org/v2",
        "kind": [f"{_KIND}/{kind}#1" for kind in kinds] or [f"{_KIND}#1"],
    }
    table |= {
        key: value for key, value in (("title", puzzle.name), ("author", puzzle.author)) if value
    }
    table |= {"charset": DIGITS_FIRST[: layout.n]} | units
    table["puzzle"] = _grid(layout.n, rest.givens())
    if puzzle.solution is not None:
        table["solution"] = _grid(layout.n, puzzle.solution)
    if cages:
        table["cages"] = cages
    for key in ("name", "author"):
        if (text := getattr(puzzle, key)) != one_line(text):
            rest.report.approximate(f"{key}, which is written in one line")
    return Written(_json(table), rest.losses("name", "author", "solution"))


def _units(rest: Rest) -> tuple[dict[str, object], list[str]]:
    """Return the keys that describe units, and the kinds of ipuz that result from them."""
    layout = rest.layout
    parts = square_parts(layout, "ipuz", MOST_SIDE)
    kinds, zones = [], [*parts.units]
    boxes = named_layout("classic", layout.n).units[2 * layout.n :] if box_of(layout.n) else ()
    has_boxes = bool(boxes) and {unit.cells for unit in boxes} == set(parts.regions)
    if not has_boxes:
        kinds.append("jigsawsudoku" if parts.regions else "latinsquare")
        zones = [*parts.regions, *zones]
    if parts.falling and parts.rising:
        kinds.append("diagonalsudoku")
    elif parts.falling or parts.rising:
        zones.append(parts.frame.diagonals()[parts.rising])
    parts.drop_moves(rest.report)
    table: dict[str, object] = {"boxes": has_boxes}
    if zones:
        table["zones"] = [{"cells": _places(layout, cells)} for cells in zones]
    return table, kinds


def _cages_of(rest: Rest) -> tuple[list[object], list[str]]:
    """Return the cages of a killer or those of a KenKen, but not both."""
    if kenkens := rest.take(KenKen):
        return [_cage(rest.layout, rule, rule.by) for rule in kenkens], ["calcudoku"]
    killers = rest.take(Killer, lambda rule: len(set(rule.cage)) == len(rule.cage))
    return [_cage(rest.layout, rule, "+") for rule in killers], ["killersudoku"] * bool(killers)


def _cage(layout: Layout, rule: KenKen | Killer, sign: str) -> dict[str, object]:
    goal = {} if rule.total is None else {"value": rule.total, "operator": sign}
    return {**goal, "cells": _places(layout, rule.cage)}


def _places(layout: Layout, cells: Sequence[int]) -> list[list[int]]:
    """Return cells as columns and rows, from 0."""
    return [[layout.positions[cell][1], layout.positions[cell][0]] for cell in sorted(cells)]


def _grid(side: int, values: Sequence[int]) -> list[list[object]]:
    """Return values in rows: 0 for empty, and above 9 the symbols of the charset."""
    symbols: list[object] = [value if value <= 9 else DIGITS_FIRST[value - 1] for value in values]
    return [symbols[start : start + side] for start in range(0, side * side, side)]


def _json(table: Mapping[str, object]) -> str:
    """Return a table as JSON: each key on a line, and each row of grids and lists of cells."""
    lines = []
    for key, value in table.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value and not isinstance(value[0], str):
            rows = (json.dumps(row, ensure_ascii=False) for row in value)
            text = "[\n  " + ",\n  ".join(rows) + "\n ]"
        lines.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"
