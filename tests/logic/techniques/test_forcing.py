"""Forcing: what leads to a contradiction is false; what leads to none is left alone."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.technique_cases import Case, prove
from unidoku import Board, Layout, layout, read
from unidoku.files.examples import find_example
from unidoku.logic import State, Step, technique, walk_through
from unidoku.logic.techniques import forcing

NAMES = ("forcing contradiction", "nested forcing")


@cache
def stalled(example: str, number: int = 0) -> State:
    """Return where easier techniques stall on a board of the examples."""
    board = find_example(example).puzzles()[number].board
    return walk_through(board, techniques="..grouped AIC").final


def first(name: str, state: State, most: int = 2) -> list[Step]:
    """Return the first steps, each proved by an exact backend."""
    steps = list(islice(technique(name).steps(state), most))
    for step in steps:
        prove(state.board, step)
    return steps


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("example", ["x", "jigsaw"])
def test_candidates_are_refuted_where_chains_stall(name: str, example: str) -> None:
    state = stalled(example)
    assert not state.is_solved
    steps = first(name, state)
    assert len(steps) == 2
    assert all(len(step.eliminations) == 1 for step in steps)


def test_forcing_by_singles_begins_with_the_shortest_way() -> None:
    steps = list(technique("forcing contradiction").steps(stalled("x")))
    assert steps[0].sentence == (
        "forcing contradiction if A7 is 4, then H2 is 4, C3 is 4, B1 is 3, "
        "rising diagonal has no place left for 3: 4 leaves A7"
    )
    assert steps[0].rating < steps[-1].rating
    assert (steps[0].eliminations[0][0], 4) not in steps[0].pattern


@pytest.mark.parametrize("name", NAMES)
def test_a_candidate_that_leaves_two_peers_one_value_is_refuted(name: str) -> None:
    pairs = Layout.from_units(3, ["A1 A2", "A1 A3", "A2 A3"], shape=(1, 3))
    state = State.start(Case(pairs).cells((1, 2), "A2 A3").board)
    steps = first(name, state, 9)
    assert {step.consequence for step in steps} == {"1 leaves A1", "2 leaves A1"}
    assert steps[0].sentence == (
        f"{name} if A1 is 1, then A2 is 2, A3 has no candidates left: 1 leaves A1"
    )


def test_nested_forcing_opens_the_hardest_board() -> None:
    state = stalled("hardest")
    assert not list(technique("forcing contradiction").steps(state))
    (step,) = first("nested forcing", state, 1)
    assert step.reason.startswith("if H7 is 3, then G2 is 3, E1 is 3, ")
    assert step.rating > 10


@pytest.mark.thorough
def test_the_hardest_board_is_solved_by_forcing() -> None:
    path = walk_through(find_example("hardest").puzzles()[0].board)
    assert path.grid is not None
    assert {"forcing contradiction", "nested forcing"} < set(path.counts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("variant", ["classic", "x", "latin"])
def test_nothing_is_refuted_where_every_candidate_is_true(name: str, variant: str) -> None:
    assert not first(name, State.start(Board.empty(layout(variant, 4))))


def test_forcing_is_not_nested_on_boards_with_too_many_candidates() -> None:
    board = Board.parse("1" + 80 * ".")
    assert not first("nested forcing", State.start(board))


def test_a_way_is_looked_for_only_where_placements_may_refute(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A way is slow to look for, and all candidates are propagated first."""
    (puzzle,) = read(root / "examples" / "rules" / "little-killer.toml")
    state = walk_through(puzzle.board, techniques="..hidden pair").final
    ways, original = [], forcing._way

    def way(*arguments: Any) -> list[State]:
        ways.append(original(*arguments))
        return ways[-1]

    monkeypatch.setattr(forcing, "_way", way)
    steps = list(forcing.forcing(state))
    assert len(steps) > 5
    assert len(ways) < 3 * len(steps)
