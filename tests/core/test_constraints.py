"""Constraints: one form for what says the same, moves and renamings, and what they remove."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board, Layout, Pairs, Relation, layout, propagate
from unidoku.backends.toolkit.mdd import mdd_of
from unidoku.core.bits import bits_of, mask_of, values_of
from unidoku.core.constraints.automaton import Machine, machine_of, machine_of_steps
from unidoku.core.constraints.operations import merged, moved, parts_of, reversed_values
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Masks,
    Or,
    Pair,
    Region,
    SameValues,
    Sets,
    Sum,
    Table,
    backwards,
    images,
    shifts,
    tabulated,
)
from unidoku.core.constraints.pruners import pruner
from unidoku.core.symmetry import is_reversible
from unidoku.core.transforms.simplify import simplify
from unidoku.errors import LayoutError, UnsupportedError
from unidoku.testing import brute_force
from unidoku.testing.strategies import boards, related_cells, ruled_layouts, tables
from unidoku.testing.truth import holds

N = 4
CELLS = st.permutations(range(4)).flatmap(
    lambda cells: st.integers(2, 4).map(lambda size: tuple(cells[:size]))
)
PAIRS = st.lists(st.sampled_from(list(itertools.permutations(range(4), 2))), min_size=1).map(tuple)
RELATIONS = st.builds(Relation, tables(N), PAIRS)


@st.composite
def sums(draw: st.DrawFn) -> Sum:
    """Sums of some of four cells, each once."""
    cells = draw(CELLS)
    weights = draw(st.tuples(*[st.integers(-3, 10).filter(bool)] * len(cells)))
    low = draw(st.integers(-20, 60))
    return Sum(cells, weights, low, low + draw(st.integers(-1, 8)))


@st.composite
def sets(draw: st.DrawFn) -> Sets:
    """Sets of values of some of four cells."""
    cells = draw(CELLS)
    of_size = [mask for mask in range(1 << N) if mask.bit_count() == len(cells)]
    return Sets(cells, tuple(draw(st.sets(st.sampled_from(of_size)))))


STATES = st.integers(0, 3)
TRANSITIONS = st.lists(st.tuples(STATES, st.integers(1, N), STATES), max_size=24)
MACHINES = st.builds(machine_of, st.just(N), st.sets(STATES), st.sets(STATES), TRANSITIONS)
AUTOMATA = st.builds(
    Automaton, st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple), MACHINES
)


@st.composite
def rows(draw: st.DrawFn) -> Table:
    """Rows of values of some of four cells."""
    cells = draw(CELLS)
    row = st.tuples(*[st.integers(1, N)] * len(cells))
    return Table(cells, tuple(sorted(draw(st.sets(row, max_size=30)))))


@st.composite
def same_values(draw: st.DrawFn) -> SameValues:
    """Two lists of some of four cells, which may share some."""
    size = draw(st.integers(1, 3))
    first, other = (draw(st.permutations(range(4)))[:size] for _ in range(2))
    return SameValues(tuple(first), tuple(other))


@st.composite
def regions(draw: st.DrawFn) -> Region:
    """Regions of some of four cells, some of which are neighbours; with others beside, or not."""
    cells = draw(CELLS)
    pairs = draw(st.lists(st.sampled_from(list(itertools.combinations(cells, 2))), max_size=5))
    low = draw(st.integers(0, 4))
    others = draw(st.sampled_from(((), cells[1:] + cells[:1], (0, 1, 2, 3)[: len(cells)])))
    mask, high = draw(st.integers(0, 15)), low + draw(st.integers(-1, 3))
    return Region(cells, mask, tuple(pairs), low, high, others)


PLAIN: st.SearchStrategy[Constraint] = (
    RELATIONS | sums() | sets() | AUTOMATA | rows() | same_values() | regions()
)
CONSTRAINTS: st.SearchStrategy[Constraint] = st.recursive(
    PLAIN,
    lambda inner: st.builds(
        Or, st.lists(st.lists(inner, max_size=2).map(tuple), max_size=3).map(tuple)
    ),
    max_leaves=5,
)


def inside(constraint: Constraint) -> Iterator[Constraint]:
    """A constraint, and all that it is made of."""
    yield constraint
    if isinstance(constraint, Or):
        yield from (item for part in parts_of(constraint) for item in inside(part))


def allowed(constraints: Iterable[Constraint]) -> set[tuple[int, ...]]:
    """The values of four cells that keep all constraints."""
    every, parts = itertools.product(range(1, N + 1), repeat=4), list(constraints)
    return {grid for grid in every if all(holds(constraint, grid) for constraint in parts)}


def fitting(constraint: Constraint, candidates: Sequence[int]) -> set[tuple[int, ...]]:
    """The values of four cells that satisfy a constraint, among their candidates."""
    return {
        grid
        for grid in allowed([constraint])
        if all(mask >> value - 1 & 1 for mask, value in zip(candidates, grid, strict=True))
    }


def _renamed(machine: Machine, order: random.Random) -> Machine:
    """The same machine of other states, one of which is listed twice, one leads nowhere."""
    count = len(machine.steps)
    names = order.sample(range(50), count + 2)
    steps = [(names[a], v, names[b]) for a, v, b in machine.transitions]
    starts, ends = ([names[s] for s in bits_of(m)] for m in (machine.starts, machine.accepting))
    twin, dead = names[count:]
    if count:
        steps += [(names[0], 1, dead)] + [(twin, v, b) for a, v, b in steps if a == names[0]]
        steps += [(a, v, twin) for a, v, b in steps if b == names[0] and order.random() < 0.5]
        ends += [twin] if names[0] in ends else []
    order.shuffle(steps)
    return machine_of(N, starts, ends, steps)


def said_otherwise(constraint: Constraint, order: random.Random) -> Iterator[Constraint]:
    """The same in other words."""
    match constraint:
        case Relation(table, pairs):
            for a, b in pairs:
                back = order.random() < 0.5
                yield Relation(backwards(table), ((b, a),)) if back else Relation(table, ((a, b),))
        case Sum(cells, weights, low, high):
            terms = list(zip(cells, weights, strict=True))
            order.shuffle(terms)
            by = order.choice((-2, -1, 1, 3))
            ends = sorted((by * low, by * high)) if low <= high else (by * by, 0)
            yield Sum.of([(cell, by * weight) for cell, weight in terms], *ends)
        case Sets(cells, masks):
            yield Sets(tuple(order.sample(cells, len(cells))), (*masks[::-1], *masks))
        case Automaton(cells, machine):
            yield Automaton(cells, _renamed(machine, order))
        case Table(cells, rows):
            places = order.sample(range(len(cells)), len(cells))
            moved_rows = sorted(tuple(row[index] for index in places) for row in rows)
            yield Table(tuple(cells[index] for index in places), tuple(moved_rows))
        case SameValues(cells, others):
            both = [tuple(order.sample(part, len(part))) for part in (cells, others)]
            order.shuffle(both)
            yield SameValues(both[0], both[1])
        case Region(cells, mask, pairs, low, high, others):
            places = order.sample(range(len(cells)), len(cells))
            neighbours = [
                pair if order.random() < 0.5 else pair[::-1] for pair in (*pairs, *pairs[:1])
            ]
            order.shuffle(neighbours)
            placed, near = (tuple([c[k] for k in places]) if c else () for c in (cells, others))
            yield Region(placed, mask, tuple(neighbours), low, high, near)
        case Or(branches):
            messages = [
                tuple(candidate for part in branch for candidate in said_otherwise(part, order))
                for branch in (*branches, *branches[:1])
            ]
            order.shuffle(messages)
            yield Or(tuple(messages))
        case _:
            assert_never(constraint)


@given(st.lists(CONSTRAINTS, max_size=3), st.randoms())
def test_what_says_the_same_has_one_form(
    constraints: list[Constraint], order: random.Random
) -> None:
    forms = [item for constraint in constraints for item in said_otherwise(constraint, order)]
    order.shuffle(forms)
    if not any(
        isinstance(s, Sum) and s.low > s.high
        for constraint in constraints
        for s in inside(constraint)
    ):
        assert merged(forms) == merged(constraints)
    assert merged(merged(forms)) == merged(forms)
    assert allowed(merged(forms)) == allowed(constraints)


@given(CONSTRAINTS, st.permutations(range(4)), st.booleans())
def test_moved_and_reversed_constraints_allow_the_moved_and_reversed_values(
    constraint: Constraint, cells: list[int], back: bool
) -> None:
    image = moved(reversed_values(constraint, N) if back else constraint, cells)
    expected = set()
    for grid in allowed([constraint]):
        values = [0] * 4
        for cell, value in enumerate(grid):
            values[cells[cell]] = N + 1 - value if back else value
        expected.add(tuple(values))
    assert allowed([image]) == expected


@given(CONSTRAINTS, st.lists(st.integers(0, 15), min_size=4, max_size=4))
def test_pruning_removes_nothing_that_a_constraint_allows_and_decides_full_grids(
    constraint: Constraint, candidates: list[int]
) -> None:
    left = fitting(constraint, candidates)
    removals = pruner(constraint, N)(candidates)
    assert removals is not None or not left
    for cell, gone in removals or ():
        assert 0 < gone == gone & candidates[cell]
        assert not any(gone >> grid[cell] - 1 & 1 for grid in left)
    if all(mask.bit_count() == 1 for mask in candidates):
        assert removals == ([] if left else None)


@pytest.mark.parametrize("constraints", [sums(), AUTOMATA | rows()], ids=["sums", "lines"])
def test_pruning_of_sums_and_lines_leaves_only_what_some_grid_has(
    constraints: st.SearchStrategy[Sum | Automaton | Table],
) -> None:
    @given(constraints, st.lists(st.integers(1, 15), min_size=4, max_size=4))
    def check(constraint: Sum | Automaton | Table, candidates: list[int]) -> None:
        if not isinstance(constraint, Sum) and len({*constraint.cells}) < len(constraint.cells):
            return
        grids = fitting(constraint, candidates)
        removals = pruner(constraint, N)(candidates)
        assert (removals is None) == (not grids)
        for cell, gone in removals or ():
            assert cell in constraint.cells
            candidates[cell] &= ~gone
        for cell in constraint.cells if grids else ():
            assert candidates[cell] == mask_of({grid[cell] for grid in grids})

    check()


@given(MACHINES, st.integers(1, 4))
def test_the_ways_through_an_automaton_are_the_lines_that_it_accepts(
    machine: Machine, size: int
) -> None:
    layers = mdd_of(Automaton(tuple(range(size)), machine), N)
    ways: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for arcs in layers.arcs:
        ways = [((*line, v), b) for line, at in ways for a, v, b in arcs if a == at]
    lines = sorted(line for line, _ in ways)
    assert lines == [
        line for line in itertools.product(range(1, N + 1), repeat=size) if machine.accepts(line)
    ]


def test_a_line_with_too_many_states_is_refused_by_name() -> None:
    apart = 16
    begin, end, names = 0, 1, itertools.count(2)
    steps = [(begin, v, begin) for v in (1, 2)] + [(end, v, end) for v in (1, 2)]
    for first in (1, 2):  # somewhere a value is what it was so many cells before
        way = [begin, *itertools.islice(names, apart), end]
        values = [(first,), *[(1, 2)] * (apart - 1), (first,)]
        for (a, b), shown in zip(itertools.pairwise(way), values, strict=True):
            steps += [(a, v, b) for v in shown]
    repeats = machine_of(2, [begin], [end], steps)
    with pytest.raises(UnsupportedError, match="up to 200,000 steps of a line"):
        mdd_of(Automaton(tuple(range(2 * apart)), repeats), 2)


def test_a_step_function_without_end_is_refused() -> None:
    with pytest.raises(LayoutError, match="expected at most 20000 states"):
        machine_of_steps(9, (), lambda seen, value: (*seen, value), len)


@given(tables(5), st.integers(1, 31))
def test_an_image_is_what_some_value_may_stand_beside(table: Masks, mask: int) -> None:
    neighbours = {w for v in values_of(mask) for w in values_of(table[v - 1])}
    assert set(values_of(images(table)[mask])) == neighbours


@given(tables(5))
def test_shifts_forbid_what_the_table_does(table: Masks) -> None:
    forbidden = {
        (v, v + shift)
        for shift, values in shifts(table)
        for v in range(1, 6)
        if values >> v - 1 & 1 and 1 <= v + shift <= 5
    }
    rows = Relation(table, ()).rows
    assert forbidden == set(itertools.product(range(1, 6), repeat=2)) - set(rows)


def test_equal_tables_are_one_object() -> None:
    tables = [tabulated(9, lambda a, b: a != b) for _ in range(2)]
    assert tables[0] is tables[1]


@given(
    boards(
        (related_cells() | ruled_layouts()).filter(
            lambda candidate: candidate.n ** len(candidate) < 5000
        )
    )
)
def test_propagation_removes_nothing_that_is_in_a_solution(board: Board) -> None:
    left, truth = propagate(board), list(brute_force(board))
    assert left is not None or not truth
    for grid in truth:
        assert left is not None
        assert all(mask >> value - 1 & 1 for mask, value in zip(left.candidates, grid, strict=True))


def test_a_value_without_a_partner_goes_before_any_cell_is_decided() -> None:
    row = Layout.from_units(
        5, [], shape=(1, 3), rules=[Pairs(((0, 1), (1, 2)), lambda a, b: a < b)]
    )
    left = propagate(Board.empty(row))
    assert left is not None
    assert [left.values(cell) for cell in row.cells] == [(1, 2, 3), (2, 3, 4), (3, 4, 5)]


@pytest.mark.parametrize(
    ("related", "reversible"),
    [(lambda a, b: abs(a - b) > 2, True), (lambda a, b: a < b, False), (lambda a, b: a != 3, True)],
)
def test_values_may_be_counted_backwards_where_the_tables_stay_the_same(
    related: object, reversible: bool
) -> None:
    row = Layout.from_units(5, [], shape=(1, 2), rules=[Pairs(((0, 1),), related)])  # type: ignore[arg-type]
    assert is_reversible(row) == reversible


def test_layouts_share_the_tables_of_their_units() -> None:
    ruled = replace(layout("non-consecutive", 9))  # whose base nobody has asked for
    pairs: tuple[Pair, ...] = ((0, 1),)
    other = Layout(9, ruled.units, ruled.positions, (Pairs(pairs, lambda a, b: a > b),))
    assert ruled.base is other.base
    assert ruled.peers is other.peers
    assert ruled.base.base is ruled.base
    for length in range(1, 80):  # more than the cache keeps
        assert Layout.from_units(2, [], shape=(1, length), first_value=0).base
    another = replace(ruled, rules=(Pairs(pairs, lambda a, b: a >= b),))
    assert another.base is ruled.base
    assert ruled.base == layout("classic", 9)
    assert [str(unit) for unit in other.full_units] == [str(unit) for unit in ruled.full_units]


def test_the_constraints_of_rules_that_say_the_same_are_equal() -> None:
    named = layout("latin+non-consecutive", 4)
    backwards_pairs = tuple((b, a) for a, b in named.rules[0].pairs)  # type: ignore[attr-defined]  # it is of that kind
    rule = Pairs(backwards_pairs, lambda a, b: abs(a - b) != 1)
    assert Layout(4, named.units, named.positions, (rule,)).constraints == named.constraints


@given(st.lists(CONSTRAINTS, min_size=1, max_size=3), st.booleans())
def test_the_simplest_form_allows_what_the_constraints_do(
    constraints: list[Constraint], unit: bool
) -> None:
    row = Layout.from_units(N, [[0, 1, 2]] if unit else [], shape=(1, 4))
    simple = simplify(row, constraints)
    expected = {g for g in allowed(constraints) if len(set(g[:3])) == 3 or not unit}
    assert expected == {
        grid
        for grid in allowed(simple.constraints)
        if all(mask >> v - 1 & 1 for mask, v in zip(simple.candidates, grid, strict=True))
        and (len(set(grid[:3])) == 3 or not unit)
    }


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-3, 3))), st.integers(-9, 9))
def test_a_sum_in_one_form_is_that_of_its_terms(terms: list[Pair], low: int) -> None:
    cells, weights = tuple(cell for cell, _ in terms), tuple(weight for _, weight in terms)
    assert Sum(cells, weights, low, 9).in_one_form() == Sum.of(terms, low, 9)
    assert Sum.of(terms, low, 9).in_one_form() == Sum.of(terms, low, 9)


@given(st.integers(0, 15), st.integers(0, 15), st.integers(-9, 9))
def test_a_sum_of_sets_is_that_of_their_cells(plus: int, others: int, total: int) -> None:
    minus = others & ~plus
    terms = [(cell, 1) for cell in bits_of(plus)] + [(cell, -1) for cell in bits_of(minus)]
    if terms:
        assert Sum.of_sets(plus, minus, total) == Sum.of(terms, total, total)


def test_a_line_of_two_cells_is_the_relation_of_what_its_machine_accepts() -> None:
    ways = [(0, 1, 0), (0, 1, 1), (0, 2, 2), (1, 3, 2), (1, 2, 1), (2, 2, 1), (2, 1, 2)]
    machine = machine_of(3, [0, 2], [1, 2], ways)
    two = Layout.from_units(3, [], shape=(1, 2))
    (relation,) = simplify(two, [Automaton((0, 1), machine)]).constraints
    assert isinstance(relation, Relation)
    ((first, _),) = relation.pairs  # which may be seen from the second cell
    rows = {row if first == 0 else row[::-1] for row in relation.rows}
    assert rows == {
        pair for pair in itertools.product((1, 2, 3), repeat=2) if machine.accepts(pair)
    }
