"""Simplify constraints, which also strengthens them, before they are passed to solvers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, starmap
from math import comb
from operator import eq
from typing import Any, Literal, NamedTuple

from unidoku.core.bits import all_values, bit, bits_of, set_of, values_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.operations import (
    ConstraintsByKind,
    merged,
    merged_by_kind,
    sorted_branches,
    sorted_sets,
)
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Or,
    Pair,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
    alike,
    digit_sets,
    interned,
    tabulated,
)
from unidoku.core.layout import Layout, copied
from unidoku.core.transforms.alternatives import alternatives
from unidoku.support.deadline import time_check

MOST_SETS = 20_000
"""The largest number of sets of values that is enumerated: 8 out of 16 values have 12,870."""


class Simplified(NamedTuple):
    """The simplified constraints of a layout.

    Args:
        of_kind: constraints of several cells by their class, in canonical form.
        candidates: for each cell, the candidates that constraints of one cell leave.
    """

    of_kind: ConstraintsByKind
    candidates: tuple[int, ...]

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints of all classes, in canonical form."""
        return tuple(chain.from_iterable(self.of_kind.values()))


class WithImplied(Layout):
    """A layout with more constraints, which follow from its own; otherwise equal to that layout.

    Its rules, which check grids and name boards, are unchanged.
    """

    def __new__(cls, *arguments: Any, **named: Any) -> Layout:  # type: ignore[misc]  # returns another class on purpose
        """Return a plain layout: after a replacement of parts, nothing has been deduced yet."""
        return Layout(*arguments, **named)

    @staticmethod
    def of(plain: Layout, implied: tuple[Constraint, ...]) -> WithImplied:
        """Return a copy of a layout with these additional constraints."""
        known = {name: getattr(plain, name) for name in ("base", "conceals")}
        known["_hash"] = ~hash(plain)  # caches that have both need not compare them
        return copied(plain, WithImplied, plain=plain, implied=implied, **known)

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints of the layout and the implied constraints."""
        return merged((*self.plain.constraints, *self.implied))

    plain: Layout
    """The layout without the implied constraints."""

    implied: tuple[Constraint, ...]
    """The constraints that follow from those of the layout."""

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same layout with the same constraints."""
        if not isinstance(other, WithImplied):
            return False
        return (self.plain, self.implied) == (other.plain, other.implied)

    def __hash__(self) -> int:
        """Return a hash other than that of the layout."""
        return self._hash

    def __reduce__(self) -> tuple[Callable[..., Layout], tuple[object, ...]]:
        """Pickle the layout and the implied constraints."""
        return WithImplied.of, (self.plain, self.implied)


@layout_cache(maxsize=64)
def simplified(layout: Layout) -> Simplified:
    """Return the constraints of a layout in their simplest form."""
    if isinstance(layout, WithImplied):
        return simplify(layout, layout.implied, simplified(layout.plain))  # which is cached already
    return simplify(layout, layout.posted())


def simplify(
    layout: Layout, constraints: Iterable[Constraint], known: Simplified | None = None
) -> Simplified:
    """Return constraints in their simplest form, together with known ones.

    A constraint of one cell becomes candidates, one of two cells a relation, and a sum of cells of
    one unit sets of values; constraints that always hold are dropped.

    Args:
        layout: layout of the constraints.
        constraints: the constraints, the sums among them in one form.
        known: the known ones.
    """
    of_kind, masks = _simplest(layout, constraints)
    candidates = known.candidates if known else (all_values(layout.n),) * len(layout)
    if masks:
        left = [*candidates]
        for cell, mask in masks.items():
            left[cell] &= mask
        candidates = tuple(left)
    known_of_kind = known.of_kind if known else None
    return Simplified(merged_by_kind(of_kind, known_of_kind, _IN_ONE_FORM), candidates)


def _simplest(
    layout: Layout, constraints: Iterable[Constraint]
) -> tuple[dict[type[Constraint], list[Any]], dict[int, int]]:
    """Return the simplest forms of several cells, and the candidates left by those of one cell."""
    of_kind: defaultdict[type[Constraint], list[Any]] = defaultdict(list)
    masks: dict[int, int] = {}
    forms: list[Any] = []
    pairs_of: dict[int, tuple[Masks, list[Pair]]] = {}  # by the identity of their table
    check = time_check()
    for constraint in constraints:
        if isinstance(constraint, Relation):  # of which there may be thousands with one table
            table = constraint.table
            if (known := pairs_of.get(id(table))) is None:
                known = pairs_of[id(table)] = table, []
            known[1].extend(constraint.pairs)
        else:
            if check:
                check()
            forms += _SIMPLE[type(constraint)](layout, constraint)
    for table, pairs in pairs_of.values():
        if check:
            check()
        forms += _simple_relation(layout, Relation(table, tuple(pairs)))
    for form in forms:
        kind = type(form)
        if kind is Sets and len(form.cells) == 1:
            (cell,) = form.cells
            masks[cell] = masks.get(cell, -1) & sum(set(form.masks))
        else:
            of_kind[kind].append(form)
    return of_kind, masks


