"""The law of leftovers: facts about cells that are not a unit, derived from full units.

Every value appears once in a full unit. Add full units and subtract others: as long as no cell
counts twice, some cells are left *over* and some are left *owing*. Every value appears in the
cells over as often as in the cells owing, plus the number of units added, minus the number
subtracted. If n cells are over and none are owing, these cells are a full unit that the layout
does not name, a hidden unit: rows B to D of a windoku without the two windows in them are columns
1, 5 and 9 of these rows. If as many cells are over as owing, both hold the same values.

Sources: the law of leftovers is known from jigsaws, and the five hidden boxes of windoku are
folklore too.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, permutations
from typing import TypeAlias

from unidoku.core.bits import set_of, value_of
from unidoku.core.board import Board
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout, Unit
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.logic.techniques.intersections import claiming, pointing
from unidoku.logic.techniques.singles import hidden_single
from unidoku.logic.techniques.subsets import hidden, naked
from unidoku.support.language import Message, message

HIDDEN = "hidden"
"""The kind of hidden units."""

_STATES = 5000
"""The largest number of sums of units that a search visits: more than 9x9 boards have."""

_LOOKS = 500_000
"""The largest number of units that a search tries, over all sums: half a second."""

_MOST_EQUAL = 300
"""The largest number of equal sets kept, smallest first: irregular jigsaws have three times as
many."""

_ROUNDS = 4
"""The number of searches; each uses the hidden units found by the one before."""

_Terms: TypeAlias = tuple[tuple[Unit, int], ...]
"""Units of a layout, each with how often it is added, negative if it is subtracted."""


@dataclass(frozen=True, slots=True)
class EqualSets:
    """Two sets of cells that hold every value equally often.

    Args:
        over: one set of cells.
        owing: the other set.
        terms: the sum of units that proves it.
    """

    over: int
    owing: int
    terms: _Terms

    def __str__(self) -> str:
        """Return the sum in words: ``row A, B - region 1, 2``."""
        return str(_words(self.terms))


@dataclass(frozen=True, slots=True)
class HiddenUnit(Unit):
    """A full unit that a layout does not name.

    Args:
        terms: the sum of units that it is.
    """

    terms: _Terms = field(default=(), compare=False)

    @property
    def words(self) -> Message:
        """The sum in words, in any language."""
        return _words(self.terms)


def hidden_units(layout: Layout) -> tuple[Unit, ...]:
    """Return the full units that follow from those of a layout, each named by its sum.

    >>> from unidoku import layout
    >>> str(hidden_units(layout("windoku"))[0])
    'row B, C, D - window 1, 2'

    Cost: once for each layout; 0.1 s on 9x9 boards, some seconds for hundreds of units. The search
        is bounded: it visits sums of up to 2n cells over and owing together, the smallest first,
        and at most 5,000 of them. On 9x9 jigsaws it finds all sums of rows or columns against
        regions.
    """
    return _derive(layout.base)[0]


def equal_sets(layout: Layout) -> tuple[EqualSets, ...]:
    """Return sets of fewer than n cells that hold the same values as others, smallest first.

    Sets proved by two full units, hidden ones included, are left out: locked candidates cover
    them. The search is that of `hidden_units`.
    """
    return _derive(layout.base)[1]


def impossible(layout: Layout) -> str:
    """Return why no board of a layout has a solution, empty if equal sets do not show that.

    A cell has no value if it sees all cells of the set that must hold its value.
    """
    around = geometry(layout)
    for cells, other, why in _halves(layout):
        if bad := cells & around.seen_by_all(other):
            return message(
                "{cell} sees all cells that may hold its value, {cells}: {why}",
                cell=layout.names[cells_of(bad)[0]],
                cells=", ".join(layout.names[cell] for cell in cells_of(other)),
                why=why,
            )
    return ""


def _halves(layout: Layout) -> Iterator[tuple[int, int, str]]:
    """Yield pairs of sets of cells with the same values, in both orders, with the reason."""
    units = [unit_cells.unit for unit_cells in geometry(layout).full] + list(hidden_units(layout))
    for (first_cells, first), (second_cells, second) in permutations(
        [(set_of(u.cells), u) for u in units], 2
    ):
        why = message("{unit} against {other}", unit=first.words, other=second.words)
        yield first_cells & ~second_cells, second_cells & ~first_cells, why
    for equal in equal_sets(layout):
        yield equal.over, equal.owing, str(equal)
        yield equal.owing, equal.over, str(equal)


@by_layout()
def _derive(layout: Layout) -> tuple[tuple[Unit, ...], tuple[EqualSets, ...]]:
    """Return the hidden units and the equal sets of a layout."""
    terms: dict[int, _Terms] = {
        unit_cells.cells: ((unit_cells.unit, 1),) for unit_cells in geometry(layout).full
    }
    named = len(terms)
    sums: list[_Sum] = []
    for _ in range(_ROUNDS):
        sums = list(_sums(tuple(terms), layout.n))
        before = len(terms)
        for signed_sum in sums:
            if not signed_sum.owing and signed_sum.over.bit_count() == layout.n:
                terms.setdefault(signed_sum.over, _expanded(signed_sum, list(terms.values())))
        if len(terms) == before:
            break
    units = tuple(
        HiddenUnit(cells_of(cells), HIDDEN, str(_words(sum_)), sum_)
        for cells, sum_ in list(terms.items())[named:]
    )
    plain = {(cells & ~other, other & ~cells) for cells in terms for other in terms}
    equal = (
        EqualSets(signed_sum.over, signed_sum.owing, _expanded(signed_sum, list(terms.values())))
        for signed_sum in sums
        if signed_sum.over.bit_count() == signed_sum.owing.bit_count() < layout.n
        and not plain & {(signed_sum.over, signed_sum.owing), (signed_sum.owing, signed_sum.over)}
    )
    return units, tuple(islice(equal, _MOST_EQUAL))


@dataclass(frozen=True, slots=True)
class _Sum:
    """The result of adding and subtracting full units; *over* and *owing* as above.

    Args:
        over: the cells over, as a set of bits.
        owing: the cells owing, as a set of bits.
        units: the index of each unit, with 1 if it is added and -1 if it is subtracted.
    """

    over: int
    owing: int
    units: tuple[tuple[int, int], ...]

    @property
    def turned(self) -> _Sum:
        """The sum or its negative, so that at least as many cells are over as owing."""
        if self.over.bit_count() >= self.owing.bit_count():
            return self
        return _Sum(self.owing, self.over, tuple((unit, -sign) for unit, sign in self.units))


def _sums(units: Sequence[int], n: int) -> Iterator[_Sum]:
    """Yield sums of full units, those with the fewest cells over and owing first.

    A sum begins with one unit and grows by a unit at a time. It is added only if it covers a cell
    owing and none over, and subtracted only if it covers a cell over and none owing, so that no
    cell counts twice.

    Args:
        units: the cells of full units, each as a set of bits.
        n: the number of values; sums of more than 2n cells are left out.
    """
    heap = [(n, 1, index, _Sum(cells, 0, ((index, 1),))) for index, cells in enumerate(units)]
    seen = {(cells, 0) for cells in units}
    serial = len(heap)
    for _ in range(min(_STATES, _LOOKS // max(len(units), 1))):
        if not heap:
            return
        *_, now = heapq.heappop(heap)
        yield now
        for over, owing, step in _further(now, units):
            size = over.bit_count() + owing.bit_count()
            if size > 2 * n:
                continue
            key = (over, owing) if over > owing else (owing, over)
            if key not in seen:
                seen.add(key)
                serial += 1
                sum_ = _Sum(over, owing, (*now.units, step)).turned
                heapq.heappush(heap, (size, len(sum_.units), serial, sum_))


def _further(now: _Sum, units: Sequence[int]) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """Yield the cells over and owing with one more unit, and the term of that unit."""
    over, owing = now.over, now.owing
    for index, cells in enumerate(units):
        if cells & owing:
            if not cells & over:
                yield over | cells & ~owing, owing & ~cells, (index, 1)
        elif cells & over:
            yield over & ~cells, owing | cells & ~over, (index, -1)


def _expanded(sum_: _Sum, terms: Sequence[_Terms]) -> _Terms:
    """Return a sum in terms of the layout's own units, added ones first."""
    times: Counter[Unit] = Counter()
    for index, sign in sum_.units:
        for unit, factor in terms[index]:
            times[unit] += sign * factor
    factors = [(unit, factor) for unit, factor in times.items() if factor]
    return tuple(sorted(factors, key=lambda term: (term[1] < 0, term[0].kind, term[0].cells)))


