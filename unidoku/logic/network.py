"""The network of a state's links: the nodes that each node leads to, as sets of nodes.

A node is a candidate, or a group: places of a value in the intersection of two units, true if one
of them holds it. A set of nodes is an int, like a set of cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from unidoku.core.bits import values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry, lowest, union
from unidoku.logic.links import Node, conjugate_pairs, forbidden, two_valued
from unidoku.logic.ruled.linking import NO_RULES, LinksOfRules
from unidoku.logic.state import State


@dataclass(frozen=True, slots=True)
class Network:
    """Strong and weak links, both ways.

    Args:
        size: number of cells; candidate (cell, value) is the node ``value * size + cell``.
        groups: the other nodes, numbered after the candidates.
        strong: the targets of the strong links of each node that has any.
        weak: the targets of the weak links of the same nodes, also nodes without strong links.
        candidates: the candidates of the cells that are not placed, as a set of nodes.
    """

    size: int
    groups: Mapping[int, Node]
    strong: Mapping[int, int]
    weak: Mapping[int, int]
    candidates: int

    def node(self, number: int) -> Node:
        """Return the node of a number."""
        if number in self.groups:
            return self.groups[number]
        value, cell = divmod(number, self.size)
        return value, 1 << cell


def network(
    state: State,
    *,
    in_units: bool = True,
    in_cells: bool = True,
    groups: bool = False,
    of_rules: LinksOfRules = NO_RULES,
) -> Network:
    """Return the network of a state's links.

    Args:
        state: the state whose candidates are linked.
        in_units: whether the two places of a value in a full unit make a strong link.
        in_cells: whether the two candidates of a cell make a strong link; if not, no link leads
            from one value to another.
        groups: whether groups are nodes.
        of_rules: further links, between candidates.
    """
    size = len(state.layout)
    numbers: dict[Node, int] = {}
    strong: defaultdict[int, int] = defaultdict(int)

    def number(node: Node) -> int:
        value, cells = node
        if cells & (cells - 1):
            return numbers.setdefault(node, len(state.places) * size + len(numbers))
        return value * size + lowest(cells)

    ruled = (((v, 1 << c), (w, 1 << d)) for (c, v), (d, w) in of_rules.strong)
    for first, second in chain(_strong_links(state, in_units, in_cells, groups), ruled):
        a, b = number(first), number(second)
        strong[a] |= 1 << b
        strong[b] |= 1 << a
    candidates = union(places << value * size for value, places in enumerate(state.places))
    named = {named: node for node, named in numbers.items()}
    links = Network(size, named, dict(strong), {}, candidates)
    weak = {node: _weak_links(state, links, node, in_cells) for node in strong}
    for (cell, value), (other_cell, other_value) in of_rules.weak:
        if (node := value * size + cell) in weak:
            weak[node] |= 1 << other_value * size + other_cell
    return replace(links, weak=weak)


def _strong_links(
    state: State, in_units: bool, in_cells: bool, groups: bool
) -> Iterator[tuple[Node, Node]]:
    for value, places in enumerate(state.places) if in_units else ():
        for pair in conjugate_pairs(state.layout, places):
            yield (value, 1 << pair.first), (value, 1 << pair.second)
        for first, second in _halves(state.layout, places) if groups else ():
            yield (value, first), (value, second)
    for mask, cells in two_valued(state).items() if in_cells else ():
        x, y = values_of(mask)
        for cell in cells_of(cells):
            yield (x, 1 << cell), (y, 1 << cell)


@by_layout(1 << 8)
def _halves(layout: Layout, places: int) -> tuple[tuple[int, int], ...]:
    """Return the places of a value in each full unit split in two, each part a cell or a group.

    A group is left out if no place outside the unit sees all of it, as it leads nowhere.
    """
    around = geometry(layout)
    halves: dict[tuple[int, int], None] = {}
    for unit in around.full:
        cells = places & unit.cells
        if cells.bit_count() < 3:
            continue
        outside = places & ~unit.cells
        first = lowest(cells)
        for part in (1 << first, *(cells & other.cells for other in around.units_of[first])):
            rest = cells & ~part
            if rest and all(
                not half & (half - 1) or around.seen_by_all(half, outside) for half in (part, rest)
            ):
                halves[part, rest] = None
    return tuple(halves)


def _weak_links(state: State, links: Network, node: int, in_cells: bool) -> int:
    """Return the nodes that are false if a node is true."""
    value, cells = links.node(node)
    seen = state.geometry.seen_by_all(cells, state.places[value])
    weak = seen << value * links.size
    for number, (other, group) in links.groups.items():
        if other == value and not group & ~seen:
            weak |= 1 << number
    if in_cells and node not in links.groups:
        cell = lowest(cells)
        for other in values_of(state.candidates[cell]):
            weak |= 1 << other * links.size + cell
        weak |= forbidden(state.layout).get(node, 0) & links.candidates
        weak ^= 1 << node
    return weak
