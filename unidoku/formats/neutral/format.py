"""The neutral form of puzzles: one JSON object on each line, cells as numbers, all facts explicit.

Collections of puzzles of many kinds use it. A line is read only if all of its facts and rules are
known to this version; unknown ones are named, and nothing is left out silently.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unidoku.core.bits import all_values, bit, mask_of
from unidoku.core.board import Board
from unidoku.core.layout import MAX_FIRST, Layout, Unit
from unidoku.core.rules.base import Rule
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.neutral.rules import (
    CELLS,
    FIELDS,
    LISTS,
    RULES,
)
from unidoku.formats.neutral.types import Domain, Frame, UnknownRuleError
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.table import PLAIN, SHAPE, with_rules
from unidoku.support.schema import LINE, TABLE, TEXT, Kind, listed_of, misfit, or_null, shown, whole


@dataclass(frozen=True, slots=True)
class Unread:
    """A puzzle that cannot be read.

    Args:
        name: its name in the file.
        line: the line where it begins, from 1.
        reasons: the parts that this version does not know, each in a few words.
    """

    name: str
    line: int
    reasons: tuple[str, ...]

    @property
    def told(self) -> str:
        """The name of the puzzle, and the reasons why it is not read."""
        return f"{self.name}: not read: {', '.join(self.reasons)}"


_TWO = Kind("a list of two whole numbers", lambda v: CELLS.holds(v) and len(v) == 2)  # type: ignore[arg-type]  # it is a list
_ANY = Kind("anything", lambda _: True)

_KEYS: Mapping[str, Kind] = {
    "name": LINE,
    "source": TEXT,
    "family": TEXT,
    "origin": _ANY,
    "note": _ANY,
    "n": whole(1, bits=8),
    "values": _TWO,
    "shape": SHAPE,
    "hidden": whole(0),
    "blocked": CELLS,
    "units": LISTS,
    "regions": or_null(LISTS),
    "givens": TEXT,
    "candidates": TABLE,
    "rules": listed_of(TABLE),
    "count": or_null(whole(0)),
    "at_least": whole(0),
    "solution": or_null(TEXT),
    "verified": _ANY,
    "features": _ANY,
}
_NEEDED = ("name", "n", "values", "shape", "units", "givens", "rules")

_BLOCKED = -1
"""The number of a cell that does not exist: rules and units with it are rejected."""

_EMPTY = "."

_MOST_CELLS = 100_000
"""More cells than any puzzle has, as a guard against a mistyped shape."""


def puzzles_from_neutral(lines: Iterable[tuple[int, str]]) -> Iterator[Puzzle | Unread]:
    """Yield the puzzles on numbered lines, and an `Unread` for each that cannot be read.

    Raises:
        FormatError: a line is not a puzzle in this form, or there are no lines.
    """
    number = 0
    for number, text in lines:
        try:
            table = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"expected a puzzle in JSON: {error}", number) from error
        if not isinstance(table, dict):
            raise FormatError(f"expected a puzzle, got {shown(table)}", number)
        yield puzzle_from_neutral(table, number)
    if not number:
        raise FormatError("expected a puzzle, got a file without any")


def puzzle_from_neutral(table: Mapping[str, Any], line: int = 1) -> Puzzle | Unread:
    """Return the puzzle in a table of the neutral form, which readers of other formats make too.

    Raises:
        FormatError: the text is not valid.
    """
    if wrong := misfit(table, _KEYS, _NEEDED):
        raise FormatError(f"expected a puzzle in the neutral form: {wrong}", line)
    name = table["name"]
    try:
        return _puzzle(table, line)
    except _UnreadError as error:
        return Unread(name, line, error.args)
    except (InputError, LookupError, TypeError, ValueError) as error:
        raise FormatError(
            f"{name}: expected a puzzle in the neutral form: {error}", line
        ) from error


def read_neutral(text: str, *, guess: bool = False) -> Iterator[Puzzle | Unread]:
    """Yield the puzzle on a line; a reader of the catalogue of formats."""
    return puzzles_from_neutral([(1, text)])


class _UnreadError(Exception):
    """The reasons why a puzzle is not read."""


def _puzzle(table: Mapping[str, Any], line: int) -> Puzzle:
    reasons = [*_strange_facts(table)]
    rules, units, domains = _rules(table, reasons)
    if reasons:
        raise _UnreadError(*dict.fromkeys(reasons))
    size, hidden = math.prod(table["shape"]), table.get("hidden", 0)
    ours = _numbers(size, set(table.get("blocked", ())), hidden)
    exist = len(ours) - ours.count(_BLOCKED)
    masks = [all_values(table["n"])] * exist
    marks = [Domain([int(cell)], held) for cell, held in table.get("candidates", {}).items()]
    less = table["values"][0] - 1
    for cells, values in [*domains, *marks]:
        mask = mask_of(value - less for value in values if 1 <= value - less <= table["n"])
        for cell in cells:
            if ours[cell] == _BLOCKED:
                raise FormatError(f"expected values of cells that exist, got some of {cell}")
            masks[ours[cell]] &= mask
    try:
        one = _layout(table, rules, units, ours, masks[exist - hidden :])
    except LayoutError as error:
        raise _UnreadError(str(error)) from error
    for cell, value in _values(table["givens"], ours[:size], one):
        masks[cell] &= bit(value) if value else masks[cell]
    solution = table.get("solution")
    return Puzzle(
        Board(one, tuple(masks[: len(one)])),
        table["name"],
        line,
        solution=tuple(value for _, value in _values(solution, ours[:size], one))
        if solution
        else None,
        solutions=table.get("count"),
        at_least=table.get("at_least", 0),
    )


def _numbers(cells: int, blocked: Collection[int], hidden: int) -> list[int]:
    """Return our number for each cell, hidden cells last; blocked cells have none."""
    numbers = itertools.count()
    return [_BLOCKED if cell in blocked else next(numbers) for cell in range(cells + hidden)]


def _strange_facts(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield the facts that a board of this version cannot have."""
    low, high = table["values"]
    if not 0 <= low <= MAX_FIRST or high - low + 1 != table["n"]:
        yield f"values {low} to {high}"
    if math.prod(table["shape"]) + table.get("hidden", 0) > _MOST_CELLS:
        yield f"more than {_MOST_CELLS:,} cells"


