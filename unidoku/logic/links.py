"""Links between candidates: the parts of chains, wings and colourings.

A strong link joins two candidates at least one of which is true: the two places that a full unit
has left for a value, or the two candidates of a cell. A weak link joins two candidates at most
one of which is true: one value in peers, two values in a cell, or a pair that a rule forbids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.core.bits import all_values, bit, values_of
from unidoku.core.caching import by_layout, layout_cache
from unidoku.core.layout import Layout, Unit
from unidoku.core.propagation.prune import partners_of
from unidoku.logic.facts import holds
from unidoku.logic.geometry import cells_of, geometry, lowest
from unidoku.logic.state import State
from unidoku.logic.step import Basis, Candidate, Link, Step
from unidoku.support.language import listing, message, series

Node: TypeAlias = tuple[int, int]
"""A value and a set of cells, one of which holds it: a single cell or a group."""


@dataclass(frozen=True, slots=True)
class ConjugatePair:
    """The two places that full units have left for a value, and these units, areas first."""

    first: int
    second: int
    units: tuple[Unit, ...]

    @property
    def ends(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two cells, in both orders."""
        return (self.first, self.second), (self.second, self.first)


@by_layout(1 << 8)
def conjugate_pairs(layout: Layout, places: int) -> tuple[ConjugatePair, ...]:
    """Return the strong links of a value in its places, each pair of cells once."""
    units: defaultdict[int, list[Unit]] = defaultdict(list)
    for unit_cells in geometry(layout).full:
        if (cells := places & unit_cells.cells).bit_count() == 2:
            units[cells].append(unit_cells.unit)
    ends = {cells: cells_of(cells) for cells in units}
    return tuple(
        ConjugatePair(ends[cells][0], ends[cells][1], tuple(units[cells])) for cells in units
    )


def two_valued(state: State) -> dict[int, int]:
    """Return the cells with two candidates, as sets of cells by sets of values."""
    by_mask: defaultdict[int, int] = defaultdict(int)
    for cell in cells_of(state.empty):
        if (mask := state.candidates[cell]).bit_count() == 2:
            by_mask[mask] |= 1 << cell
    return by_mask


def chain_step(
    state: State,
    nodes: Sequence[Node],
    eliminations: Iterable[Candidate],
    *,
    units: tuple[Unit, ...] = (),
    rules: tuple[Basis, ...] = (),
    loop: bool = False,
    rating: float = 0.0,
) -> Step:
    """Return the step of a chain, in words such as ``3 in A1 = 3 in A7 - 5 in A7 = 5 in F7``.

    Args:
        state: the state before the step.
        nodes: the nodes in order; the first link is strong (=), the next weak (-), and so on.
            Links of groups lead from first cell to first cell.
        eliminations: the candidates that the step eliminates.
        units: the units of its strong links.
        rules: the rules that make some of its links.
        loop: whether a weak link leads from the last node to the first.
        rating: rating of the step, 0 for the technique's usual rating.
    """
    ring = [*nodes, nodes[0]] if loop else list(nodes)
    ends = [(lowest(cells), value) for value, cells in ring]
    words = [_words(state.layout, node) for node in ring]
    signs = [" = " if index % 2 == 0 else " - " for index in range(len(ring) - 1)]
    return Step(
        layout=state.layout,
        reason="".join(word + sign for word, sign in zip(words, [*signs, ""], strict=True))
        + (f" ({series(dict.fromkeys(rule.words for rule in rules))})" if rules else ""),
        eliminations=tuple(eliminations),
        units=units,
        pattern=tuple(dict.fromkeys((c, v) for v, cells in nodes for c in cells_of(cells))),
        links=tuple(
            Link(ends[index], ends[index + 1], sign == " = ") for index, sign in enumerate(signs)
        ),
        rules=rules,
        rating=rating,
    )


def _words(layout: Layout, node: Node) -> str:
    value, cells = node
    if lowest(cells) in layout.hidden_cells:
        return listing((holds(layout, cell, value) for cell in cells_of(cells)), "or")
    names = ",".join(layout.names[cell] for cell in cells_of(cells))
    return message("{value} in {cells}", value=layout.shown[value], cells=names)


@layout_cache(maxsize=64)
def forbidden(layout: Layout) -> Mapping[int, int]:
    """Return the weak links that a layout's relations make, in both directions.

    A candidate (cell, value) has the number ``value * len(layout) + cell``; from each number that
    has links to a set of others.
    """
    size = len(layout)
    links: defaultdict[int, int] = defaultdict(int)
    for cell, others in enumerate(partners_of(layout)):
        for value in range(1, layout.n + 1):
            for other, allowed in others:
                for gone in values_of(all_values(layout.n) & ~allowed[bit(value)]):
                    links[value * size + cell] |= 1 << gone * size + other
    return links
