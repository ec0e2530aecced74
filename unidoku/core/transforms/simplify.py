"""Simplify constraints, which also strengthens them, before they are passed to solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import starmap
from math import comb
from operator import eq
from typing import Any, assert_never

from unidoku.core.bits import all_values, bit, bits_of, set_of, values_of
from unidoku.core.caching import layout_cache, number_cache
from unidoku.core.constraints.automaton import Machine
from unidoku.core.constraints.operations import merged
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
    alike,
    digit_sets,
    interned,
    quick_value,
    tabulated,
)
from unidoku.core.layout import Layout, copied
from unidoku.core.transforms.alternatives import alternatives
from unidoku.support.deadline import check_time_limit

MOST_SETS = 20_000
"""The largest number of sets of values that is enumerated: 8 out of 16 values have 12,870."""


@quick_value
class Simplified:
    """The simplified constraints of a layout.

    Args:
        constraints: constraints of several cells, in canonical form.
        candidates: for each cell, the candidates that constraints of one cell leave.
    """

    constraints: tuple[Constraint, ...]
    candidates: tuple[int, ...]


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
        return super().__hash__()

    def __reduce__(self) -> tuple[Callable[..., Layout], tuple[object, ...]]:
        """Pickle the layout and the implied constraints."""
        return WithImplied.of, (self.plain, self.implied)


@layout_cache(maxsize=64)
def simplified(layout: Layout) -> Simplified:
    """Return the constraints of a layout in their simplest form."""
    if isinstance(layout, WithImplied):
        return simplify(layout, layout.implied, simplified(layout.plain))  # which is cached already
    return simplify(layout, layout.constraints, in_order=True)


def simplify(
    layout: Layout,
    constraints: Iterable[Constraint],
    known: Simplified | None = None,
    *,
    in_order: bool = False,
) -> Simplified:
    """Return constraints in their simplest form, together with known ones.

    A constraint of one cell becomes candidates, one of two cells a relation, and a sum of cells of
    one unit sets of values; constraints that always hold are dropped.

    Args:
        layout: layout of the constraints.
        constraints: the constraints.
        known: the known ones.
        in_order: whether the constraints are in canonical form, and none are known.
    """
    simple, forms, masks = _simplest(layout, constraints)
    candidates = list(known.candidates if known else (all_values(layout.n),) * len(layout))
    for cell, mask in masks.items():
        candidates[cell] &= mask
    if in_order:
        return Simplified(merged(forms, simple), tuple(candidates))
    others = known.constraints if known else ()
    return Simplified(merged((*simple, *forms), others), tuple(candidates))


def _simplest(
    layout: Layout, constraints: Iterable[Constraint]
) -> tuple[list[Constraint], list[Constraint], dict[int, int]]:
    """Return the simplest forms of several cells, and the candidates left by those of one cell.

    The constraints that are in their simplest form come first, in the same order; then others.
    """
    simple: list[Constraint] = []
    forms: list[Constraint] = []
    masks: dict[int, int] = {}
    for constraint in constraints:
        check_time_limit()
        for form in _simple(layout, constraint):
            if type(form) is Sets and len(form.cells) == 1:
                (cell,) = form.cells
                masks[cell] = masks.get(cell, -1) & sum(set(form.masks))
            else:
                (simple if form is constraint else forms).append(form)
    return simple, forms, masks


def _simple(layout: Layout, constraint: Constraint) -> Sequence[Constraint]:
    """Return the simplest forms of a constraint; a form of one cell is sets of one value."""
    n = layout.n
    match constraint:
        case Relation():
            return _simple_relation(n, constraint)
        case Sets():
            return _simple_sets(n, constraint)
        case Sum():
            return _simple_sum(layout, constraint.in_one_form())
        case Automaton():
            return _simple_automaton(n, constraint)
        case Table():
            return _simple_table(n, constraint)
        case SameValues():
            return _simple_same_values(layout, constraint)
        case Region():
            return _simple_region(n, constraint)
        case Or(branches):
            forms: list[Constraint] = []
            for alternative in alternatives(n, simple_branches(layout, branches)):
                is_simple = isinstance(alternative, Or)
                forms += (alternative,) if is_simple else _simple(layout, alternative)
            return forms
        case _:
            assert_never(constraint)


def simple_branches(
    layout: Layout, branches: Iterable[Iterable[Constraint]]
) -> Iterator[tuple[Constraint, ...]]:
    """Yield branches in their simplest form, without those that cannot hold.

    Constraints of one cell are sets of one value.
    """
    everything = all_values(layout.n)
    for branch in branches:
        simple, forms, masks = _simplest(layout, branch)
        if 0 not in masks.values():
            of_one_cell = [
                Sets((cell,), tuple(map(bit, values_of(mask))))
                for cell, mask in sorted(masks.items())
                if mask != everything
            ]
            yield (*of_one_cell, *merged((*simple, *forms)))


def _never(cells: tuple[int, ...]) -> Sequence[Constraint]:
    """Return a form of one cell that never holds."""
    return (Sets(cells[:1] or (0,), ()),)


def _simple_sets(n: int, constraint: Sets) -> Sequence[Constraint]:
    """Return the simplest form of sets of values: a relation if there are two cells."""
    cells, masks = constraint.cells, constraint.masks
    if not masks:
        return _never(cells)
    if len(cells) != 2:
        return (constraint,)
    return (Relation(_of_pairs(n, masks), ((cells[0], cells[1]),)),)


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


def _simple_region(n: int, constraint: Region) -> Sequence[Constraint]:
    """Return the simplest form of a region: of one cell, that it lies in it or does not."""
    fewest, most = max(constraint.low, 0), min(constraint.high, len(constraint.cells))
    if fewest > most:
        return _never(constraint.cells)
    if len(constraint.cells) > 1:
        return (constraint,)
    if fewest == most and constraint.cells:
        fits = constraint.mask if fewest else all_values(n) & ~constraint.mask
        return (Sets(constraint.cells, tuple(map(bit, values_of(fits)))),)
    return ()


def _simple_automaton(n: int, constraint: Automaton) -> Sequence[Constraint]:
    """Return the simplest form of an automaton: a relation if there are two cells."""
    cells, machine = constraint.cells, constraint.machine
    if not machine.starts:
        return _never(cells)
    if len(cells) > 2:
        return (constraint,)
    if len(cells) == 2 and cells[0] != cells[1]:
        return _simple_relation(n, Relation(_read_in_pairs(machine), ((cells[0], cells[1]),)))
    return _of_few_cells(n, cells, lambda *row: machine.accepts(row))


def _simple_table(n: int, constraint: Table) -> Sequence[Constraint]:
    """Return the simplest form of a table: a relation if there are two cells."""
    cells, rows = constraint.cells, constraint.rows
    if not rows:
        return _never(cells)
    if len(rows) >= n ** len(cells):
        return ()
    if len(cells) > 2:
        return (constraint,)
    allowed = set(rows)
    return _of_few_cells(n, cells, lambda *row: row in allowed)


def _of_few_cells(
    n: int, cells: tuple[int, ...], holds: Callable[..., object]
) -> Sequence[Constraint]:
    """Return the simplest form of a constraint about the values of up to two cells in order."""
    values = range(1, n + 1)
    match cells:
        case ():
            return () if holds() else _never(())
        case (a, b) if a != b:
            return _simple_relation(n, Relation(tabulated(n, holds), ((a, b),)))
        case _:
            size = len(cells)
            return (Sets(cells[:1], tuple([bit(v) for v in values if holds(*(v,) * size)])),)


def _simple_relation(n: int, constraint: Relation) -> Sequence[Constraint]:
    """Return the simplest form of a relation; a line that meets itself may pair a cell with it."""
    table, pairs = constraint.table, constraint.pairs
    if table.count(all_values(n)) == len(table):
        return ()
    if pairs and not any(table):
        return _never(pairs[0])
    if True not in starmap(eq, pairs):
        return (constraint,)
    beside_itself = tuple([bit(v) for v, mask in enumerate(table, 1) if mask & bit(v)])
    return (
        *[Sets((a,), beside_itself) for a, b in pairs if a == b],
        Relation(table, tuple([(a, b) for a, b in pairs if a != b])),
    )


def _simple_sum(layout: Layout, constraint: Sum) -> Sequence[Constraint]:
    """Return the simplest form of a sum in normal form; nothing if it always holds."""
    n, low, high, cells = layout.n, constraint.low, constraint.high, constraint.cells
    plus, minus = _sides(constraint.weights)
    least, most = plus - n * minus, n * plus - minus
    if low <= least and most <= high:
        return ()
    if high < least or most < low or low > high:
        return _never(cells)
    if len(cells) == 1:
        weight = constraint.weights[0]
        fits = [v for v in range(1, n + 1) if low <= weight * v <= high]
        return (Sets(cells, tuple(map(bit, fits))),)
    if len(cells) == 2:
        v, w = constraint.weights
        return (Relation(_of_weights(n, v, w, low, high), ((cells[0], cells[1]),)),)
    if not minus and plus == len(cells) and _differ(layout, cells):
        return (Sets(cells, digit_sets(n, len(cells), low, high)),)
    if low < least or most < high:  # bounds that are not reached may be larger than all else
        return (Sum(cells, constraint.weights, max(low, least), min(high, most)),)
    return (constraint,)


@number_cache(maxsize=256)
def _sides(weights: tuple[int, ...]) -> tuple[int, int]:
    """Return the sum of the positive weights, and of the negative ones without their sign."""
    total, heavy = sum(weights), sum(map(abs, weights))
    return (heavy + total) // 2, (heavy - total) // 2


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
    """Return the relation of two values that are one of some sets."""
    return tabulated(n, lambda v, w: v != w and bit(v) | bit(w) in masks)


@number_cache(maxsize=4096)
def _of_weights(n: int, v: int, w: int, low: int, high: int) -> Masks:
    """Return the relation of two values with a weighted sum within bounds."""
    return tabulated(n, lambda x, y: low <= v * x + w * y <= high)


def _differ(layout: Layout, cells: tuple[int, ...]) -> bool:
    """Return whether cells lie in one unit and have few enough sets of values."""
    return _in_one_unit(layout, cells) and comb(layout.n, len(cells)) <= MOST_SETS


def _in_one_unit(layout: Layout, cells: Sequence[int]) -> bool:
    own = frozenset(cells)
    return True in [own <= unit for unit in layout.unit_sets_of[cells[0]]]
