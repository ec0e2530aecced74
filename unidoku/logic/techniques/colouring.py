"""Colourings: two colours, one of which is true, spread along strong links.

Simple colouring colours the places of one value, a remote pair the cells of one pair of values.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle

from unidoku.core.bits import set_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry, lowest, union
from unidoku.logic.links import chain_step, conjugate_pairs, two_valued
from unidoku.logic.state import State
from unidoku.logic.step import Link, Step
from unidoku.support.language import message


@dataclass(frozen=True, slots=True)
class _Colours:
    """A component: the value is in all cells of one colour, or in all cells of the other.

    Args:
        first: the cells of one colour, as a set.
        second: the cells of the other colour, as a set.
        links: the pairs of cells along which the colours spread.
        wrong: which of ``first`` and ``second`` cannot hold the value.
        gone: the cells outside that see both colours.
    """

    first: int
    second: int
    links: tuple[tuple[int, int], ...]
    wrong: int
    gone: int


def simple_colouring(state: State) -> Iterator[Step]:
    """Find eliminations from the two colours of places connected by strong links of a value.

    If two cells of a colour see each other, that colour is false (wrap), and its cells lose the
    value. Otherwise the cells that see both colours lose it (trap).
    """
    for value, places in enumerate(state.places):
        for colours in _coloured(state.layout, places):
            yield Step(
                layout=state.layout,
                reason=message(
                    "{value} in all of {cells} or in all of {others}",
                    value=state.layout.shown[value],
                    cells=state.named(colours.first),
                    others=state.named(colours.second),
                ),
                eliminations=state.among(value, colours.wrong or colours.gone),
                pattern=state.among(value, colours.first | colours.second),
                links=tuple(Link((a, value), (b, value), True) for a, b in colours.links),
            )


@by_layout(1 << 8)
def _coloured(layout: Layout, places: int) -> tuple[_Colours, ...]:
    """Return the components of more than one link that eliminate candidates."""
    partners: defaultdict[int, int] = defaultdict(int)
    for pair in conjugate_pairs(layout, places):
        for cell, other in pair.ends:
            partners[cell] |= 1 << other
    sees = geometry(layout).sees
    remaining = set_of(partners)
    colourings = []
    while remaining:
        first, second, links = _spread(partners, lowest(remaining))
        remaining &= ~(first | second)
        seen = [union(sees[cell] for cell in cells_of(colour)) for colour in (first, second)]
        wrong = (first if first & seen[0] else 0) | (second if second & seen[1] else 0)
        gone = places & seen[0] & seen[1] & ~(first | second)
        if len(links) > 1 and (wrong or gone):
            colourings.append(_Colours(first, second, links, wrong, gone))
    return tuple(colourings)


def _spread(
    partners: Mapping[int, int], start: int
) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    """Return the two colours of a cell's component, and the links that reach each new cell."""
    colours = [1 << start, 0]
    reached, turn, links = [start], 0, []
    while reached:
        turn = 1 - turn
        fresh: list[int] = []
        for cell in reached:
            new = partners[cell] & ~(colours[0] | colours[1])
            colours[turn] |= new
            fresh += cells_of(new)
            links += [(cell, other) for other in cells_of(new)]
        reached = fresh
    return colours[0], colours[1], tuple(links)


def remote_pair(state: State) -> Iterator[Step]:
    """Find two cells with candidates x,y, an odd number of links apart along cells with x,y.

    One is x and the other y, so the cells that see both lose both values. Two cells that see
    each other are a naked pair, so there are at least four cells.
    """
    sees = state.geometry.sees
    for mask, cells in two_valued(state).items():
        x, y = values_of(mask)
        for start in cells_of(cells) if cells.bit_count() > 3 else ():
            for path in _shortest_paths(sees, cells, start):
                if path[-1] < start or len(path) % 2 or len(path) < 4:
                    continue
                gone = sees[start] & sees[path[-1]]
                if eliminations := state.among(x, gone) + state.among(y, gone):
                    turns = zip(cycle([(x, y), (y, x)]), path, strict=False)
                    nodes = [(value, 1 << cell) for values, cell in turns for value in values]
                    names = ", ".join(state.layout.names[cell] for cell in path)
                    reason = message("{values} in {cells}", values=f"{x},{y}", cells=names)
                    yield replace(chain_step(state, nodes, eliminations), reason=reason)


def _shortest_paths(sees: tuple[int, ...], cells: int, start: int) -> Iterator[tuple[int, ...]]:
    """Yield a shortest path from a cell to each cell of a set that it reaches, nearest first."""
    remaining = cells & ~(1 << start)
    paths: deque[tuple[int, ...]] = deque([(start,)])
    while paths:
        path = paths.popleft()
        fresh = remaining & sees[path[-1]]
        remaining &= ~fresh
        for cell in cells_of(fresh):
            paths.append((*path, cell))
            yield paths[-1]
