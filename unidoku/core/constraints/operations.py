"""Operations on constraints of all classes: cells, renumbering, reversal, and canonical form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, starmap
from operator import attrgetter, eq, lt, ne
from typing import Any, TypeAlias, assert_never

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import reversed_in
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
    backwards,
    interned,
    interned_rows,
    is_ascending,
)

ConstraintsByKind: TypeAlias = Mapping[type[Constraint], Sequence[Any]]
"""Constraints by their class; the values are those of the class."""


def cells_of(constraint: Constraint) -> Iterable[int]:
    """Return the cells that a constraint contains, possibly with repetitions."""
    match constraint:
        case Relation(_, pairs):
            return chain.from_iterable(pairs)
        case Sum(cells) | Sets(cells) | Automaton(cells) | Table(cells):
            return cells
        case SameValues(cells, others):
            return chain(cells, others)
        case Region():
            return chain(constraint.cells, constraint.others)
        case Or():
            return chain.from_iterable(map(cells_of, parts_of(constraint)))
        case _:
            assert_never(constraint)


def parts_of(constraint: Or) -> Iterable[Constraint]:
    """Return the constraints of all branches."""
    return chain.from_iterable(constraint.branches)


def with_parts(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    """Yield constraints and the constraints of several cells inside alternatives."""
    for constraint in constraints:
        yield constraint
        if isinstance(constraint, Or):
            yield from with_parts(
                part for part in parts_of(constraint) if len([*cells_of(part)]) > 1
            )


def moved(constraint: Constraint, cells: Sequence[int]) -> Constraint:
    """Return the constraint with cell ``c`` renumbered to ``cells[c]``."""

    def renumbered(before: Sequence[int]) -> tuple[int, ...]:
        return tuple([cells[cell] for cell in before])

    match constraint:
        case Relation(table, pairs):
            return Relation(table, tuple([(cells[a], cells[b]) for a, b in pairs]))
        case Sum(own, weights, low, high):
            return Sum(renumbered(own), weights, low, high)
        case Sets(own, masks):
            return Sets(renumbered(own), masks)
        case SameValues(own, others, differ):
            return SameValues(renumbered(own), renumbered(others), differ)
        case Automaton(own, machine):
            return Automaton(renumbered(own), machine)
        case Table(own, rows):
            return Table(renumbered(own), rows)
        case Region(own, mask, pairs, low, high, others):
            moved_pairs = tuple([(cells[a], cells[b]) for a, b in pairs])
            return Region(renumbered(own), mask, moved_pairs, low, high, renumbered(others))
        case Or(branches):
            return Or(
                tuple([tuple([moved(part, cells) for part in branch]) for branch in branches])
            )
        case _:
            assert_never(constraint)


def reversed_values(constraint: Constraint, n: int) -> Constraint:
    """Return the constraint with reversed values: v becomes n + 1 - v."""
    match constraint:
        case Relation(table, pairs):
            return Relation(tuple([_reversed(mask, n) for mask in reversed(table)]), pairs)
        case Sum(cells, weights, low, high):
            most = (n + 1) * sum(weights)
            return Sum(cells, weights, most - high, most - low)
        case Sets(cells, masks):
            return Sets(cells, tuple([_reversed(mask, n) for mask in masks]))
        case SameValues():
            return constraint
        case Automaton(cells, machine):
            return Automaton(cells, reversed_in(machine))
        case Table(cells, rows):
            turned = [tuple([n + 1 - value for value in row]) for row in rows]
            return Table(cells, tuple(sorted(turned)))
        case Region(cells, mask, pairs, low, high, others):
            return Region(cells, _reversed(mask, n), pairs, low, high, others)
        case Or(branches):
            return Or(
                tuple([tuple([reversed_values(s, n) for s in branch]) for branch in branches])
            )
        case _:
            assert_never(constraint)


def _reversed(mask: int, n: int) -> int:
    return int(f"{mask:0{n}b}"[::-1], 2)


def merged(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Return constraints in canonical form: equivalent lists of constraints become equal.

    Relations with the same table become one; of a table and its reverse, the smaller is used.
    """
    of_kind: defaultdict[type[Constraint], list[Any]] = defaultdict(list)
    for constraint in constraints:
        of_kind[type(constraint)].append(constraint)
    return tuple(chain.from_iterable(merged_by_kind(of_kind).values()))