def _words(terms: _Terms) -> Message:
    """Return a sum in words; units without names are counted, others repeated."""
    groups: dict[tuple[str, str], list[str]] = {}
    for unit, factor in terms:
        kind, _, name = str(unit).partition(" ")
        group = groups.setdefault(("+" if factor > 0 else "-", kind), [])
        group += [name] * abs(factor)
    texts: list[str] = []
    fields: dict[str, object] = {}
    for index, ((sign, kind), names) in enumerate(groups.items()):
        fields[f"kind{index}"] = Message(kind)
        fields[f"names{index}"] = ", ".join(names) if any(names) else len(names)
        order = "{{kind{0}}} {{names{0}}}" if any(names) else "{{names{0}}} {{kind{0}}}"
        texts.append(f"{sign} {order.format(index)}")
    return Message(" ".join(texts).removeprefix("+ "), **fields)


_EASY = (
    ("hidden single", hidden_single),
    ("pointing", pointing),
    ("claiming", claiming),
    ("naked pair", partial(naked, size=2)),
    ("hidden pair", partial(hidden, size=2)),
)
"""The techniques used in hidden units, with their names."""


def law_of_leftovers(state: State) -> Iterator[Step]:
    """Find steps that follow from hidden units and from equal sets.

    As long as a value placed in a hidden unit is still a candidate in the rest of it, other
    steps in this unit are not looked for.
    """
    if units := hidden_units(state.layout):
        has_steps = False
        for step in _placed(state, units):
            has_steps = True
            yield step
        if not has_steps:
            yield from _in_hidden_units(state)
    if equals := equal_sets(state.layout):
        placed = _placed_cells(state)
        for equal in equals:
            state.tick()
            yield from _equal(state, placed, equal)


