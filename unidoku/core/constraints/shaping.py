"""Operations on shapes of all classes: cells, renumbering, reversal, and canonical form."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap
from operator import attrgetter, eq, lt
from typing import Any, TypeAlias, assert_never

from unidoku.core.caching import number_cache
from unidoku.core.constraints.automaton import reversed_in
from unidoku.core.constraints.shapes import (
    Automaton,
    Masks,
    Or,
    Pair,
    Region,
    Relation,
    Rows,
    SameValues,
    Sets,
    Shape,
    Sum,
    backwards,
    interned,
    interned_rows,
    is_ascending,
)


def cells_of(shape: Shape) -> Iterable[int]:
    """Return the cells that a shape contains, possibly with repetitions."""
    match shape:
        case Relation(_, pairs):
            return chain.from_iterable(pairs)
        case Sum(cells) | Sets(cells) | Automaton(cells) | Rows(cells):
            return cells
        case SameValues(cells, others):
            return chain(cells, others)
        case Region():
            return chain(shape.cells, shape.others)
        case Or():
            return chain.from_iterable(map(cells_of, parts_of(shape)))
        case _:
            assert_never(shape)


def parts_of(shape: Or) -> Iterable[Shape]:
    """Return the shapes of all branches."""
    return chain.from_iterable(shape.branches)


def with_parts(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Yield shapes and the shapes of several cells inside alternatives."""
    for shape in shapes:
        yield shape
        if isinstance(shape, Or):
            yield from with_parts(part for part in parts_of(shape) if len([*cells_of(part)]) > 1)


def moved(shape: Shape, cells: Sequence[int]) -> Shape:
    """Return the shape with cell ``c`` renumbered to ``cells[c]``."""

    def there(own: Sequence[int]) -> tuple[int, ...]:
        return tuple([cells[cell] for cell in own])

    match shape:
        case Relation(table, pairs):
            return Relation(table, tuple([(cells[a], cells[b]) for a, b in pairs]))
        case Sum(own, weights, low, high):
            return Sum(there(own), weights, low, high)
        case Sets(own, masks):
            return Sets(there(own), masks)
        case SameValues(own, others, differ):
            return SameValues(there(own), there(others), differ)
        case Automaton(own, machine):
            return Automaton(there(own), machine)
        case Rows(own, rows):
            return Rows(there(own), rows)
        case Region(own, mask, pairs, low, high, others):
            beside = tuple([(cells[a], cells[b]) for a, b in pairs])
            return Region(there(own), mask, beside, low, high, there(others))
        case Or(branches):
            return Or(
                tuple([tuple([moved(part, cells) for part in branch]) for branch in branches])
            )
        case _:
            assert_never(shape)


def reversed_values(shape: Shape, n: int) -> Shape:
    """Return the shape with reversed values: v becomes n + 1 - v."""
    match shape:
        case Relation(table, pairs):
            return Relation(tuple([_reversed(mask, n) for mask in reversed(table)]), pairs)
        case Sum(cells, weights, low, high):
            most = (n + 1) * sum(weights)
            return Sum(cells, weights, most - high, most - low)
        case Sets(cells, masks):
            return Sets(cells, tuple([_reversed(mask, n) for mask in masks]))
        case SameValues():
            return shape
        case Automaton(cells, machine):
            return Automaton(cells, reversed_in(machine))
        case Rows(cells, rows):
            turned = [tuple([n + 1 - value for value in row]) for row in rows]
            return Rows(cells, tuple(sorted(turned)))
        case Region(cells, mask, pairs, low, high, others):
            return Region(cells, _reversed(mask, n), pairs, low, high, others)
        case Or(branches):
            return Or(
                tuple([tuple([reversed_values(s, n) for s in branch]) for branch in branches])
            )
        case _:
            assert_never(shape)


def _reversed(mask: int, n: int) -> int:
    return int(f"{mask:0{n}b}"[::-1], 2)


