"""Doublers: cells that count more than once in sums, and are to be found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import ClassVar

from unidoku.core.bits import all_values, bit
from unidoku.core.caching import number_cache
from unidoku.core.constraints.primitives import Constraint, Relation, Sets, Sum, Table, apart
from unidoku.core.names import HiddenCell
from unidoku.core.rules.base import Facts, Rule, cell_names
from unidoku.core.rules.fields import Cells, CellsInOrder
from unidoku.core.rules.related import equal_pairs
from unidoku.errors import LayoutError
from unidoku.support.language import message

PLAIN, MULTIPLIED = 1, 2
"""The values of a mark, the hidden cell that states if a cell is a doubler."""

_LINES = frozenset({"row", "column", "box", "region"})
"""The kinds of units that have one doubler each."""

_MOST_TIMES = 99
"""The largest factor, of either sign: a guard against sums beyond any machine's numbers."""

_NOUNS = {-1: "negator", 2: "doubler", 3: "tripler"}


@dataclass(frozen=True)
class Doubler(Rule):
    """One cell in each row, column and box is a doubler, whose digit counts twice in sums.

    Each digit is doubled at most once. The rules of sums of the layout count the value of a cell, a
    multiple of its digit if the cell is a doubler; all other rules, also that the cells of a cage
    differ, are about digits.

    Args:
        at: the doublers that are known.
        held: the cells that may be doublers, each once; by default all cells of the grid.
        factor: how often the digit of a doubler counts; not 1.
        repeats: whether two doublers may hold the same digit.
        groups: the cells of each group with exactly one doubler, one group after the other; by
            default the rows, columns and regions with as many cells as there are values.
        each: the number of cells of each group.
        marks: for each of the cells a hidden cell with the second value if it is a doubler, and
            otherwise the first; by default the layout gets such cells.
    """

    kind: ClassVar[str] = "doubler"
    optional: ClassVar[frozenset[str]] = frozenset({"at", "groups"})
    at: Cells = ()
    held: Cells = ()
    factor: int = 2
    repeats: bool = False
    groups: CellsInOrder = ()
    each: int = 0
    marks: CellsInOrder = ()

    def __post_init__(self) -> None:
        """Refuse a factor that changes nothing, and cells that are not among the others."""
        super().__post_init__()
        if self.factor == 1 or abs(self.factor) > _MOST_TIMES:
            expected = f"a number up to {_MOST_TIMES} other than 1"
            raise LayoutError(f"{self.kind}: factor: expected {expected}, got {self.factor}")
        if len(set(self.held)) < len(self.held):
            raise LayoutError(f"{self.kind}: held: expected each cell once")
        if self.marks and (
            len({*self.held, *self.marks}) < 2 * len(self.held) or len(self.held) != len(self.marks)
        ):
            raise LayoutError(f"{self.kind}: marks: expected another cell for each of the cells")
        if (len(self.groups) % self.each if self.each > 0 else self.groups) or self.each < 0:
            got = f"{len(self.groups)} cells in groups of {self.each}"
            raise LayoutError(f"{self.kind}: each: expected groups of one size, got {got}")
        for name in ("at", "groups") if self.held else ():
            if not {*getattr(self, name)} <= {*self.held}:
                raise LayoutError(f"{self.kind}: {name}: expected some of the cells in held")
        if any(len(set(line)) < len(line) for line in self.lines):
            raise LayoutError(f"{self.kind}: groups: expected each cell once in a group")

    def bind(self, facts: Facts) -> Doubler:
        """Return the rule with the cells and the groups of its layout, if it names none.

        Raises:
            LayoutError: the layout has one value, or no groups that hold each cell once.
        """
        if facts.n < MULTIPLIED:
            raise LayoutError(f"{self.kind}: expected at least two values, got {facts.n}")
        rule: Doubler = self
        if not rule.held:
            rule = replace(rule, held=tuple(range(len(facts.positions))))
        if not rule.groups:
            cells = {*rule.held}
            units = [u.cells for u in facts.full_units if u.kind in _LINES and {*u.cells} <= cells]
            rule = replace(rule, groups=tuple(chain(*units)), each=facts.n if units else 0)
        if not rule.repeats and {*chain(*rule.separate)} != {*rule.held}:
            raise LayoutError(
                f"{self.kind}: groups: expected groups that have each cell once, such as rows; "
                "otherwise set repeats"
            )
        return rule

    def hidden_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return a hidden cell for each cell that may be a doubler, if the rule has none yet."""
        return () if self.marks else (bit(PLAIN) | bit(MULTIPLIED),) * len(self.held)

    def with_hidden(self, cells: tuple[int, ...]) -> Doubler:
        """Return the rule with these marks."""
        return replace(self, marks=cells)

    @property
    def noun(self) -> str:
        """What a cell that counts more often is called: a doubler, for example."""
        return _NOUNS.get(self.factor, "multiplier")

    @cached_property
    def mark_of(self) -> Mapping[int, int]:
        """The mark of each cell that may be a doubler."""
        return dict(zip(self.held, self.marks, strict=True))

    @property
    def lines(self) -> list[tuple[int, ...]]:
        """The groups with one doubler each."""
        starts = range(0, len(self.groups), self.each) if self.each > 0 else ()
        return [self.groups[start : start + self.each] for start in starts]

    @property
    def separate(self) -> list[tuple[int, ...]]:
        """The first groups that have no cell in common: usually the rows."""
        lines_apart: list[tuple[int, ...]] = []
        used: set[int] = set()
        for line in self.lines:
            if used.isdisjoint(line):
                lines_apart.append(line)
                used.update(line)
        return lines_apart

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return the meaning of each mark: whether its cell is a doubler."""
        noun = message(self.noun)
        values = message("no {noun}", noun=noun), message("a {noun}", noun=noun)
        text = "whether {cell} is a {noun}"
        return {
            mark: HiddenCell(message(text, cell=names[cell], noun=noun), names[cell], values)
            for cell, mark in zip(self.held, self.marks, strict=True)
        }

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield groups without exactly one doubler, doublers with equal digits, and wrong marks."""
        if not self.marks:
            return
        for mark in self.marks:
            if values[mark] not in (0, PLAIN, MULTIPLIED):
                yield (mark,)
        for cell in self.at:
            if values[self.mark_of[cell]] == PLAIN:
                yield (self.mark_of[cell],)
        for line in self.lines:
            marks = tuple(self.mark_of[cell] for cell in line)
            marked = tuple(mark for mark in marks if values[mark] == MULTIPLIED)
            if len(marked) > 1:
                yield marked
            elif not marked and all(values[mark] for mark in marks):
                yield marks
        doublers = [cell for cell in self.held if values[self.mark_of[cell]] == MULTIPLIED]
        for a, b in equal_pairs(values, doublers) if not self.repeats else ():
            yield a, b, self.mark_of[a], self.mark_of[b]

    @property
    def needs_auxiliary(self) -> bool:
        """Whether it has constraints only with a cell for the digit that each group multiplies."""
        return not self.repeats

    def auxiliary_domains(self, facts: Facts) -> tuple[int, ...]:
        """Return the domains of hidden cells: one for the digit of the doubler of each such group.

        The groups are those of `separate`: usually the rows.
        """
        return (all_values(facts.n),) * len(self.separate) if self.needs_auxiliary else ()

    def with_auxiliary(self, facts: Facts, cells: tuple[int, ...]) -> Rule:
        """Return the rule with these cells."""
        fields = (self.at, self.held, self.factor, self.repeats, self.groups, self.each)
        return _Differing(*fields, self.marks, cells)

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield the two values of marks, the known doublers, and a sum of each group's marks."""
        for cell, mark in self.mark_of.items():
            known = (bit(MULTIPLIED),)
            yield Sets((mark,), known if cell in self.at else (bit(PLAIN), *known))
        for line in self.lines:
            marks = [self.mark_of[cell] for cell in line]
            yield Sum.of_cells(marks, PLAIN * (len(marks) - 1) + MULTIPLIED)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        text = "each row, column and region has one {noun}, each of another digit"
        if self.repeats:
            text = "each row, column and region has one {noun}"
        rule = message(text, noun=message(self.noun))
        known = cell_names(self.at, names)
        return message("{rule}; known: {cells}", rule=rule, cells=known) if known else rule

    def words_about(self, cells: Sequence[int], names: Sequence[str]) -> str:
        """Return that a group has one doubler, if the cells are its marks; otherwise all words."""
        for line in self.lines:
            if {*cells} == {self.mark_of[cell] for cell in line}:
                return self._has_one(line, names)
        return self.words(names)

    def _has_one(self, line: Sequence[int], names: Sequence[str]) -> str:
        group = cell_names(line, names)
        return message("{cells} have one {noun}", cells=group, noun=message(self.noun))