def _simple_alternatives(layout: Layout, constraint: Or) -> Sequence[Constraint]:
    """Return the simplest forms of alternatives; a form of one cell is sets of one value."""
    forms: list[Constraint] = []
    branches = simple_branches(layout, sorted_branches(constraint).branches)
    for alternative in alternatives(layout.n, branches):
        is_simple = isinstance(alternative, Or)
        forms += (alternative,) if is_simple else _SIMPLE[type(alternative)](layout, alternative)
    return forms


def simple_branches(
    layout: Layout, branches: Iterable[Iterable[Constraint]]
) -> Iterator[tuple[Constraint, ...]]:
    """Yield branches in their simplest form, without those that cannot hold.

    Constraints of one cell are sets of one value.
    """
    everything = all_values(layout.n)
    for branch in branches:
        of_kind, masks = _simplest(layout, branch)
        if 0 not in masks.values():
            of_one_cell = [
                Sets((cell,), tuple(map(bit, values_of(mask))))
                for cell, mask in sorted(masks.items())
                if mask != everything
            ]
            several = merged_by_kind(of_kind, None, _IN_ONE_FORM).values()
            yield (*of_one_cell, *chain.from_iterable(several))


def _never(cells: tuple[int, ...]) -> Sequence[Constraint]:
    """Return a form of one cell that never holds."""
    return (Sets(cells[:1] or (0,), ()),)


def _simple_sets(layout: Layout, constraint: Sets) -> Sequence[Constraint]:
    """Return the simplest form of sets of values: a relation if there are two cells."""
    cells, masks = constraint.cells, constraint.masks
    if not masks:
        return _never(cells)
    if len(cells) != 2:
        return (sorted_sets(constraint),)
    return (Relation(_of_pairs(layout.n, masks), ((cells[0], cells[1]),)),)


def _simple_same_values(layout: Layout, constraint: SameValues) -> Sequence[Constraint]:
    """Return the simplest form of lists of the same values; cells in both are dropped."""
    cells, others = constraint.cells, constraint.others
    n, common = layout.n, set(cells) & set(others)
    first, second = ([cell for cell in part if cell not in common] for part in (cells, others))
    match first, second:
        case [], []:
            return ()
        case [a], [b]:
            return (Relation(alike(n), ((a, b),)),)
        case _ if len(first) != len(second):
            return _never(())
        case _:
            differ = any(_in_one_unit(layout, part) for part in (first, second))
            return (SameValues(tuple(first), tuple(second), differ),)


def _simple_region(layout: Layout, constraint: Region) -> Sequence[Constraint]:
    """Return the simplest form of a region; if it has one cell, values of it that are right."""
    fewest, most = max(constraint.low, 0), min(constraint.high, len(constraint.cells))
    if fewest > most:
        return _never(constraint.cells)
    if len(constraint.cells) > 1:
        return (constraint,)
    if fewest == most and constraint.cells:
        fits = constraint.mask if fewest else all_values(layout.n) & ~constraint.mask
        return (Sets(constraint.cells, tuple(map(bit, values_of(fits)))),)
    return ()


def _simple_automaton(layout: Layout, constraint: Automaton) -> Sequence[Constraint]:
    """Return the simplest form of an automaton: a relation if there are two cells."""
    cells, machine = constraint.cells, constraint.machine
    if not machine.starts:
        return _never(cells)
    if len(cells) > 2:
        return (constraint,)
    if len(cells) == 2 and cells[0] != cells[1]:
        return _simple_relation(layout, Relation(_read_in_pairs(machine), ((cells[0], cells[1]),)))
    return _of_few_cells(layout, cells, lambda *row: machine.accepts(row))


def _simple_table(layout: Layout, constraint: Table) -> Sequence[Constraint]:
    """Return the simplest form of a table: a relation if there are two cells."""
    cells, rows = constraint.cells, constraint.rows
    if not rows:
        return _never(cells)
    if len(rows) >= layout.n ** len(cells):
        return ()
    if len(cells) > 2:
        return (constraint,)
    allowed = set(rows)
    return _of_few_cells(layout, cells, lambda *row: row in allowed)


def _of_few_cells(
    layout: Layout, cells: tuple[int, ...], holds: Callable[..., object]
) -> Sequence[Constraint]:
    """Return the simplest form of a constraint about the values of up to two cells in order."""
    values = range(1, layout.n + 1)
    match cells:
        case ():
            return () if holds() else _never(())
        case (a, b) if a != b:
            return _simple_relation(layout, Relation(tabulated(layout.n, holds), ((a, b),)))
        case _:
            size = len(cells)
            return (Sets(cells[:1], tuple([bit(v) for v in values if holds(*(v,) * size)])),)


