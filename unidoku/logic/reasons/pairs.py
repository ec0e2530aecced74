"""Two rules together: what no arrangement of their cells allows that satisfies both.

Propagation considers one rule at a time and does not see this; a person compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from unidoku.core.bits import bits_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.local_problem import LocalProblem
from unidoku.logic.reasons.parts import Derived, PartSet, parts_of
from unidoku.logic.reasons.propagation import Propagation
from unidoku.logic.state import State
from unidoku.logic.step import Candidate

_MOST_OPEN = 10
"""The largest number of open cells of two rules that a person arranges."""

_MOST_PAIRS = 800
"""The largest number of pairs that are considered, those of the fewest open cells first."""


_MOST_DERIVED = 4
"""The largest number of cells of a derived sum that is compared with other rules."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """The numbers of two rules, and the cells of both as a set."""

    parts: tuple[int, int]
    cells: int


def pairs_by_cost(state: State, using: Propagation) -> Iterator[tuple[int, PartSet]]:
    """Yield the pairs of rules that a person can arrange, with what they cost, the cheap first."""
    sized = [((pair.cells & state.empty).bit_count(), pair) for pair in _pairs(state.layout)]
    small = [(size, pair) for size, pair in sized if 1 < size <= _MOST_OPEN]
    few = sorted(small, key=lambda item: item[0])[:_MOST_PAIRS]
    sets = [1 << pair.parts[0] | 1 << pair.parts[1] for _, pair in few]
    yield from sorted([(using.cost(parts), parts) for parts in sets], key=itemgetter(0))


def pair_removals(state: State, pair: PartSet) -> tuple[Candidate, ...]:
    """Return all candidates that no arrangement allows which satisfies both rules of a pair."""
    state.tick()
    first, second = bits_of(pair)
    problem = _problem(state.layout, (first, second))
    before = problem.candidates_of(state.candidates)
    after = problem.supported_values(before) or before
    return tuple(
        (cell, value)
        for cell, old, new in zip(problem.cells, before, after, strict=True)
        for value in values_of(old & ~new)
    )


@by_layout()
def _pairs(layout: Layout) -> tuple[_Pair, ...]:
    """Return the pairs of rules that share a cell, or of which several cells differ."""
    sees = geometry(layout).sees
    rules = [
        (number, part.statement.mask)
        for number, part in enumerate(parts_of(layout).all)
        if part.statement is not None
        and not (isinstance(part.statement, Derived) and len(part.cells) > _MOST_DERIVED)
    ]
    pairs = []
    for (first, ours), (second, theirs) in combinations(rules, 2):
        if ours & theirs or sum((sees[c] & theirs).bit_count() for c in cells_of(ours)) > 1:
            pairs.append(_Pair((first, second), ours | theirs))
    return tuple(pairs)


@by_layout(maxsize=1 << 12)
def _problem(layout: Layout, pair: tuple[int, int]) -> LocalProblem:
    """Return the problem of two rules."""
    statements = [parts_of(layout).all[number].statement for number in pair]
    known = [statement for statement in statements if statement is not None]
    cells = {cell for statement in known for cell in statement.cells}
    return LocalProblem(
        layout, cells, [constraint for statement in known for constraint in statement.constraints]
    )
