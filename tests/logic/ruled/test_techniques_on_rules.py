"""Techniques on rules: what each finds, in words, and proved by an exact backend."""

from __future__ import annotations

import re
import tracemalloc
from dataclasses import replace
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

import unidoku
from tests.helpers.technique_cases import ON_RULES, Case, prove, steps
from unidoku import Board, Layout, Status, Unit, layout
from unidoku.analysis.check import unsound_steps
from unidoku.core import rules as r
from unidoku.core.bits import bit, values_of
from unidoku.core.constraints.pruners import pruner, prunes_at_once
from unidoku.draw.paint import STEPS
from unidoku.logic import Ending, State, walk_through
from unidoku.logic.ruled.compared import groups_of
from unidoku.logic.ruled.eliminations import Reason
from unidoku.logic.ruled.local_problem import LocalProblem
from unidoku.logic.ruled.overlap import rule_pointing
from unidoku.logic.ruled.statement import statements_of
from unidoku.logic.show import record, svg

CLASSIC = layout("classic", 9)
NATIVE = unidoku.load("native")
EXAMPLES = Path(__file__).parents[3] / "examples" / "rules"


def cells(names: str) -> tuple[int, ...]:
    return tuple(map(CLASSIC.cell, names.split()))


def ruled(*rules: r.Rule) -> Case:
    return Case(replace(CLASSIC, rules=rules))


def messages(name: str, case: Case) -> list[str]:
    """Return the steps of a technique on a board, each proved, without its name."""
    return [str(step).removeprefix(f"{name} ") for step in steps(name, case.board)]


def test_a_step_about_regions_says_what_is_known_of_them() -> None:
    regions = r.ChaosConstruction((0, 1, 2, 3), (4, 5, 6, 7), columns=2, count=2)
    square = Layout.from_units(
        2, [(0, 1), (2, 3)], shape=(2, 2), hidden=[3] * 4, rules=[regions, r.Holds((5,), (1,))]
    )
    sentences = [step.sentence for step in walk_through(Board.empty(square)).steps]
    assert "already" not in sentences[0]
    assert "; A2 is already in region 1): B1 is in region 2" in sentences[1]
    assert "; A1 and A2 are already 2 cells of region 1; B1 is already in region 2)" in sentences[3]
    last = walk_through(Board.empty(square), techniques="..naked single, short reason").steps[-3]
    known = "A1 and A2 are already 2 cells of region 1: B1 is in region 2; B2 is in region 2"
    assert last.sentence.endswith(f"; {known}")


def test_a_clue_outside_the_grid_says_which_values_cannot_stand_where() -> None:
    rule = r.Skyscraper(cells("A1 A2 A3 A4 A5 A6 A7 A8 A9"), 2)
    (skyscraper,) = messages("line arrangements", ruled(rule))
    assert skyscraper.startswith(
        "line arrangements, 9 cannot be first where 2 are visible (along A1-A9"
    )
    (x_sum, *_) = messages("line arrangements", ruled(r.XSum(rule.line, 10)))
    assert x_sum.startswith(
        "line arrangements, 1 or 6 to 9 cannot be first, 7 or 9 not second where the first X "
        "sum to 10, as the sum of 1 cell is at most 1 and the sum of 6 cells is at least 21"
    )
    (battlefield, *_) = messages("unit in a rule", ruled(r.Battlefield(rule.line, 36)))
    assert battlefield.startswith(
        "unit in a rule, 3 to 7 cannot be first or ninth where the first X and the last Y leave 36"
    )


def test_a_sandwich_names_the_first_value_of_its_board() -> None:
    rule = r.Sandwich((0, 1, 2, 3), 2)
    row = Layout.from_units(4, [range(4)], shape=(1, 4), first_value=0, rules=[rule])
    words = "between 0 and 3 along A1-A4 the values sum to 2"
    assert row.rules[0].words(row.names) == row.in_words(row.rules[0], range(4)) == words


def test_the_few_arrangements_of_a_line_stand_in_its_order() -> None:
    row = Layout.from_units(3, [Unit((0, 1, 2))], shape=(1, 3), rules=[r.Skyscraper((2, 1, 0), 3)])
    (step,) = steps("line arrangements", Board.empty(row))
    assert step.reason == "of 1 2 3 (along A3-A1, 3 are visible)"
    assert step.consequence == "A1 is 3; A2 is 2; A3 is 1"


def test_cells_that_a_run_covers_wherever_it_lies_are_filled() -> None:
    rule = r.NonogramLine((0, 1, 2, 3, 4, 5, 6), (3, 2))
    row = Layout.from_units(2, [], shape=(1, 7), first_value=0, rules=[rule])
    (step,) = steps("run overlap", Board.empty(row))
    assert step.consequence == "A2, A3, A6 are 1"


