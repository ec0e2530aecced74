"""Pairs of rules that a person arranges together."""

from __future__ import annotations

from unidoku import Killer, layout
from unidoku.core.bits import bits_of
from unidoku.core.board import Board
from unidoku.logic import State
from unidoku.logic.geometry import cells_of
from unidoku.logic.reasons.parts import parts_of
from unidoku.logic.reasons.propagation import Propagation
from unidoku.logic.reasons.search import pairs_by_cost


def test_pairs_come_by_their_cost_and_have_a_cell_in_common_or_cells_that_differ() -> None:
    cages = Killer((0, 1), 3), Killer((1, 2), 5), Killer((4, 5, 6), 9), Killer((15,), 4)
    state = State.start(Board.empty(layout("classic", 4).with_rules(*cages)))
    parts = parts_of(state.layout)
    using = Propagation(parts, state.candidates)
    pairs = [*pairs_by_cost(state, using)]
    assert [cost for cost, _ in pairs] == sorted(using.cost(pair) for _, pair in pairs)
    cells = [{frozenset(parts.all[number].cells) for number in bits_of(pair)} for _, pair in pairs]
    assert {frozenset({0, 1}), frozenset({1, 2})} in cells
    assert {frozenset({0, 1}), frozenset({15})} not in cells
    for first, second in map(tuple, cells):
        seen = [{*cells_of(state.geometry.sees[cell])} for cell in first]
        assert first & second or sum(len(some & second) for some in seen) > 1
