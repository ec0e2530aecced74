"""The checks of constraints: one for each class of constraints that a backend may support.

Each check has boards of six cells in a row whose rules are constraints of that class only. It
compares the solutions that a backend finds with the definitions of the constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from unidoku.testing.truth import (
    ConstraintRule,
    compare_with_brute_force,
    search_all,
    skip_unless_supported,
)

_SIX = (0, 1, 2, 3, 4, 5)


def supports_declared_relations(solver: Solver) -> None:
    """The solver finds the known non-consecutive grids, and the solutions of relations."""
    skip_unless_supported(solver, Board.empty(layout("non-consecutive", 4)))
    rules = [Pairs((pair,), related) for pair, related in _RELATIONS]
    row = Layout.from_units(5, [[3, 5]], shape=(1, 6), rules=rules)
    skip_unless_supported(solver, Board.empty(row))
    for n, known in ((4, 0), (6, 48)):  # to read v as n + 1 - v turns grids into grids
        lower = [range(1, n // 2 + 1), *[range(1, n + 1)] * (n * n - 1)]
        board = Board.from_candidates(layout("non-consecutive", n), lower)
        count = 2 * search_all(solver, board).count
        assert count == known, f"non-consecutive {n}: expected {known}, got {count}"
    chain = Pairs(((0, 1), (1, 2), (2, 3), (3, 4)), lambda a, b: abs(a - b) != 1)
    compare_with_brute_force(
        solver, Board.empty(Layout.from_units(5, [range(5)], shape=(1, 5), rules=[chain]))
    )
    compare_with_brute_force(solver, Board.empty(row))
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
"""Relations of cells in a row: symmetric, asymmetric, and some that restrict a single cell."""


def supports_declared_sums(solver: Solver) -> None:
    """Sums and cages, in a unit or not, have the solutions of brute force; some have none."""
    units = [range(4), (4, 5)]
    _compare_rows(solver, 4, units, KNOWN_SUMS, IMPOSSIBLE_SUMS)
    marked = [{1, 2}, {2, 3, 4}, {1, 4}, {1, 3}, {2, 4}, {1, 2, 4}]
    row = _row(4, units, KNOWN_SUMS[0])
    compare_with_brute_force(solver, Board.from_candidates(row, marked))


def supports_declared_numbers(solver: Solver) -> None:
    """Sums up to the backend's largest number are exact."""
    for size in _SIZES:
        near = Sum((0, 1, 2, 3), (size, size + 1, size - 1, -3), 6 * size - 4, 6 * size - 4)
        rules = [ConstraintRule(_SIX[:4], (near,))]
        row = Board.empty(Layout.from_units(3, [], shape=(1, 4), rules=rules))
        if size == _SIZES[0]:
            skip_unless_supported(solver, row)
        if not solver.attempt(row, Request()).refused:
            compare_with_brute_force(solver, row)


_SIZES = (1000, 10**7, 2**31, 2**53, 2**63, 10**21)
"""Numbers around the limits of tolerances, of 32 bits, of floats and of 64 bits."""


def supports_declared_automata(solver: Solver) -> None:
    """Automata, deterministic or not, read a line in order and to its end, or a cell twice."""
    lines = [
        (Automaton((4, 2, 0, 1), _ORDERED), Automaton((5, 3, 5), _IN_MANY_WAYS)),
        (Automaton((0, 1, 2, 3, 4), _IN_MANY_WAYS),),
        (Automaton((5, 4, 3, 2, 1), _IN_MANY_WAYS), Automaton((3, 0, 4), _ORDERED)),
    ]
    _compare_rows(solver, 3, _THREE, lines, [(Automaton((0, 3, 4), _EVEN),)])
    marked = [{1, 2}, {2, 3}, {1, 3}, {1, 2}, {3}, {1, 2, 3}]
    compare_with_brute_force(solver, Board.from_candidates(_row(3, _THREE, lines[1]), marked))


_ORDERED = machine_of(3, [0], [1], [(0, 1, 1), (0, 2, 0), (1, 1, 1), (1, 2, 1), (1, 3, 1)])
"""There is a 1, and no 3 comes before it."""

_IN_MANY_WAYS = machine_of(
    3,
    [0, 3],
    [2, 4],
    [(at, v, at) for at in (0, 2, 3) for v in (1, 2, 3)] + [(0, 1, 1), (1, 2, 2), (3, 3, 4)],
)
"""Somewhere a 2 follows a 1, or the last value is a 3."""