@pytest.mark.parametrize("filled", [1, 2])
def test_cells_that_no_run_reaches_are_empty(filled: int) -> None:
    rule = r.NonogramLine((0, 1, 2, 3, 4, 5), (2,), filled)
    row = Layout.from_units(2, [], shape=(1, 6), rules=[rule])
    board = Board.from_candidates(row, [{1, 2}, {filled}, *[{1, 2}] * 4])
    (step,) = steps("run overlap", board)
    assert step.consequence == f"A4, A5, A6 are {3 - filled}"


def test_what_goes_either_way_goes() -> None:
    either = r.AnyOf(((r.Thermo(cells("A1 A2 A3 A4")),), (r.Thermo(cells("A4 A3 A2 A1")),)))
    texts = messages("either way", ruled(either))
    assert [text.rpartition(": ")[2] for text in texts] == ["1 and 9 leave A2, A3"]


def test_areas_inside_rows_leave_nothing_to_the_other_cells_of_the_rows() -> None:
    rows, area = r.SumOfCells((0, 1, 2, 3), 1), r.SumOfCells((1, 2, 5), 1)
    grid = Layout.from_units(2, [], shape=(2, 4), first_value=0, rules=[rows, area])
    board = Board.from_values(grid, [0, 0, 0, 0, 0, 1, 0, 0])
    step, *_ = steps("sums compared", board)
    assert step.sentence == ("sums compared (A1-A4 sum to 1; A2 A3 B2 sum to 1): A1, A4 are 0")


def test_chains_go_through_cages_and_say_so() -> None:
    cage = r.Killer(cells("C3 D4"), 10)
    case = ruled(cage).cells((4, 6), "C3 D4").cells((4, 5), "C9").cells((4, 5), "A9")
    case = case.only(4, "D4 D9", "row D")
    rules = [rule.words for step in steps("AIC through rules", case.board) for rule in step.rules]
    assert "the cage C3 D4 sums to 10" in rules


def test_a_rule_without_an_arrangement_is_a_contradiction() -> None:
    board = ruled(r.Killer(cells("A1 A2"), 4)).cells((1, 2), "A1").cells((1, 2), "A2").board
    assert walk_through(board).outcome is Ending.CONTRADICTION
    assert unidoku.solve(board).status is Status.UNSATISFIABLE


def test_placed_cells_that_break_a_rule_contradict_in_its_words() -> None:
    case = ruled(r.SumOfCells(cells("A1 E5 I9"), 8)).cells((1,), "A1").cells((2,), "E5")
    reason = "A1 E5 I9 sum to 8, but A1 is 1, E5 is 2 and I9 is 3"
    assert State.start(case.cells((3,), "I9").board).contradiction == reason


def test_hidden_cells_take_part_in_steps() -> None:
    """Their names are those of the puzzle."""
    row = Layout.from_units(
        4, [[0, 1]], shape=(1, 2), hidden=[0b1000], rules=[r.SumOfCells((0, 1, 2), 7)]
    )
    path = walk_through(Board.empty(row))
    assert not unsound_steps(path, NATIVE)
    assert list(map(str, path.steps)) == [
        "sum bounds, as with any one of A1 and A2 left out the others sum to at least 5 "
        "(A1 A2 #1 sum to 7): 3 and 4 leave A1, A2"
    ]


def test_first_values_are_those_that_people_see() -> None:
    row = Layout.from_units(
        3, [[0, 1, 2]], shape=(1, 3), first_value=0, rules=[r.Killer((0, 1), 1)]
    )
    step = walk_through(Board.empty(row)).steps[0]
    assert str(step) == "combinations of 0+1 (the cage A1 A2 sums to 1): 2 leaves A1, A2"


SOLVED = (
    "between", "counting", "either", "hidden-skyscrapers", "kakuro", "kenken", "killer", "kropki",
    "lunchboxes", "non-consecutive", "nonogram", "pairs", "palindrome", "products", "quadruples",
    "relliks", "renban", "same-sums", "skyscrapers", "star-battle", "sum-lines", "takuzu",
    "x-sums", "xv",
)  # fmt: skip


@pytest.mark.parametrize("name", SOLVED)
def test_the_examples_are_solved_without_forcing_and_every_step_is_proved(name: str) -> None:
    (puzzle,) = unidoku.read(EXAMPLES / f"{name}.toml")
    path = walk_through(puzzle.board, techniques="..grouped AIC")
    assert path.outcome is Ending.SOLVED
    assert not unsound_steps(path, NATIVE)


def test_techniques_on_rules_find_nothing_where_there_are_none() -> None:
    state = State.start(Board.parse("1" + 80 * "."))
    assert len(ON_RULES) == 18
    for row in ON_RULES:
        assert not list(row.steps(state)), row.name


