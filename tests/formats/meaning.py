"""What a board means: equal for boards that differ in names and in the order of things only."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from unidoku import Board, Holds, Killer
from unidoku.core.bits import mask_of

__all__ = ["meaning"]


def meaning(board: Board) -> Hashable:
    """Return units, shapes and candidates.

    Cages without a total are units, and rules of what cells hold are candidates.
    """
    one = board.layout
    cages = [tuple(sorted(set(r.cage))) for r in one.rules if isinstance(r, Killer) and not r.total]
    units = {frozenset(cells) for cells in (*cages, *(unit.cells for unit in one.units))}
    largest = frozenset(u for u in units if len(u) > 1 and not any(u < other for other in units))
    masks = [*board.candidates, *one.hidden]
    rules = []
    for rule in one.rules:
        if isinstance(rule, Holds):
            seen = {value - one.first_value + 1 for value in rule.values}
            for cell in rule.held:
                masks[cell] &= mask_of(seen & set(range(1, one.n + 1)))
        elif not isinstance(rule, Killer) or rule.total:
            rules.append(rule)
    own = frozenset(rule for rule in rules if rule.needs_own)
    shapes = frozenset(replace(one, rules=tuple(r for r in rules if r not in own)).shapes)
    facts = one.n, one.first_value, one.positions
    return facts, largest, shapes, own, tuple(masks)
