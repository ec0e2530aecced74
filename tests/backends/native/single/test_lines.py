"""How single writes the steps of machines, and what it looks at several values or sets at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from tests.backends.native.alone import in_a_row, kinds, left
from tests.backends.native.shaped import shaped
from unidoku import Board
from unidoku.backends.native.single.build.machines import classes_of, parts, tells_lines_apart
from unidoku.backends.native.single.build.steps import steps_of
from unidoku.backends.native.single.search.kinds import Propagator, StepForm
from unidoku.core.bits import mask_of, values_of
from unidoku.core.constraints.automaton import Machine, machine_of, machine_of_steps, united
from unidoku.core.constraints.operations import cells_of
from unidoku.core.constraints.primitives import Automaton, Constraint, Sets, Sum
from unidoku.core.rules import LinesDiffer, Lunchbox, NonogramLine, Rule, Skyscraper
from unidoku.testing.truth import holds

pytestmark = pytest.mark.usefixtures("form")


def supported(constraint: Constraint, candidates: Sequence[int]) -> tuple[int, ...] | None:
    """Return the values of each cell in grids of which a constraint holds; None without any."""
    grids = list(product(*map(values_of, candidates)))
    if isinstance(constraint, Automaton):  # whose machine may have too many ways to list them
        cells, accepts = constraint.cells, constraint.machine.accepts
        grids = [grid for grid in grids if accepts([grid[cell] for cell in cells])]
    else:
        grids = [grid for grid in grids if holds(constraint, grid)]
    return tuple(map(mask_of, zip(*grids, strict=True))) if grids else None


def check_what_is_left(constraint: Constraint, n: int, seed: int, most: int = 4) -> None:
    """Check, for random candidates, that just what some grid has is left."""
    line = in_a_row(len(set(cells_of(constraint))), n, [shaped(constraint)])
    drawn, fitting = random.Random(seed), 0
    while fitting < 40:
        sizes = [drawn.randint(1, min(n, most)) for _ in cells_of(constraint)]
        candidates = tuple(mask_of(drawn.sample(range(1, n + 1), size)) for size in sizes)
        expected = supported(constraint, candidates)
        if expected is not None:
            assert left(Board.of(line, candidates)) == expected, candidates
            fitting += 1


def machine_in(rule: Rule, n: int) -> Machine:
    """Return the machine of a rule on its own line."""
    line = in_a_row(9, n, [])
    (automaton,) = [part for part in rule.constraints(line) if isinstance(part, Automaton)]
    return automaton.machine


LINE = tuple(range(5))

JUMPS = [
    (state, value, random.Random(7 * state + value).randrange(60))
    for state in range(60)
    for value in range(1, 8)
]

WAYS = {
    "few states": (StepForm.ONE_BY_ONE, machine_in(NonogramLine(LINE, (1, 2), filled=2), 2)),
    "parts": (StepForm.SHIFTS, machine_in(Lunchbox(LINE, 17), 9)),
    "circle": (
        StepForm.SHIFTS,
        machine_of_steps(7, 0, lambda s, v: (s + v) % 9, lambda s: s in (2, 5)),
    ),
    "few moves": (StepForm.MOVES, machine_in(Skyscraper(LINE, 3), 8)),
    "many moves": (StepForm.MOVES, machine_of(7, range(9), range(20), JUMPS)),
    "many states": (
        StepForm.ONE_BY_ONE,
        machine_of_steps(7, 1, lambda s, v: s * v % 97, lambda s: s < 20),
    ),
}


@pytest.mark.parametrize("kind", WAYS)
def test_a_line_keeps_the_values_on_some_way_however_its_steps_are_written(kind: str) -> None:
    way, machine = WAYS[kind]
    assert way in {steps_of(part)[0] for part in parts(machine)}
    check_what_is_left(Automaton(LINE, machine), len(machine.steps[0]), seed=len(kind))


def test_a_machine_in_parts_is_read_part_by_part() -> None:
    rings = [
        machine_of(4, [0], [0], [(s, v, (s + v) % size) for s in range(size) for v in range(1, 5)])
        for size in (11, 13, 60)
    ]
    whole = united(tuple(rings))
    split = parts(whole)
    assert [len(part.steps) for part in split] == [60, 24]
    for line in product(range(1, 5), repeat=6):
        doubled = [value for value in line for _ in range(2)]
        assert whole.accepts(doubled) == any(part.accepts(doubled) for part in split)


def test_lunchboxes_are_machines_whose_parts_have_few_states() -> None:
    for size, total in ((4, 5), (5, 20), (6, 21), (9, 27)):
        machine = machine_in(Lunchbox(tuple(range(size)), total), 9)
        assert all(len(part.steps) <= 64 for part in parts(machine)), (size, total)


def test_two_lines_that_differ_are_looked_at_where_they_still_can() -> None:
    for n in (2, 3, 7):
        constraint = Automaton(tuple(range(6)), machine_in(LinesDiffer((0, 2, 4), (1, 3, 5)), n))
        assert tells_lines_apart(constraint.machine, 6)
        assert kinds(in_a_row(6, n, [shaped(constraint)])) == {Propagator.APART}
        check_what_is_left(constraint, n, seed=n, most=2)


def test_machines_that_are_nearly_those_of_lines_that_differ_are_not_taken_for_them() -> None:
    def step(state: int, value: int) -> int:
        if state == 0:
            return value
        return 0 if value == state or (state, value) == (1, 2) else -1

    near = machine_of_steps(3, 0, step, lambda state: state == -1)
    same = machine_of_steps(3, 0, lambda s, v: (0 if s == v else -1) if s else v, lambda s: s != -1)
    for machine in (near, same, *(machine for _, machine in WAYS.values())):
        assert not tells_lines_apart(machine, 6)
    assert not tells_lines_apart(machine_in(LinesDiffer((0, 2), (1, 3)), 3), 3)


def test_a_machine_whose_classes_end_is_not_taken_for_one_that_requires_one_of_each() -> None:
    ends = Machine(0b0001, 0b1000, ((0b0010, 0b0100), (0, 0), (0b1000, 0b0100), (0b1000, 0b1000)))
    assert classes_of(ends) is None
    line = in_a_row(3, 2, [shaped(Automaton((0, 1, 2), ends))])
    assert left(Board.empty(line)) == (0b10, 0b11, 0b11)


@pytest.mark.parametrize("weights", [(1, 1, -1), (1, 2, -3), (10, 1, -1, -1)])
@pytest.mark.parametrize("n", [4, 9, 10, 26])
def test_a_sum_leaves_the_values_that_some_grid_has(n: int, weights: tuple[int, ...]) -> None:
    for low, high in ((3, 3), (-2, 5)):
        constraint = Sum(tuple(range(len(weights))), weights, low, high)
        check_what_is_left(constraint, n, seed=n)


@pytest.mark.parametrize("n", [9, 16, 17])
def test_a_cage_leaves_what_some_of_its_sets_has_however_wide_they_are(n: int) -> None:
    drawn = random.Random(n)
    cells = (0, 1, 2)
    masks = {mask_of(drawn.sample(range(1, n + 1), 3)) for _ in range(40)}
    constraint = Sets(cells, tuple(sorted(masks)))
    line = in_a_row(3, n, [shaped(constraint)])
    for _ in range(40):
        candidates = tuple(mask_of(drawn.sample(range(1, n + 1), n // 2)) for _ in cells)
        expected = supported(constraint, candidates)
        if expected is not None:
            remaining = left(Board.of(line, candidates))
            assert all(
                mask & other == mask for mask, other in zip(expected, remaining, strict=True)
            )
            assert all(
                mask & other == mask for mask, other in zip(remaining, candidates, strict=True)
            )
