"""Chains of alternating links, loops and groups; and what all techniques on links share."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.technique_cases import Case, consequences, steps
from tests.helpers.technique_layouts import (
    CLASSIC,
    KNIGHT,
    WINDOKU,
    X,
)
from tests.helpers.volume import thorough, volume
from unidoku import Board, Layout
from unidoku.api import true_candidates
from unidoku.backends.base import Request
from unidoku.backends.solving.solver import load
from unidoku.logic import Candidate, State, technique
from unidoku.logic.techniques.chains import chain_rating
from unidoku.testing.strategies import named_layouts, unit_systems

NORVIG = load("norvig")
Links: TypeAlias = Mapping[Candidate, set[Candidate]]
ON_LINKS = (
    *("skyscraper", "two-string kite", "turbot fish", "XY-wing", "XYZ-wing", "W-wing"),
    *("remote pair", "simple colouring", "X-chain", "XY-chain", "AIC", "grouped AIC"),
)


def test_a_skyscraper_eliminates_along_the_diagonal_that_its_ends_are_on() -> None:
    case = Case(X).only(1, "B2 B5", "row B").only(1, "H5 H8", "row H")
    assert consequences("skyscraper", case.board) == {"1 leaves A1, C3, D4, E5, F6, G7, I9"}


def test_an_x_chain_that_closes_turns_each_weak_link_into_a_strong_one() -> None:
    case = Case(WINDOKU).only(1, "B2 D4", "window 1").only(1, "D9 H9", "column 9")
    *_, loop = steps("X-chain", case.only(1, "B5 H5", "column 5").board)
    assert loop.reason == ("1 in B2 = 1 in D4 - 1 in D9 = 1 in H9 - 1 in H5 = 1 in B5 - 1 in B2")
    assert {(cell, 1) for cell in map(WINDOKU.cell, ("B1", "D1", "H1"))} <= {*loop.eliminations}
    assert loop.rating == 6.6
    assert not loop.links[-1].strong


@pytest.mark.parametrize(
    ("nodes", "rating"),
    [(2, 7.0), (4, 7.0), (6, 7.1), (8, 7.2), (10, 7.3), (12, 7.3), (14, 7.4), (18, 7.5), (26, 7.6)],
)
def test_the_rating_of_a_chain_grows_as_sudoku_explainers_does(nodes: int, rating: float) -> None:
    assert chain_rating(7.0, nodes) == rating


@pytest.mark.parametrize("name", ["X-chain", "XY-chain", "AIC", "grouped AIC"])
def test_chains_come_shortest_first_and_each_says_something_new(name: str) -> None:
    for seed in range(10):
        seen: set[Candidate] = set()
        length = 0
        for step in technique(name).steps(State.start(pencilled(CLASSIC, seed))):
            assert set(step.eliminations) - seen, step
            seen |= {*step.eliminations}
            strong = sum(link.strong for link in step.links)
            assert strong >= length, step
            length = strong


@pytest.mark.parametrize(
    "units", [CLASSIC, *thorough(X, WINDOKU, KNIGHT)], ids=lambda units: units.name
)
def test_where_no_aic_is_left_no_candidate_implies_its_own_absence(units: Layout) -> None:
    for seed in range(5):
        state = State.start(pencilled(units, seed))
        while step := next(technique("AIC").steps(state), None):
            assert {*step.eliminations} <= contradicting(state), step
            state = state.after(step)
        assert not contradicting(state)


@settings(max_examples=volume(60))
@given(named_layouts() | unit_systems(), st.integers(0, 999))
def test_no_technique_on_links_removes_a_true_candidate(units: Layout, seed: int) -> None:
    board = pencilled(units, seed)
    true = true_candidates(board, backend=NORVIG)
    state = State.start(board)
    for name in ON_LINKS:
        for step in technique(name).steps(state):
            assert step.eliminations, step
            for cell, value in step.eliminations:
                assert state.has(cell, value), step
                assert value not in true.values(cell), step


def pencilled(units: Layout, seed: int) -> Board:
    """Return a board that has a solution, with some other candidates in each cell."""
    order = random.Random(seed)
    grid = NORVIG.search(Board.empty(units), Request(keep=1)).solutions
    contained = grid[0] if grid else [order.randint(1, units.n) for _ in units.cells]
    share = order.choice([0.1, 0.2, 0.3])
    values = range(1, units.n + 1)
    return Board.from_candidates(
        units, [{value, *(v for v in values if order.random() < share)} for value in contained]
    )


def contradicting(state: State) -> set[Candidate]:
    """Return the candidates that imply their own absence, by links read off the definitions."""
    units = state.layout.units
    nodes = [(c, v) for c in state.layout.cells for v in range(1, state.layout.n + 1)]
    nodes = [(cell, value) for cell, value in nodes if state.has(cell, value)]
    cells = [[node for node in nodes if node[0] == cell] for cell in state.layout.cells]
    places = [
        ([node for node in nodes if node[0] in unit.cells and node[1] == value], unit)
        for unit in units
        for value in range(1, state.layout.n + 1)
    ]
    weak = defaultdict[Candidate, set[Candidate]](set)
    strong = defaultdict[Candidate, set[Candidate]](set)
    for group in (*cells, *(group for group, _ in places)):
        for node in group:
            weak[node] |= {*group} - {node}
    full = [group for group, unit in places if len(unit.cells) == state.layout.n]
    for group in (*cells, *full):
        if len(group) == 2:
            strong[group[0]].add(group[1])
            strong[group[1]].add(group[0])
    return {node for node in nodes if _contradicts(node, weak, strong)}


def _contradicts(node: Candidate, weak: Links, strong: Links) -> bool:
    true, false = {node}, set[Candidate]()
    todo = [node]
    while todo:
        fresh = weak[todo.pop()] - false
        false |= fresh
        new = {other for gone in fresh for other in strong[gone]} - true
        true |= new
        todo += new
    return node in false
