"""The checks of constraints, of which rules are made: one for each class that a backend supports.

Each has boards of six cells in a row whose rules are constraints of that class and of no other, and
are told without a name: what a backend makes of them is held against their definitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from unidoku.backends.base import Request
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.constraints.automaton import machine_of
from unidoku.core.constraints.connected import pairs_in_rows
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    SameValues,
    Sets,
    Sum,
    Table,
)
from unidoku.core.layout import Layout
from unidoku.core.rules import Pairs, Rule
from unidoku.core.variants import layout
from unidoku.testing.rules import IMPOSSIBLE_SUMS, KNOWN_SUMS
from unidoku.testing.truth import ConstraintRule, claimed, found_by_brute_force, search_all

_SIX = (0, 1, 2, 3, 4, 5)


def serves_the_rules_it_names(solver: Solver) -> None:
    """No 4x4 grid and 48 6x6 grids have no consecutive neighbours; rows agree with brute force."""
    claimed(solver, Board.empty(layout("non-consecutive", 4)))
    rules = [Pairs((pair,), related) for pair, related in _RELATIONS]
    row = Layout.from_units(5, [[3, 5]], shape=(1, 6), rules=rules)
    claimed(solver, Board.empty(row))
    for n, known in ((4, 0), (6, 48)):
        found = search_all(solver, Board.empty(layout("non-consecutive", n))).count
        assert found == known, f"non-consecutive {n}: expected {known}, got {found}"
    chain = Pairs(((0, 1), (1, 2), (2, 3), (3, 4)), lambda a, b: abs(a - b) != 1)
    found_by_brute_force(
        solver, Board.empty(Layout.from_units(5, [range(5)], shape=(1, 5), rules=[chain]))
    )
    found_by_brute_force(solver, Board.empty(row))
    nothing = Pairs(((0, 1),), lambda a, b: False)
    none = Layout.from_units(3, [], shape=(1, 2), rules=[nothing])
    if not solver.attempt(Board.empty(none), Request()).refused:  # an option may support fewer
        assert search_all(solver, Board.empty(none)).count == 0


_RELATIONS: tuple[tuple[tuple[int, int], Callable[[int, int], bool]], ...] = (
    ((0, 1), lambda a, b: a < b),
    ((1, 2), lambda a, b: a == b),
    ((3, 2), lambda a, b: a == 2 * b),
    ((2, 4), lambda a, b: abs(a - b) >= 2),
    ((4, 5), lambda a, b: b != 3 and (a < 3 or b > 3)),
    ((5, 3), lambda a, b: b <= 4),
)
"""Relations of cells in a row: symmetric ones and others, and such that narrow a cell."""


def serves_the_sums_it_names(solver: Solver) -> None:
    """Sums with weights and bounds, cages in a unit and elsewhere, also impossible ones."""
    units = [range(4), (4, 5)]
    _serves(solver, 4, units, KNOWN_SUMS, IMPOSSIBLE_SUMS)
    some = Layout.from_units(4, units, shape=(1, 6), rules=KNOWN_SUMS[0])
    marked = Board.from_candidates(some, [{1, 2}, {2, 3, 4}, {1, 4}, {1, 3}, {2, 4}, {1, 2, 4}])
    found_by_brute_force(solver, marked)


def serves_the_numbers_it_names(solver: Solver) -> None:
    """Sums up to the backend's largest number are right to the last unit."""
    for size in _SIZES:
        near = Sum((0, 1, 2, 3), (size, size + 1, size - 1, -3), 6 * size - 4, 6 * size - 4)
        row = Board.empty(
            Layout.from_units(3, [], shape=(1, 4), rules=[ConstraintRule(_SIX[:4], (near,))])
        )
        if size == _SIZES[0]:
            claimed(solver, row)
        if not solver.attempt(row, Request()).refused:
            found_by_brute_force(solver, row)


_SIZES = (1000, 10**7, 2**31, 2**53, 2**63, 10**21)
"""Numbers that floats keep apart, and where these, tolerances, 32 bits and 64 bits end."""


def serves_the_lines_it_names(solver: Solver) -> None:
    """Automata read lines in order and to the end, also in several ways, or a cell twice."""
    lines = [
        (Automaton((4, 2, 0, 1), _ORDERED), Automaton((5, 3, 5), _IN_MANY_WAYS)),
        (Automaton((0, 1, 2, 3, 4), _IN_MANY_WAYS),),
        (Automaton((5, 4, 3, 2, 1), _IN_MANY_WAYS), Automaton((3, 0, 4), _ORDERED)),
    ]
    _serves(solver, 3, [(0, 1, 2)], _as_rules(lines), _as_rules([(Automaton((0, 3, 4), _EVEN),)]))
    row = Layout.from_units(3, [(0, 1, 2)], shape=(1, 6), rules=_as_rules(lines[1:2])[0])
    marked = Board.from_candidates(row, [{1, 2}, {2, 3}, {1, 3}, {1, 2}, {3}, {1, 2, 3}])
    found_by_brute_force(solver, marked)


_ORDERED = machine_of(3, [0], [1], [(0, 1, 1), (0, 2, 0), (1, 1, 1), (1, 2, 1), (1, 3, 1)])
"""A 1 there is, and before any 3."""

