"""Links between candidates that rules make, for chains.

Each link follows directly from one rule and the units of its cells. If a true candidate removes
another, the link is weak. If a false candidate leaves one value in another cell, the link is
strong, as is the link between the two places of a value that a rule needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from unidoku.logic.geometry import cells_of, lowest
from unidoku.logic.links import Node
from unidoku.logic.ruled.narrowing import openly
from unidoku.logic.ruled.overlap import needed
from unidoku.logic.saying import Saying, sayings_of
from unidoku.logic.state import State
from unidoku.logic.step import Basis, Candidate

_MOST_CELLS = 16
"""The largest number of cells of a rule whose links are looked for."""

Ends = tuple[Candidate, Candidate]


@dataclass(frozen=True, slots=True)
class LinksOfRules:
    """Links in both directions, each with a rule that makes it, preferably one of few cells."""

    strong: Mapping[Ends, Saying] = field(default_factory=dict)
    weak: Mapping[Ends, Saying] = field(default_factory=dict)


NO_RULES = LinksOfRules()
"""No links."""


def links_of_rules(state: State) -> LinksOfRules:
    """Return the links that rules make in a state.

    Cost: each candidate of each rule is tried once, some 0.1 s on a board with forty rules; the
        results of a rule for the same candidates are cached.
    """
    strong: dict[Ends, Saying] = {}
    weak: dict[Ends, Saying] = {}
    for saying, value, places in needed(state):
        if places.bit_count() == 2:
            first, last = cells_of(places)
            _add(strong, (first, value), (last, value), saying)
    for saying in sorted(sayings_of(state.layout), key=lambda saying: len(saying.cells)):
        if len(saying.cells) > _MOST_CELLS or openly(state, saying.scene) < 2:
            continue
        state.tick()
        for one, other, is_strong in _of_rule(state, saying):
            _add(strong if is_strong else weak, one, other, saying)
    return LinksOfRules(strong, weak)


def _add(links: dict[Ends, Saying], one: Candidate, other: Candidate, saying: Saying) -> None:
    links.setdefault((one, other), saying)
    links.setdefault((other, one), saying)


def _of_rule(state: State, saying: Saying) -> Iterator[tuple[Candidate, Candidate, bool]]:
    cells = saying.cells
    for (a, v), (b, w), strong in saying.scene.links(saying.scene.held(state.candidates)):
        one, other = (cells[a], v), (cells[b], w)
        if state.has(*one) and state.has(*other):
            yield one, other, strong


def rules_between(
    state: State, links: LinksOfRules, nodes: Sequence[Node], gone: Iterable[Candidate], loop: bool
) -> tuple[Basis, ...]:
    """Return the rules that make links of a chain, or forbid what it eliminates.

    Args:
        state: the state before the step.
        links: the links that rules make.
        nodes: nodes of the chain, whose first link is strong.
        gone: the candidates that the chain eliminates.
        loop: whether a weak link leads from its last node to the first.
    """
    ends = [(one, other, at % 2 == 0) for at, (one, other) in enumerate(pairwise(nodes))]
    ends += [(nodes[-1], nodes[0], False)] if loop else []
    if not loop:
        ends += [((v, 1 << c), end, False) for c, v in gone for end in (nodes[0], nodes[-1])]
    found: dict[Basis, None] = {}
    for one, other, strong in ends:
        if not _by_units(state, one, other, strong):
            known = links.strong if strong else links.weak
            saying = known.get((_candidate(one), _candidate(other)))
            if saying is not None:
                found[saying.basis] = None
    return tuple(found)


def _candidate(node: Node) -> Candidate:
    return lowest(node[1]), node[0]


def _by_units(state: State, one: Node, other: Node, strong: bool) -> bool:
    """Return whether a link is inside a cell, or of one value in a unit."""
    (value, cells), (beside, others) = one, other
    if cells == others:
        return not strong or state.candidates[lowest(cells)].bit_count() == 2
    if value != beside:
        return False
    for place in state.geometry.units_of[lowest(cells)]:
        inside = not (cells | others) & ~place.cells
        both = place.full and state.places[value] & place.cells == cells | others
        if inside and (both or not strong):
            return True
    return False