def merged_by_kind(
    of_kind: ConstraintsByKind,
    known: ConstraintsByKind | None = None,
    in_one_form: Container[type[Constraint]] = (),
) -> dict[type[Constraint], Sequence[Any]]:
    """Return constraints by class in canonical form, the classes in their order.

    Args:
        of_kind: the constraints of each class.
        known: more constraints, which are in canonical form already.
        in_one_form: classes of which each constraint is in canonical form, but not their order.
    """
    known = known or {}
    merged_of_kind: dict[type[Constraint], Sequence[Any]] = {}
    for kind in sorted(of_kind.keys() | known, key=_NUMBERS.__getitem__):
        constraints, others = of_kind.get(kind), known.get(kind, ())
        if not constraints:
            merged_of_kind[kind] = others
        elif kind is Relation:
            merged_of_kind[kind] = _of_tables(constraints, others)
        else:
            form = None if kind in in_one_form else _FORMS.get(kind)
            constraints_of_kind = [*others, *(map(form, constraints) if form else constraints)]
            merged_of_kind[kind] = _in_order(constraints_of_kind, _ORDER[kind])
    return merged_of_kind


def _of_tables(relations: Iterable[Relation], known: Iterable[Relation]) -> list[Relation]:
    """Return one relation for each table, in order; the ``known`` ones have their form already."""
    pairs: defaultdict[Masks, list[Pair]] = defaultdict(list)
    for relation in relations:
        table, way = _form_of_table(relation.table)
        if way == _AS_IT_IS:
            pairs[table] += relation.pairs
        elif way == _TURNED:
            pairs[table] += [(b, a) for a, b in relation.pairs]
        else:
            pairs[table] += [(a, b) if a < b else (b, a) for a, b in relation.pairs]
    by_table = {relation.table: relation for relation in known}
    for table, joined in pairs.items():
        if by_table and (other := by_table.get(table)) is not None:
            joined += other.pairs
        joined.sort()
        if True in map(eq, joined, joined[1:]):
            joined = [*dict.fromkeys(joined)]
        by_table[table] = Relation(table, tuple(joined))
    return [by_table[table] for table in sorted(by_table)]


_AS_IT_IS, _TURNED, _EITHER = range(3)
"""How the pairs of a table become those of its form: a symmetric one has them in either order."""


@number_cache(maxsize=4096)
def _form_of_table(table: Masks) -> tuple[Masks, int]:
    """Return the smaller of a table and its reverse, and how pairs become those of it."""
    back = backwards(table)
    if back < table:
        return back, _TURNED
    return interned(table), _EITHER if back == table else _AS_IT_IS


