"""The conformance suite: what every backend must do, as checks that raise AssertionError.

The expected counts are published (OEIS A002860 and A274806 for Latin squares, 288 grids of 4x4),
were found by several independent solvers that agree (4x4 variants, non-consecutive boards), follow
from how the board was made, or are found by brute force here.

A check of something that a backend does not claim (a limit, a rule, a size) raises `NotClaimed`,
which a test reports as skipped, not as passed.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from functools import wraps

from unidoku.backends.base import Request, Status, Stop
from unidoku.backends.solving.policy import refusals
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.units import default_box, shifted_grid
from unidoku.core.variants import Variant, layout, overlap
from unidoku.errors import UnsupportedError
from unidoku.testing import limits
from unidoku.testing.constraints import CHECKS_OF_CONSTRAINTS
from unidoku.testing.limits import (
    PROPER,
    NotClaimed,
    honours_its_options,
    honours_the_node_limit,
    honours_the_seed,
    honours_the_time_limit,
    honours_threads,
    stops_when_cancelled,
)
from unidoku.testing.threads import answers_from_several_threads
from unidoku.testing.truth import (
    brute_force,
    compare_with_brute_force,
    search_all,
    skip_unless_supported,
)

__all__ = ["CHECKS", "INCOMPLETE_CHECKS", "NotClaimed", "brute_force", "conformance"]

Check = Callable[[Solver], None]

_MARKS = ({1, 2}, {2, 3}, {1, 3}, {1, 2, 3}, {1}, {2, 3}, {1, 2, 3}, {3}, {1, 2})

KNOWN_COUNTS = (
    ("latin", 1, 1),
    ("latin", 2, 2),
    ("latin", 3, 12),
    ("latin", 4, 576),
    ("latin+x", 4, 48),
    ("latin+x", 5, 960),
    ("classic", 4, 288),
    ("x", 4, 48),
    ("disjoint", 4, 168),
    ("windoku", 4, 168),
    ("anti-king", 4, 0),
)
"""Variant, size, number of full grids."""

_MOST_GRIDS = 50
"""If there are more full grids than this, only those whose first row is in order are counted.

