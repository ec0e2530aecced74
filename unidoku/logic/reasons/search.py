"""The search for the cheapest reason of a state: by propagation, or by two rules together.

Propagation considers one rule at a time. What no arrangement of the cells of two rules allows, it
does not see; a person compares the two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from unidoku.core.bits import bit, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.reasons.parts import LOOK, PartSet, parts_of
from unidoku.logic.reasons.propagation import Assumption, Propagation, Run
from unidoku.logic.ruled.local_problem import LocalProblem
from unidoku.logic.ruled.statement import Derived
from unidoku.logic.state import State
from unidoku.logic.step import Candidate

BOUNDS = (2 * LOOK, 4 * LOOK, 8 * LOOK, 1000 * LOOK)
"""The costs up to which reasons are looked for, one after the other."""

_MOST_WORK = 1_000_000
"""The number of removals after which the search takes what it has; boards of 81 cells take some
ten thousand, or half a million where there is nothing to find."""

_MOST_OPEN = 10
"""The largest number of open cells of two rules that a person arranges."""

_MOST_PAIRS = 800
"""The largest number of pairs that are considered, those of the fewest open cells first."""

_MOST_DERIVED = 4
"""The largest number of cells of a derived sum that is compared with other rules."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Parts of which none can be left out, and the candidates that they remove.

    Args:
        parts: the parts.
        cost: what they cost.
        removed: candidates that each contradict the parts.
        by_chain: whether propagation shows the contradiction of the first, so that it can be told
            as a chain; otherwise arrangements of two rules, or cases, show it.
    """

    parts: PartSet
    cost: int
    removed: tuple[Candidate, ...]
    by_chain: bool = True


def cheapest(state: State, propagation: Propagation | None = None) -> Reason | None:
    """Return the cheapest reason that is found, with everything that it removes; None if none is.

    Cost: propagates each candidate of the state up to four times.

    Args:
        state: the state.
        propagation: its propagation, if there is one.
    """
    propagation = propagation or Propagation.of(state)
    pairs, best = deque(pairs_by_cost(state, propagation)), None
    everything = list(state.all_in(cells_of(state.empty)))
    todo = [(each, Run(propagation, assumed(each))) for each in everything]
    for bound in BOUNDS:
        while best is None and pairs and pairs[0][0] <= bound:
            cost, parts = pairs.popleft()
            if removed := _removed_by_pair(state, parts):
                best = Reason(parts, cost, removed, by_chain=False)
        later = []
        for candidate, run in todo:
            if propagation.work > _MOST_WORK:
                return best
            refutation = run.refuted(bound if best is None else min(bound, best.cost - 1))
            if refutation is not None:
                parts = propagation.smallest(assumed(candidate), refutation)
                best = Reason(parts, propagation.cost(parts), (candidate,))
            elif not propagation.is_exhausted:
                later.append((candidate, run))
        todo = later
        if best is not None and best.cost <= bound:
            break
    if best is None or not best.by_chain:
        return best
    refuted = [c for c in everything if propagation.refuted(assumed(c), best.parts) is not None]
    return Reason(best.parts, best.cost, tuple(refuted))


def assumed(candidate: Candidate) -> list[Assumption]:
    """Return the assumption that a candidate is true."""
    cell, value = candidate
    return [(cell, bit(value), 0)]


def pairs_by_cost(state: State, propagation: Propagation) -> Iterator[tuple[int, PartSet]]:
    """Yield the pairs of rules that a person can arrange, with what they cost, the cheap first."""
    sized = [((cells & state.empty).bit_count(), pair) for pair, cells in _pairs(state.layout)]
    few = sorted([each for each in sized if 1 < each[0] <= _MOST_OPEN], key=itemgetter(0))
    costs = [(propagation.cost(pair), pair) for _, pair in few[:_MOST_PAIRS]]
    yield from sorted(costs, key=itemgetter(0))


def _removed_by_pair(state: State, pair: PartSet) -> tuple[Candidate, ...]:
    """Return all candidates that no arrangement allows which satisfies both rules of a pair."""
    state.tick()
    problem = _problem(state.layout, pair)
    before = problem.candidates_of(state.candidates)
    after = problem.supported_values(before) or before
    return tuple(
        (cell, value)
        for cell, old, new in zip(problem.cells, before, after, strict=True)
        for value in values_of(old & ~new)
    )


@by_layout()
def _pairs(layout: Layout) -> tuple[tuple[PartSet, int], ...]:
    """Return the pairs of rules that share a cell, or of which several cells differ.

    Each with the cells of both, as a set.
    """
    sees = geometry(layout).sees
    rules = [
        (1 << number, part.statement.mask)
        for number, part in enumerate(parts_of(layout).all)
        if part.statement is not None
        and not (isinstance(part.statement, Derived) and len(part.cells) > _MOST_DERIVED)
    ]
    return tuple(
        (first | second, ours | theirs)
        for (first, ours), (second, theirs) in combinations(rules, 2)
        if ours & theirs or sum((sees[c] & theirs).bit_count() for c in cells_of(ours)) > 1
    )


@by_layout(maxsize=1 << 12)
def _problem(layout: Layout, pair: PartSet) -> LocalProblem:
    """Return the problem of two rules."""
    statements = [part.statement for part in parts_of(layout).chosen(pair) if part.statement]
    cells = {cell for statement in statements for cell in statement.cells}
    constraints = [each for statement in statements for each in statement.constraints]
    return LocalProblem(layout, cells, constraints)
