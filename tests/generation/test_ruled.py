"""What is promised of puzzles with rules that are made."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.backends.native.boards import forget_the_search
from tests.helpers.volume import volume
from tests.helpers.wrong.answers import fake, stops_at_its_nodes
from unidoku import Board, Killer, Layout, layout, load
from unidoku.backends.native.single import function
from unidoku.core.cells import adjacent
from unidoku.core.hidden import stated
from unidoku.core.regions import hangs_together
from unidoku.core.rules import Rule
from unidoku.errors import InputError, TimeLimitError, WrongAnswerError
from unidoku.formats import Puzzle
from unidoku.generation import PuzzleRequest, generate
from unidoku.generation.ruled import FAMILIES, PLACEABLE_KINDS
from unidoku.generation.ruled.draft import DraftOracle, PuzzleDraft, UndecidedError, superfluous
from unidoku.generation.ruled.families import place_rules
from unidoku.generation.ruled.places import cut, grouped
from unidoku.generation.ruled.run import RuledGeneration
from unidoku.support.deadline import Deadline

SAT, NORVIG = load("sat"), load("norvig")

SMALL = {
    "killer": 4,
    "kenken": 4,
    "kakuro": 5,
    "futoshiki": 4,
    "skyscraper": 4,
    "takuzu": 4,
    "nonogram": 5,
    "star-battle": 6,
}


def single_puzzle(**asked: object) -> Puzzle:
    [puzzle] = RuledGeneration(**{"seed": 1, **asked})  # type: ignore[arg-type]
    return puzzle


def without(board: Board, rule: Rule) -> Board:
    left = [other for other in board.layout.rules if other is not rule]
    return Board.of(replace(board.layout, rules=tuple(left)), board.candidates)


def test_every_family_is_tried_here() -> None:
    assert SMALL.keys() == FAMILIES.keys()


@pytest.mark.parametrize("family", FAMILIES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=volume(3))
def test_two_unlike_backends_find_the_one_solution_of_every_puzzle(family: str, seed: int) -> None:
    puzzle = single_puzzle(family=family, n=SMALL[family], seed=seed)
    for solver in (SAT, NORVIG):
        result = solver.solve(puzzle.board, solutions=2, keep=2)
        assert result.solutions == (puzzle.solution,), solver.label
        assert result.unique


@pytest.mark.parametrize("kind", PLACEABLE_KINDS)
def test_rules_of_every_kind_are_laid_and_keep_the_grid(kind: str) -> None:
    grid = Board.parse("162534345162651423234615526341413256", "classic").givens
    drafts = [
        place_rules(random.Random(seed), layout("classic", 6), grid, (kind,)) for seed in range(9)
    ]
    assert any(draft.board().layout.rules for draft in drafts)
    for draft in drafts:
        assert not [*draft.board().layout.broken(grid)]


def test_sums_of_a_puzzle_with_doublers_count_them_twice() -> None:
    (board,) = generate(rules=["killer", "doubler"], n=4, count=1, seed=3)
    solution = SAT.solve(board, solutions=2)
    assert solution.unique
    totals = sum(rule.total or 0 for rule in stated(board.layout).rules if isinstance(rule, Killer))
    assert totals == 4 * 10 + 10  # all cells are in cages, and each digit is doubled once


@pytest.mark.parametrize("rules", [("killer",), ("thermo", "kropki"), ("sandwich",)])
def test_rules_on_a_variant_make_a_puzzle_of_one_solution(rules: tuple[str, ...]) -> None:
    puzzle = single_puzzle(rules=rules, variant="x", n=6)
    assert SAT.solve(puzzle.board, solutions=2).unique
    assert any(unit.kind == "diagonal" for unit in puzzle.board.layout.units)


def test_a_killer_has_no_givens_and_connected_cages() -> None:
    for board in generate(rules=["killer"], n=6, count=3, seed=5):
        assert not any(board.givens)
        cages = [rule.cage for rule in board.layout.rules if isinstance(rule, Killer)]
        assert sorted(cell for cage in cages for cell in cage) == [*board.layout.cells]
        assert all(hangs_together(cage, adjacent(board.layout)) for cage in cages)


@pytest.mark.parametrize("asked", [{"family": "futoshiki", "n": 4}, {"rules": ("killer",), "n": 4}])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=volume(3))
def test_a_minimal_puzzle_needs_every_given_and_every_rule(
    asked: dict[str, object], seed: int
) -> None:
    board = single_puzzle(**asked, seed=seed, request=PuzzleRequest(minimal=True)).board
    for cell, value in enumerate(board.givens):
        if value:
            values = [*board.givens]
            values[cell] = 0
            assert not SAT.solve(Board.from_values(board.layout, values), solutions=2).unique
    for rule in board.layout.rules:
        # Signs of many pairs are one rule, each of which must be needed.
        pairs = getattr(rule, "pairs", None)
        if pairs is None:
            assert not SAT.solve(without(board, rule), solutions=2).unique
        for pair in pairs or ():
            less = replace(rule, pairs=tuple(other for other in pairs or () if other != pair))  # type: ignore[call-arg]
            rules = tuple(less if other is rule else other for other in board.layout.rules)
            trial = Board.of(replace(board.layout, rules=rules), board.candidates)
            assert not SAT.solve(trial, solutions=2).unique


def test_the_same_seed_makes_the_same_puzzles_and_another_others() -> None:
    first, again, other = (
        [board.digest for board in generate(family="kenken", n=4, count=3, seed=seed)]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_clues_and_symmetry_are_those_of_the_givens() -> None:
    [board] = generate(rules=["xv"], n=6, clues=(6, 8), symmetry="rotational", seed=1)
    given_cells = {cell for cell, value in enumerate(board.givens) if value}
    assert 6 <= len(given_cells) <= 8
    assert {35 - cell for cell in given_cells} == given_cells


def test_an_area_of_star_battle_hangs_together_and_holds_its_star() -> None:
    puzzle = single_puzzle(family="star-battle", n=6)
    areas = puzzle.board.layout.areas
    assert sorted(cell for area in areas for cell in area) == [*puzzle.board.layout.cells]
    assert puzzle.solution is not None
    for area in areas:
        assert hangs_together(area, adjacent(puzzle.board.layout))
        assert sum(puzzle.solution[cell] == 2 for cell in area) == 1


def test_star_battle_has_two_stars_a_line_from_ten_on() -> None:
    puzzle = single_puzzle(family="star-battle", n=10)
    assert sum(value == 2 for value in puzzle.solution or ()) == 20


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"family": "kakura"}, "did you mean 'kakuro'"),
        ({"rules": ("killer", "termo")}, "did you mean 'thermo'"),
        ({"family": "takuzu", "n": 7}, "takuzu: expected a size from 4 to 20, in steps of 2"),
        ({"family": "kenken", "variant": "x"}, "leave the variant out"),
        ({"family": "kenken", "rules": ("thermo",)}, "leave the rules out"),
        ({"family": "kakuro", "request": PuzzleRequest(clues=(3, 3))}, "have no givens"),
        ({"rules": ("thermo",), "count": 0}, "expected one puzzle or more, got 0"),
        ({"rules": ("thermo",), "variant": "jigsaw"}, "give the map of the regions"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_at_once(
    asked: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        RuledGeneration(**asked)  # type: ignore[arg-type]


def test_what_generate_cannot_do_with_rules_is_refused() -> None:
    with pytest.raises(InputError, match="without walk, per_layout and threads"):
        generate(rules=["thermo"], walk=True)
    with pytest.raises(InputError, match="expected a list of kinds, got 'thermo'; put it into a"):
        generate(rules="thermo")


class NotYetCompiled:
    """A compiled search whose compilation takes longer than any limit."""

    is_loaded = False

    def load_within(self, seconds: float) -> bool:
        time.sleep(seconds)
        return False

    def loaded(self) -> None:
        raise AssertionError("waited for the compiler")


def test_a_compilation_is_within_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_the_search(monkeypatch)
    monkeypatch.setattr(function, "SEARCH", NotYetCompiled())
    with pytest.raises(TimeLimitError, match=r"time limit of 0\.1 s reached: 0 of 1"):
        list(generate(family="killer", n=4, time_limit=0.1))


def test_the_time_limit_ends_a_run_with_what_was_made() -> None:
    run = RuledGeneration(family="kenken", n=4, count=None, seed=1, time_limit=0.5)
    assert len([*run]) == run.progress.made > 0
    assert not run.progress.in_time


def cells_in_a_row(rules: tuple[Rule, ...] = ()) -> Layout:
    square = layout("latin", 3)
    return replace(square, rules=rules)


def test_a_judge_that_does_not_know_leaves_it_undecided() -> None:
    oracle = DraftOracle(fake("native", stops_at_its_nodes), Deadline(), 10)
    draft = PuzzleDraft(cells_in_a_row(), (1, 2, 3, 2, 3, 1, 3, 1, 2), (Killer((0, 1), 3),))
    with pytest.raises(UndecidedError):
        oracle.others(draft)
    assert not oracle.unique(draft)
    assert superfluous(draft, oracle) is None


def test_a_judge_that_loses_the_grid_is_a_wrong_answer() -> None:
    impossible = PuzzleDraft(cells_in_a_row(), (1, 2, 3, 2, 3, 1, 3, 1, 2), (Killer((0, 1), 6),))
    with pytest.raises(
        WrongAnswerError, match="finds no solution of a puzzle that was made from a solution"
    ):
        DraftOracle(NORVIG, Deadline(), 1000).others(impossible)


@given(st.randoms(use_true_random=False), st.integers(2, 6))
def test_groups_take_each_cell_once_and_cuts_leave_two_parts(rng: random.Random, n: int) -> None:
    square = layout("latin", n)
    near = adjacent(square)
    groups = grouped(rng, square.cells, near, (2, 3, 4), lambda *_: True)
    assert sorted(cell for group in groups for cell in group) == [*square.cells]
    for group in groups:
        assert hangs_together(group, near)
        for part, rest in cut(rng, group, near):
            assert sorted((*part, *rest)) == [*group]
            assert hangs_together(part, near)
            assert hangs_together(rest, near)
