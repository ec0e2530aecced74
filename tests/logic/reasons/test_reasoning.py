"""Short reasons: minimal, proved, the cheapest first, in words that a person can follow."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.technique_cases import Case, prove
from unidoku import Board, Layout, layout, read, solve, true_candidates
from unidoku.analysis.core_reasons import CoreReasons, with_cores
from unidoku.core.bits import bit, bits_of
from unidoku.core.constraints.primitives import Sum
from unidoku.core.rules import Killer, PairSum, SumOfCells, Thermo
from unidoku.core.transforms.simplify import WithImplied
from unidoku.files.examples import find_example
from unidoku.logic import TECHNIQUES, State, Step, chosen, steps_from, technique, walk_through
from unidoku.logic.geometry import cells_of
from unidoku.logic.reasons import reasoning
from unidoku.logic.reasons.parts import LOOK, Around, parts_of
from unidoku.logic.reasons.propagation import Deduction, Propagation
from unidoku.logic.reasons.reasoning import MOST_PARTS, short_reason
from unidoku.logic.reasons.search import Reason, assumed, cheapest, pairs_by_cost
from unidoku.logic.ruled.remainders import ImpliedSum
from unidoku.logic.ruled.statement import statements_of
from unidoku.testing import truth
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout, random_layout
from unidoku.testing.rules import with_rules

CLASSIC = layout("classic", 9)
SINGLES = chosen("..naked single, short reason")
HARD = "..5.....3.....58.......9........2..1.274..3...1.3.7.9.17.2.....8.61....5..2...4.."


def reason_of(board: Board) -> Step:
    """Return the short reason of a board, proved by an exact backend."""
    (step,) = technique("short reason").steps(State.start(board))
    prove(board, step)
    return step


def stalled(example: str, last: str = "grouped AIC", number: int = 0) -> State:
    """Return where techniques up to one stall on a board of the examples."""
    return walk_through(find_example(example).puzzles()[number].board, techniques=f"..{last}").final


def test_a_hidden_pair_is_a_reason_of_two_parts_that_removes_all_others_of_both_cells() -> None:
    case = Case(CLASSIC).only(4, "C5 C6", "row C, box 2").only(8, "C5 C6", "row C, box 2")
    assert reason_of(case.board).sentence == (
        "short reason of 2 parts, box 2 has 4 only in C5 or C6 and 8 only in C5 or C6: "
        "1, 2, 3, 5, 6, 7 and 9 leave C5, C6"
    )


def test_an_x_wing_is_a_reason_of_two_parts() -> None:
    step = reason_of(Case(CLASSIC).only(5, "A2 A7", "row A").only(5, "E2 E7", "row E").board)
    assert "row A has 5 only in A2 or A7; row E has 5 only in E2 or E7" in step.reason
    assert len(step.eliminations) == 14
    assert [str(unit) for unit in step.units] == ["row A", "row E"]


def test_more_than_two_parts_are_told_as_what_follows_if_a_candidate_is_true() -> None:
    case = Case(CLASSIC).cells((2, 4), "D2").only(4, "D6 F5", "box 5").only(2, "B2 B5", "row B")
    assert reason_of(case.board).sentence == (
        "short reason of 3 parts, if B5 is 4, then B2 is 2 (row B), D6 is 4 (box 5), "
        "and nothing is left for D2; the others contradict the same parts: 2 leaves F5; 4 leaves B5"
    )


def test_a_unit_without_a_name_is_said_by_its_first_and_last_cell() -> None:
    units = tuple(replace(unit, name="") for unit in CLASSIC.units)
    case = Case(replace(CLASSIC, units=units))
    for value in (4, 8):
        for cell in CLASSIC.units[2].cells + CLASSIC.units[19].cells:
            if CLASSIC.names[cell] not in ("C5", "C6"):
                case.without(value, CLASSIC.names[cell])
    assert "box A4-C6 has 4 only in C5 or C6 and 8 only in C5 or C6" in reason_of(case.board).reason


def test_a_rule_is_a_part_and_is_said_in_its_own_words() -> None:
    board = Board.empty(
        replace(layout("classic", 4), rules=(Killer((0, 1), 3), Thermo((0, 4, 8, 12))))
    )
    step = next(technique("short reason").steps(State.start(board)))
    assert step.rules
    assert all(basis.words in step.reason for basis in step.rules)


def test_two_cages_that_cannot_be_filled_alike_are_a_reason_of_two_parts() -> None:
    """A cage of 3 in row A leaves 1 and 2 nowhere else in the row, so 12 is not 9 with others."""
    board = Board.empty(replace(CLASSIC, rules=(Killer((0, 1), 3), Killer((2, 3, 12), 6))))
    state = walk_through(board, techniques="..grouped AIC").final
    for step in technique("short reason").steps(state):
        prove(state.board, step)


@pytest.mark.parametrize("example", ["x", "jigsaw"])
def test_where_chains_stall_a_reason_goes_on(example: str) -> None:
    state = stalled(example)
    assert not state.is_solved
    step = next(technique("short reason").steps(state))
    prove(state.board, step)


def test_techniques_speak_first_and_a_short_reason_before_any_forcing() -> None:
    names = [row.name for row in TECHNIQUES]
    assert names.index("grouped AIC") < names.index("short reason")
    assert names.index("short reason") < names.index("forcing contradiction")
    state = stalled("x")
    step, _ = next(steps_from(state, chosen("usual")))
    assert step.technique == "short reason"


def test_no_part_of_a_reason_can_be_left_out_and_none_that_is_found_is_cheaper() -> None:
    state = walk_through(HARD, techniques="..claiming").final
    propagation = Propagation(parts_of(state.layout), state.candidates)
    reason = cheapest(state, propagation)
    assert reason is not None
    cell, value = reason.removed[0]
    assumption = [(cell, bit(value), 0)]
    for part in bits_of(reason.parts):
        assert propagation.refuted(assumption, allowed=reason.parts & ~(1 << part)) is None
    for cell, value in state.all_in(CLASSIC.cells):
        cheaper = propagation.refuted([(cell, bit(value), 0)], bound=reason.cost - 1)
        assert cheaper is None or not state.has(cell, value)


def test_the_cost_is_what_a_person_has_to_hold_in_mind() -> None:
    case = Case(CLASSIC).cells((3, 7), "A1").cells((1, 2, 3), "A2").only(5, "B1 B9", "row B")
    propagation = Propagation(parts_of(CLASSIC), case.board.candidates)
    number_of_place = next(
        number
        for number, part in enumerate(propagation.parts.all)
        if part.kind == "place" and str(part.unit) == "row B" and part.value == 5
    )
    assert [propagation.weights[number] for number in (0, 1, 2, number_of_place)] == [
        LOOK,
        LOOK + 1,
        11,
        LOOK,
    ]
    assert propagation.cost(0b11) == 2 * LOOK + 1


def test_minimal_boards_are_explained_by_singles_and_reasons_alone() -> None:
    path = walk_through(HARD, techniques=SINGLES)
    assert path.grid is not None
    assert path.counts["short reason"] > 10
    assert max(len(step.rules) + len(step.units) for step in path.steps) <= 8


def test_no_reason_removes_a_candidate_of_a_solution_on_random_boards_with_random_rules() -> None:
    reasons = 0
    for seed in range(40):
        rng = random.Random(seed)
        _, source = random_layout(rng, rng.choice((3, 4, 4, 5)))
        if len(source.layout) < 2:
            continue
        ruled = with_rules(rng, source.layout, source.grid, most=4)
        board = random_board(rng, RandomLayout(ruled, source.grid, source.hard))
        true = true_candidates(board, backend="sat").candidates
        if not any(true):
            continue
        state = State.start(board)
        for _ in range(6):
            step = next(technique("short reason").steps(state), None)
            if step is None:
                break
            reasons += 1
            state = state.after(step)
            for cell, mask in enumerate(true):
                assert not mask & ~state.candidates[cell], f"seed {seed}: {step}"
    assert reasons > 40


def test_derived_sums_follow_from_their_units_and_cages_alone(root: Path) -> None:
    """A solver that knows no more finds grids with the sum, none with a smaller or a larger one."""
    board = read(root / "examples" / "rules" / "killer.toml")[0].board
    derived = [
        part for part in parts_of(board.layout).all if isinstance(part.statement, ImpliedSum)
    ]
    assert max(len(part.units) for part in derived) > 1
    grid = solve(board).solutions[0]
    for part in derived:
        assert isinstance(part.statement, ImpliedSum)
        assert truth.holds(part.statement.constraint, grid)
    for statement in [part.statement for part in derived if len(part.units) == 1][:4]:
        assert isinstance(statement, ImpliedSum)
        constraint = statement.constraint
        assert isinstance(constraint, Sum)
        rules = tuple(dict.fromkeys(cage.rule for cage in statement.cages if cage.rule))
        alone = replace(board.layout, units=statement.units, rules=rules)
        total = constraint.low
        terms = [*zip(constraint.cells, constraint.weights, strict=True)]
        for low, high in ((total, total), (total - 99, total - 1), (total + 1, total + 99)):
            claimed = WithImplied.of(alone, (Sum.of(terms, low, high),))
            result = solve(Board.empty(claimed), backend="sat", solutions=1)
            assert bool(result.solutions) is (low == high), statement.words


def test_a_derived_sum_is_one_part_with_its_units_and_a_sentence_of_its_own() -> None:
    """Two cages cover eight cells of row A: the ninth, and the outie in B1, differ by their sum."""
    cages = (Killer((0, 1, 2, 3), 10), Killer((4, 5, 6, 9), 14))
    board = Board.empty(replace(CLASSIC, rules=cages))
    derived = [
        part for part in parts_of(board.layout).all if isinstance(part.statement, ImpliedSum)
    ]
    assert [part.statement.words for part in derived if part.statement] == [
        "A8 + A9 - B1 = 21 by row A and the cages",
        "A5 + A6 + A7 + A8 + A9 = 35 by row A and the cages",
    ]
    assert [str(unit) for unit in derived[0].units] == ["row A"]
    propagation = Propagation(parts_of(board.layout), board.candidates)
    number = propagation.parts.all.index(derived[0])
    assert propagation.weights[number] == 2 * LOOK + 2
    assert propagation.refuted([(7, bit(1), 0)], allowed=1 << number) == 1 << number


def test_rules_that_empty_a_cell_contradict_each_other_without_a_look_at_the_cell() -> None:
    """Otherwise the parts of a contradiction alone may not show it: rules run in another order."""
    board = Board.empty(CLASSIC.with_rules(Killer((0, 1), 3), Killer((1, 2), 17)))
    propagation = Propagation(parts_of(board.layout), board.candidates)
    rules = sum(1 << n for n, part in enumerate(propagation.parts.all) if part.kind == "rule")
    assumptions = [(0, bit(1), 0), (2, bit(9), 0)]
    assert propagation.refuted(assumptions, allowed=rules) == rules
    assert propagation.smallest(assumptions, rules) == rules


def test_stars_that_do_not_touch_are_looked_at_around_a_cell() -> None:
    nearby = [(a, b) for a in range(16) for b in range(a + 1, 16) if b - a in (1, 3, 4, 5)]
    pairs = [(a, b) for a, b in nearby if abs(a % 4 - b % 4) < 2]
    rules = (PairSum(tuple(pairs), 2, never=True), SumOfCells((0, 1, 2), 1))
    board = Board.empty(Layout.from_units(2, [], shape=(4, 4), first_value=0, rules=rules))
    around = [part for part in parts_of(board.layout).all if isinstance(part.statement, Around)]
    assert [len(part.cells) for part in around] == [4, 6, 6, 4, *[6, 9, 9, 6] * 2, 4, 6, 6, 4]
    assert reason_of(board).sentence == (
        "short reason of 2 parts, A1-A3 sum to 1; around B2: pairs do not sum to 2: 1 leaves B2"
    )


@pytest.mark.parametrize("seed", range(100, 120))
def test_what_a_contradiction_follows_from_shows_it_alone(seed: int) -> None:
    rng = random.Random(seed)
    _, source = random_layout(rng, 4)
    ruled = with_rules(rng, source.layout, source.grid, most=5)
    state = State.start(random_board(rng, RandomLayout(ruled, source.grid, source.hard)))
    propagation = Propagation(parts_of(state.layout), state.candidates)
    for candidate in state.all_in(cells_of(state.empty)):
        if (refutation := propagation.refuted(assumed(candidate))) is not None:
            assert propagation.refuted(assumed(candidate), allowed=refutation) is not None


def test_a_reason_of_cores_is_taken_where_propagation_finds_none(monkeypatch: Any) -> None:
    state = State.start(Board.parse(HARD))
    known = cheapest(state)
    assert known is not None
    monkeypatch.setattr(reasoning, "cheapest", lambda *_: None)
    (step,) = short_reason(state, lambda _: Reason(0b111, 9, known.removed, by_chain=False))
    assert step.eliminations == known.removed
    assert step.reason.startswith("of 3 parts, A1 is 2, 4, 6, 7 or 9; A2 is 4, 6, 8 or 9; A3 is 5")


def test_a_wrong_deduction_would_be_refuted(monkeypatch: Any) -> None:
    """The oracle of these tests notices a rule that removes one value too many."""
    board = Board.empty(replace(layout("classic", 4), rules=(Killer((0, 1), 5),)))
    problem = statements_of(board.layout)[0].problem
    pruned = problem.pruned

    def too_much(candidates: tuple[int, ...]) -> tuple[int, ...] | None:
        single = any(mask.bit_count() == 1 for mask in candidates)
        return None if single else pruned(candidates)

    monkeypatch.setattr(problem, "pruned", too_much)
    (step,) = technique("short reason").steps(State.start(board))
    with pytest.raises(AssertionError, match="is true in a solution"):
        prove(board, step)


def test_a_trace_holds_only_what_the_contradiction_follows_from() -> None:
    case = Case(CLASSIC).cells((2, 4), "D2").only(4, "D6 F5", "box 5").only(2, "B2 B5", "row B")
    propagation = Propagation(parts_of(CLASSIC), case.board.candidates)
    trace: list[Deduction] = []
    cell = CLASSIC.cell("F5")
    propagation.refuted([(cell, bit(2), 0)], trace=trace)
    assert [deduction.event for deduction in trace] == ["is", "is", "contradiction"]


@pytest.mark.parametrize(
    "name",
    [
        *("futoshiki", "kakuro", "killer", "skyscrapers", "star-battle", "thermo", "xv"),
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in ("kropki", "takuzu", "sandwich", "x-sums", "renban", "whisper")
        ),
    ],
)
def test_puzzles_of_all_genres_are_explained_by_singles_and_reasons_of_few_parts(
    name: str, root: Path
) -> None:
    """What the paper of Demystify shows: singles aside, no deduction needs more than four parts.

    The sandwich does without its own techniques: some of its steps add up several sums, and where
    propagation alone finds no reason that is small enough, a solver names its parts.
    """
    is_sandwich = name == "sandwich"
    most = MOST_PARTS if is_sandwich else 4
    rows = tuple(with_cores(SINGLES, CoreReasons())) if is_sandwich else SINGLES
    board = read(root / "examples" / "rules" / f"{name}.toml")[0].board
    end = start = State.start(board)
    for step, after in steps_from(start, rows):
        end = after
        if step.technique == "short reason":
            assert int(step.reason.split()[1]) <= most, step
    assert end.is_solved


def test_pairs_come_by_their_cost_and_have_a_cell_in_common_or_cells_that_differ() -> None:
    cages = Killer((0, 1), 3), Killer((1, 2), 5), Killer((4, 5, 6), 9), Killer((15,), 4)
    state = State.start(Board.empty(layout("classic", 4).with_rules(*cages)))
    parts = parts_of(state.layout)
    propagation = Propagation(parts, state.candidates)
    pairs = [*pairs_by_cost(state, propagation)]
    assert [cost for cost, _ in pairs] == sorted(propagation.cost(pair) for _, pair in pairs)
    cells = [{frozenset(parts.all[number].cells) for number in bits_of(pair)} for _, pair in pairs]
    assert {frozenset({0, 1}), frozenset({1, 2})} in cells
    assert {frozenset({0, 1}), frozenset({15})} not in cells
    for first, second in map(tuple, cells):
        seen = [{*cells_of(state.geometry.sees[cell])} for cell in first]
        assert first & second or sum(len(first_cells & second) for first_cells in seen) > 1
