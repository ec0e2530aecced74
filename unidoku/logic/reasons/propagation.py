"""Propagation that knows what each deduction rests on, and makes the cheapest deductions first.

Each removal carries the set of parts that it follows from. Deductions wait in a heap, ordered by
the cost of their parts, so that a contradiction is found by parts that are cheap together: this is
Dijkstra's algorithm on deductions instead of paths, which Knuth described (A Generalization of
Dijkstra's Algorithm, Information Processing Letters 6(1), 1977). A rule counts all removals in its
cells, needed or not, so that what is found is small but has to be shrunk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import InitVar, dataclass, field
from heapq import heappop, heappush
from typing import Literal, TypeAlias

from unidoku.core.bits import all_values, bit, bits_of, values_of
from unidoku.core.board import Board
from unidoku.logic.geometry import cells_by_value, cells_of, geometry
from unidoku.logic.reasons.parts import Parts, PartSet, parts_of
from unidoku.logic.state import State
from unidoku.logic.step import Candidate

Assumption: TypeAlias = tuple[int, int, PartSet]
"""A cell, the values that are left it, and the parts that say so."""

_REMOVE, _PLACE, _RUN, _CONTRADICTION = range(4)

EVERY_PART: PartSet = -1


@dataclass(frozen=True, slots=True)
class Deduction:
    """What follows from a part while candidates are assumed.

    Args:
        part: number of the part; -1 if it is enough that cells which see each other differ.
        candidate: the cell and the value that is placed or removed, or has no place.
        event: ``is``: the value is placed; ``is not``: it is removed; ``contradiction``.
    """

    part: int
    candidate: Candidate
    event: Literal["is", "is not", "contradiction"]


class Propagation:
    """The candidates of a state, and what follows if a cell has only some of them.

    Args:
        parts: the parts of the layout.
        candidates: the candidates that are left.
        tick: called for each assumption; may raise.
        givens: the candidates that the board gives, if givens are parts too; `refuted` then takes
            them as assumptions.

    Attributes:
        weights: what each part costs.
        work: number of candidates that were removed so far, for budgets.
        is_exhausted: whether the last propagation would find nothing at a higher cost either.
    """

    def __init__(
        self,
        parts: Parts,
        candidates: Sequence[int],
        tick: Callable[[], None] = lambda: None,
        givens: Sequence[int] = (),
    ) -> None:
        self.parts, self.candidates, self.tick = parts, tuple(candidates), tick
        self.givens = tuple(givens)
        self.weights = parts.weights(self.candidates)
        self.places = cells_by_value(self.candidates, parts.layout.n)
        self.sees = geometry(parts.layout).sees
        self.every_part: PartSet = (1 << len(parts.all)) - 1
        self.work, self.is_exhausted = 0, False
        self._costs: dict[PartSet, int] = {0: 0}

    @classmethod
    def of(cls, state: State) -> Propagation:
        """Return the propagation of a state."""
        return cls(parts_of(state.layout), state.candidates, state.tick)

    @classmethod
    def from_givens(cls, board: Board, tick: Callable[[], None] = lambda: None) -> Propagation:
        """Return the propagation of an expanded board on which the givens are parts."""
        everything = [all_values(board.layout.n)] * len(board.layout)
        return cls(parts_of(board.layout), everything, tick, board.candidates)

    @property
    def given(self) -> list[Assumption]:
        """The givens as assumptions."""
        return [
            (cell, mask, 1 << self.parts.first_given + cell)
            for cell, mask in enumerate(self.givens)
            if mask != self.candidates[cell]
        ]

    def cost(self, chosen: PartSet) -> int:
        """Return what a set of parts costs: what a person has to hold in mind."""
        if (cost := self._costs.get(chosen)) is None:
            cost = self._costs[chosen] = sum(self.weights[part] for part in bits_of(chosen))
        return cost

    def refuted(
        self,
        assumptions: Iterable[Assumption],
        allowed: PartSet = EVERY_PART,
        bound: float = math.inf,
        trace: list[Deduction] | None = None,
    ) -> PartSet | None:
        """Return parts that together contradict assumptions; None if propagation finds none.

        Args:
            assumptions: cells with the values that are left them.
            allowed: the parts that may be used.
            bound: the highest cost of the parts.
            trace: gets the deductions that the contradiction follows from, in order.
        """
        run = Run(self, assumptions, allowed, is_traced=trace is not None)
        refutation = run.refuted(bound)
        if refutation is None:
            return None
        if trace is not None:
            trace += [run.trace[index] for index in bits_of(refutation >> len(self.parts.all))]
        return refutation & self.every_part

    def smallest(self, assumptions: Sequence[Assumption], chosen: PartSet) -> PartSet:
        """Return parts of a contradiction of which none can be left out; dear ones go first."""
        needed = 0
        while rest := chosen & ~needed:
            part = max(bits_of(rest), key=self.weights.__getitem__)
            smaller = self.refuted(assumptions, chosen & ~(1 << part))
            if smaller is None:
                needed |= 1 << part
            else:
                chosen = smaller
                needed &= smaller
        return chosen


@dataclass(slots=True, eq=False)
class Run:
    """One propagation: what is left, and which parts each removal follows from.

    With a trace, the sets of parts also hold the numbers of the deductions, after all parts.

    Args:
        propagation: what the deductions begin from.
        assumptions: cells with the values that are left them.
        allowed: the parts that may be used.
        is_traced: whether deductions are recorded.
    """

    propagation: Propagation
    assumptions: InitVar[Iterable[Assumption]]
    allowed: PartSet = EVERY_PART
    is_traced: bool = False
    trace: list[Deduction] = field(init=False, default_factory=list)
    left: list[int] = field(init=False)
    places: list[int] = field(init=False)
    why: dict[Candidate, PartSet] = field(init=False, default_factory=dict)
    placed: dict[int, tuple[int, PartSet]] = field(init=False, default_factory=dict)
    waiting: set[int] = field(init=False, default_factory=set)
    heap: list[tuple[int, int, int, int, int, PartSet, int]] = field(
        init=False, default_factory=list
    )

    def __post_init__(self, assumptions: Iterable[Assumption]) -> None:
        self.left, self.places = list(self.propagation.candidates), self.propagation.places.copy()
        for cell, mask, why in assumptions:
            if why & ~self.allowed:
                continue
            if mask == 0 or mask & (mask - 1):
                for value in values_of(self.left[cell] & ~mask):
                    self._wait(_REMOVE, cell, value, why, -1)
            else:
                self._wait(_PLACE, cell, mask.bit_length(), why, -1)

    def refuted(self, bound: float = math.inf) -> PartSet | None:
        """Return the parts of a contradiction that cost no more than a bound, None without one.

        Without one, a call with a higher bound goes on from there.
        """
        self.propagation.tick()
        before = len(self.why)
        refutation = self._until(bound)
        self.propagation.work += len(self.why) - before
        self.propagation.is_exhausted = refutation is None and not self.heap
        return refutation

    def _until(self, bound: float) -> PartSet | None:
        heap = self.heap
        while heap:
            if heap[0][0] > bound:
                return None
            cost, _, event, cell, value, why, part = heappop(heap)
            if event == _REMOVE:
                self._remove(cell, value, why, cost)
            elif event == _PLACE:
                self._place(cell, value, why, part)
            elif event == _RUN:
                self._run(part)
            else:
                return why | self._noted(part, cell, value, "contradiction")
        return None

    def _wait(self, event: int, cell: int, value: int, why: PartSet, part: int) -> None:
        heap, cost = self.heap, self.propagation.cost(why & self.propagation.every_part)
        heappush(heap, (cost, len(self.why), event, cell, value, why, part))

    def _noted(
        self, part: int, cell: int, value: int, event: Literal["is", "is not", "contradiction"]
    ) -> PartSet:
        """Return the deduction as a set, empty without a trace."""
        if not self.is_traced or (part < 0 and event == "is"):
            return 0
        self.trace.append(Deduction(part, (cell, value), event))
        return 1 << len(self.propagation.parts.all) + len(self.trace) - 1

    def _may(self, part: int) -> PartSet | None:
        """Return the part as a set; None if it is not allowed."""
        single = 1 << part
        return single if self.allowed & single else None

    def _remove(self, cell: int, value: int, why: PartSet, cost: int) -> None:
        single = bit(value)
        if not self.left[cell] & single:
            return
        rest = self.left[cell] = self.left[cell] ^ single
        self.places[value] &= ~(1 << cell)
        self.why[cell, value] = why
        if (placed := self.placed.get(cell)) is not None:
            if placed[0] == value:
                self._wait(_CONTRADICTION, cell, value, why | placed[1], -1)
        elif not rest & (rest - 1) and (part := self._may(cell)) is not None:
            for other in values_of(self.propagation.candidates[cell] & ~rest):
                part |= self.why[cell, other]
            self._wait(_PLACE if rest else _CONTRADICTION, cell, rest.bit_length(), part, cell)
        where = self.places[value]
        for cells, first in self.propagation.parts.places_of[cell]:
            rest = where & cells
            if rest & (rest - 1) or (part := self._may(first + value - 1)) is None:
                continue
            for other in cells_of(self.propagation.places[value] & cells & ~rest):
                part |= self.why[other, value]
            event = _PLACE if rest else _CONTRADICTION
            self._wait(event, rest.bit_length() - 1, value, part, first + value - 1)
        self._alert(cell, cost)

    def _alert(self, cell: int, cost: int) -> None:
        """Have the rules about a cell look at it, the cheap ones first."""
        weights, waiting = self.propagation.weights, self.waiting
        for part in self.propagation.parts.rules_of[cell]:
            if part not in waiting and self._may(part) is not None:
                waiting.add(part)
                event = (cost + weights[part], len(self.why), _RUN, cell, 0, 0, part)
                heappush(self.heap, event)

    def _place(self, cell: int, value: int, why: PartSet, part: int) -> None:
        if (placed := self.placed.get(cell)) is not None:
            if placed[0] != value:
                why |= self._noted(part, cell, value, "is")
                self._wait(_CONTRADICTION, cell, value, why | placed[1], -1)
            return
        why |= self._noted(part, cell, value, "is")
        if not self.left[cell] & bit(value):
            self._wait(_CONTRADICTION, cell, value, why | self.why[cell, value], -1)
            return
        self.placed[cell] = value, why
        for other in values_of(self.left[cell] ^ bit(value)):
            self._wait(_REMOVE, cell, other, why, -1)
        for other in cells_of(self.places[value] & self.propagation.sees[cell]):
            self._wait(_REMOVE, other, value, why, -1)

    def _run(self, part: int) -> None:
        """Have a rule remove what contradicts it."""
        self.waiting.discard(part)
        statement = self.propagation.parts.all[part].statement
        assert statement is not None
        problem = statement.problem
        before, rule = problem.candidates_of(self.left), self._may(part) or 0
        if 0 in before:  # whenever a rule is looked at, it fails once a cell has no value
            cell = problem.cells[before.index(0)]
            if self.propagation.candidates[cell]:
                self._wait(_CONTRADICTION, cell, 0, rule | self._gone([cell]), cell)
            return
        after = problem.pruned(before)
        if after == before:
            return
        why = rule | self._gone(problem.cells)
        if after is None:
            self._wait(_CONTRADICTION, problem.cells[0], 0, why, part)
            return
        for cell, old, new in zip(problem.cells, before, after, strict=True):
            for value in values_of(old & ~new):
                self._wait(
                    _REMOVE, cell, value, why | self._noted(part, cell, value, "is not"), part
                )

    def _gone(self, cells: Iterable[int]) -> PartSet:
        """Return the parts by which candidates are gone from cells."""
        why = 0
        for cell in cells:
            for value in values_of(self.propagation.candidates[cell] & ~self.left[cell]):
                why |= self.why[cell, value]
        return why