@dataclass(frozen=True)
class _Differing(Doubler):
    """The rule with its hidden cells.

    Args:
        digits: a hidden cell for the digit of the doubler of each group without common cells.
    """

    needs_auxiliary = False
    digits: Cells = ()

    def hidden_cells(self, facts: Facts, names: Sequence[str]) -> Mapping[int, HiddenCell]:
        """Return also that the digits are those of the doublers, by the ends of their groups."""
        cells = {**super().hidden_cells(facts, names)}
        values = tuple(str(facts.first_value + shift) for shift in range(facts.n))
        for digit, line in zip(self.digits, self.separate, strict=True):
            ends = {"first": names[line[0]], "last": names[line[-1]], "noun": message(self.noun)}
            name = message("the digit of the {noun} from {first} to {last}", **ends)
            cells[digit] = HiddenCell(name, name, values)
        return cells

    def words_about(self, cells: Sequence[int], names: Sequence[str]) -> str:
        """Return also what digits of doublers say: that a group has one, or that they differ."""
        if {*cells} <= {*self.digits}:
            return message("no two {noun}s hold the same digit", noun=message(self.noun))
        for digit, line in zip(self.digits, self.separate, strict=True):
            if digit in cells and {*cells} <= {digit, *line, *(self.mark_of[c] for c in line)}:
                return self._has_one(line, names)
        return super().words_about(cells, names)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield violations, and digits that are not those of the doublers."""
        yield from super().broken(values, first_value)
        for digit, line in zip(self.digits, self.separate, strict=True):
            for cell in line:
                known = values[self.mark_of[cell]] == MULTIPLIED and values[cell] and values[digit]
                if known and values[cell] != values[digit]:
                    yield cell, self.mark_of[cell], digit

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield also that the digits of the doublers are these, and differ."""
        yield from super().constraints(facts)
        rows = _same_if_multiplied(facts.n)
        for digit, line in zip(self.digits, self.separate, strict=True):
            yield from (Table((self.mark_of[cell], cell, digit), rows) for cell in line)
        if len(self.digits) == facts.n:
            yield Sets(self.digits, (all_values(facts.n),))
        elif len(self.digits) > 1:
            yield Relation(apart(facts.n), tuple(combinations(self.digits, 2)))


@number_cache(maxsize=64)
def _same_if_multiplied(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the rows of a mark, a digit and another, which are equal in a doubler."""
    return Table.of(
        n, (0, 1, 2), lambda mark, a, b: mark == PLAIN or (mark == MULTIPLIED and a == b)
    ).rows
