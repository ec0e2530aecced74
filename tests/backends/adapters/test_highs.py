"""HiGHS: enumeration with one cut, options that reach it, and threads."""

from __future__ import annotations

import threading
from pathlib import Path

import highspy
import pytest

import unidoku
from tests.helpers.boards import HARD, HARDER, MANY
from unidoku import Board, Layout, Renban, Status, Stop, Thermo, Whispers, layout
from unidoku.backends.adapters.highs.adapter import _PROGRAMS, Highs, _Program
from unidoku.backends.base import Request
from unidoku.backends.toolkit.linear import LinearProgram
from unidoku.errors import BackendError


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("4....81.........9....1.6.5.96....7...5.62....7......4.6.7............4...128.5...", 6),
        ("......4.1...8..6......37.2.1.7.2.5.4....95.6.5.....83..4.7..3.5...5......3..8....", 6),
        ("..2..9.6...354.2.9......7.3...2835........67..15.......9......212.6.........3....", 1),
    ],
)
def test_boards_that_presolve_calls_infeasible_in_another_encoding_are_solved(
    text: str, count: int
) -> None:
    """With integers for the values of the cells, HiGHS 1.13 to 1.15 lose these solutions."""
    result = unidoku.solve(Board.parse(text), backend="highs", solutions=6)
    assert result.count == count


def test_each_solution_takes_two_runs_and_leaves_no_row_behind() -> None:
    _PROGRAMS.clear()
    board = Board.empty(layout("classic", 4))
    result = unidoku.solve(board, backend="highs", solutions=None)
    assert (result.count, result.statistics["runs"]) == (288, 2 * 288)
    with _PROGRAMS.lend(board.layout, Highs(), _unexpected) as program:
        assert program.highs.getNumRow() == program.rows == 4 * 16


def test_a_search_that_was_stopped_leaves_no_row_behind() -> None:
    _PROGRAMS.clear()
    board = Board.parse(MANY)
    stopped = unidoku.solve(board, backend="highs", solutions=None, keep=0, time_limit=0.05)
    assert stopped.stop is Stop.TIME
    with _PROGRAMS.lend(board.layout, Highs(), _unexpected) as program:
        assert program.highs.getNumRow() == program.rows == 4 * 81
    assert unidoku.solve(Board.parse(HARD), backend="highs", solutions=2).unique is True


def _unexpected() -> _Program:
    raise AssertionError("the program of the last search was not kept")


def test_a_full_board_needs_no_search() -> None:
    grid = unidoku.solve(Board.parse(HARD), backend="highs").solutions[0]
    full = Board.from_values(layout("classic", 9), grid)
    result = unidoku.solve(full, backend="highs", solutions=None)
    assert (result.solutions, result.stop, result.statistics["nodes"]) == (
        (grid,),
        Stop.EXHAUSTED,
        0,
    )


def test_the_time_limit_is_of_a_run_and_not_of_all_runs_together() -> None:
    """The clock that HiGHS shows goes on from run to run; its limit is of each run."""
    highs, board = unidoku.load("highs"), Board.parse("1...............")
    _PROGRAMS.clear()
    shown = 0.0
    while shown < 1:
        highs.solve(board, solutions=None, keep=0)
        with _PROGRAMS.lend(board.layout, Highs(), _unexpected) as program:
            shown = program.highs.getRunTime()
    # A busy machine may have no second for it, but not each time.
    assert any(highs.solve(board, solutions=1, time_limit=1).count == 1 for _ in range(3))


def test_seeds_and_options_reach_the_solver() -> None:
    small = Board.parse("1" + "." * 34 + "2")
    board = Board.parse(HARDER)
    plain = unidoku.load("highs")
    iterations = {
        seed: plain.solve(small, solutions=2, seed=seed).statistics["simplex_iterations"]
        for seed in (0, 1, 2, 2**31 + 1)
    }
    assert len({iterations[0], iterations[1], iterations[2]}) == 3
    assert iterations[1] == iterations[2**31 + 1]
    usual = plain.solve(board, solutions=2).statistics["simplex_iterations"]
    for option in ("presolve=false", "heuristics=true"):
        result = unidoku.load(f"highs[{option}]").solve(board, solutions=2)
        assert result.unique is True
        assert result.statistics["simplex_iterations"] != usual


def test_another_number_of_threads_in_use_by_the_caller_does_no_harm(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """HiGHS refuses a run that asks for another number of threads than the one in use."""
    messages: list[object] = []

    def use_highs_first() -> None:
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 2)
        highs.addVar(0, 1)
        highs.run()
        refused = highspy.Highs()
        refused.setOptionValue("output_flag", False)
        refused.setOptionValue("threads", 1)
        refused.addVar(0, 1)
        messages.append(refused.run())
        for _ in range(2):
            messages.append(unidoku.solve(Board.parse(HARD), backend="highs", solutions=2).status)
        highspy.Highs.resetGlobalScheduler(True)

    thread = threading.Thread(target=use_highs_first)
    thread.start()
    thread.join()
    assert messages == [highspy.HighsStatus.kError, Status.ALL_SOLUTIONS, Status.ALL_SOLUTIONS]
    assert capfd.readouterr() == ("", "")


def test_a_program_that_cannot_be_run_is_an_error_of_ours() -> None:
    _PROGRAMS.clear()
    board = Board.parse(HARD)
    solver = unidoku.load("highs")
    solver.solve(board)
    with _PROGRAMS.lend(board.layout, Highs(), _unexpected) as program:
        program.highs.setOptionValue("mip_max_nodes", 0)
        program.highs.setOptionValue("presolve", "off")
    with pytest.raises(BackendError, match="expected a solution, none, or a time limit; got"):
        solver.solve(Board.parse(HARDER), solutions=2)
    assert solver.solve(board, solutions=2).unique is True, "the program at fault was dropped"


def test_all_columns_of_a_region_are_whole_because_its_clauses_multiply_tolerances(
    root: Path,
) -> None:
    (puzzle,) = unidoku.read(root / "examples" / "rules" / "connected.toml")
    program = LinearProgram(puzzle.board.layout)
    assert all(rows for *_, rows in program.rows())
    assert all(program.whole)


@pytest.mark.volume
@pytest.mark.soak
def test_cells_that_are_not_connected_are_no_solution(root: Path) -> None:
    (puzzle,) = unidoku.read(root / "examples" / "rules" / "connected.toml")
    result = unidoku.solve(puzzle.board, backend="highs", solutions=2)
    assert (result.unique, result.solutions) == (True, (puzzle.solution,))


def test_a_program_of_rules_that_presolve_calls_infeasible_is_run_without_it() -> None:
    """A board that HiGHS 1.14.0 called unsatisfiable."""
    units = [(0, 1, 2, 3, 4), (1, 10), (2, 6, 11, 16), (3, 7, 12, 13, 17), (4, 8, 14)]
    rules = [Thermo((5, 3, 1, 6), slow=True), Renban((9, 1, 10)), Whispers((0, 9, 15), 1)]
    small = Layout.from_units(5, units, shape=(1, 18), rules=rules)
    board = Board.parse("..3....32..11.5.5.", small)
    for solutions in (1, None):
        result, other = (
            unidoku.load(label).search(board, Request(solutions=solutions))
            for label in ("highs", "norvig")
        )
        assert result.count == other.count
    assert result.count == 48