The checks of threads and of pickling search for all grids of 4x4."""


def conformance(solver: Solver) -> dict[str, str]:
    """Run all checks in order; for an incomplete backend, only those that apply to it.

    Returns:
        The names of the skipped checks, each with what the backend does not claim.

    Raises:
        AssertionError: a check failed; the message states what was expected.
    """
    skipped = {}
    for check in CHECKS if solver.spec.capabilities.complete else INCOMPLETE_CHECKS:
        try:
            check(solver)
        except NotClaimed as reason:
            skipped[check.__name__] = str(reason)
    return skipped


def finds_every_grid_of_small_layouts(solver: Solver) -> None:
    """The solver finds the known number of full grids, each once."""
    for variant, n, known in KNOWN_COUNTS:
        board, images = Board.empty(layout(variant, n)), 1
        if known > _MOST_GRIDS:
            # Renaming the values turns each grid into n! grids.
            board = Board.from_values(board.layout, [*range(1, n + 1), *[0] * (n * n - n)])
            images = math.factorial(n)
        count = search_all(solver, board).count * images
        assert count == known, f"{variant} {n}: expected {known}, got {count}"


def solves_one_cell(solver: Solver) -> None:
    """A board of one cell has one solution."""
    assert search_all(solver, Board.parse(".")).solutions == ((1,),)
    assert search_all(solver, Board.parse("1")).solutions == ((1,),)


def proves_that_a_solution_is_the_only_one(solver: Solver) -> None:
    """On a hard proper board a search for two solutions finds one and proves it the only one."""
    result = solver.solve(Board.parse(PROPER), solutions=2)
    assert result.unique is True, f"expected a proof of uniqueness, got {result}"
    assert result.status is Status.ALL_SOLUTIONS


def keeps_the_givens(solver: Solver) -> None:
    """A full board is its own solution, and a full board with a clash has no solution."""
    full = search_all(solver, Board.empty(layout("classic", 4))).solutions[0]
    board = Board.from_values(layout("classic", 4), full)
    assert search_all(solver, board).solutions == (full,)
    clashing = (full[1], *full[1:])
    assert search_all(solver, Board.from_values(layout("classic", 4), clashing)).count == 0


def takes_a_contradiction_as_a_board_without_solutions(solver: Solver) -> None:
    """The solver proves that boards with a clash or a cell without candidates have no solution."""
    four = layout("classic", 4)
    clash = Board.parse("11.. .... .... ....")
    empty_cell = Board(four, (0, *Board.empty(four).candidates[1:]))
    no_place = Board.parse("12.. .... .... ..3.").assign("A3", 4).assign("A4", 4)
    for board in (clash, empty_cell, no_place):
        result = search_all(solver, board)
        assert result.status is Status.UNSATISFIABLE, f"{board!r}: got {result}"


def stops_at_the_number_of_solutions_asked(solver: Solver) -> None:
    """The solver finds as many solutions as requested; if there are fewer, it proves that."""
    board = Board.empty(layout("x", 4))
    for wanted in (1, 2, 5, 47, 48):
        result = solver.solve(board, solutions=wanted)
        assert (result.count, result.stop) == (wanted, Stop.SOLUTIONS), f"{wanted}: got {result}"
    result = solver.solve(board, solutions=49)
    assert (result.count, result.stop) == (48, Stop.EXHAUSTED), f"49: got {result}"


def keeps_as_many_grids_as_asked(solver: Solver) -> None:
    """Solutions are counted even if fewer grids are kept, whether or not the search is complete."""
    board = Board.empty(layout("x", 4))
    for keep in (0, 1, 3):
        for wanted, most in ((None, 48), (2, 2), (5, 5), (500, 48)):
            result = solver.solve(board, solutions=wanted, keep=keep)
            got = (result.count, len(result.solutions))
            assert got == (most, min(keep, most)), f"keep={keep}, solutions={wanted}: {got}"


def solves_large_boards(solver: Solver) -> None:
    """On boards of more than nine values the solver proves uniqueness, and finds two solutions."""
    skip_unless_supported(solver, Board.empty(layout("latin", 10)))
    for variant, n in limits.LARGE:
        grid = shifted_grid(n, 1 if variant == "latin" else default_box(n)[0])
        board = Board.from_values(layout(variant, n), grid)
        if refusals(solver.spec.capabilities, board.layout, Request()):
            continue
        # The columns determine the first row, and each row determines its first cell.
        holes = {*range(n), *range(0, n * n, n)} - {0}
        result = solver.solve(_opened(board.layout, grid, holes), solutions=2)
        assert result.solutions == (grid,), f"{variant} {n}: {result.count}"
        assert result.unique is True, f"{variant} {n}: {result.count}"
        clashing = Board.from_values(board.layout, (grid[1], *grid[1:]))
        result = solver.solve(clashing, solutions=1)
        assert result.status is Status.UNSATISFIABLE, f"{variant} {n} with a clash"
    grid = shifted_grid(10)
    corners = {0, 5, 50, 55}  # their values are 1, 6, 6, 1, which can be exchanged
    result = solver.solve(_opened(layout("latin", 10), grid, corners), solutions=3)
    assert (result.count, result.unique) == (2, False), f"latin 10: {result.count}, not 2"


def _opened(layout: Layout, grid: Grid, holes: set[int]) -> Board:
    return Board.from_values(layout, [0 if c in holes else v for c, v in enumerate(grid)])


def solves_units_that_only_differ(solver: Solver) -> None:
    """Units of fewer than n cells need not contain every value, and a cell may be in no unit."""
    layouts = [
        Layout.from_units(5, [[0, 1, 2]], shape=(1, 3)),
        Layout.from_units(3, [[0, 1], [1, 2], [2, 3]], shape=(2, 2)),
        Layout.from_units(3, [[0, 1, 2], [2, 3]], shape=(1, 5)),
        Layout.from_units(2, [], shape=(1, 3)),
    ]
    for small in layouts:
        compare_with_brute_force(solver, Board.empty(small))


def solves_overlapping_grids(solver: Solver) -> None:
    """Two Latin squares that share a corner have the solutions that brute force finds."""
    square = layout("latin", 2)
    compare_with_brute_force(solver, Board.empty(overlap([(square, (0, 0)), (square, (1, 1))])))


def solves_pencil_marks(solver: Solver) -> None:
    """Pencil marks restrict a cell to its candidates, on boards of any size."""
    compare_with_brute_force(solver, Board.from_candidates(layout("latin", 3), _MARKS))
    for n in (6, 9):
        # Two rows can be exchanged as a whole, but no part of them can.
        grid = shifted_grid(n)
        exchanged = (*grid[n : 2 * n], *grid[:n], *grid[2 * n :])
        marks = [{value, other} for value, other in zip(grid, exchanged, strict=True)]
        result = solver.solve(Board.from_candidates(layout("latin", n), marks), solutions=3)
        assert set(result.solutions) == {grid, exchanged}, f"{n} values: got {result.count}"


_AREAS = ("aaabacbbccbdcddd", "aabbaabbccddccdd")


def forgets_one_board_before_the_next(solver: Solver) -> None:
    """An answer does not depend on earlier boards: their givens, their marks, or their layouts."""
    four = layout("classic", 4)
    others = [layout("x", 4)]
    others += [Variant.parse(f"jigsaw:{areas}").layout(4) for areas in _AREAS]
    units = ([[0, 1, 2, 3], [4, 5]], [[2, 3, 4, 5], [0, 1]])
    marks = [{1, 2}, {1, 2}, *[{1, 2, 3, 4}] * 13, {4}]
    boards = [
        Board.parse("1... ..2. .3.. ...4"),
        Board.parse("11.. .... .... ...."),
        *[Board.parse("12.. .... .... ....", other) for other in others],
        *[Board.parse("1.. .2.", Layout.from_units(4, two, shape=(2, 3))) for two in units],
        Board.from_candidates(four, marks),
        Board.from_candidates(four, [{3, 4}, {3, 4}, *marks[2:]]),
        Board.parse("2... ..1. .3.. ...4"),
    ]
    before = [set(search_all(solver, board).solutions) for board in boards]
    after = [set(search_all(solver, board).solutions) for board in reversed(boards)]
    assert before == after[::-1]
    assert len(set(map(frozenset, before))) == len(boards), "the boards have different solutions"


def survives_pickling(solver: Solver) -> None:
    """A solver and its results can be pickled, and so be sent to another process."""
    again = pickle.loads(pickle.dumps(solver))
    result = search_all(again, Board.empty(layout("classic", 4)))
    assert pickle.loads(pickle.dumps(result)).count == 288


def answers_rightly_or_gives_up(solver: Solver) -> None:
    """The solutions, the stop and the candidates that an incomplete backend returns are true."""
    three = layout("latin", 3)
    boards = [
        Board.parse("."),
        Board.from_candidates(three, _MARKS),
        Board.from_values(three, (1, 2, 0, 0, 0, 1, 0, 0, 2)),
        Board.from_values(three, (1, 0, 0, 0, 2, 0, 0, 0, 0)),
        Board.from_values(three, (1, 1, 0, 0, 0, 0, 0, 0, 0)),
        Board.empty(Layout.from_units(5, [[0, 1, 2]], shape=(1, 3))),
        Board.empty(Layout.from_units(3, [[0, 1, 2], [2, 3]], shape=(1, 5))),
    ]
    for board in boards:
        truth = set(brute_force(board))
        for wanted in (1, 2, None):
            result = solver.solve(board, solutions=wanted)
            assert set(result.solutions) <= truth
            if result.stop is Stop.EXHAUSTED:
                assert set(result.solutions) == truth, f"{board!r}: got {result}"
            for cell, mask in enumerate(result.candidates or ()):
                assert all(mask >> grid[cell] - 1 & 1 for grid in truth), "a solution is lost"


def takes_a_full_board(solver: Solver) -> None:
    """A full board is its own solution, also for a solver that was pickled."""
    board = Board.from_values(layout("latin", 5), shifted_grid(5))
    for copy in (solver, pickle.loads(pickle.dumps(solver))):
        assert search_all(copy, board).solutions == (shifted_grid(5),)


def _within_claims(check: Check) -> Check:
    """Return a check that raises `NotClaimed` if the backend finds too few solutions for it."""

    @wraps(check)
    def checked(solver: Solver) -> None:
        try:
            check(solver)
        except UnsupportedError as error:
            if solver.spec.capabilities.max_solutions is None:
                raise
            raise NotClaimed(str(error)) from error

    return checked


CHECKS: tuple[Check, ...] = tuple(
    map(
        _within_claims,
        (
            finds_every_grid_of_small_layouts,
            solves_one_cell,
            proves_that_a_solution_is_the_only_one,
            keeps_the_givens,
            takes_a_contradiction_as_a_board_without_solutions,
            stops_at_the_number_of_solutions_asked,
            keeps_as_many_grids_as_asked,
            solves_large_boards,
            solves_units_that_only_differ,
            solves_overlapping_grids,
            solves_pencil_marks,
            forgets_one_board_before_the_next,
            answers_from_several_threads,
            survives_pickling,
            honours_threads,
            honours_the_seed,
            honours_the_time_limit,
            stops_when_cancelled,
            honours_the_node_limit,
            honours_its_options,
            *CHECKS_OF_CONSTRAINTS,
        ),
    )
)
"""All checks: each is called with a solver."""

INCOMPLETE_CHECKS: tuple[Check, ...] = (
    solves_one_cell,
    takes_a_full_board,
    answers_rightly_or_gives_up,
    honours_its_options,
)
"""The checks of a backend that may give up."""