def merged(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """Return shapes in canonical form: equivalent lists of shapes become equal.

    Relations with the same table become one; of a table and its reverse, the smaller is used.
    """
    return _in_one({kind: _in_form(kind, some) for kind, some in _by_kind(shapes).items()})


def joined(
    known: Iterable[Shape], more: Iterable[Shape], in_form: Iterable[Shape] = ()
) -> tuple[Shape, ...]:
    """Return what `merged` would return for all.

    Args:
        known: some of the shapes that `merged` returned.
        more: any shapes.
        in_form: shapes in canonical form, other than relations.
    """
    of_kind, canonical = _by_kind(known), _by_kind(in_form)
    for kind, some in _by_kind(more).items():
        of_kind[kind] = _in_form(kind, some, of_kind[kind], canonical.pop(kind, ()))
    for kind, some in canonical.items():
        of_kind[kind] = _in_order([*of_kind[kind], *some], _ORDER[kind])
    return _in_one(of_kind)


def _in_one(of_kind: Mapping[type[Shape], Iterable[Shape]]) -> tuple[Shape, ...]:
    """Return the shapes of all classes, in the order of these."""
    return tuple(chain.from_iterable([of_kind[kind] for kind in _ORDER if kind in of_kind]))


def _by_kind(shapes: Iterable[Shape]) -> defaultdict[type[Shape], list[Any]]:
    """Return the shapes of each class."""
    found: defaultdict[type[Shape], list[Any]] = defaultdict(list)
    for shape in shapes:
        found[type(shape)].append(shape)
    return found


def _in_form(
    kind: type[Shape], shapes: list[Any], known: Iterable[Any] = (), in_form: Iterable[Any] = ()
) -> list[Any]:
    """Return shapes of one class, with others that are in canonical form, in that form."""
    if kind is Relation:
        return _of_tables(known, shapes)
    form = _FORMS.get(kind)
    return _in_order([*known, *in_form, *(map(form, shapes) if form else shapes)], _ORDER[kind])


def _of_tables(known: Iterable[Relation], more: Iterable[Relation]) -> list[Relation]:
    """Return one relation for each table, in order; the known ones are in canonical form."""
    relations = {relation.table: relation for relation in known}
    of_table: defaultdict[Masks, list[Pair]] = defaultdict(list)
    for relation in more:
        of_table[relation.table] += relation.pairs
    pairs: defaultdict[Masks, set[Pair]] = defaultdict(set)
    for table, table_pairs in of_table.items():
        _add_pairs(pairs, table, table_pairs)
    for table, both in pairs.items():
        if table in relations:
            both.update(relations[table].pairs)
        relations[table] = Relation(interned(table), tuple(sorted(both)))
    return [relations[table] for table in sorted(relations)]


def _add_pairs(pairs: defaultdict[Masks, set[Pair]], table: Masks, both: Iterable[Pair]) -> None:
    """Add the pairs of a table to those of each table in canonical form."""
    back = backwards(table)
    if back < table:
        pairs[back].update([(b, a) for a, b in both])
    elif back == table:
        pairs[table].update([(a, b) if a < b else (b, a) for a, b in both])
    else:
        pairs[table].update(both)


def _in_order(shapes: list[Any], key: Callable[[Any], _Order]) -> list[Any]:
    """Return shapes of one class in canonical order, each once."""
    if len(shapes) == 1:
        return shapes
    shapes = sorted(shapes, key=key)
    keys = [*map(key, shapes)]
    if any(map(eq, keys, keys[1:])):  # not a set of keys: hashing tables takes long
        return [shapes[at] for at, own in enumerate(keys) if at == 0 or own != keys[at - 1]]
    return shapes


def _sorted_sets(shape: Sets) -> Sets:
    """Return sets of values with their cells in order, and the sets too; itself if they are."""
    once = _each_once(shape.masks)
    if once is shape.masks and is_ascending(shape.cells):
        return shape
    return Sets(_ascending(shape.cells), once)


def _sorted_lists(shape: SameValues) -> SameValues:
    """Return lists of the same values in order."""
    one, other = sorted((_ascending(shape.cells), _ascending(shape.others)))
    return SameValues(one, other, shape.differ)


def _sorted_branches(shape: Or) -> Or:
    """Return alternatives with branches in canonical form and in order."""
    return Or(tuple(sorted(set(map(merged, shape.branches)), key=_order_of_branch)))


@number_cache(maxsize=4096)
def _each_once(masks: Masks) -> Masks:
    """Return sets of values in ascending order, each once; hundreds of cages have the same few."""
    return masks if is_ascending(masks) else tuple(sorted(set(masks)))


def _ascending(cells: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(cells))


_Order: TypeAlias = tuple[Any, ...]
"""A key for the order of shapes of one class: their contents."""


def _order_of_branch(shapes: Iterable[Shape]) -> _Order:
    """Return the key of a branch: the class numbers of its shapes, with their keys."""
    return tuple([(_NUMBERS[type(shape)], *_ORDER[type(shape)](shape)) for shape in shapes])


_ORDER: Mapping[type[Shape], Callable[[Any], _Order]] = {
    Relation: attrgetter("table", "pairs"),
    Sum: attrgetter("cells", "weights", "low", "high"),
    Sets: attrgetter("cells", "masks"),
    SameValues: attrgetter("cells", "others", "differ"),
    Automaton: attrgetter("machine.parts", "cells"),
    Rows: attrgetter("rows", "cells"),
    Or: lambda shape: tuple(map(_order_of_branch, shape.branches)),
    Region: attrgetter("cells", "mask", "pairs", "low", "high", "others"),
}
"""The classes of shapes in their order, with the key of a shape within its class."""

_NUMBERS = {kind: number for number, kind in enumerate(_ORDER)}


def _sorted_region(shape: Region) -> Region:
    """Return a region with its cells in their order, and their neighbours too."""
    cells, pairs, others = shape.cells, shape.pairs, shape.others
    if is_ascending(cells) and all(starmap(lt, pairs)) and all(map(lt, pairs, pairs[1:])):
        return shape
    order = sorted(range(len(cells)), key=cells.__getitem__)
    return Region(
        _ascending(cells),
        shape.mask,
        tuple(sorted({(min(pair), max(pair)) for pair in pairs})),
        shape.low,
        shape.high,
        tuple([others[place] for place in order]) if others else (),
    )


def _sorted_table(shape: Rows) -> Rows:
    """Return a table with its cells in their order, and its rows too."""
    cells, rows = shape.cells, shape.rows
    if is_ascending(cells):
        return Rows(cells, interned_rows(rows))
    order = sorted(range(len(cells)), key=cells.__getitem__)
    moved_rows = tuple(sorted({tuple([row[place] for place in order]) for row in rows}))
    return Rows(tuple(sorted(cells)), interned_rows(moved_rows))


_FORMS: Mapping[type[Shape], Callable[[Any], Shape]] = {
    Sum: Sum.in_one_form,
    Sets: _sorted_sets,
    SameValues: _sorted_lists,
    Rows: _sorted_table,
    Or: _sorted_branches,
    Region: _sorted_region,
}
"""How shapes become canonical, of the classes other than relations whose shapes may not be."""
