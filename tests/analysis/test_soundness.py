"""No step removes a candidate that is true in some solution: an exact backend is the oracle."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings

import unidoku
from tests.helpers.boards import HARD, MANY
from tests.helpers.volume import SOAK, volume
from unidoku import Board, Layout, Request, Result, Solver, Unit, layout
from unidoku.analysis.check import unsound_steps
from unidoku.errors import TimeLimitError, UnsupportedError
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.logic import (
    TECHNIQUES,
    State,
    Step,
    Technique,
    Walkthrough,
    chosen,
    up_to,
    usual,
    walk_through,
)
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import with_rules
from unidoku.testing.strategies import boards, named_layouts, unit_systems

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("UNIDOKU_DATA", ROOT.parent / "shared" / "data"))
NATIVE = unidoku.load("native")
NORVIG = unidoku.load("norvig")

QUICK = tuple(row for row in TECHNIQUES if row.family != "forcing")
QUICK_RULED = tuple(row for row in QUICK if not row.needs_uniqueness)
QUICK_USUAL = up_to("grouped AIC")
FORCING = chosen("forcing contradiction, nested forcing")
"""Forcing takes long, and is looked for where the others stall."""

MOST = 3
"""Steps of one technique that are looked at in one state."""


def assert_sound(
    state: State, true: tuple[int, ...], unique: bool, techniques: Sequence[Technique]
) -> None:
    """Assert that no step of these techniques removes what is true, of cells that are shown."""
    remaining = (*true, *[0] * (len(state.layout) - len(true)))
    for technique in techniques:
        if technique.refuses(state.layout) or (technique.needs_uniqueness and not unique):
            continue
        for step in islice(technique.steps(state), MOST):
            for cell, value in step.eliminations:
                assert not remaining[cell] >> (value - 1) & 1, f"{state.board!r}: {step}"
            for cell, value in step.placements:
                assert remaining[cell] in (0, 1 << (value - 1)), f"{state.board!r}: {step}"


@settings(max_examples=volume(12))
@given(boards(unit_systems() | named_layouts()))
def test_no_step_of_any_technique_is_wrong_on_random_layouts(board: Board) -> None:
    true = unidoku.true_candidates(board, backend="norvig").candidates
    unique = all(mask and not mask & (mask - 1) for mask in true)
    for state in walk_through(board, techniques=QUICK_USUAL).states:
        if not state.contradiction:
            assert_sound(state, true, unique, QUICK)


@settings(max_examples=volume(10))
@given(boards(unit_systems()))
def test_no_step_by_forcing_is_wrong_on_random_layouts(board: Board) -> None:
    true = unidoku.true_candidates(board, backend="norvig").candidates
    state = walk_through(board, techniques=QUICK_USUAL).final
    if not state.contradiction:
        assert_sound(state, true, False, FORCING)


RANDOM_RULED = 20
"""Random boards with rules; 2,000 where ``UNIDOKU_SOAK`` is 100."""


@pytest.mark.volume
def test_no_step_of_any_technique_is_wrong_on_random_boards_with_rules() -> None:
    solved = 0
    for seed in range(volume(RANDOM_RULED)):
        board = _random_ruled_board(random.Random(seed))
        true = unidoku.true_candidates(board, backend="sat").candidates
        path = walk_through(board, techniques=QUICK_USUAL)
        solved += path.grid is not None
        assert_path_sound(path, true)
        for state in path.states[:: max(1, len(path.states) // 2)] if any(true) else ():
            if not state.contradiction:
                assert_sound(state, true, False, QUICK_RULED if seed % 8 else FORCING[:1])
    assert solved > volume(RANDOM_RULED) / 10


def _random_ruled_board(rng: random.Random) -> Board:
    """Return a board of a random layout with random rules, half of the time kept by a grid."""
    _, source = random_layout(rng, rng.choice((3, 4, 4, 5, 6, 6)))
    small = (
        with_rules(rng, source.layout, source.grid, most=6)
        if len(source.layout) > 1
        else source.layout
    )
    return random_board(rng, RandomLayout(small, source.grid, source.hard))


def assert_path_sound(path: Walkthrough, true: Sequence[int]) -> None:
    """Assert that no step of a path removes what is true; hidden cells are not looked at."""
    for number, state in enumerate(path.states):
        for cell, mask in enumerate(true):
            assert not mask & ~state.candidates[cell], f"{path.board!r}: {path.steps[number - 1]}"


CORPUS = DATA / "rules" / "visible.jsonl"


@pytest.mark.thorough
@pytest.mark.volume
def test_no_step_is_wrong_on_the_puzzles_of_setters() -> None:
    """Paths are compared with the known solution, or with that of an exact backend."""
    if not CORPUS.exists():
        pytest.skip(f"not there: {CORPUS}")
    known = {
        (item := json.loads(line))["name"]: item for line in CORPUS.read_text("utf-8").splitlines()
    }
    unread: list[object] = []
    puzzles = list(puzzles_in(Source(str(CORPUS)), lambda *message: unread.append(message)))
    solved = 0
    for puzzle in puzzles[:: 1 if SOAK else 48]:
        path = walk_through(puzzle.board, techniques=QUICK_USUAL, time_limit=20)
        solved += path.grid is not None
        if solution := known[puzzle.name]["solution"]:
            low = known[puzzle.name]["values"][0]
            values = [int(sign, 36) - low + 1 for sign in solution if sign != "#"]
            assert_path_sound(path, [1 << value - 1 for value in values])
    assert solved > 2


COLLECTIONS = {"minimal.txt": 1880, "top1465.txt": 80, "forum_hardest_1905.txt": 40}


@pytest.mark.thorough
@pytest.mark.volume
@pytest.mark.parametrize("name", COLLECTIONS)
def test_no_step_is_wrong_on_two_thousand_puzzles(name: str) -> None:
    """Each path is compared with the solution, and at its harder states every technique."""
    if not (DATA / name).exists():
        pytest.skip(f"not there: {DATA / name}")
    wanted = min(COLLECTIONS[name], volume(COLLECTIONS[name] // 20))
    lines = (DATA / name).read_text().split()[:wanted]
    known = NATIVE.solve_many(lines, solutions=2)
    assert known.unique.all()
    for number, line in enumerate(lines):
        true = tuple(1 << int(value) - 1 for value in known.grids[number])
        path = walk_through(Board.parse(line), techniques=QUICK_USUAL)
        for step, state in zip(path.steps, path.states, strict=False):
            assert_true(step, true)
            if number % 50 == 0 and step.eliminations:
                assert_sound(state, true, unique=True, techniques=QUICK)
        if number % 50 == 0 and not path.grid:
            assert_sound(path.final, true, unique=True, techniques=FORCING[:1])


def assert_true(step: Step, true: tuple[int, ...]) -> None:
    for cell, value in step.eliminations:
        assert not true[cell] >> (value - 1) & 1, str(step)
    for cell, value in step.placements:
        assert true[cell] >> (value - 1) & 1, str(step)


def careless(state: State) -> Iterator[Step]:
    """Take a partial unit for a full one."""
    for unit in state.layout.units:
        for value in range(1, state.layout.n + 1):
            places = [cell for cell in unit.cells if state.has(cell, value)]
            if len(places) == 1:
                yield Step(
                    layout=state.layout,
                    reason=f"{value} in {unit}",
                    placements=((places[0], value),),
                    pattern=((places[0], value),),
                )


CARELESS = Technique(name="hidden single in any unit", find=careless, rating=1.5, score=14)


def test_a_step_that_loses_a_solution_is_named() -> None:
    short = Layout.from_units(3, [Unit((0, 1), name="pair")], shape=(1, 2))
    board = Board.from_candidates(short, [{1, 2}, {2, 3}])
    path = walk_through(board, techniques=[CARELESS])
    assert path.steps[0].sentence == "hidden single in any unit 1 in pair: A1 is 1"
    assert unsound_steps(path, NORVIG) == (0, 1)


def test_what_a_wrong_placement_takes_from_its_peers_counts() -> None:
    board = Board.empty(layout("latin", 2))
    state = State.start(board)
    step = Step(layout=board.layout, reason="a guess", placements=((0, 1),))
    path = Walkthrough(board, (step,), (state, state.after(step)))
    assert unsound_steps(path, NORVIG) == (0,)


def test_on_a_board_without_solutions_no_step_is_wrong() -> None:
    board = Board.parse("11.. .... .... ....")
    assert unsound_steps(walk_through(board), NORVIG) == ()


def test_a_proof_asks_two_questions_where_the_solution_is_unique() -> None:
    path = walk_through(Board.parse(HARD), techniques=usual()[:3])
    counting = Counting(NORVIG)
    assert unsound_steps(path, counting.solver) == ()
    assert counting.searches == 1


def test_true_candidates_take_fewer_searches_than_there_are_candidates() -> None:
    board = Board.empty(layout("classic", 4))
    counting = Counting(NORVIG)
    candidates = unidoku.true_candidates(board, backend=counting.solver)
    assert candidates == board
    assert counting.searches < 64


@settings(max_examples=volume(50))
@given(boards())
def test_the_backbone_is_the_cells_with_one_true_candidate(board: Board) -> None:
    true = unidoku.true_candidates(board, backend="norvig")
    counting = Counting(NORVIG)
    assert unidoku.backbone(board, backend=counting.solver) == true.givens
    assert counting.searches <= len(board.layout) + 1


def test_what_is_not_decided_proves_nothing() -> None:
    path = walk_through(Board.parse(MANY), techniques=usual()[:3])
    with pytest.raises(TimeLimitError, match=r"not decided within 0\.01 s"):
        unsound_steps(path, NORVIG, time_limit=0.01)
    with pytest.raises(UnsupportedError, match="not complete"):
        unsound_steps(path, unidoku.load("logic"))


class Counting:
    """Counts the searches of a solver."""

    def __init__(self, solver: Solver) -> None:
        self.searches = 0
        self._backend = solver.backend
        self.solver = Solver(solver.spec, self)

    def search(self, board: Board, request: Request) -> Result:
        self.searches += 1
        return self._backend.search(board, request)