def test_a_step_is_proved_by_the_case() -> None:
    board = ruled(r.Killer(cells("A1 A2"), 4)).board
    for step in walk_through(board, techniques="combinations").steps:
        prove(board, step)


def drawn(name: str) -> str:
    (puzzle,) = unidoku.read(EXAMPLES / f"{name}.toml")
    path = walk_through(puzzle.board, techniques="..line arrangements")
    return svg(path.states[0], path.steps[0], theme="light")


def test_the_cells_of_a_rule_are_outlined_and_tinted_in_pictures_of_its_steps() -> None:
    for kind in ("ruled", "rule-line"):
        assert drawn("xv").count(f'class="{kind}"') == 0, "classes are written as attributes"
    assert drawn("xv").count(STEPS.colours["rule-line"][0]) == 1
    assert drawn("xv").count(STEPS.colours["ruled"][0]) == 1


def test_values_that_a_step_places_are_shown_as_people_see_them() -> None:
    placed = re.findall(r'font-weight="bold"[^>]*>(\d+)</text>', drawn("nonogram"))
    assert placed == ["1"] * 7


def test_clues_stand_outside_the_cells_in_pictures_of_steps() -> None:
    picture = drawn("nonogram")
    (left, top) = map(int, re.findall(r'viewBox="(-\d+) (-\d+) ', picture)[0])
    assert left < -30
    assert top < -20
    clues = re.findall(r'<text[^>]*fill="#1b1b1b"[^>]*x="(-?[\d.]+)" y="(-?[\d.]+)"', picture)
    assert clues
    assert all(float(x) < 0 or float(y) < 0 for x, y in clues)


def test_a_record_has_the_rules_of_each_step_in_words() -> None:
    (puzzle,) = unidoku.read(EXAMPLES / "killer.toml")
    steps_of_path = record(walk_through(puzzle.board, techniques="combinations"))["steps"]
    assert steps_of_path[0]["rules"] == [
        {"words": "the cage A6 B5 B6 sums to 7", "cells": ["A6", "B5", "B6"]}
    ]


def star_layout(seed: int) -> Layout:
    """Return rows, columns and four random areas of a square, each with one star."""
    random, size = Random(seed), 4
    owner = dict.fromkeys(range(size * size), -1)
    for area, cell in enumerate(random.sample(sorted(owner), size)):
        owner[cell] = area
    while -1 in owner.values():
        cell, step = random.choice(sorted(owner)), random.choice((1, size))
        if cell + step in owner and (step == size or (cell + 1) % size):
            first, second = owner[cell], owner[cell + step]
            if -1 in (first, second):
                owner[cell] = owner[cell + step] = max(first, second)
    groups = [[*range(size * row, size * row + size)] for row in range(size)]
    groups += [[*range(column, size * size, size)] for column in range(size)]
    groups += [[cell for cell in owner if owner[cell] == area] for area in range(size)]
    rules = [r.SumOfCells(tuple(cells), 1) for cells in groups]
    return Layout.from_units(2, [], shape=(size, size), first_value=0, rules=rules)


def test_groups_of_lines_lose_no_grid_and_find_what_areas_inside_them_leave() -> None:
    random, pruned = Random(5), 0
    for seed in range(30):
        layout = star_layout(seed)
        areas = [set(rule.cells) for rule in layout.rules[8:]]
        stars = [{4 * row + column for row, column in enumerate(p)} for p in permutations(range(4))]
        grids = [grid for grid in stars if all(len(grid & area) == 1 for area in areas)]
        for group in groups_of(layout):
            masks = [random.choice((1, 2, 3, 3, 3, 3, 1)) for _ in layout.cells]
            before = group.candidates_of(masks)
            after = group.pruned(before)
            pruned += after != before
            for grid in grids:
                holds = [2 if cell in grid else 1 for cell in group.cells]
                if all(known & mask for known, mask in zip(holds, before, strict=True)):
                    assert after is not None
                    assert all(known & mask for known, mask in zip(holds, after, strict=True))
    assert pruned > 50


@pytest.mark.parametrize("seed", range(8))
def test_what_a_rule_needs_and_what_one_of_its_cells_leaves_are_as_single_trials_show(
    seed: int,
) -> None:
    rng = Random(seed)
    inside = tuple(sorted(rng.sample(range(9), 4)))
    rule = rng.choice([r.Killer(inside, rng.randint(14, 26)), r.Thermo(inside), r.Renban(inside)])
    for statement in statements_of(CLASSIC.with_rules(rule)):
        problem = statement.problem
        candidates = tuple(rng.randrange(1, 1 << 9) | rng.randrange(1, 1 << 9) for _ in inside)
        without = {
            value: tuple(mask & ~bit(value) for mask in candidates) for value in range(1, 10)
        }
        for value, lacking in without.items():
            is_needed = 0 not in lacking and not problem.pruned(lacking)
            assert problem.needs(candidates) >> value - 1 & 1 == is_needed
            every = [0] * len(inside)
            for index, mask in enumerate(candidates):
                trial = (*candidates[:index], bit(value), *candidates[index + 1 :])
                after = problem._prune(trial, by_units=True) if mask & bit(value) else None
                every = [a | b for a, b in zip(every, after or (0,) * len(every), strict=True)]
            left = problem.pruned_if_one_of(candidates, value, statement.mask)
            assert left == (tuple(every) if all(every) else None)