_EVEN = machine_of(3, [0], [0], [(at, v, 1 - at) for at in (0, 1) for v in (1, 2, 3)])
"""The number of cells is even."""


def supports_declared_tables(solver: Solver) -> None:
    """Tables with few rows or almost all rows have the solutions of brute force; some have none."""
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
    _compare_rows(solver, 3, _THREE, known, none)


def supports_declared_same_values(solver: Solver) -> None:
    """Two lists of cells contain the same values equally often, in units and elsewhere."""
    known = [(SameValues((0, 1, 3), (2, 4, 5)),), (SameValues((0, 1, 2), (3, 4, 5), differ=True),)]
    _compare_rows(solver, 3, [(0, 1, 2), (3, 4, 5)], known)
    _compare_rows(solver, 3, [], known[:1])


def supports_declared_regions(solver: Solver) -> None:
    """Regions of bounded size are connected or empty, and cells beside them differ if they must."""
    neighbours = pairs_in_rows(_SIX, 3)
    ring = ((0, 1), (0, 4), (1, 3), (3, 4))
    known = [
        (Region(_SIX, 0b110, neighbours, 2, 4), Region(_SIX, 0b001, neighbours, 2, 3)),
        (
            Region((0, 1, 3, 4), 0b010, ring, 2, 2, (1, 2, 4, 5)),
            Region(_SIX, 0b100, neighbours, 0, 2),
        ),
        (Region(_SIX, 0b011, neighbours, 3, 3, (3, 4, 5, 0, 1, 2)),),
        (Region(_SIX, 0b100, neighbours[2:], 1, 6), Region(_SIX, 0b001, neighbours, 1, 1)),
    ]
    _compare_rows(solver, 3, _THREE, known, [(Region(_SIX, 0b001, (), 2, 6),)])
    branches = (Region(_SIX, 0b001, neighbours, 3, 4),), (Region(_SIX, 0b010, neighbours, 1, 2),)
    either = Board.empty(_row(3, _THREE, (Or(branches),)))
    if not solver.attempt(either, Request()).refused:
        compare_with_brute_force(solver, either)


def supports_declared_alternatives(solver: Solver) -> None:
    """At least one of several branches holds, and each grid is found once."""
    both = (Sum((0, 3, 4, 5), (1, 1, 1, 1), 5, 6), Sets((2,), (1, 2)))
    other = (Automaton((1, 2, 3, 4, 5), _ORDERED),)
    impossible = (Sum((1, 2, 3, 4), (1, 2, 1, 1), 12, 13), Sets((3,), (1,)), Sets((4,), (1,)))
    _compare_rows(solver, 3, _THREE, [(Or((both, other, impossible)),)])


_THREE = ((0, 1, 2),)
"""The unit of the first three cells."""


def _row(n: int, units: Iterable[Iterable[int]], parts: Iterable[Rule | Constraint]) -> Layout:
    """Return six cells in a row with some rules, or constraints."""
    rules = [part if isinstance(part, Rule) else ConstraintRule(_SIX, (part,)) for part in parts]
    return Layout.from_units(n, units, shape=(1, 6), rules=rules)


def _compare_rows(
    solver: Solver,
    n: int,
    units: Iterable[Iterable[int]],
    known: Iterable[Sequence[Rule | Constraint]],
    impossible: Iterable[Sequence[Rule | Constraint]] = (),
) -> None:
    """Compare with brute force on rows of six cells; layouts in `impossible` must have no grid."""
    for parts in known:
        row = Board.empty(_row(n, units, parts))
        skip_unless_supported(solver, row)
        compare_with_brute_force(solver, row)
    for parts in impossible:
        none = Board.empty(_row(n, units, parts))
        count = search_all(solver, none).count
        assert count == 0, f"{none!r}: expected no grid, got {count}"


CHECKS_OF_CONSTRAINTS: tuple[Callable[[Solver], None], ...] = (
    supports_declared_relations,
    supports_declared_sums,
    supports_declared_numbers,
    supports_declared_automata,
    supports_declared_tables,
    supports_declared_same_values,
    supports_declared_regions,
    supports_declared_alternatives,
)
"""The checks of constraints: each is called with a solver."""
