"""Writes puzzles for f-puzzles, as JSON and as a link."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

from unidoku.core import rules
from unidoku.core.bits import all_values, is_single, value_of, values_of
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Layout
from unidoku.core.rules.pairs import PairRule
from unidoku.errors import InputError
from unidoku.formats.drawn import table_of_triggers
from unidoku.formats.fpuzzles.cosmetics import entries_of, numbered_colours
from unidoku.formats.fpuzzles.rules import DIRECTIONS
from unidoku.formats.frame import box_of
from unidoku.formats.grid_parts import drawn_parts, drop_rules
from unidoku.formats.looks import Looks, is_default
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.lzstring import compressed
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sentences import rules_text

LINK = "https://f-puzzles.com/?load="

_NAME = "f-puzzles"


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

    def add(self, key: str, **entry: Any) -> None:
        """Add an entry to a key; fields that are None are left out."""
        fields = {name: value for name, value in entry.items() if value is not None}
        self.table.setdefault(key, []).append(fields)

    def line(self, key: str, cells: Sequence[int], value: str | None = None) -> None:
        """Add an entry of one line."""
        self.add(key, lines=[self.names(cells)], value=value)

    def drop(self, rule: rules.Rule) -> None:
        """Report a rule that the format cannot express."""
        self.unwritten[rule] = None

    def outside(self, line: Sequence[int]) -> str | None:
        """Return the cell from which a clue looks along a whole line; None if there is none."""
        places = [self.layout.positions[cell] for cell in line]
        for axis in (0, 1):
            along = [position[1 - axis] for position in places]
            if len({position[axis] for position in places}) == 1 and len(line) == self.n:
                for ahead, outside in ((along, 0), (along[::-1], self.n + 1)):
                    if ahead == [*range(self.n)]:
                        index = places[0][axis] + 1
                        row, column = (index, outside) if axis == 0 else (outside, index)
                        return f"R{row}C{column}"
        return None

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
                self.add("extraregion", cells=self.names(unit))

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
    marks: dict[type[rules.Rule], list[Pair]] = {
        kind: [
            pair
            for rule in layout.rules
            if type(rule) is kind and not _is_never(rule)
            for pair in rule.pairs
        ]
        for kind in (rules.DiffersBy, rules.Ratio, rules.PairSum)
    }
    for rule in layout.rules:
        if sheet.is_chaos(rule):
            sheet.table["chaosconstruction"] = True
        elif any(cell >= len(layout) for cell in rule.cells):
            sheet.drop(rule)
        elif isinstance(rule, PairRule) and _is_never(rule):
            _negative(sheet, rule, marks)
        elif write := WRITERS.get(type(rule)):
            write(sheet, rule)
        else:
            sheet.drop(rule)
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
    for key, entry in entries_of(puzzle.cosmetics, sheet.layout):
        sheet.add(key, **entry)
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


Write = Callable[[Sheet, Any], None]


def _is_never(rule: rules.Rule) -> bool:
    return isinstance(rule, rules.NonConsecutive) or getattr(rule, "never", False)


def _negative(
    sheet: Sheet, rule: PairRule, marks: Mapping[type[rules.Rule], Sequence[Pair]]
) -> None:
    """Write a rule about all adjacent pairs without a mark."""
    pairs = set(map(frozenset, rule.pairs))
    by_dots, by_letters = (
        set(map(frozenset, sheet.parts.frame.adjacent(without)))
        for without in ([*marks[rules.DiffersBy], *marks[rules.Ratio]], marks[rules.PairSum])
    )
    negative = sheet.table.get("negative", [])
    match rule:
        case rules.NonConsecutive() | rules.DiffersBy(by=1) if pairs == by_dots:
            sheet.table["nonconsecutive"] = True
        case rules.Ratio() if pairs == by_dots:
            sheet.table["negative"] = [*dict.fromkeys([*negative, "ratio"])]
        case rules.PairSum(total=5 | 10) if pairs == by_letters:
            sheet.table["negative"] = [*dict.fromkeys([*negative, "xv"])]
        case _:
            sheet.drop(rule)


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
    """Return the writer of lines whose cells touch and that mean what the format says."""

    def write(sheet: Sheet, rule: Any) -> None:
        if rule in sheet.looks.pictured and len(rule.line) >= fewest:
            sheet.line(key, rule.line)
        else:
            sheet.drop(rule)

    return write


def _modular(sheet: Sheet, rule: rules.Modular) -> None:
    if rule.modulus == 3:
        _if_drawn("modularline")(sheet, rule)
    else:
        sheet.drop(rule)


def _entropic(sheet: Sheet, rule: rules.Entropic) -> None:
    if is_default(sheet.layout, rule, "classes"):
        _if_drawn("entropicline")(sheet, rule)
    else:
        sheet.drop(rule)


def _extreme(sheet: Sheet, rule: rules.Minimum | rules.Maximum) -> None:
    """Write marked cells; signs between cells if they are not about all neighbours."""
    if rule in sheet.looks.pictured:
        for cell in dict.fromkeys(rule.held):
            sheet.add(rule.kind, cell=sheet.cell(cell))
    else:
        is_more = isinstance(rule, rules.Maximum)
        pairs = [(a, b) if is_more else (b, a) for a, b in rule.compared]
        _greater(sheet, rules.Greater(tuple(pairs)))


def _index(sheet: Sheet, rule: rules.Index) -> None:
    if rule.of:
        sheet.add(f"{rule.of}indexer", cells=sheet.names(rule.held))
    else:
        sheet.drop(rule)


def _taxicab(sheet: Sheet, rule: rules.Taxicab) -> None:
    if is_default(sheet.layout, rule, "held", "columns", "steps", "values"):
        sheet.table["selftaxicab"] = True
    else:
        sheet.drop(rule)


def _lockout(sheet: Sheet, rule: rules.Lockout) -> None:
    sheet.line("lockout", rule.line, None if rule.least == 4 else str(rule.least))


def _greater(sheet: Sheet, rule: rules.Greater) -> None:
    """Write thermometers of two cells, because the format has no signs between cells."""
    for more, less in rule.pairs:
        sheet.line("thermometer", (less, more))
    sheet.report.approximate("signs of greater are thermometers of two cells")


def _arrow(sheet: Sheet, rule: rules.Arrow) -> None:
    if not 1 <= len(rule.circle) <= 3 or not rule.shaft:
        sheet.drop(rule)
        return
    names = sheet.names(rule.circle)
    sheet.add("arrow", cells=names, lines=[[names[-1], *sheet.names(rule.shaft)]])


def _killer(sheet: Sheet, rule: rules.Killer) -> None:
    if not rule.cage or (rule.total is not None and rule.total <= 0):
        sheet.drop(rule)
        return
    total = None if rule.total is None else str(rule.total)
    sheet.add("killercage", cells=sheet.names(rule.cage), value=total)


def _sum(sheet: Sheet, rule: rules.SumOfCells) -> None:
    """Write a little killer if the cells are a whole diagonal."""
    layout, cells = sheet.layout, rule.summed
    for name, (down, right) in DIRECTIONS.items():
        row, column = layout.positions[cells[0]] if cells else (0, 0)
        line = []
        before = (row - down, column - right)
        while (row, column) in layout.cell_at:
            line.append(layout.cell_at[row, column])
            row, column = row + down, column + right
        if line == [*cells] and before not in layout.cell_at and rule.total > 0:
            start = f"R{before[0] + 1}C{before[1] + 1}"
            names = sheet.names(cells)
            sheet.add(
                "littlekillersum", cell=start, cells=names, direction=name, value=str(rule.total)
            )
            return
    sheet.drop(rule)


def _clue(key: str, field: str) -> Write:
    def write(sheet: Sheet, rule: Any) -> None:
        cell = sheet.outside(rule.line)
        if cell is None or (isinstance(rule, rules.Sandwich) and rule.high != sheet.n):
            sheet.drop(rule)
        else:
            sheet.add(key, cell=cell, value=str(getattr(rule, field)))

    return write


def _dots(key: str, field: str, usual: int) -> Write:
    def write(sheet: Sheet, rule: Any) -> None:
        value = getattr(rule, field)
        for pair in rule.pairs:
            label = None if value == usual else str(value)
            sheet.add(key, cells=sheet.names(pair), value=label)

    return write


def _xv(sheet: Sheet, rule: rules.PairSum) -> None:
    letter = {10: "X", 5: "V"}.get(rule.total)
    if letter is None:
        sheet.drop(rule)
        return
    for pair in rule.pairs:
        sheet.add("xv", cells=sheet.names(pair), value=letter)


def _contains(sheet: Sheet, rule: rules.Contains) -> None:
    if rule.exactly:
        sheet.drop(rule)
    else:
        sheet.add("quadruple", cells=sheet.names(rule.held), values=[*rule.wanted])


def _parity(sheet: Sheet, rule: rules.Odd | rules.Even) -> None:
    for cell in dict.fromkeys(rule.held):
        sheet.add(rule.kind, cell=sheet.cell(cell))


def _holds(sheet: Sheet, rule: rules.Holds) -> None:
    """Write marks of the setter."""
    for cell in rule.held:
        sheet.masks[cell] &= sum(
            1 << value - 1 for value in set(rule.values) if 1 <= value <= sheet.n
        )


def _clone(sheet: Sheet, rule: rules.Clone) -> None:
    sheet.add("clone", cells=sheet.names(rule.held), cloneCells=sheet.names(rule.other))


def _sum_line(sheet: Sheet, rule: rules.SumLine) -> None:
    if rule.total == 10 and not rule.loop:
        sheet.line("tenline", rule.line)
    else:
        sheet.drop(rule)


WRITERS: Mapping[type[rules.Rule], Write] = {
    rules.Thermo: lambda sheet, rule: sheet.line("thermometer", rule.line),
    rules.SlowThermo: lambda sheet, rule: sheet.line("slowthermometer", rule.line),
    rules.Nabner: _if_drawn("nabner"),
    rules.Parity: _if_drawn("parityline"),
    rules.Modular: _modular,
    rules.Entropic: _entropic,
    rules.RegionSum: _if_drawn("regionsumline"),
    rules.Zipper: _if_drawn("zipperline", 3),
    rules.DoubleArrow: _if_drawn("doublearrow", 3),
    rules.Minimum: _extreme,
    rules.Maximum: _extreme,
    rules.Odd: _parity,
    rules.Even: _parity,
    rules.Index: _index,
    rules.Clone: _clone,
    rules.Taxicab: _taxicab,
    rules.Whispers: lambda sheet, rule: sheet.line("whispers", rule.line, str(rule.least)),
    rules.Palindrome: lambda sheet, rule: sheet.line("palindrome", rule.line),
    rules.Renban: lambda sheet, rule: sheet.line("renban", rule.line),
    rules.Between: lambda sheet, rule: sheet.line("betweenline", rule.line),
    rules.Lockout: _lockout,
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
