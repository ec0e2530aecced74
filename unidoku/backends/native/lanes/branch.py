"""The choice of what to branch on, emitted for all lanes and used in those that are stuck.

A search asks a question whose answers exclude each other and cover every solution. Where does the
value v stand: in which pairing of a band, in which part of a unit? Or: which value does the cell
hold? The fewer answers the better; and in a tight place a wrong answer is refuted sooner.
"""

from __future__ import annotations

from typing import Any

from unidoku.backends.native.compiler.vector import Vector
from unidoku.backends.native.lanes.bands import Band
from unidoku.backends.native.lanes.emitter import Emitter, or_and
from unidoku.backends.native.lanes.plan import Family, Plan

TIGHT = 20
"""How many more pairings than a decided band a band may have if values with three pairings are to
be branched on; found by measuring."""


def choose(emit: Emitter, plan: Plan, state: Any, choice: Any) -> Any:
    """Emit the choice of a question in each lane, as four rows with one number for each lane.

    The rows are the number of the question's first answer in `Plan.splits`; the value in question,
    as a bit; and the answers that are still possible, as bits from the first answer on, 16 in each
    row. Returns the lanes without a question, whose value is 0.
    """
    pointer = emit.pointer(state, emit.kind)
    best = _Best(emit)
    if plan.splits:
        for band in plan.bands:
            emit.rest()
            _weigh_band(emit, band, pointer, best)
        for family in () if plan.bands else plan.families:
            emit.rest()
            _weigh_family(emit, family, pointer, best)
    values = best.values()
    value = values & (emit.zero - values)
    answers = [emit.zero, emit.zero]
    for number, left in enumerate(best.left):
        word, position = divmod(number, 16)
        bit = emit.constant(1 << position)
        answers[word] |= (left & value).differs(emit.zero).choose(bit, emit.zero)
    for row, x in enumerate((best.first, value, *answers)):
        emit.store(emit.pointer(choice, emit.kind), row, x)
    return value.equals(emit.zero).number()


def choose_cell(emit: Emitter, plan: Plan, state: Any, choice: Any) -> None:
    """Emit the choice of a cell in the lanes without a question; its number is in the first row."""
    into = emit.pointer(choice, emit.kind)
    none = emit.load(into, 1).equals(emit.zero)
    cell = _fewest_candidates(emit, plan, emit.pointer(state, emit.kind))
    emit.store(into, 0, none.choose(cell, emit.load(into, 0)))


class _Best:
    """The best question so far, in each lane."""

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit
        self.weight = emit.constant(-1)
        self.first = emit.zero
        self.left: list[Vector] = []
        self._answers = 0

    def weigh(self, weight: Vector, left: list[Vector]) -> None:
        """Take this question in the lanes where it weighs less.

        Args:
            weight: weight of the question, less is better; -1 means that there is no question.
            left: for each answer, the values for which it is still possible.
        """
        emit = self.emit
        better = weight.below(self.weight)
        self.weight = better.choose(weight, self.weight)
        self.first = better.choose(emit.constant(self._answers), self.first)
        width = max(len(left), len(self.left))
        old, new = (x + [emit.zero] * (width - len(x)) for x in (self.left, left))
        self.left = [better.choose(b, a) for a, b in zip(old, new, strict=True)]
        self._answers += len(left)

    def values(self) -> Vector:
        """Return the values with two answers, or with three in a tight place."""
        emit = self.emit
        in_any = two = three = four = emit.zero
        for x in self.left:
            four = emit.ternary(or_and, four, three, x)
            three = emit.ternary(or_and, three, two, x)
            two = emit.ternary(or_and, two, in_any, x)
            in_any |= x
        in_two, in_three = two & ~three, three & ~four
        tight = self.weight.below(emit.constant(TIGHT)).choose(in_three, emit.zero)
        return in_two.differs(emit.zero).choose(in_two, tight)


def _weigh_band(emit: Emitter, band: Band, state: Any, best: _Best) -> None:
    """Emit the weighing of a band: fewest pairings left is best.

    The band is chosen as tdoku does (T. Dillon, https://github.com/t-dillon/tdoku).
    """
    union = {
        (box, line): emit.union(emit.load(state, cell) for cell in segment)
        for box, segments in enumerate(band.segments)
        for line, segment in enumerate(segments)
    }
    pairings = [
        emit.intersection([union[box, line] for box, line in enumerate(pairing)])
        for pairing in band.pairings
    ]
    total = emit.sum(left.population() for left in pairings)
    # A decided band has a pairing for each value: it wraps around and weighs most.
    values_of_band = len(band.segments[0][0]) * band.size
    weight = total - emit.constant(values_of_band + 1)
    best.weigh(weight, pairings)


def _weigh_family(emit: Emitter, family: Family, state: Any, best: _Best) -> None:
    """Emit: the unit, of those with a value that has two parts left, with the fewest to place."""
    parts = [emit.union(emit.load(state, cell) for cell in part) for part in family.parts]
    once = twice = thrice = emit.zero
    for x in parts:
        thrice = emit.ternary(or_and, thrice, twice, x)
        twice = emit.ternary(or_and, twice, once, x)
        once |= x
    two = twice & ~thrice
    weight = two.differs(emit.zero).choose(twice.population(), emit.zero) - emit.constant(1)
    best.weigh(weight, parts)


def _fewest_candidates(emit: Emitter, plan: Plan, state: Any) -> Vector:
    """Return the cell with the fewest candidates above one.

    If the search always branches on cells, ties go to the cell with the most open peers. If it
    seldom does, they go to the first cell: weighing them takes longer than a round.
    """
    step, two = emit.constant(1), emit.constant(2)
    around = None if plan.splits else _open_peers(emit, plan, state)
    least = emit.constant(-1)
    best = number = emit.zero
    for cell in range(plan.cells):
        emit.rest()
        count = emit.load(state, cell).population() - two  # for a single this wraps around
        weight = count if around is None else _weighed(emit, plan.n, count, around[cell])
        better = weight.below(least)
        best = better.choose(number, best)
        least = better.choose(weight, least)
        number += step
    return best


def _weighed(emit: Emitter, n: int, count: Vector, around: Vector) -> Vector:
    """Return a weight that grows with the count, then with fewer cells around; -1 means no cell."""
    position = emit.shape.bits - n.bit_length()
    rest = emit.constant((1 << position) - 1) - around
    return count.below(emit.constant(n)).choose((count << position) + rest, emit.constant(-1))


def _open_peers(emit: Emitter, plan: Plan, state: Any) -> list[Vector]:
    """Return for each cell how many open peers it has, one for each unit that they share.

    A peer with two candidates counts twice because a guess may decide it: measured 4 to 12 % fewer
    nodes.
    """
    single, two = emit.constant(1), emit.constant(2)
    weight = []
    for cell in range(plan.cells):
        count = emit.load(state, cell).population()
        several = count.below(two).choose(emit.zero, single)
        weight.append(count.equals(two).choose(two, several))
    around = [emit.zero] * plan.cells
    for cells, _ in plan.all_units:
        emit.rest()
        total = emit.sum(weight[cell] for cell in cells)
        for cell in cells:
            around[cell] += total
    return around
