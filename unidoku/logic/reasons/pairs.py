"""Two rules together: what no arrangement of their cells allows that satisfies both.

Propagation considers one rule at a time and does not see this; a person compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from unidoku.core.bits import values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.local_problem import LocalProblem
from unidoku.logic.reasons.parts import Derived, PartSet, parts_of
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


def pair_removals(state: State) -> Iterator[tuple[PartSet, tuple[Candidate, ...]]]:
    """Yield pairs of rules that together remove candidates, with all that they remove."""
    sized = [((pair.cells & state.empty).bit_count(), pair) for pair in _pairs(state.layout)]
    small = [(size, pair) for size, pair in sized if 1 < size <= _MOST_OPEN]
    for _, pair in sorted(small, key=lambda item: item[0])[:_MOST_PAIRS]:
        state.tick()
        problem = _problem(state.layout, pair.parts)
        before = problem.candidates_of(state.candidates)
        after = problem.supported_values(before)
        if after is None or after == before:
            continue
        first, second = pair.parts
        yield (
            1 << first | 1 << second,
            tuple(
                (cell, value)
                for cell, old, new in zip(problem.cells, before, after, strict=True)
                for value in values_of(old & ~new)
            ),
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
    found = []
    for (first, ours), (second, theirs) in combinations(rules, 2):
        if ours & theirs or sum((sees[c] & theirs).bit_count() for c in cells_of(ours)) > 1:
            found.append(_Pair((first, second), ours | theirs))
    return tuple(found)


@by_layout(maxsize=1 << 12)
def _problem(layout: Layout, pair: tuple[int, int]) -> LocalProblem:
    """Return the problem of two rules."""
    statements = [parts_of(layout).all[number].statement for number in pair]
    known = [statement for statement in statements if statement is not None]
    cells = {cell for statement in known for cell in statement.cells}
    return LocalProblem(
        layout, cells, [constraint for statement in known for constraint in statement.constraints]
    )