_IN_MANY_WAYS = machine_of(
    3,
    [0, 3],
    [2, 4],
    [(at, v, at) for at in (0, 2, 3) for v in (1, 2, 3)] + [(0, 1, 1), (1, 2, 2), (3, 3, 4)],
)
"""A 1 is followed by a 2, wherever, or the end is a 3."""

_EVEN = machine_of(3, [0], [0], [(at, v, 1 - at) for at in (0, 1) for v in (1, 2, 3)])
"""Cells are even in number."""


def serves_the_tables_it_names(solver: Solver) -> None:
    """Tables have few rows or almost all, and may contradict a unit or each other."""
    rows = list(product((1, 2, 3), repeat=3))
    most = tuple(row for row in rows if row not in {(1, 2, 3), (2, 2, 2), (3, 1, 1)})
    wide = tuple(row for row in product((1, 2, 3), repeat=4) if sum(row) % 4 == 1)
    few = ((1, 2, 3), (2, 2, 1), (3, 1, 1))
    known = [
        (Table((0, 2, 4), few), Table((1, 3, 5), most)),
        (Table((0, 4, 5), most), Table((1, 3, 5), few)),
        (Table((0, 1, 3, 5), wide), Table((1, 2, 4), few)),
    ]
    none = [(Table((0, 1, 2), few[1:]),), (Table((3, 4, 5), few[:1]), Table((3, 4, 5), few[1:]))]
    _serves(solver, 3, [(0, 1, 2)], _as_rules(known), _as_rules(none))


def serves_the_same_values_it_names(solver: Solver) -> None:
    """Two lists of cells hold the same values equally often, in units and elsewhere."""
    known = [(SameValues((0, 1, 3), (2, 4, 5)),), (SameValues((0, 1, 2), (3, 4, 5), differ=True),)]
    _serves(solver, 3, [(0, 1, 2), (3, 4, 5)], _as_rules(known), ())
    _serves(solver, 3, [], _as_rules(known[:1]), ())


def serves_the_regions_it_names(solver: Solver) -> None:
    """Regions of bounded size are connected, also with cells that must differ, or are empty."""
    beside = pairs_in_rows(_SIX, 3)
    ring = ((0, 1), (0, 4), (1, 3), (3, 4))
    known = [
        (Region(_SIX, 0b110, beside, 2, 4), Region(_SIX, 0b001, beside, 2, 3)),
        (Region((0, 1, 3, 4), 0b010, ring, 2, 2, (1, 2, 4, 5)), Region(_SIX, 0b100, beside, 0, 2)),
        (Region(_SIX, 0b011, beside, 3, 3, (3, 4, 5, 0, 1, 2)),),
        (Region(_SIX, 0b100, beside[2:], 1, 6), Region(_SIX, 0b001, beside, 1, 1)),
    ]
    _serves(solver, 3, [(0, 1, 2)], _as_rules(known), _as_rules([(Region(_SIX, 0b001, (), 2, 6),)]))
    either = Or(((Region(_SIX, 0b001, beside, 3, 4),), (Region(_SIX, 0b010, beside, 1, 2),)))
    row = Layout.from_units(3, [(0, 1, 2)], shape=(1, 6), rules=_as_rules([(either,)])[0])
    if not solver.attempt(Board.empty(row), Request()).refused:
        found_by_brute_force(solver, Board.empty(row))


def serves_the_alternatives_it_names(solver: Solver) -> None:
    """At least one of several branches holds, and each grid is found once."""
    some = (Sum((0, 3, 4, 5), (1, 1, 1, 1), 5, 6), Sets((2,), (1, 2)))
    other = (Automaton((1, 2, 3, 4, 5), _ORDERED),)
    none = (Sum((1, 2, 3, 4), (1, 2, 1, 1), 12, 13), Sets((3,), (1,)), Sets((4,), (1,)))
    _serves(solver, 3, [(0, 1, 2)], _as_rules([(Or((some, other, none)),)]), ())


def _as_rules(several: Iterable[tuple[Constraint, ...]]) -> list[tuple[Rule, ...]]:
    return [(ConstraintRule(_SIX, constraints),) for constraints in several]


def _serves(
    solver: Solver,
    n: int,
    units: Iterable[Iterable[int]],
    known: Iterable[tuple[Rule, ...]],
    impossible: Iterable[tuple[Rule, ...]],
) -> None:
    """Compare with brute force on rows of six cells; layouts in `impossible` must have no grid."""
    units = [tuple(unit) for unit in units]
    for rules in known:
        row = Board.empty(Layout.from_units(n, units, shape=(1, 6), rules=rules))
        claimed(solver, row)
        found_by_brute_force(solver, row)
    for rules in impossible:
        none = Board.empty(Layout.from_units(n, units, shape=(1, 6), rules=rules))
        found = search_all(solver, none).count
        assert found == 0, f"{none!r}: expected no grid, got {found}"


CHECKS_OF_CONSTRAINTS: tuple[Callable[[Solver], None], ...] = (
    serves_the_rules_it_names,
    serves_the_sums_it_names,
    serves_the_numbers_it_names,
    serves_the_lines_it_names,
    serves_the_tables_it_names,
    serves_the_same_values_it_names,
    serves_the_regions_it_names,
    serves_the_alternatives_it_names,
)
"""The checks of constraints: each is called with a solver."""