def _placed(state: State, units: tuple[Unit, ...]) -> Iterator[Step]:
    """Find candidates whose value is placed elsewhere in the same hidden unit."""
    for unit in units:
        cells = set_of(unit.cells)
        for cell in cells_of(cells & state.placed):
            value = value_of(state.candidates[cell])
            if gone := state.among(value, cells):
                yield Step(
                    layout=state.layout,
                    reason=state.located(value, unit, 1 << cell),
                    eliminations=gone,
                    units=(unit,),
                    pattern=((cell, value),),
                )


def _in_hidden_units(state: State) -> Iterator[Step]:
    """Find easy steps on the layout that has the hidden units as units."""
    board = Board.of(_with_hidden(state.layout), state.board.candidates)
    wide = replace(state, board=board)
    for name, find in _EASY:
        for step in find(wide):
            if any(unit.kind == HIDDEN for unit in (*step.units, *step.covers)):
                reason = message(
                    "by {technique} {reason}", technique=Message(name), reason=step.reason
                )
                yield replace(step, layout=state.layout, reason=reason, rating=0.0)


def _equal(state: State, placed: list[int], equal: EqualSets) -> Iterator[Step]:
    """Find steps in each of two equal sets that follow from the other."""
    for first, second in ((equal.over, equal.owing), (equal.owing, equal.over)):
        for value in range(1, state.layout.n + 1):
            places, filled = state.places[value], placed[value]
            rest = places & second
            if not rest and not places & first:
                continue
            possible = first & (places | filled)
            if possible.bit_count() == (second & filled).bit_count():
                # All of these places are needed, and there are no more.
                placed_now = first & places
                gone = rest
            else:
                placed_now = 0
                gone = state.geometry.seen_by_all(possible, rest)
            if gone or placed_now:
                pattern = (*cells_of(possible), *cells_of(second & filled))
                yield Step(
                    layout=state.layout,
                    reason=message(
                        "{value} is in {cells} as often as in {others}, by {units}",
                        value=state.layout.shown[value],
                        cells=state.named(first),
                        others=state.named(second),
                        units=equal,
                    ),
                    placements=state.among(value, placed_now),
                    eliminations=state.among(value, gone),
                    units=tuple(unit for unit, _ in equal.terms),
                    pattern=tuple((cell, value) for cell in pattern),
                )


def _placed_cells(state: State) -> list[int]:
    """Return the cells in which each value is placed, as a set for each value."""
    placed = [0] * (state.layout.n + 1)
    for cell in cells_of(state.placed):
        placed[value_of(state.candidates[cell])] |= 1 << cell
    return placed


@by_layout()
def _with_hidden(layout: Layout) -> Layout:
    """Return the layout with its hidden units added."""
    return replace(layout, units=(*layout.units, *hidden_units(layout)))
