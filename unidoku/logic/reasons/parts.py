"""Parts: the things that a person looks at, of which reasons are made.

That cells which see each other hold different values is always known and is no part, and neither
are the candidates that are gone already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from unidoku.core.bits import all_values, bits_of, set_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout, Unit
from unidoku.core.rules.base import Rule
from unidoku.core.rules.pairs import PairRule, Pairs
from unidoku.logic.geometry import cells_by_value, cells_of, geometry
from unidoku.logic.ruled.compared import Group, groups_of
from unidoku.logic.ruled.remainders import ImpliedSum, implied_sums
from unidoku.logic.ruled.statement import Derived, Statement, statements_of
from unidoku.support.language import listing, message

PartSet = int
"""A set of parts: bit ``p`` stands for part ``p`` of `Parts.all`."""

LOOK = 4
"""What it costs to look at a cell with two candidates, or at a value with two places in a unit;
each further candidate or place costs 1."""

_RULE, _OPEN = 4, 2
"""What a rule of two open cells costs, and each further open cell."""

_MOST_DERIVED, _MOST_CELLS = 60, 6
"""The largest number of derived sums, those of few cells first, and of the cells of one."""

_AROUND = 2
"""What it costs to look around a cell of a board of two values, such as at stars that do not touch.
"""


@dataclass(frozen=True, eq=False)
class Around(Statement):
    """What a rule of pairs says about one cell and each of its partners.

    On boards of two values a person looks around the cell: where a star is, none is beside it.

    Args:
        cell: the cell.
    """

    cell: int

    @property
    def words(self) -> str:
        """The cell and the rule for a person."""
        assert isinstance(self.rule, PairRule | Pairs)
        return self.rule.words_around(self.cell, self.layout.names_in_words)


@dataclass(frozen=True, eq=False)
class ComparedGroup(Derived):
    """Lines side by side, counted in the areas that cross them.

    Args:
        group: the lines and the areas.
    """

    group: Group

    @cached_property
    def problem(self) -> Group:
        """The group, which prunes candidates by counting."""
        return self.group

    @property
    def words(self) -> str:
        """The lines for a person."""
        return message(
            "{lines}, counted together in what crosses them",
            lines=listing(line.statement.words for line in self.group.lines),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One thing that a person looks at.

    Args:
        kind: ``cell``: it has a value; ``place``: a full unit has a place for a value; ``rule``: a
            statement of a rule holds, or a sum that rules and units imply; ``given``: a cell was
            given.
        cells: its cells.
        unit: the full unit of a place.
        value: the value of a place.
        statement: the statement of a rule.
    """

    kind: Literal["cell", "place", "rule", "given"]
    cells: tuple[int, ...]
    unit: Unit | None = None
    value: int = 0
    statement: Statement | None = None

    @property
    def units(self) -> tuple[Unit, ...]:
        """The full units that it looks at."""
        if isinstance(self.statement, Derived):
            return self.statement.units
        return () if self.unit is None else (self.unit,)


@dataclass(frozen=True, slots=True)
class Parts:
    """All parts of a layout, and which of them matter to a cell.

    Args:
        layout: the layout.
        all: the parts: first the cells in order, then the places, then rules, then the givens in
            the order of their cells.
        units: the full units as sets of cells, in the order of their places.
        places_of: for each cell, its full units: as a set of cells, and the number of the part
            that states the place of the value 1; further values follow.
        rules_of: for each cell, the numbers of the rules about it.
        first_given: the number of the part of the first cell's given.
    """

    layout: Layout
    all: tuple[Part, ...]
    units: tuple[int, ...]
    places_of: tuple[tuple[tuple[int, int], ...], ...]
    rules_of: tuple[tuple[int, ...], ...]
    first_given: int

    def chosen(self, numbers: PartSet) -> tuple[Part, ...]:
        """Return the parts of a set."""
        return tuple([self.all[number] for number in bits_of(numbers)])

    def weights(self, candidates: Sequence[int]) -> list[int]:
        """Return what each part costs at some candidates; 1 for what is settled."""
        counts = [mask.bit_count() for mask in candidates]
        places = cells_by_value(candidates, self.layout.n)[1:]
        counts += [(cells & unit).bit_count() for unit in self.units for cells in places]
        open_cells = set_of(cell for cell, mask in enumerate(candidates) if mask & (mask - 1))
        rules = self.all[len(counts) : self.first_given]
        return [
            *map(_look, counts),
            *[_weight_of_rule(part, open_cells) for part in rules],
            *[LOOK] * len(candidates),
        ]


