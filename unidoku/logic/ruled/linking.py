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
from unidoku.logic.ruled.eliminations import count_open
from unidoku.logic.ruled.overlap import needed
from unidoku.logic.ruled.statement import Statement, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Basis, Candidate

_MOST_CELLS = 16
"""The largest number of cells of a rule whose links are looked for."""

Ends = tuple[Candidate, Candidate]


@dataclass(frozen=True, slots=True)
class LinksOfRules:
    """Links in both directions, each with a rule that makes it, preferably one of few cells."""

    strong: Mapping[Ends, Statement] = field(default_factory=dict)
    weak: Mapping[Ends, Statement] = field(default_factory=dict)


NO_RULES = LinksOfRules()
"""No links."""


def links_of_rules(state: State) -> LinksOfRules:
    """Return the links that rules make in a state.

    Cost: each candidate of each rule is tried once, some 0.1 s on a board with forty rules; the
        results of a rule for the same candidates are cached.
    """
    strong: dict[Ends, Statement] = {}
    weak: dict[Ends, Statement] = {}
    for statement, value, places in needed(state):
        if places.bit_count() == 2:
            first, last = cells_of(places)
            _add(strong, (first, value), (last, value), statement)
    for statement in sorted(
        statements_of(state.layout), key=lambda statement: len(statement.cells)
    ):
        if len(statement.cells) > _MOST_CELLS or count_open(state, statement) < 2:
            continue
        state.tick()
        for first_end, second_end, is_strong in _of_rule(state, statement):
            _add(strong if is_strong else weak, first_end, second_end, statement)
    return LinksOfRules(strong, weak)


def _add(
    links: dict[Ends, Statement], first: Candidate, second: Candidate, statement: Statement
) -> None:
    links.setdefault((first, second), statement)
    links.setdefault((second, first), statement)


def _of_rule(state: State, statement: Statement) -> Iterator[tuple[Candidate, Candidate, bool]]:
    cells = statement.cells
    for (a, v), (b, w), strong in statement.problem.links(
        statement.problem.candidates_of(state.candidates)
    ):
        first, second = (cells[a], v), (cells[b], w)
        if state.has(*first) and state.has(*second):
            yield first, second, strong


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
    ends = [
        (first, second, index % 2 == 0) for index, (first, second) in enumerate(pairwise(nodes))
    ]
    ends += [(nodes[-1], nodes[0], False)] if loop else []
    if not loop:
        ends += [((v, 1 << c), end, False) for c, v in gone for end in (nodes[0], nodes[-1])]
    bases: dict[Basis, None] = {}
    for first, second, strong in ends:
        if not _by_units(state, first, second, strong):
            links_alike = links.strong if strong else links.weak
            statement = links_alike.get((_candidate(first), _candidate(second)))
            if statement is not None:
                bases[statement.basis] = None
    return tuple(bases)


def _candidate(node: Node) -> Candidate:
    return lowest(node[1]), node[0]


def _by_units(state: State, first: Node, second: Node, strong: bool) -> bool:
    """Return whether a link is inside a cell, or of one value in a unit."""
    (value, cells), (other_value, others) = first, second
    if cells == others:
        return not strong or state.candidates[lowest(cells)].bit_count() == 2
    if value != other_value:
        return False
    for unit_cells in state.geometry.units_of[lowest(cells)]:
        inside = not (cells | others) & ~unit_cells.cells
        both = unit_cells.full and state.places[value] & unit_cells.cells == cells | others
        if inside and (both or not strong):
            return True
    return False