def _simple_relation(layout: Layout, constraint: Relation) -> Sequence[Constraint]:
    """Return the simplest form of a relation; a line that meets itself may pair a cell with it."""
    table, pairs = constraint.table, constraint.pairs
    if table.count(all_values(layout.n)) == len(table):
        return ()
    if pairs and not any(table):
        return _never(pairs[0])
    if True not in starmap(eq, pairs):
        return (constraint,)
    reflexive = tuple([bit(v) for v, mask in enumerate(table, 1) if mask & bit(v)])
    return (
        *[Sets((a,), reflexive) for a, b in pairs if a == b],
        Relation(table, tuple([(a, b) for a, b in pairs if a != b])),
    )


def _simple_sum(layout: Layout, constraint: Sum) -> Sequence[Constraint]:
    """Return the simplest form of a sum; nothing if it always holds."""
    cells, weights, n = constraint.cells, constraint.weights, layout.n
    form = _form_of_sum(n, weights, constraint.low, constraint.high)
    if form is None or form is True:
        return () if form else _never(cells)
    values, table, may_be_sets, bounds = form
    if may_be_sets and _in_one_unit(layout, cells):
        return (Sets(cells, digit_sets(n, len(cells), constraint.low, constraint.high)),)
    if table is not None:
        return (Relation(table, ((cells[0], cells[1]),)),)
    if values is not None:
        return (Sets(cells, values),)
    if bounds is not None:
        return (Sum(cells, weights, *bounds),)
    return (constraint,)


class SumForm(NamedTuple):
    """The simplest form of a sum that is neither always true nor impossible, without its cells.

    Args:
        values: the values of its cell, as sets, if it has one.
        table: the relation of its cells, if it has two.
        may_be_sets: whether it is sets of values if its cells lie in one unit.
        bounds: the bounds, if it reaches nearer ones only; those given may be larger than all else.
    """

    values: Masks | None = None
    table: Masks | None = None
    may_be_sets: bool = False
    bounds: tuple[int, int] | None = None


@number_cache(maxsize=4096)
def _form_of_sum(
    n: int, weights: tuple[int, ...], low: int, high: int
) -> SumForm | Literal[True] | None:
    """Return the simplest form of a sum; True if it always holds, and None if it never does."""
    minus = -sum([weight for weight in weights if weight < 0])
    plus = sum(weights) + minus
    least, most = plus - n * minus, n * plus - minus
    if low <= least and most <= high:
        return True
    if high < least or most < low or low > high:
        return None
    if len(weights) == 1:
        fits = [value for value in range(1, n + 1) if low <= weights[0] * value <= high]
        return SumForm(values=tuple(map(bit, fits)))
    if len(weights) == 2:
        v, w = weights
        return SumForm(table=tabulated(n, lambda x, y: low <= v * x + w * y <= high))
    may_be_sets = not minus and plus == len(weights) and comb(n, plus) <= MOST_SETS
    is_tight = least <= low and high <= most
    return SumForm(
        None, None, may_be_sets, None if is_tight else (max(low, least), min(high, most))
    )


@number_cache(maxsize=256)
def _read_in_pairs(machine: Machine) -> Masks:
    """Return the relation of the two values that a machine accepts."""
    last = [
        set_of(value for value, targets in enumerate(row) if targets & machine.accepting)
        for row in machine.steps
    ]
    table = [0] * len(machine.steps[0])
    for state in bits_of(machine.starts):
        for value, targets in enumerate(machine.steps[state]):
            for target in bits_of(targets):
                table[value] |= last[target]
    return interned(tuple(table))


@number_cache(maxsize=4096)
def _of_pairs(n: int, masks: Masks) -> Masks:
    """Return the relation of two values which together are one of some sets."""
    return tabulated(n, lambda v, w: v != w and bit(v) | bit(w) in masks)


def _in_one_unit(layout: Layout, cells: Sequence[int]) -> bool:
    return True in [unit.issuperset(cells) for unit in layout.unit_sets_of[cells[0]]]


_SIMPLE: Mapping[type[Constraint], Callable[[Layout, Any], Sequence[Constraint]]] = {
    Relation: _simple_relation,
    Sum: _simple_sum,
    Sets: _simple_sets,
    SameValues: _simple_same_values,
    Automaton: _simple_automaton,
    Table: _simple_table,
    Or: _simple_alternatives,
    Region: _simple_region,
}
"""How the simplest forms of a constraint of each class are found; one of one cell is sets of one
value."""

_IN_ONE_FORM = (Sum, Sets)
"""Classes whose simplest forms are canonical."""
