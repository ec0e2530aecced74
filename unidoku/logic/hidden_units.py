"""Hidden units and equal sets: what full units say about cells that are no unit of the layout.

Every value appears once in a full unit. Add full units and take others away: as long as no cell
counts twice, some cells are left *over*, some are left *owing*, and every value appears in the
cells over as often as in the cells owing, plus the units added less those taken away. Where n
cells are over and none is owing, these cells are a full unit that the layout does not name, a
hidden unit: rows B to D of a windoku without the two windows in them are columns 1, 5 and 9 of
these rows. Where as many cells are over as owing, both hold the same values: the law of leftovers
of jigsaws.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations
from typing import TypeAlias

from unidoku.core.layout import Layout, Unit
from unidoku.logic.geometry import cells_of, geometry, set_of

__all__ = ["HIDDEN", "Equal", "equal_sets", "hidden_units", "impossible"]

HIDDEN = "hidden"
"""The kind of hidden units."""

_STATES = 5000
"""Sums of units that a search meets at most: more than there are on 9x9 boards."""

_LOOKS = 500_000
"""Units that a search tries at most, over all sums: half a second."""

_MOST_EQUAL = 300
"""Equal sets that are kept, the smallest: irregular jigsaws have three times as many."""

_ROUNDS = 4
"""Searches in which the hidden units of one take part in the next."""

_Terms: TypeAlias = tuple[tuple[Unit, int], ...]
"""Units of a layout, each with how often it is added; below 0 where it is taken away."""


@dataclass(frozen=True, slots=True)
class Equal:
    """Two sets of cells that hold every value equally often.

    Args:
        over: the one, as a set of cells.
        owing: the other.
        terms: the sum of units that proves it: each with how often it is added, or taken away.
    """

    over: int
    owing: int
    terms: _Terms

    def __str__(self) -> str:
        """Return the sum in words: ``row A, B - region 1, 2``."""
        return _words(self.terms)


def hidden_units(layout: Layout) -> tuple[Unit, ...]:
    """Return the full units that follow from those of a layout, named by the sum they follow from.

    >>> from unidoku import layout
    >>> str(hidden_units(layout("windoku"))[0])
    'row B, C, D - window 1, 2'

    Cost: once a layout; 0.1 s on 9x9 boards, some seconds where there are hundreds of units.
    The search is bounded: it meets sums of up to 2n cells over and owing together, the smallest
    first, and 5,000 of them at most. On 9x9 jigsaws it finds all there is of rows or columns
    against regions.
    """
    return _derive(layout)[0]


def equal_sets(layout: Layout) -> tuple[Equal, ...]:
    """Return sets of fewer than n cells that hold the same values as others, smallest first.

    Left out are those that two full units prove, hidden ones included: locked candidates say it.
    The search is that of `hidden_units`.
    """
    return _derive(layout)[1]


def impossible(layout: Layout) -> str:
    """Say why no board of a layout has a solution, as far as equal sets tell; else nothing.

    A cell that sees all cells of the set which must hold its value has no value.
    """
    around = geometry(layout)
    for one, other, why in _halves(layout):
        if bad := one & around.seen_by_all(other):
            cell = layout.names[cells_of(bad)[0]]
            rest = ", ".join(layout.names[cell] for cell in cells_of(other))
            return f"{cell} sees all cells that may hold its value, {rest}: {why}"
    return ""


def _halves(layout: Layout) -> Iterator[tuple[int, int, str]]:
    """Yield pairs of sets of cells with the same values, each way round, and why it is so."""
    units = [place.unit for place in geometry(layout).full] + list(hidden_units(layout))
    for (one, first), (other, second) in permutations([(set_of(u.cells), u) for u in units], 2):
        yield one & ~other, other & ~one, f"{first} against {second}"
    for equal in equal_sets(layout):
        yield equal.over, equal.owing, str(equal)
        yield equal.owing, equal.over, str(equal)


@lru_cache(maxsize=64)
def _derive(layout: Layout) -> tuple[tuple[Unit, ...], tuple[Equal, ...]]:
    """Return the hidden units and the equal sets of a layout."""
    terms: dict[int, _Terms] = {place.cells: ((place.unit, 1),) for place in geometry(layout).full}
    named = len(terms)
    sums: list[_Sum] = []
    for _ in range(_ROUNDS):
        sums = list(_sums(tuple(terms), layout.n))
        known = len(terms)
        for one in sums:
            if not one.owing and one.over.bit_count() == layout.n:
                terms.setdefault(one.over, _expanded(one, list(terms.values())))
        if len(terms) == known:
            break
    units = tuple(
        Unit(cells_of(cells), HIDDEN, _words(sum_)) for cells, sum_ in list(terms.items())[named:]
    )
    plain = {(one & ~other, other & ~one) for one in terms for other in terms}
    equal = (
        Equal(one.over, one.owing, _expanded(one, list(terms.values())))
        for one in sums
        if one.over.bit_count() == one.owing.bit_count() < layout.n
        and not plain & {(one.over, one.owing), (one.owing, one.over)}
    )
    return units, tuple(islice(equal, _MOST_EQUAL))


@dataclass(frozen=True, slots=True)
class _Sum:
    """Cells over and owing after units were added (number, 1) and taken away (number, -1)."""

    over: int
    owing: int
    units: tuple[tuple[int, int], ...]

    @property
    def turned(self) -> _Sum:
        """The sum with at least as many cells over as owing: what is added is taken away."""
        if self.over.bit_count() >= self.owing.bit_count():
            return self
        return _Sum(self.owing, self.over, tuple((unit, -sign) for unit, sign in self.units))


def _sums(units: Sequence[int], n: int) -> Iterator[_Sum]:
    """Yield sums of full units, those with the fewest cells over and owing first.

    A unit joins a sum only where it pays what is owing, or takes what is over: the parts of a
    sum that have nothing in common are found one by one.
    """
    heap = [(n, 1, number, _Sum(cells, 0, ((number, 1),))) for number, cells in enumerate(units)]
    seen = {(cells, 0) for cells in units}
    made = len(heap)
    for _ in range(min(_STATES, _LOOKS // max(len(units), 1))):
        if not heap:
            return
        *_, now = heapq.heappop(heap)
        yield now
        for over, owing, step in _further(now, units):
            size = over.bit_count() + owing.bit_count()
            key = (max(over, owing), min(over, owing))
            if size <= 2 * n and key not in seen:
                seen.add(key)
                made += 1
                sum_ = _Sum(over, owing, (*now.units, step)).turned
                heapq.heappush(heap, (size, len(sum_.units), made, sum_))


def _further(now: _Sum, units: Sequence[int]) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield what is over and owing with one more unit, and that unit as a sum has it."""
    over, owing = now.over, now.owing
    for number, cells in enumerate(units):
        if cells & owing:
            if not cells & over:
                yield over | cells & ~owing, owing & ~cells, (number, 1)
        elif cells & over:
            yield over & ~cells, owing | cells & ~over, (number, -1)


def _expanded(sum_: _Sum, terms: Sequence[_Terms]) -> _Terms:
    """Return a sum in terms of the layout's own units, those added first."""
    times: Counter[Unit] = Counter()
    for number, sign in sum_.units:
        for unit, factor in terms[number]:
            times[unit] += sign * factor
    kept = [(unit, factor) for unit, factor in times.items() if factor]
    return tuple(sorted(kept, key=lambda term: (term[1] < 0, term[0].kind, term[0].cells)))


def _words(terms: _Terms) -> str:
    """Return a sum as text; units without names are counted, others listed as often as they are."""
    groups: dict[tuple[str, str], list[str]] = {}
    for unit, factor in terms:
        kind, _, name = str(unit).partition(" ")
        group = groups.setdefault(("+" if factor > 0 else "-", kind), [])
        group += [name] * abs(factor)
    words = [
        f"{sign} {kind} {', '.join(names)}" if any(names) else f"{sign} {len(names)} {kind}"
        for (sign, kind), names in groups.items()
    ]
    return " ".join(words).removeprefix("+ ")
