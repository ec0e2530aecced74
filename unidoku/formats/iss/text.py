"""Writes puzzles as constraint strings of Interactive Sudoku Solver, and as links to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from urllib.parse import quote

from unidoku.core import rules
from unidoku.core.bits import all_values
from unidoku.core.constraints.automaton import machine_of_rows
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Pair,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)
from unidoku.core.hidden import revealed
from unidoku.core.rules import Rule
from unidoku.core.rules.pairs import PairRule
from unidoku.errors import InputError
from unidoku.formats import meanings
from unidoku.formats.grid_parts import grid_parts, values_in_words, words_of
from unidoku.formats.iss.machines import packed_bits, packed_machine
from unidoku.formats.iss.scope import MOST_CELLS, MOST_SIDE
from unidoku.formats.iss.words import GROUP, MOST_WEIGHT, WORDS, Words
from unidoku.formats.losses import Report, Written, one_a_line
from unidoku.formats.named import named
from unidoku.formats.puzzles import Puzzle

_LINK = "https://sigh.github.io/Interactive-Sudoku-Solver/?q="


def _link(puzzle: Puzzle) -> Written:
    written = _string(puzzle)
    return Written(_LINK + quote(written.text, safe="~._-"), written.losses)


_EMPTY = ".Shape~9x9"
"""A grid without anything; ISS takes ``.`` too, which is a folder to commands."""


def _string(puzzle: Puzzle) -> Written:
    sheet = _Sheet(puzzle)
    return Written("".join(sheet.parts) or _EMPTY, sheet.report.losses)


def _shaped(puzzle: Puzzle) -> Written:
    """Return the string of one puzzle of several, which begins with its shape."""
    written = _string(puzzle)
    shape = "" if written.text.startswith(".Shape") else _EMPTY
    return replace(written, text=shape + written.text)


class _Sheet:
    """The parts of a string that is being written."""

    def __init__(self, puzzle: Puzzle) -> None:
        layout = named(puzzle.board.layout)
        if any(isinstance(rule, rules.Doubler) for rule in layout.rules):
            layout = revealed(layout)
        self.layout = layout
        self.report = Report()
        for key in ("name", "author", "solution"):
            if getattr(puzzle, key):
                self.report.drop(key)
        self.grid = grid_parts(layout, "ISS")
        self._refuse()
        self.is_raw = bool(self.grid.lacking)
        self.frame = self.grid.frame
        self.words = Words(self.frame, layout, is_raw=self.is_raw)
        self.parts: list[str] = [*self._shape()]
        self.parts += self._units()
        self.masks = [*puzzle.board.candidates, *layout.hidden]
        strict = {**self._strict(), **self._global()}
        self.is_strict = any(name.startswith("Strict") for name in strict)
        self.parts += [f".{name}" for name in strict]
        for rule in layout.rules:
            if not any(rule in group for group in strict.values()):
                self.parts += self._rule(rule)
        self.parts += self._givens()

    def _refuse(self) -> None:
        layout = self.layout
        fits = max(layout.rows, layout.columns, layout.n) <= MOST_SIDE and layout.first_value <= 1
        if not fits or len(layout) + len(layout.hidden) > MOST_CELLS:
            got = values_in_words(layout)
            raise InputError(f"ISS holds up to 16x16 cells of 16 values from 0 or 1, got {got}")
        if layout.s_cells is not None:
            last, code = layout.shown[-1], layout.number(layout.n)
            self.report.approximate(f"two digits in a cell: shown as one number, {code} for {last}")

    def _shape(self) -> Iterator[str]:
        layout, low = self.layout, self.layout.first_value
        dims = f"{layout.rows}x{layout.columns}"
        usual = max(layout.rows, layout.columns)
        values = f"{low}-{self.frame.high}" if low != 1 else f"{layout.n}"
        values = "" if (low, layout.n) == (1, usual) else values
        if self.is_raw:
            yield f".Shape~{dims}~{values}~Raw"
        elif dims != "9x9" or values:
            yield f".Shape~{dims}~{values}".removesuffix("~")
        if count := self.words.others:
            yield f".Var~{GROUP[1:]}" + (f"~~{count}" if count > 1 else "")

    def _units(self) -> Iterator[str]:
        """Yield boxes, regions and all other units; without names if rows are not units."""
        layout, parts = self.layout, self.grid
        if self.is_raw:
            for unit in layout.units:
                yield from self._different(unit.cells)
            return
        usual = set(self.frame.boxes_of(max(layout.rows, layout.columns)))
        regions = parts.regions
        if usual != set(regions) or not usual:
            if usual:
                yield ".NoBoxes"
            piece = self._jigsaw(regions)
            if piece:
                yield f".Jigsaw~{piece}"
            else:
                for cells in regions:
                    yield from self._different(cells)
        flags = {
            "Diagonal~-1": parts.falling,
            "Diagonal~1": parts.rising,
            "AntiKnight": parts.antiknight,
            "AntiKing": parts.antiking,
        }
        yield from (f".{name}" for name, is_set in flags.items() if is_set)
        if parts.disjoint and usual == set(regions):
            yield ".DisjointSets"
        elif parts.disjoint:
            for cells in zip(*regions, strict=True):
                yield from self._different(cells)
        for cells in parts.units:
            yield from self._different(cells)

    def _jigsaw(self, regions: Sequence[Sequence[int]]) -> str:
        """Return a map of regions that are all of full size and cover the grid; otherwise empty."""
        size = max(self.layout.rows, self.layout.columns)
        region_of = {cell: k for k, cells in enumerate(regions) for cell in cells}
        whole = len(region_of) == len(self.layout) and {*map(len, regions)} == {size}
        if not whole or len(regions) < 2:
            return ""
        return "".join("0123456789abcdefg"[region_of[cell]] for cell in self.layout.cells)

    def _different(self, cells: Sequence[int]) -> list[str]:
        return self.words.part("AllDifferent", cells) if len(cells) > 1 else []

    def _givens(self) -> Iterator[str]:
        cells = [
            self.words.valued(cell, mask)
            for cell, mask in enumerate(self.masks)
            if mask and mask != all_values(self.layout.n)
        ]
        if cells:
            yield "~".join([".", *cells])
        for cell, mask in enumerate(self.masks):
            if not mask:
                self.report.drop(f"that {self.layout.names[cell]} has no value left")

    def _strict(self) -> Mapping[str, list[Rule]]:
        """Return the flags for rules about all unmarked adjacent cells, and these rules."""
        by_name: dict[str, list[Rule]] = {}
        if self.layout.hidden:
            return by_name
        dots, letters = self.words.marked(self.layout.rules)
        never: dict[tuple[str, int], list[Rule]] = {}
        for rule in self.layout.rules:
            match rule:
                case rules.NonConsecutive() | rules.DiffersBy(by=1, never=True):
                    if _cells(rule.pairs) == _cells(self.frame.adjacent()):
                        by_name.setdefault("AntiConsecutive", []).append(rule)
                    key = ("dot", 1)
                case rules.Ratio(times=2, never=True):
                    key = ("dot", 2)
                case rules.PairSum(total=5 | 10 as total, never=True):
                    key = ("letter", total)
                case _:
                    continue
            marks = dots if key[0] == "dot" else letters
            if _cells(rule.pairs) == _cells(self.frame.adjacent(marks)):
                never.setdefault(key, []).append(rule)
        for name, keys in (
            ("StrictKropki", [("dot", 1), ("dot", 2)]),
            ("StrictXV", [("letter", 5), ("letter", 10)]),
        ):
            if all(key in never for key in keys):
                group = [rule for key in keys for rule in never[key]]
                if not any(
                    rule in listed_rules for listed_rules in by_name.values() for rule in group
                ):
                    by_name[name] = group
        return by_name

    def _global(self) -> Mapping[str, list[Rule]]:
        """Return the flags for rules about all columns or all squares of 2×2, and these rules."""
        frame, present = self.frame, {*self.layout.rules}
        if (self.layout.n, self.layout.first_value) != (9, 1):
            return {}
        fours = frame.fours()
        wanted: dict[str, list[Rule]] = {
            "DutchFlatmates": [*meanings.flatmates(frame)],
            "GlobalEntropy": [*meanings.squares_hit(fours, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])],
            "GlobalMod": [*meanings.squares_hit(fours, [[1, 4, 7], [2, 5, 8], [3, 6, 9]])],
        }
        return {
            name: group for name, group in wanted.items() if group and present.issuperset(group)
        }

    def _rule(self, rule: Rule) -> list[str]:
        """Return the constraints for a rule; none if it is reported."""
        if isinstance(rule, rules.Holds):
            self._hold(rule)
            return []
        parts = self._written(rule)
        if parts is None:
            self.report.drop(words_of(self.layout, rule))
        return parts or []

    def _hold(self, rule: rules.Holds) -> None:
        layout = self.layout
        seen = sum(1 << v - layout.first_value for v in set(rule.values) if v >= layout.first_value)
        for cell in rule.held:
            self.masks[cell] &= seen

    def _written(self, rule: Rule) -> list[str] | None:
        if isinstance(rule, rules.AnyOf):
            before, self.words.without_marks = self.words.without_marks, self.is_strict
            branches = [[self._written(r) for r in branch] for branch in rule.branches]
            self.words.without_marks = before
            return self._alternatives(branches)
        parts = self.words.of(rule) if type(rule) in WORDS else None
        if parts is not None:
            if isinstance(rule, rules.Battlefield):
                self.report.approximate("battlefield, written as alternatives of sums")
            return parts
        if rule.needs_auxiliary:
            return None
        return self._constraints(
            [*rule.constraints(self.layout)], rule.kind, exact=isinstance(rule, PairRule)
        )

    def _alternatives(self, branches: Sequence[Sequence[list[str] | None]]) -> list[str] | None:
        words = [".Or"]
        for branch in branches:
            parts: list[str] = []
            for part in branch:
                if not part:
                    return None
                parts += part
            words += parts if len(parts) == 1 else [".And", *parts, ".End"]
        return ["".join([*words, ".End"])]

    def _constraints(
        self, constraints: Sequence[Constraint], name: str, *, exact: bool
    ) -> list[str] | None:
        """Return the meaning of a rule for solvers, as tables, sums and automata."""
        parts: list[str] = []
        for constraint in constraints:
            part = self._written_constraint(constraint, name)
            if part is None:
                return None
            parts += part
        if parts and not exact:
            self.report.approximate(f"{name}, written as tables, sums and automata")
        return parts

    def _written_constraint(self, constraint: Constraint, name: str) -> list[str] | None:
        layout = self.layout
        match constraint:
            case Relation(table=table, pairs=pairs) if all(a != b for a, b in pairs):
                bits = [mask >> value & 1 for mask in table for value in range(layout.n)]
                lists = [self.words.names(pair) for pair in pairs]
                cells = "~~".join("~".join(names) for names in lists)
                return [f".Pair~{packed_bits(bits)}~_{_coded(name)}~{cells}"]
            case Sum(cells=cells, weights=weights, low=low, high=high):
                if low != high or max(map(abs, weights), default=0) > MOST_WEIGHT:
                    return None
                total = low + (layout.first_value - 1) * sum(weights)
                plain = set(weights) == {1}
                first = str(total) if plain else f"{total}_=_" + "_".join(map(str, weights))
                return self.words.part("Sum", cells, first) if cells else None
            case Automaton(cells=cells, machine=machine):
                packed = packed_machine(machine, layout.n)
                word = f"_{_coded(name)}"
                return self.words.part("NFA", cells, packed, word) if packed and cells else None
            case SameValues(cells=cells, others=others, differ=False) if len(cells) > 1:
                return self.words.part("SameValues", (*cells, *others), 2)
            case Sets(cells=(cell,), masks=masks):
                mask = reduce(or_, masks, 0)
                return [".~" + self.words.valued(cell, mask)] if mask else None
            case Sets(cells=cells, masks=masks) if masks == (all_values(layout.n),):
                return self._different(cells)
            case Table(cells=cells, rows=rows):
                return self._written_constraint(
                    Automaton(cells, machine_of_rows(layout.n, rows)), name
                )
            case Or(branches=branches):
                return self._alternatives(
                    [
                        [self._written_constraint(constraint, name) for constraint in branch]
                        for branch in branches
                    ]
                )
            case _:
                return None


def _cells(pairs: Iterable[Pair]) -> set[frozenset[int]]:
    """Return pairs of cells in any order."""
    return set(map(frozenset, pairs))


def write_iss(puzzles: Sequence[Puzzle]) -> Written:
    """Return strings, one on each line; a writer of the catalogue of formats.

    If there are several, each begins with its shape, by which they are told apart.
    """
    return one_a_line(_shaped if len(puzzles) > 1 else _string)(puzzles)


def _coded(name: str) -> str:
    """Return a name without the signs that separate constraints and arguments."""
    return quote(name, safe="").replace(".", "%2E").replace("~", "%7E")


write_iss_link = one_a_line(_link)
"""Writes links, one on each line; a writer of the catalogue of formats."""