def _rules(
    table: Mapping[str, Any], reasons: list[str]
) -> tuple[list[Rule], list[Unit], list[Domain]]:
    """Return the rules of a table; unknown kinds are added to the reasons."""
    rules: list[Rule] = []
    units: list[Unit] = []
    domains: list[Domain] = []
    frame = Frame(*table["values"], *table["shape"])
    for entry in table["rules"]:
        kind = entry.get("kind")
        if kind not in RULES:
            reasons.append(f"rule {kind if LINE.holds(kind) else shown(kind)}")
            continue
        try:
            if wrong := misfit(entry, FIELDS):
                raise UnknownRuleError(f"{kind}: {wrong}")
            for meaning in RULES[kind](entry, frame):
                match meaning:
                    case Unit():
                        units.append(meaning)
                    case Domain():
                        domains.append(meaning)
                    case _:
                        rules.append(meaning)
        except UnknownRuleError as error:
            reasons.append(f"rule {error}")
    return rules, units, domains


def _layout(
    table: Mapping[str, Any],
    rules: Sequence[Rule],
    more: Sequence[Unit],
    ours: Sequence[int],
    hidden: Sequence[int],
) -> Layout:
    """Return the layout; that of a named variant if it has exactly its units."""
    grid, columns = math.prod(table["shape"]), table["shape"][1]
    regions = {frozenset(cells) for cells in table.get("regions") or ()}
    areas = regions - set(map(frozenset, table["units"]))
    units = [_unit(cells, grid, columns, regions) for cells in table["units"]] + [*more]
    moved = [
        Unit(tuple(sorted(ours[cell] for cell in unit.cells)), unit.kind, unit.name)
        for unit in units
    ]
    low, _ = table["values"]
    one = Layout.from_units(
        table["n"],
        moved,
        positions=[divmod(cell, columns) for cell in range(grid) if ours[cell] != _BLOCKED],
        name="own",
        first_value=low,
        hidden=hidden,
        areas=sorted(sorted(ours[cell] for cell in area) for area in areas),
    )
    for name in ("classic", "latin") if low == 1 and not hidden and not areas else ():
        with contextlib.suppress(LayoutError):
            base = named_layout(name, one.n)
            same = {unit.cells for unit in base.units} == {unit.cells for unit in one.units}
            if same and base.positions == one.positions:
                one = base
                break
    return with_rules(one, [rule.moved(ours) for rule in rules])


def _unit(
    cells: Sequence[int], grid: int, columns: int, regions: Collection[frozenset[int]]
) -> Unit:
    """Return a unit with the kind and the name that its cells determine."""
    held = tuple(sorted(cells))
    if held[-1:] >= (grid,):
        return Unit(held, PLAIN)
    rows, lines = {cell // columns for cell in held}, {cell % columns for cell in held}
    if frozenset(held) in regions:
        return Unit(held, "region")
    if len(rows) == 1:
        return Unit(held, "row")
    return Unit(held, "column" if len(lines) == 1 else PLAIN)


def _values(text: str, ours: Sequence[int], one: Layout) -> Iterator[tuple[int, int]]:
    """Yield each cell that exists, and its value in the text, 0 if it is empty."""
    if len(text) != len(ours):
        raise FormatError(f"expected {len(ours)} symbols, one for each cell, got {len(text)}")
    for number, symbol in zip(ours, text, strict=True):
        if number == _BLOCKED:
            continue
        value = 0 if symbol == _EMPTY else int(symbol, 36) - one.first_value + 1
        if not (1 <= value <= one.n or symbol == _EMPTY):
            expected = f"{one.shown[1]} to {one.shown[-1]}"
            raise FormatError(f"expected values from {expected}, got {symbol!r}")
        yield number, value