def _in_order(constraints: list[Any], key: Callable[[Any], _Order]) -> list[Any]:
    """Return constraints of one class in canonical order, each once."""
    if len(constraints) == 1:
        return constraints
    kind = type(constraints[0])
    if kind in _BY_CELLS or kind is Automaton:
        cells = [*map(_CELLS, constraints)]
        if len({*cells}) == len(cells):  # which is nearly always so, and then each is there once
            return sorted(constraints, key=_CELLS if kind in _BY_CELLS else key)
    elif kind is Table:  # comparing rows takes long
        key = _ranked([table.rows for table in constraints])
    keys = [*map(key, constraints)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    ordered = [keys[index] for index in order]
    # Not a set of keys: hashing tables takes long.
    is_new = [True, *map(ne, ordered, ordered[1:])]
    return [constraints[index] for index in compress(order, is_new)]


def _ranked(rows: Iterable[Any]) -> Callable[[Table], _Order]:
    """Return the sort key of tables, with the rank among these rows for a table's own rows."""
    ranks: dict[int, int] = {}
    rank, last = 0, None
    for part in sorted({id(part): part for part in rows}.values()):
        rank += part != last
        ranks[id(part)] = rank
        last = part
    return lambda table: (ranks[id(table.rows)], table.cells)


def sorted_sets(constraint: Sets) -> Sets:
    """Return sets of values with their cells in order, and the sets too; itself if they are."""
    once = _each_once(constraint.masks)
    if once is constraint.masks and is_ascending(constraint.cells):
        return constraint
    return Sets(_ascending(constraint.cells), once)


def _sorted_lists(constraint: SameValues) -> SameValues:
    """Return lists of the same values in order."""
    first, second = sorted((_ascending(constraint.cells), _ascending(constraint.others)))
    return SameValues(first, second, constraint.differ)


def sorted_branches(constraint: Or) -> Or:
    """Return alternatives with branches in canonical form and in order."""
    return Or(tuple(sorted(set(map(merged, constraint.branches)), key=_order_of_branch)))


@number_cache(maxsize=4096)
def _each_once(masks: Masks) -> Masks:
    """Return sets of values in ascending order, each once; hundreds of cages have the same few."""
    return masks if is_ascending(masks) else tuple(sorted(set(masks)))


def _ascending(cells: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(cells))


_Order: TypeAlias = tuple[Any, ...]
"""A key for the order of constraints of one class: their contents."""


def _order_of_branch(constraints: Iterable[Constraint]) -> _Order:
    """Return the key of a branch: the class numbers of its constraints, with their keys."""
    return tuple(
        [
            (_NUMBERS[type(constraint)], *_ORDER[type(constraint)](constraint))
            for constraint in constraints
        ]
    )


_ORDER: Mapping[type[Constraint], Callable[[Any], _Order]] = {
    Relation: attrgetter("table", "pairs"),
    Sum: attrgetter("cells", "weights", "low", "high"),
    Sets: attrgetter("cells", "masks"),
    SameValues: attrgetter("cells", "others", "differ"),
    Automaton: attrgetter("machine.parts", "cells"),
    Table: attrgetter("rows", "cells"),
    Or: lambda constraint: tuple(map(_order_of_branch, constraint.branches)),
    Region: attrgetter("cells", "mask", "pairs", "low", "high", "others"),
}
"""The classes of constraints in their order, with the key of a constraint within its class."""

_NUMBERS = {kind: number for number, kind in enumerate(_ORDER)}

_CELLS = attrgetter("cells")

_BY_CELLS = frozenset({Sum, Sets, SameValues})
"""The classes of constraints that are in the order of their cells, which mostly differ."""


def _sorted_region(constraint: Region) -> Region:
    """Return a region with its cells in their order, and their neighbours too."""
    cells, pairs, others = constraint.cells, constraint.pairs, constraint.others
    if is_ascending(cells) and all(starmap(lt, pairs)) and all(map(lt, pairs, pairs[1:])):
        return constraint
    order = sorted(range(len(cells)), key=cells.__getitem__)
    return Region(
        _ascending(cells),
        constraint.mask,
        tuple(sorted({(min(pair), max(pair)) for pair in pairs})),
        constraint.low,
        constraint.high,
        tuple([others[index] for index in order]) if others else (),
    )


def _sorted_table(constraint: Table) -> Table:
    """Return a table with its cells in their order, and its rows too."""
    cells, rows = constraint.cells, constraint.rows
    if is_ascending(cells):
        shared = interned_rows(rows)
        return constraint if shared is rows else Table(cells, shared)
    order = sorted(range(len(cells)), key=cells.__getitem__)
    moved_rows = tuple(sorted({tuple([row[index] for index in order]) for row in rows}))
    return Table(tuple(sorted(cells)), interned_rows(moved_rows))


_FORMS: Mapping[type[Constraint], Callable[[Any], Constraint]] = {
    Sum: Sum.in_one_form,
    Sets: sorted_sets,
    SameValues: _sorted_lists,
    Table: _sorted_table,
    Or: sorted_branches,
    Region: _sorted_region,
}
"""How a constraint becomes canonical, for each class (but relations) that has other forms."""
