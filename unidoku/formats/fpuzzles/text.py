"""Writes puzzles for f-puzzles, as JSON and as a link."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

from unidoku.core import rules
from unidoku.core.bits import all_values, is_single, mask_of, value_of, values_of
from unidoku.core.layout import Layout
from unidoku.errors import InputError
from unidoku.formats.drawn import table_of_triggers
from unidoku.formats.fpuzzles.cosmetics import entries_of, numbered_colours
from unidoku.formats.fpuzzles.rules import DIRECTIONS, LINES
from unidoku.formats.frame import box_of
from unidoku.formats.grid_parts import drawn_parts, drop_rules
from unidoku.formats.looks import Looks, side_of, unmarked
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.lzstring import compressed
from unidoku.formats.named import is_default
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sentences import rules_text

LINK = "https://f-puzzles.com/?load="

_NAME = "f-puzzles"


Entry: TypeAlias = tuple[str, Mapping[str, Any]]
"""A key of the table, and the fields of an entry of its list."""


class Sheet:
    """A table of f-puzzles that is being written.

    Args:
        puzzle: the puzzle to write.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        """Start with the grid."""
        self.looks = Looks(puzzle.board.layout)
        self.layout = layout = self.looks.layout
        self.n = layout.n
        self.report = Report()
        self.parts = drawn_parts(layout, _NAME)
        if layout.rows != layout.columns:
            got = f"{layout.rows}x{layout.columns} cells"
            raise InputError(f"{_NAME} holds squares of n by n cells with values 1 to n, got {got}")
        self.masks = [*puzzle.board.candidates]
        self.table: dict[str, Any] = {"size": self.n}
        for key, text in (("title", puzzle.name), ("author", puzzle.author)):
            if text:
                self.table[key] = text
        self.text = puzzle.rules_text
        self.unwritten: dict[rules.Rule, None] = {}
        self.colours = numbered_colours(puzzle.cosmetics, layout)
        if puzzle.solution is not None:
            self.table["solution"] = [*puzzle.solution]
        self._units()
        numbers = [rule.regions for rule in layout.rules if self.is_chaos(rule)]
        if layout.hidden and [*map(len, numbers)] != [len(layout.hidden)]:
            self.report.drop("cells that are not drawn, and rules that speak of them")

    def is_chaos(self, rule: rules.Rule) -> TypeGuard[rules.ChaosConstruction]:
        """Return whether a rule divides the whole grid into regions of n cells.

        That is the only rule about hidden cells that f-puzzles has.
        """
        return (
            isinstance(rule, rules.ChaosConstruction)
            and rule.held == tuple(self.layout.cells)
            and rule.count in (None, self.n)
            and min(rule.regions) >= len(self.layout)
        )

    def cell(self, cell: int) -> str:
        """Return the name of a cell."""
        row, column = self.layout.positions[cell]
        return f"R{row + 1}C{column + 1}"

    def names(self, cells: Sequence[int]) -> list[str]:
        """Return the names of cells."""
        return [self.cell(cell) for cell in cells]

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries to their keys."""
        for key, fields in entries:
            self.table.setdefault(key, []).append(fields)

    def line(self, key: str, cells: Sequence[int], value: str | None = None) -> Entry:
        """Return an entry of one line."""
        return _entry(key, lines=[self.names(cells)], value=value)

    def outside(self, line: Sequence[int]) -> str | None:
        """Return the cell from which a clue looks along a whole line; None if there is none."""
        if len(line) != self.n or not (read_from := side_of(self.layout, line)):
            return None
        side, index = read_from
        outside = 0 if side in ("left", "top") else self.n + 1
        row, column = (index + 1, outside) if side in ("left", "right") else (outside, index + 1)
        return f"R{row}C{column}"

    def _units(self) -> None:
        parts = self.parts
        flags = {
            "diagonal-": parts.falling,
            "diagonal+": parts.rising,
            "antiknight": parts.antiknight,
            "antiking": parts.antiking,
            "disjointgroups": parts.disjoint,
        }
        self.table |= {key: True for key, is_set in flags.items() if is_set}
        for unit in parts.units:
            if unit[-1] < len(self.layout):
                self.add([_entry("extraregion", cells=self.names(unit))])

    def grid(self) -> list[list[dict[str, Any]]]:
        """Return the cells: givens, marks, and regions that differ from the usual ones."""
        region_of = {cell: k for k, cells in enumerate(self.parts.regions) for cell in cells}
        box = box_of(self.n) or (1, self.n)
        across = self.n // box[1]
        rows: list[list[dict[str, Any]]] = [[] for _ in range(self.n)]
        for cell, mask in enumerate(self.masks):
            row, column = self.layout.positions[cell]
            entry: dict[str, Any] = {"c": self.colours[cell]} if cell in self.colours else {}
            usual = row // box[0] * across + column // box[1]
            has_usual = not self.parts.regions and box[0] == 1
            if region_of.get(cell) != usual and not has_usual:
                entry["region"] = region_of.get(cell)
            if is_single(mask):
                entry |= {"value": value_of(mask), "given": True}
            elif mask != all_values(self.n):
                entry["givenPencilMarks"] = [*values_of(mask)]
                if not mask:
                    self.report.drop(f"that {self.layout.names[cell]} has no value left")
            rows[row].append(entry)
        return rows


def table_of_fpuzzles(puzzle: Puzzle) -> Sheet:
    """Return the table of a puzzle, with its losses.

    Raises:
        InputError: the format cannot express such a board.
    """
    sheet = Sheet(puzzle)
    layout = sheet.layout
    for rule in layout.rules:
        entries = _entries(sheet, rule)
        if entries is None:
            sheet.unwritten[rule] = None
        else:
            sheet.add(entries)
    _check_ratios(sheet, layout)
    drop_rules(sheet.report, layout, sheet.unwritten)
    written = [rule for rule in layout.rules if rule not in sheet.unwritten]
    sheet.table["ruleset"] = sheet.text or rules_text(puzzle.board, written)
    sheet.table["grid"] = sheet.grid()
    _cosmetics(sheet, puzzle)
    return sheet


def _cosmetics(sheet: Sheet, puzzle: Puzzle) -> None:
    """Write pictures without a meaning, and fog."""
    if any(cosmetic.shape == "arrow" for cosmetic in puzzle.cosmetics):
        sheet.report.approximate("arrows without a meaning: drawn as lines")
    sheet.add(entries_of(puzzle.cosmetics, sheet.layout))
    if (fog := puzzle.fog) is not None:
        sheet.table["foglight"] = sheet.names(fog.lights)
        if fog.triggers:
            name = sheet.looks.names.__getitem__
            sheet.table["triggereffect"] = table_of_triggers(fog, name)


def _json(puzzle: Puzzle) -> Written:
    sheet = table_of_fpuzzles(puzzle)
    return Written(json.dumps(sheet.table, separators=(",", ":")), sheet.report.losses)


def _link(puzzle: Puzzle) -> Written:
    written = _json(puzzle)
    return Written(LINK + compressed(written.text), written.losses)


Write: TypeAlias = Callable[[Sheet, Any], Sequence[Entry] | None]
"""Returns the entries of a rule; None for a rule that the format cannot express."""


def _entry(key: str, **fields: Any) -> Entry:
    """Return an entry with a key, and with the fields that are not None."""
    return key, {name: value for name, value in fields.items() if value is not None}


def _entries(sheet: Sheet, rule: rules.Rule) -> Sequence[Entry] | None:
    """Return the entries of a rule; None if the format cannot express it."""
    if sheet.is_chaos(rule):
        sheet.table["chaosconstruction"] = True
        return []
    if any(cell >= len(sheet.layout) for cell in rule.cells):
        return None
    if isinstance(rule, rules.NonConsecutive) or getattr(rule, "never", False):
        return _negative(sheet, rule)
    write = WRITERS.get(type(rule))
    return write(sheet, rule) if write else None


def _negative(sheet: Sheet, rule: Any) -> Sequence[Entry] | None:
    """Write a rule about all adjacent pairs without a mark."""
    pairs = set(map(frozenset, rule.pairs))
    is_of_dots = pairs == unmarked(sheet.layout, rules.DiffersBy, rules.Ratio)
    is_of_letters = pairs == unmarked(sheet.layout, rules.PairSum)
    match rule:
        case rules.NonConsecutive() | rules.DiffersBy(by=1) if is_of_dots:
            sheet.table["nonconsecutive"] = True
            return []
        case rules.Ratio() if is_of_dots:
            name = "ratio"
        case rules.PairSum(total=5 | 10) if is_of_letters:
            name = "xv"
        case _:
            return None
    sheet.table["negative"] = [*dict.fromkeys([*sheet.table.get("negative", []), name])]
    return []


def _check_ratios(sheet: Sheet, layout: Layout) -> None:
    """Leave out a negative rule if its meaning in the format differs from the rules."""
    ratios: dict[str, set[int]] = {"ratio": set(), "xv": set()}
    meant = {"ratio": set[int](), "xv": {5, 10}}
    for rule in layout.rules:
        match rule:
            case rules.Ratio(times=times, never=never):
                (ratios if never else meant)["ratio"].add(times)
            case rules.PairSum(total=total, never=True):
                ratios["xv"].add(total)
    meant["ratio"] = meant["ratio"] or {2}
    for name in sheet.table.get("negative", [])[:]:
        if ratios[name] != meant[name]:
            sheet.table["negative"].remove(name)
            values = ", ".join(map(str, sorted(ratios[name])))
            sheet.report.drop(
                f"negative {name} of {values}, which has another meaning in the format"
            )


def _if_drawn(key: str, fewest: int = 2) -> Write:
    """Return the writer of lines that have a picture and mean what the format says."""

    def write(sheet: Sheet, rule: Any) -> Sequence[Entry] | None:
        fits = rule in sheet.looks.pictured and len(rule.line) >= fewest
        return [sheet.line(key, rule.line)] if fits else None

    return write


def _entropic(sheet: Sheet, rule: rules.Entropic) -> Sequence[Entry] | None:
    fits = is_default(sheet.layout, rule, "classes")
    return _if_drawn("entropicline")(sheet, rule) if fits else None


def _extreme(sheet: Sheet, rule: rules.Minimum | rules.Maximum) -> Sequence[Entry] | None:
    """Write marked cells; signs between cells if they are not about all neighbours."""
    if rule in sheet.looks.pictured:
        return _each_cell(sheet, rule)
    is_more = isinstance(rule, rules.Maximum)
    pairs = [(a, b) if is_more else (b, a) for a, b in rule.compared]
    return _greater(sheet, rules.Greater(tuple(pairs)))


def _each_cell(sheet: Sheet, rule: Any) -> Sequence[Entry]:
    """Write a mark in each cell."""
    return [_entry(rule.kind, cell=sheet.cell(cell)) for cell in dict.fromkeys(rule.held)]


def _taxicab(sheet: Sheet, rule: rules.Taxicab) -> Sequence[Entry] | None:
    if not is_default(sheet.layout, rule, "held", "columns", "steps", "values"):
        return None
    sheet.table["selftaxicab"] = True
    return []


def _greater(sheet: Sheet, rule: rules.Greater) -> Sequence[Entry]:
    """Write thermometers of two cells, because the format has no signs between cells."""
    sheet.report.approximate("signs of greater are thermometers of two cells")
    return [sheet.line("thermometer", (less, greater)) for greater, less in rule.pairs]


def _arrow(sheet: Sheet, rule: rules.Arrow) -> Sequence[Entry] | None:
    if not 1 <= len(rule.circle) <= 3 or not rule.shaft:
        return None
    names = sheet.names(rule.circle)
    return [_entry("arrow", cells=names, lines=[[names[-1], *sheet.names(rule.shaft)]])]


def _killer(sheet: Sheet, rule: rules.Killer) -> Sequence[Entry] | None:
    if not rule.cage or (rule.total is not None and rule.total <= 0):
        return None
    total = None if rule.total is None else str(rule.total)
    return [_entry("killercage", cells=sheet.names(rule.cage), value=total)]


def _sum(sheet: Sheet, rule: rules.SumOfCells) -> Sequence[Entry] | None:
    """Write a little killer if the cells are a whole diagonal."""
    if not rule.summed or rule.total <= 0:
        return None
    row, column = sheet.layout.positions[rule.summed[0]]
    frame, cells = sheet.parts.frame, sheet.names(rule.summed)
    for name, (down, right) in DIRECTIONS.items():
        is_whole = frame.run(row, column, down, right) == rule.summed
        if is_whole and not frame.inside(row - down, column - right):
            start, total = f"R{row - down + 1}C{column - right + 1}", str(rule.total)
            key = "littlekillersum"
            return [_entry(key, cell=start, cells=cells, direction=name, value=total)]
    return None


def _clue(key: str, field: str) -> Write:
    def write(sheet: Sheet, rule: Any) -> Sequence[Entry] | None:
        cell = sheet.outside(rule.line)
        if cell is None or (isinstance(rule, rules.Sandwich) and rule.high != sheet.n):
            return None
        return [_entry(key, cell=cell, value=str(getattr(rule, field)))]

    return write


def _dots(key: str, field: str, usual: int) -> Write:
    def write(sheet: Sheet, rule: Any) -> Sequence[Entry]:
        value = getattr(rule, field)
        label = None if value == usual else str(value)
        return [_entry(key, cells=sheet.names(pair), value=label) for pair in rule.pairs]

    return write


def _xv(sheet: Sheet, rule: rules.PairSum) -> Sequence[Entry] | None:
    letter = {10: "X", 5: "V"}.get(rule.total)
    entries = [_entry("xv", cells=sheet.names(pair), value=letter) for pair in rule.pairs]
    return entries if letter else None


def _contains(sheet: Sheet, rule: rules.Contains) -> Sequence[Entry] | None:
    entry = _entry("quadruple", cells=sheet.names(rule.held), values=[*rule.wanted])
    return None if rule.exactly else [entry]


def _holds(sheet: Sheet, rule: rules.Holds) -> Sequence[Entry]:
    """Write marks of the setter."""
    allowed = mask_of(value for value in rule.values if 1 <= value <= sheet.n)
    for cell in rule.held:
        sheet.masks[cell] &= allowed
    return []


def _clone(sheet: Sheet, rule: rules.Clone) -> Sequence[Entry]:
    cells, clones = sheet.names(rule.held), sheet.names(rule.other)
    return [_entry("clone", cells=cells, cloneCells=clones)]


def _sum_line(sheet: Sheet, rule: rules.SumLine) -> Sequence[Entry] | None:
    fits = rule.total == 10 and not rule.loop
    return [sheet.line("tenline", rule.line)] if fits else None


WRITERS: Mapping[type[rules.Rule], Write] = {
    **{kind: _if_drawn(key, fewest) for key, (kind, fewest) in LINES.items()},
    rules.Modular: lambda sheet, rule: (
        _if_drawn("modularline")(sheet, rule) if rule.modulus == 3 else None
    ),
    rules.Entropic: _entropic,
    rules.RegionSum: _if_drawn("regionsumline"),
    rules.Minimum: _extreme,
    rules.Maximum: _extreme,
    rules.Odd: _each_cell,
    rules.Even: _each_cell,
    rules.Index: lambda sheet, rule: (
        [_entry(f"{rule.of}indexer", cells=sheet.names(rule.held))] if rule.of else None
    ),
    rules.Clone: _clone,
    rules.Taxicab: _taxicab,
    rules.Whispers: lambda sheet, rule: [sheet.line("whispers", rule.line, str(rule.least))],
    rules.Lockout: lambda sheet, rule: [
        sheet.line("lockout", rule.line, None if rule.least == 4 else str(rule.least))
    ],
    rules.Greater: _greater,
    rules.Arrow: _arrow,
    rules.Killer: _killer,
    rules.SumOfCells: _sum,
    rules.Sandwich: _clue("sandwichsum", "total"),
    rules.XSum: _clue("xsum", "total"),
    rules.Skyscraper: _clue("skyscraper", "seen"),
    rules.DiffersBy: _dots("difference", "by", 1),
    rules.Ratio: _dots("ratio", "times", 2),
    rules.PairSum: _xv,
    rules.Contains: _contains,
    rules.Holds: _holds,
    rules.SumLine: _sum_line,
}
"""The writer of each kind of rule; other kinds are reported."""
write_fpuzzles = one_a_line(_link)
"""Writes links to f-puzzles, one on each line; a writer of the catalogue of formats."""

write_fpuzzles_json = one_a_line(_json)
"""Writes the JSON of f-puzzles; a writer of the catalogue of formats."""