def test_that_a_rule_needs_no_value_is_seen_by_two_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    (statement,) = statements_of(CLASSIC.with_rules(r.Thermo((0, 1))))
    pruned = Mock(side_effect=statement.problem._prune)
    monkeypatch.setattr(statement.problem, "_prune", pruned)
    assert statement.problem.needs((0b111111111,) * 2) == 0
    assert pruned.call_count == 2


@pytest.mark.parametrize("seed", range(8))
def test_supported_values_of_a_sum_are_those_of_its_arrangements(seed: int) -> None:
    rng = Random(seed)
    inside = tuple(sorted(rng.sample((0, 1, 2, 9, 13, 40, 80), 4)))
    total = rng.randint(8, 32)
    (statement,) = statements_of(CLASSIC.with_rules(r.SumOfCells(inside, total)))
    candidates = tuple(bit(rng.randint(1, 9)) | rng.randrange(1, 1 << 9) for _ in inside)
    apart = [(a, b) for a, b in combinations(range(4), 2) if inside[b] in CLASSIC.peers[inside[a]]]
    every = [0] * 4
    for row in product(*map(values_of, candidates)):
        if sum(row) == total and all(row[a] != row[b] for a, b in apart):
            every = [mask | bit(value) for mask, value in zip(every, row, strict=True)]
    supported = statement.problem.supported_values(candidates)
    assert supported == (tuple(every) if all(every) else None)


class Emptied(dict[object, object]):
    """A cache that another thread empties whenever something is stored."""

    def __setitem__(self, key: object, result: object) -> None:
        """Forget it at once."""


def test_what_a_thread_found_is_returned_although_another_empties_the_cache() -> None:
    (statement,) = statements_of(CLASSIC.with_rules(r.Killer((0, 1, 2), 7)))
    problem = LocalProblem(CLASSIC, statement.cells, statement.constraints)
    for name, content in vars(problem).items():
        if isinstance(content, dict):
            setattr(problem, name, Emptied())
    every = (0b111111111,) * 3
    assert problem.pruned(every) == problem.supported_values(every) == (0b1011,) * 3
    assert problem.needs(every) == 0b1011
    assert problem.pruned_if_one_of(every, 4, 0b001) == (0b1000, 0b0011, 0b0011)
    assert ((0, 4), (1, 4), False) in problem.links((0b1011,) * 3)


@pytest.mark.parametrize("seed", range(8))
def test_a_pruner_that_is_run_only_once_would_remove_nothing_more(seed: int) -> None:
    rng = Random(seed)
    line = tuple(rng.sample(range(81), 5))
    rules = (
        r.Killer(line, rng.randint(15, 35)),
        r.SumOfCells(line, rng.randint(10, 40)),
        r.Arrow(line[:1], line[1:]),
        r.Renban(line),
        r.Whispers(line),
        r.Sandwich(tuple(range(9)), rng.randint(2, 30)),
        r.Skyscraper(tuple(range(9)), rng.randint(1, 8)),
    )
    seen = 0
    for statement in statements_of(CLASSIC.with_rules(*rules)):
        constraint = statement.constraint
        if len(statement.constraints) > 1 or not prunes_at_once(constraint, 9):
            continue
        prune = pruner(constraint, 9)
        left = [rng.randrange(1, 1 << 9) | rng.randrange(1, 1 << 9) for _ in CLASSIC.cells]
        if (removals := prune(left)) is not None:
            for cell, gone in removals:
                left[cell] &= ~gone
            assert prune(left) == []
            seen += len(removals)
    assert seen


def test_what_candidates_of_a_large_board_exclude_is_not_kept() -> None:
    large = replace(layout("latin", 25), rules=(r.SumOfCells(tuple(range(5)), 20),))
    state = State.start(Board.empty(large))
    tracemalloc.start()
    try:
        list(rule_pointing(state))
        memory, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert memory < 4 << 20  # all of it takes 36 MB


def test_of_many_rules_the_first_four_are_quoted_and_the_others_counted() -> None:
    pairs = [r.Killer((cell, cell + 1), 9) for cell in range(0, 12, 2)]
    words = str(Reason(statements_of(CLASSIC.with_rules(*pairs))))
    assert words.count("sums to 9") == 4
    assert words.endswith("; and 2 rules more)")