def _weight_of_rule(part: Part, open_cells: int) -> int:
    """Return what a rule costs; what is derived also takes a look at units, or at each line."""
    match part.statement:
        case Around():
            return _AROUND
        case ComparedGroup(group=group):
            return LOOK * len(group.lines)
    assert part.statement is not None
    weight = _RULE + _OPEN * max(0, (part.statement.mask & open_cells).bit_count() - 2)
    return weight + LOOK if isinstance(part.statement, Derived) else weight


def _look(choices: int) -> int:
    return 1 if choices < 2 else LOOK + choices - 2


@by_layout()
def parts_of(layout: Layout) -> Parts:
    """Return the parts of a layout."""
    everything = list(values_of(all_values(layout.n)))
    parts = [Part("cell", (cell,)) for cell in layout.cells]
    places_of: list[list[tuple[int, int]]] = [[] for _ in layout.cells]
    for unit_cells in geometry(layout).full:
        for cell in cells_of(unit_cells.cells):
            places_of[cell].append((unit_cells.cells, len(parts)))
        unit = unit_cells.unit
        parts += [Part("place", unit.cells, unit=unit, value=value) for value in everything]
    rules_of: list[list[int]] = [[] for _ in layout.cells]
    for statement in (*_stated(layout), *_derived(layout)):
        if not statement.is_of_single_cells:
            for cell in statement.cells:
                rules_of[cell].append(len(parts))
            parts.append(Part("rule", statement.cells, statement=statement))
    first_given = len(parts)
    parts += [Part("given", (cell,)) for cell in layout.cells]
    return Parts(
        layout,
        tuple(parts),
        tuple([unit_cells.cells for unit_cells in geometry(layout).full]),
        tuple(map(tuple, places_of)),
        tuple(map(tuple, rules_of)),
        first_given,
    )


def _stated(layout: Layout) -> Iterator[Statement]:
    """Yield the statements of rules; those about pairs of a board of two values by their cells."""
    around: defaultdict[tuple[Rule | None, int], list[Statement]] = defaultdict(list)
    for statement in statements_of(layout):
        is_pair = len(statement.cells) == 2 and isinstance(statement.rule, PairRule | Pairs)
        if not is_pair or layout.n != 2:
            yield statement
            continue
        for cell in statement.cells:
            around[statement.rule, cell].append(statement)
    for (rule, cell), pairs in sorted(around.items(), key=lambda item: item[0][1]):
        cells = sorted({each for statement in pairs for each in statement.cells})
        constraints = [each for statement in pairs for each in statement.constraints]
        yield Around(layout, rule, tuple(cells), tuple(constraints), cell)


def _derived(layout: Layout) -> Iterator[Derived]:
    """Yield the sums of few cells that units and cages imply, and groups of lines."""
    for group in groups_of(layout):
        first = group.lines[0].statement
        yield ComparedGroup(layout, None, group.cells, first.constraints, group)
    sums: dict[frozenset[int], ImpliedSum] = {}
    for each in implied_sums(layout):
        if each.cages and 1 < len(each.cells) <= _MOST_CELLS:
            both = frozenset((each.remainder.left, each.remainder.over))
            if both not in sums or each.remainder.total > sums[both].remainder.total:
                sums[both] = each
    yield from sorted(sums.values(), key=lambda each: len(each.cells))[:_MOST_DERIVED]
