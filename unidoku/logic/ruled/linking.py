"""Links between candidates that rules make, for chains.

Strong ones: a value that a rule needs and has two places left for; a value of a cell without which
another cell has one value left. Weak ones: two values that no combination of a cage has both, and
pairs that a relation forbids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from unidoku.core.bits import bit, value_of, values_of
from unidoku.core.layout import Layout
from unidoku.core.shapes import Relation, Sets, backwards, images
from unidoku.logic.geometry import cells_of, lowest, set_of, union
from unidoku.logic.links import Node
from unidoku.logic.ruled.combinations import possible_sets
from unidoku.logic.ruled.overlap import needed
from unidoku.logic.saying import Saying, sayings_of
from unidoku.logic.state import State
from unidoku.logic.step import Basis, Candidate

__all__ = ["rules_between", "strong_links", "weak_links"]


def strong_links(state: State) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield pairs of candidates at least one of which is true by a rule."""
    for _, value, places in needed(state):
        if places.bit_count() == 2:
            one, other = cells_of(places)
            yield (one, value), (other, value)
    for saying in sayings_of(state.layout):
        for shape in saying.shapes:
            if isinstance(shape, Relation):
                yield from _without_partner(state, shape)


def _without_partner(state: State, shape: Relation) -> Iterator[tuple[Candidate, Candidate]]:
    """Yield a value of a cell, and the only one that the other may hold without it."""
    there, back = images(shape.table), images(backwards(shape.table))
    for a, b in shape.pairs:
        for cell, other, beside in ((a, b, there), (b, a, back)):
            if not state.empty >> cell & state.empty >> other & 1:
                continue
            held = state.candidates[cell]
            for value in values_of(held):
                rest = beside[held & ~bit(value)] & state.candidates[other]
                if only := value_of(rest):
                    yield (cell, value), (other, only)


def weak_links(state: State) -> Mapping[Candidate, list[Candidate]]:
    """Return for candidates of cages those that are not true beside them."""
    found: defaultdict[Candidate, list[Candidate]] = defaultdict(list)
    for saying in sayings_of(state.layout):
        if isinstance(saying.shape, Sets) and not saying.is_of_single_cells:
            held = saying.scene.held(state.candidates)
            for one, other in _apart(saying, held):
                if state.has(*one) and state.has(*other):
                    found[one].append(other)
                    found[other].append(one)
    return found


@lru_cache(maxsize=1 << 10)
def _apart(saying: Saying, held: tuple[int, ...]) -> tuple[tuple[Candidate, Candidate], ...]:
    """Return the pairs of candidates of a cage that no combination has both."""
    assert isinstance(saying.shape, Sets)
    sets = possible_sets(saying.shape, held)
    with_value = {
        value: union(one for one in sets if one & bit(value)) for value in values_of(union(held))
    }
    return tuple(
        ((saying.cells[a], v), (saying.cells[b], w))
        for a, b in combinations(range(len(held)), 2)
        for v in values_of(held[a])
        for w in values_of(held[b])
        if v != w and not with_value[v] & bit(w)
    )


def rules_between(
    state: State, nodes: Sequence[Node], gone: Iterable[Candidate], *, loop: bool
) -> tuple[Basis, ...]:
    """Return the rules that make links of a chain, or forbid what it eliminates.

    Args:
        state: the state before the step.
        nodes: of the chain, the first link of which is strong.
        gone: the candidates that it eliminates.
        loop: whether a weak link leads from its last node to the first.
    """
    links = [(one, other, at % 2 == 0) for at, (one, other) in enumerate(pairwise(nodes))]
    links += [(nodes[-1], nodes[0], False)] if loop else []
    links += [
        ((value, 1 << cell), end, False)
        for cell, value in gone
        for end in ((nodes[0], nodes[-1]) if not loop else ())
    ]
    found: dict[Basis, None] = {}
    for (value, cells), (other, others), strong in links:
        if cells == others or (value == other and _in_unit(state, value, cells, others, strong)):
            continue
        saying = next(_sayings(state.layout, cells | others), None)
        if saying is not None:
            found[saying.basis] = None
    return tuple(found)


def _in_unit(state: State, value: int, cells: int, others: int, strong: bool) -> bool:
    """Tell whether a unit makes a link of one value."""
    for place in state.geometry.units_of[lowest(cells)]:
        inside = not (cells | others) & ~place.cells
        both = place.full and state.places[value] & place.cells == cells | others
        if inside and (both or not strong):
            return True
    return False


def _sayings(layout: Layout, cells: int) -> Iterator[Saying]:
    """Yield what rules say of all cells of a set, of the fewest cells first."""
    about = [saying for saying in sayings_of(layout) if not cells & ~set_of(saying.cells)]
    yield from sorted(about, key=lambda saying: len(saying.cells))
