"""What single finds without a guess."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import permutations, product
from operator import mul
from random import Random

import pytest

import unidoku
from tests.backends.native.alone import in_a_row, kinds, left, tables
from tests.backends.native.boards import SINGLE
from unidoku import Board, Layout, Stop, layout
from unidoku.backends.native.single.build.machines import classes_of, live, live_if_apart
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.core import rules as r
from unidoku.core.bits import values_of
from unidoku.core.constraints.automaton import machine_of_steps
from unidoku.core.constraints.primitives import Automaton
from unidoku.core.transforms.implied import with_implied

pytestmark = pytest.mark.usefixtures("form")


def test_what_follows_from_the_rules_alone_is_found_once_for_all_boards_of_a_layout() -> None:
    rows = [r.NonogramLine(tuple(range(5 * row, 5 * row + 5)), (2, 2)) for row in range(2)]
    columns = [r.NonogramLine((column, column + 5), (2,)) for column in (0, 1, 3, 4)]
    ruled = Layout.from_units(2, [], shape=(2, 5), rules=[*rows, *columns], first_value=0)
    result = SINGLE.solve(Board.empty(ruled), solutions=2)
    assert (result.count, result.statistics["propagations"]) == (1, 0)
    open_ones = Layout.from_units(2, [], shape=(2, 5), rules=rows[:1], first_value=0)
    board = Board.of(open_ones, (1, *[3] * 9))
    assert SINGLE.solve(board, solutions=2).stop is Stop.EXHAUSTED, "the first cell is black"


def test_rules_that_no_grid_fulfils_leave_no_solution_of_any_board() -> None:
    ruled = in_a_row(3, 4, [r.Killer((0, 1), 7), r.Killer((1, 2), 3)])
    for candidates in ((15, 15, 15), (1, 2, 4)):
        result = SINGLE.solve(Board.of(ruled, candidates), solutions=None)
        assert (result.count, result.stop) == (0, Stop.EXHAUSTED)
        assert (result.statistics["nodes"], result.statistics["failures"]) == (1, 1)


def test_a_cage_of_all_values_is_a_unit() -> None:
    cage = tuple(range(0, 81, 10))
    caged = with_implied(replace(layout("classic", 9), rules=(r.Killer(cage),)))
    assert Propagator.SETS not in kinds(caged)
    assert [*tables(caged).arrays[0]].count(Propagator.UNIT) == 28
    candidates = list(Board.empty(caged).candidates)
    for cell in set(cage) - {40}:
        candidates[cell] &= ~1
    after = left(Board.of(caged, tuple(candidates)))
    assert after[40] == 1
    candidates[40] = 2
    candidates[0] = 1
    assert all(after & 2 == 0 for after in left(Board.of(caged, tuple(candidates)))[50::10])


@pytest.mark.parametrize("rows", [9, 11], ids=["in vectors", "one by one"])
def test_a_value_with_one_place_is_found_in_each_of_more_units_than_a_vector_has(rows: int) -> None:
    cells = range(9 * rows)
    units = [set(Random(seed).sample(cells, 9)) for seed in range(40)]
    chosen = Layout.from_units(9, units, shape=(rows, 9))
    for unit in units:
        cell = min(unit)
        board = Board.of(chosen, tuple(511 & ~(other in unit - {cell}) for other in cells))
        assert left(board)[cell] == 1
        none = Board.of(chosen, tuple(511 & ~(other in unit) for other in cells))
        assert SINGLE.solve(none).stop is Stop.EXHAUSTED


def test_a_cage_of_all_values_with_another_sum_is_impossible_also_as_an_alternative() -> None:
    line = Layout.from_units(4, [range(4)], shape=(1, 4), rules=[r.XSum((0, 1, 2, 3), 8)])
    grids = SINGLE.solve(Board.empty(line), solutions=None).solutions
    expected = [row for row in permutations(range(1, 5)) if sum(row[: row[0]]) == 8]
    assert [*grids] == expected
    assert all(grid[0] < 4 for grid in grids)


def test_a_cage_holds_what_the_rest_of_its_unit_lacks() -> None:
    """Of 1 2 5 and 1 3 4, if no other cell of the row has a 5."""
    caged = replace(layout("classic", 9), rules=(r.Killer((3, 4, 5), 8),))
    candidates = list(Board.empty(caged).candidates)
    for cell in {*range(9)} - {3, 4, 5}:
        candidates[cell] &= ~0b10000
    candidates[3] &= ~0b1000  # what a cage holds is looked at when it loses something itself
    after = left(Board.of(caged, tuple(candidates)))
    assert after[3] == after[4] == after[5] == 0b10011


def test_what_sees_both_places_of_a_value_loses_it_in_units_of_fewer_cells_than_values() -> None:
    """A box of nine cells crosses rows of seven."""
    box = [0, 1, 2, 7, 8, 9, 14, 15, 16]
    rows = [range(7 * row, 7 * row + 7) for row in range(7)]
    chosen = Layout.from_units(9, [box, *rows], shape=(7, 7))
    candidates = list(Board.empty(chosen).candidates)
    for cell in set(box) - {0, 2}:
        candidates[cell] &= ~1
    after = left(Board.of(chosen, tuple(candidates)))
    assert [after[cell] & 1 for cell in (3, 4, 5, 6)] == [0] * 4


def test_a_line_of_cells_that_differ_reads_as_many_values() -> None:
    """Of seven towers that differ the highest is seven high at least."""
    line = tuple(range(7))
    alone = in_a_row(7, 9, [r.Skyscraper(line, 1)])
    in_unit = Layout.from_units(9, [line], shape=(1, 7), rules=[r.Skyscraper(line, 1)])
    assert values_of(left(Board.empty(alone))[0]) == tuple(range(1, 10))
    assert values_of(left(Board.empty(in_unit))[0]) == (7, 8, 9)


@pytest.mark.parametrize("seen", [1, 2, 3, 4])
def test_states_of_lines_that_differ_are_those_that_some_such_line_passes_or_more(
    seen: int,
) -> None:
    (constraint,) = r.Skyscraper((0, 1, 2, 3), seen).constraints(in_a_row(4, 5, []))
    assert isinstance(constraint, Automaton)
    machine = constraint.machine
    apart = live_if_apart(machine, 4)
    assert all(states & ~every == 0 for states, every in zip(apart, live(machine, 4), strict=True))
    for values in product(range(1, 6), repeat=4):
        if len(set(values)) == 4 and machine.accepts(values):
            states = machine.starts
            for value, alive in zip(values, apart[1:], strict=True):
                states = machine.after(states, value)
                assert states & alive


def test_cells_that_hit_classes_of_values_keep_what_leaves_each_class_a_cell() -> None:
    classes = ((1, 2), (3, 4), (5,))
    line = in_a_row(4, 6, [r.Hits((0, 1, 2, 3), classes)])
    assert kinds(line) == {Propagator.HITS}
    sets = (0b111111, 0b000011, 0b001100, 0b110000, 0b010101, 0b100000)
    for candidates in product(sets, repeat=4):
        expected = [0] * 4
        for row in product(*map(values_of, candidates)):
            if all({*row} & {*values} for values in classes):
                expected = [mask | 1 << v - 1 for mask, v in zip(expected, row, strict=True)]
        if all(expected):
            assert left(Board.of(line, candidates)) == tuple(expected)
        else:
            assert not SINGLE.solve(Board.of(line, candidates)).count


@pytest.mark.parametrize(
    ("rules", "variant", "without", "value", "lost", "cells_with_value"),
    [
        ([], "classic", (1, range(3, 9)), 1, (9, 10, 11, 18, 19, 20), (0, 1, 2, 12, 27)),
        ([r.Killer((0, 1, 9), 6)], "classic", (), 1, (2, 10, 11, 18, 19, 20), (0, 1, 9, 3)),
        ([r.Killer((0, 1, 9), 6)], "classic", (), 3, (2, 10, 11, 18, 19, 20), (0, 1, 9, 3)),
        ([r.Contains((0, 10, 20), (5,))], "classic", (), 5, (1, 2, 9, 11, 18, 19), (0, 10, 20, 3)),
        (
            [r.Hits((0, 1, 9, 10), ((1, 2), (3, 4)))],
            *("classic", (2, (0, 1, 9, 10)), 1, (2, 11, 18, 19, 20), (3,)),
        ),
        # 1 of the first column is in A1 or E1, and C2 sees both
        ([], "anti-knight", (1, {*range(0, 81, 9)} - {0, 36}), 1, (19,), (20,)),
    ],
    ids=["a box", "a cage's least", "a cage's largest", "a line", "a class", "across"],
)
def test_what_sees_all_places_of_a_value_that_some_cells_must_hold_loses_it(
    rules: list[r.Rule],
    variant: str,
    without: tuple[int, Collection[int]],
    value: int,
    lost: tuple[int, ...],
    cells_with_value: tuple[int, ...],
) -> None:
    """Some cells are without a value; no other is decided."""
    chosen = layout(variant, 9)
    candidates = list(Board.empty(chosen).candidates)
    for cell in without[1] if without else ():
        candidates[cell] &= ~(1 << without[0] - 1)
    after = left(Board.of(chosen.with_rules(*chosen.rules, *rules), tuple(candidates)))
    assert not any(after[cell] >> value - 1 & 1 for cell in lost)
    assert all(after[cell] >> value - 1 & 1 for cell in cells_with_value)


def test_only_a_machine_that_asks_for_one_of_each_class_hits_classes() -> None:
    def hits(accepted: int, steps: dict[int, int]) -> object:
        return classes_of(
            machine_of_steps(
                3, 0, lambda read, value: read | steps.get(value, 0), lambda read: read == accepted
            )
        )

    assert hits(3, {1: 1, 2: 2, 3: 2}) == ((0b001, 0b1010), (0b110, 0b1100))
    assert hits(1, {1: 1, 3: 2}) is None
    once = machine_of_steps(3, 0, lambda read, value: read + value if value > read else None, bool)
    assert classes_of(once) is None


def test_the_bounds_of_a_sum_know_that_cells_of_a_unit_differ_from_their_least_values_on() -> None:
    """One of 1 to 3, and two of 7 and 8: 16 to 18."""
    chosen = Layout.from_units(18, [range(3)], shape=(1, 4), rules=[r.Arrow((3,), (0, 1, 2))])
    after = left(Board.of(chosen, (0b111, 0b11000000, 0b11000000, (1 << 18) - 1)))
    assert values_of(after[3]) == (16, 17, 18)


@pytest.mark.parametrize("weights", [*product((1, -1), repeat=3)], ids=str)
def test_few_terms_of_a_sum_keep_the_values_of_its_combinations(weights: tuple[int, ...]) -> None:
    """Of two and of three open terms, some of which differ."""
    draw = Random(7)
    for _ in range(40):
        total = draw.randrange(-9, 19)
        units = draw.choice(([], [[0, 1]], [[1, 2]], [[0, 2], [1, 2]]))
        rules = [r.WeightedSum((0, 1, 2, 3), (*weights, 1), total)]
        line = Layout.from_units(9, units, shape=(1, 4), rules=rules)
        candidates = tuple(draw.randrange(1, 512) for _ in range(3))
        grids = [
            values
            for values in product(*map(values_of, candidates))
            if sum(map(mul, values, weights)) + 4 == total
            and all(values[a] != values[b] for a, b in units)
        ]
        expected = tuple(sum({1 << grid[cell] - 1 for grid in grids}) for cell in range(3))
        if grids:
            assert left(Board.of(line, (*candidates, 8)))[:3] == expected


def test_few_terms_of_a_sum_that_see_each_other_differ() -> None:
    """In two rows: 1 2 4 and 2 1 4 sum to 7, and 2 2 3 not, for the first two are in one row."""
    chosen = Layout.from_units(
        9, [[0, 1], [2, 3]], shape=(2, 2), rules=[r.SumOfCells((0, 1, 2), 7)]
    )
    after = left(Board.of(chosen, (0b11, 0b11, 0b1111, 511)))
    assert after[:3] == (0b11, 0b11, 0b1000)


def test_values_that_must_be_in_cells_are_classes_of_one_value() -> None:
    assert kinds(in_a_row(4, 6, [r.Contains((0, 1, 2), (2, 5))])) == {Propagator.HITS}


def test_cells_that_differ_by_a_rule_are_peers() -> None:
    apart = in_a_row(4, 4, [r.Pairs(((0, 1), (0, 2), (1, 2)), lambda a, b: a != b)])
    assert kinds(apart) == set()
    assert left(Board.of(apart, (2, 15, 15, 15))) == (2, 13, 13, 15)
    assert SINGLE.solve(Board.empty(apart), solutions=None).count == 4 * 4 * 3 * 2
    either = in_a_row(
        3, 4, [r.AnyOf(((r.Pairs(((0, 1),), lambda a, b: a != b),), (r.Holds((2,), (1,)),)))]
    )
    grids = SINGLE.solve(Board.empty(either), solutions=None).solutions
    assert {*grids} == {
        row for row in product(range(1, 5), repeat=3) if row[0] != row[1] or row[2] == 1
    }


def test_a_failure_is_blamed_on_the_cell_guessed_last_and_on_cells_of_few_candidates() -> None:
    board = unidoku.read("examples/rules/sandwich.toml")[0].board
    result = SINGLE.solve(board, solutions=2)
    assert result.count == 1
    assert result.statistics["nodes"] <= 100, "155 if all cells of a failed constraint are alike"


@pytest.mark.parametrize(
    "rule", [r.NumberedRoom((0, 1, 2, 3), 3), r.Index((0,), numbers=(3,), lines=(0, 1, 2, 3))]
)
def test_a_place_that_no_cell_can_name_lacks_the_value(rule: r.Rule) -> None:
    ruled = replace(layout("latin", 4), rules=(rule,))
    candidates = list(Board.empty(ruled).candidates)
    candidates[0] = 0b1100
    after = left(Board.of(ruled, tuple(candidates)))
    assert after[1] == 0b1011
    free = Layout.from_units(4, [(0, 1)], shape=(2, 2), rules=[rule])
    assert left(Board.of(free, (0b1100, 15, 15, 15)))[1] == 15, "other cells may hold it too"


def test_a_tower_that_is_seen_has_not_the_height_of_the_hidden_one() -> None:
    ruled = replace(layout("latin", 4), rules=(r.HiddenSkyscraper((0, 1, 2, 3), 2),))
    assert left(Board.empty(ruled))[0] == 0b1101


@pytest.mark.parametrize("naked", [(0b11, 0b11), (0b111, 0b11, 0b110), (0b111, 0b111, 0b111)])
def test_cells_that_see_a_naked_pair_or_triple_lose_its_values(naked: tuple[int, ...]) -> None:
    ruled = replace(layout("classic", 9), rules=(r.Killer((72, 73), 10),))
    candidates = list(Board.empty(ruled).candidates)
    candidates[: len(naked)] = naked
    after = left(Board.of(ruled, tuple(candidates)))
    values = naked[0]
    assert after[: len(naked)] == naked
    assert not any(after[cell] & values for cell in (8, 9, 10, 20))
    assert after[36] & values == values, "it sees one of them only"


def test_sums_of_cells_in_the_same_boxes_are_combined() -> None:
    sums = r.SumOfCells((0, 10, 20, 30), 12), r.SumOfCells((1, 11, 18, 31), 12)
    ruled = replace(layout("classic", 9), rules=sums)
    after = left(Board.empty(ruled))
    assert (after[30], after[31]) == (0b11, 0b11), "six cells of the box sum to 21 at least"
    assert all(after[cell] < 1 << 6 for cell in (0, 10, 20, 1, 11, 18))
    alone = replace(ruled, rules=sums[:1])
    assert after[0] < left(Board.empty(alone))[0]
