"""Chains: X-chain, XY-chain, alternating inference chain, with and without groups.

A chain alternates strong and weak links and has strong ones at both ends: if its first node is
false, its second is true, so its third is false, …, so its last is true. Hence one of its two
ends is true, and candidates that both ends forbid are eliminated. If the ends forbid each other
too, the chain is a loop: then each of its weak links has a true end, and eliminates as strong
links do.

Source: the nice loops of sudopedia.org; ratings grow with the length as those of Sudoku
Explainer do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from unidoku.core.bits import bits_of, set_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, geometry, lowest, union
from unidoku.logic.links import Node, chain_step, conjugate_pairs, forbidden, two_valued
from unidoku.logic.ruled.linking import NO_RULES, LinksOfRules, links_of_rules, rules_between
from unidoku.logic.state import State
from unidoku.logic.step import Step

_LOOP_OF_ONE_KIND = 6.5
"""The rating of the shortest loops within one value, or along cells of two candidates."""


def x_chain(state: State) -> Iterator[Step]:
    """Find chains of one value, the shortest first."""
    return _steps(state, network(state, in_cells=False), 6.6, _LOOP_OF_ONE_KIND)


def xy_chain(state: State) -> Iterator[Step]:
    """Find chains whose strong links are cells of two candidates, the shortest first."""
    return _steps(state, network(state, in_units=False), 7.0, _LOOP_OF_ONE_KIND)


def alternating_chain(state: State) -> Iterator[Step]:
    """Find chains of any links, the shortest first."""
    return _steps(state, network(state), 7.0, 7.0)


def chain_through_rules(state: State) -> Iterator[Step]:
    """Find chains in which rules make some of the links, the shortest first."""
    rules = links_of_rules(state) if state.layout.rules else NO_RULES
    if rules.strong or rules.weak:
        yield from _steps(state, network(state, of_rules=rules), 7.0, 7.0, rules)


def grouped_chain(state: State) -> Iterator[Step]:
    """Find chains whose nodes are candidates or groups of them, the shortest first."""
    rules = links_of_rules(state)
    return _steps(state, network(state, groups=True, of_rules=rules), 7.1, 7.1, rules)


def _steps(
    state: State,
    links: Network,
    rating: float,
    loop_rating: float,
    rules: LinksOfRules = NO_RULES,
) -> Iterator[Step]:
    for path in _chains(state, links):
        loop = len(path) > 2 and bool(links.weak[path[0]] >> path[-1] & 1)
        nodes = [links.node(node) for node in path]
        gone = [(node % links.size, node // links.size) for node in bits_of(_gone(links, path))]
        yield chain_step(
            state,
            nodes,
            gone,
            rules=rules_between(state, rules, nodes, gone, loop),
            loop=loop,
            rating=chain_rating(loop_rating if loop else rating, len(path)),
        )


def chain_rating(base: float, length: int) -> float:
    """Return the rating of a chain: 0.1 more each time its nodes pass 4, 6, 8, 12, 16 and so on."""
    passed, ceiling = 0, 4
    while length > ceiling:
        passed += 1
        ceiling = ceiling * 3 // 2 if passed % 2 else ceiling * 4 // 3
    return round(base + passed / 10, 1)


def _gone(links: Network, path: Sequence[int]) -> int:
    """Return the candidates that a chain eliminates, without the chain's own."""
    weak = [links.weak[node] for node in path]
    gone = weak[0] & weak[-1]
    if weak[0] >> path[-1] & 1:
        for index in range(1, len(path) - 1, 2):
            gone |= weak[index] & weak[index + 1]
    return gone & links.candidates & ~set_of(path)


def _chains(state: State, links: Network) -> Iterator[list[int]]:
    """Yield the nodes of each chain that eliminates more than the chains before it.

    The chains from all starts grow together, by one weak and one strong link at a time, so the
    shortest come first. A chain that returns to its start is left out: its start is true, and a
    shorter chain eliminates what leads back. Cost: at most the square of the number of nodes that
    have strong links.
    """
    leads = {node: _union(links.weak, strong) for node, strong in links.strong.items()}
    inner = set_of(links.strong)
    fronts = [_Front(node) for node in sorted(links.strong)]
    seen = ~links.candidates
    length = 0
    while fronts:
        length += 1
        for front in fronts:
            state.tick()
            forbidden = front.advance(leads, inner) & links.weak[front.start] & ~seen
            for target in bits_of(forbidden):
                if not seen >> target & 1:
                    path = _path(links, front.start, target, length)
                    if path and (gone := _gone(links, path)) & ~seen:
                        seen |= gone
                        yield path
        fronts = [front for front in fronts if front.false]


class _Front:
    """The nodes that are false if the start is false, as far as the chains have grown."""

    __slots__ = ("false", "seen", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.seen = self.false = 1 << start

    def advance(self, leads: Mapping[int, int], inner: int) -> int:
        """Follow one more strong and weak link; return the nodes that are newly false."""
        fresh = _union(leads, self.false) & ~self.seen
        self.seen |= fresh
        self.false = fresh & inner
        return fresh


def _path(links: Network, start: int, target: int, length: int) -> list[int]:
    """Return the nodes of a shortest chain from a node to one that forbids a target.

    Returns:
        An empty list if every chain of that many strong links visits a node twice. Then a shorter
        chain eliminates such a node.
    """
    inner = set_of(links.strong)
    paths = [[start]]
    false = true = 1 << start
    for _ in range(length):
        reached = []
        for path in paths:
            for node in bits_of(links.strong[path[-1]] & ~true):
                true |= 1 << node
                reached.append([*path, node])
                if links.weak[node] >> target & 1:
                    return reached[-1] if len(set(reached[-1])) == len(path) + 1 else []
        paths = []
        for path in reached:
            for node in bits_of(links.weak[path[-1]] & inner & ~false):
                false |= 1 << node
                paths.append([*path, node])
    return []


def _union(table: Mapping[int, int], nodes: int) -> int:
    """Return all nodes that the nodes of a set lead to."""
    return union(map(table.__getitem__, bits_of(nodes)))


@dataclass(frozen=True, slots=True)
class Network:
    """Strong and weak links, both ways, between the nodes of a state.

    A node is a candidate, or a group: places of a value in the intersection of two units, true if
    one of them holds it. A set of nodes is an int, like a set of cells.

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
    weak: dict[int, int] = {}
    links = Network(size, named, dict(strong), weak, candidates)
    weak |= {node: _weak_links(state, links, node, in_cells) for node in strong}
    for (cell, value), (other_cell, other_value) in of_rules.weak:
        if (node := value * size + cell) in weak:
            weak[node] |= 1 << other_value * size + other_cell
    return links


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
