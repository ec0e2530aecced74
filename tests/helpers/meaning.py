"""What a board means: equal for boards that differ in names and in the order of things only."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import reduce
from operator import or_

from unidoku import Board, Holds, Killer, Layout, Rule, Sandwich, Sets
from unidoku.core.bits import mask_of
from unidoku.core.constraints.primitives import Constraint
from unidoku.core.rules import KenKen


def meaning(board: Board) -> Hashable:
    """Return units, constraints and candidates.

    Cages without a total are units, and rules of what cells hold are candidates.
    """
    layout = board.layout
    cages = [
        tuple(sorted(set(r.cage)))
        for r in layout.rules
        if isinstance(r, Killer) and r.total is None
    ]
    units = {frozenset(cells) for cells in (*cages, *(unit.cells for unit in layout.units))}
    largest = frozenset(u for u in units if len(u) > 1 and not any(u < other for other in units))
    # A sandwich is the same from either end.
    lines = {unit.cells for unit in layout.units if unit.kind in ("row", "column")}
    masks = [*board.candidates, *layout.hidden]
    rules: list[Rule] = []
    for rule in layout.rules:
        if isinstance(rule, Holds):
            seen = {value - layout.first_value + 1 for value in rule.values}
            for cell in rule.held:
                masks[cell] &= mask_of(seen & set(range(1, layout.n + 1)))
        elif isinstance(rule, Sandwich) and tuple(sorted(rule.line)) in lines:
            rules.append(replace(rule, line=min(rule.line, rule.line[::-1])))
        elif isinstance(rule, KenKen):
            rules.append(replace(rule, cage=tuple(sorted(rule.cage))))
        elif not isinstance(rule, Killer) or rule.total is not None:
            rules.append(rule)
    for cell, placed in _placements(layout, rules):
        masks[cell] &= placed
    hiding = frozenset(rule for rule in rules if rule.needs_auxiliary)
    plain = replace(layout, rules=tuple(rule for rule in rules if rule not in hiding))
    constraints = frozenset(each for each in plain.constraints if not _is_of_one(each))
    facts = layout.n, layout.first_value, layout.positions
    return facts, largest, constraints, hiding, tuple(masks)


def _is_of_one(constraint: Constraint) -> bool:
    return isinstance(constraint, Sets) and len(constraint.cells) == 1


def _placements(layout: Layout, rules: list[Rule]) -> Iterator[tuple[int, int]]:
    """Yield cells, and the values that a rule leaves to each alone."""
    for rule in rules:
        for constraint in () if rule.needs_auxiliary else rule.constraints(layout):
            if isinstance(constraint, Sets) and len(constraint.cells) == 1:
                yield constraint.cells[0], reduce(or_, constraint.masks, 0)
