"""The search for the cheapest reason of a state."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.core.bits import bit
from unidoku.logic.geometry import cells_of
from unidoku.logic.reasons.pairs import pair_removals, pairs_by_cost
from unidoku.logic.reasons.parts import LOOK, PartSet, parts_of
from unidoku.logic.reasons.propagation import Assumption, Propagation, Run
from unidoku.logic.state import State
from unidoku.logic.step import Candidate

BOUNDS = (2 * LOOK, 4 * LOOK, 8 * LOOK, 1000 * LOOK)
"""The costs up to which reasons are looked for, one after the other."""

_MOST_WORK = 1_000_000
"""The number of removals after which the search takes what it has; boards of 81 cells take some
ten thousand, or half a million where there is nothing to find."""


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


def cheapest(state: State, using: Propagation | None = None) -> Reason | None:
    """Return the cheapest reason that is found, with everything that it removes; None if none is.

    Cost: propagates each candidate of the state up to four times.

    Args:
        state: the state.
        using: its propagation, if there is one.
    """
    using = using or Propagation(parts_of(state.layout), state.candidates, state.tick)
    pairs, best = deque(pairs_by_cost(state, using)), None
    everything = list(state.all_in(cells_of(state.empty)))
    todo = [(each, Run(using, assumed(each))) for each in everything]
    for bound in BOUNDS:
        while best is None and pairs and pairs[0][0] <= bound:
            cost, parts = pairs.popleft()
            if removed := pair_removals(state, parts):
                best = Reason(parts, cost, removed, by_chain=False)
        later = []
        for candidate, run in todo:
            if using.work > _MOST_WORK:
                return best
            refutation = run.refuted(bound if best is None else min(bound, best.cost - 1))
            if refutation is not None:
                parts = using.smallest(assumed(candidate), refutation)
                best = Reason(parts, using.cost(parts), (candidate,))
            elif not using.is_exhausted:
                later.append((candidate, run))
        todo = later
        if best is not None and best.cost <= bound:
            break
    if best is None or not best.by_chain:
        return best
    return Reason(best.parts, best.cost, tuple(removed_by(using, best.parts, everything)))


def removed_by(
    using: Propagation, parts: PartSet, candidates: Sequence[Candidate]
) -> Iterator[Candidate]:
    """Yield the candidates that some parts remove."""
    for candidate in candidates:
        if using.refuted(assumed(candidate), allowed=parts) is not None:
            yield candidate


def assumed(candidate: Candidate) -> list[Assumption]:
    """Return the assumption that a candidate is true."""
    cell, value = candidate
    return [(cell, bit(value), 0)]
