"""How a run is measured: the sample, the first call, the phases, the names of the values."""

from __future__ import annotations

import gc
import mmap
import time
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.helpers.boards import NORVIG
from tests.helpers.wrong import answers
from unidoku import Board, Layout, Request, Result, load
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.cases import Case
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.measure import SAMPLE_NS, MeasurementSettings, Meter
from unidoku.comparison.run.pool import Pool

CASE = Case(board=Board.parse("1... ..2. .3.. ...4"), name="proper", source="test")
OTHER = Case(board=Board.parse("1... ..2. .3.. ...."), name="other", source="test")
REQUEST = Request(solutions=2, time_limit=5)
WARM = Run(CASE, "x", 1, warm_up=OTHER.board)
LARGE = Run(
    Case(board=Board.parse(NORVIG), name="of many forms", source="test"),
    "x",
    1,
    warm_up=Board.parse("." * 81),
)


def measured(solver: Solver, *runs: Run, **settings: object) -> list[Record]:
    meter = Meter({"x": solver}, MeasurementSettings(request=REQUEST, **settings))  # type: ignore[arg-type]  # keywords of one test
    return [meter.measure(meter.task(run)) for run in runs or (WARM,)]


def test_a_fast_search_is_repeated_until_the_sample_is_long_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[Board] = []
    monkeypatch.setattr("time.perf_counter_ns", lambda: 10**6 * len(calls))  # on any machine
    (record,) = measured(answers.recording(calls), LARGE)
    assert record.outcome is Outcome.SOLVED
    assert record.timing.loops > 1
    assert record.timing.loops * (record.timing.wall_ns + 1) >= SAMPLE_NS


def test_a_slow_search_is_not_repeated() -> None:
    def slow(board: Board, request: Request, result: Result) -> Result:
        time.sleep(0.03)
        return result

    calls = []

    def counted(board: Board, request: Request, result: Result) -> Result:
        calls.append(board)
        return slow(board, request, result)

    runs = [replace(WARM, round=number) for number in (1, 2)]
    first, second = measured(answers.fake("x", counted), *runs)
    assert first.timing.loops == second.timing.loops == 1
    assert len(calls) == 3  # the first search of a layout is of another board, and does not count


def test_the_first_search_of_a_layout_is_recorded_apart() -> None:
    runs = [WARM, Run(OTHER, "x", 1, warm_up=CASE.board), replace(WARM, round=2)]
    records = measured(load("norvig"), *runs)
    assert [record.timing.first_ns is None for record in records] == [False, True, True]
    assert [record.warm_up for record in records] == [OTHER.id, None, None]


def test_what_a_layout_needs_is_loaded_before_its_first_search_and_counted_with_it() -> None:
    steps: list[str] = []

    def watched(board: Board, request: Request, result: Result) -> Result:
        steps.append("search")
        return result

    solver = answers.fake("x", watched)

    def prepare(layout: Layout) -> None:
        steps.append("prepare")
        time.sleep(0.05)
        raise ValueError("what cannot be prepared is searched all the same")

    object.__setattr__(solver.backend, "prepare", prepare)
    meter = Meter(
        {"x": solver}, MeasurementSettings(request=REQUEST), None, lambda: steps.append("loading")
    )
    runs = [WARM, Run(OTHER, "x", 1, warm_up=CASE.board)]
    first, second = [meter.measure(meter.task(run)) for run in runs]
    assert steps[:3] == ["loading", "prepare", "search"]
    assert set(steps[3:]) == {"search"}
    assert first.outcome is second.outcome is Outcome.SOLVED
    assert first.timing.first_ns is not None
    assert first.timing.first_ns >= 50_000_000
    assert second.timing.first_ns is None
    steps.clear()
    # It took 7 ns to make it.
    own_meter = Meter({"x": solver}, MeasurementSettings(request=REQUEST), {"x": 7})
    record = own_meter.measure(own_meter.task(runs[0]))
    assert record.timing.load_ns is not None
    assert record.timing.load_ns >= 50_000_007


@pytest.mark.processes
def test_native_is_measured_compiled_from_the_first_run_on() -> None:
    labels = ["native", "auto"]
    with Pool(
        {label: load(label) for label in labels}, MeasurementSettings(request=REQUEST)
    ) as pool:
        records = list(pool.run([Run(CASE, label, 1) for label in labels]))
    assert ["restarts" in record.statistics for record in records] == [True, True]


def test_without_a_sample_a_run_is_one_search() -> None:
    calls: list[Board] = []
    run = Run(CASE, "x", 1)
    (record,) = measured(answers.recording(calls), run, sample_ns=0, relabel=False)
    assert (record.timing.loops, record.timing.first_ns, len(calls)) == (1, None, 1)
    assert calls == [CASE.board]


@pytest.mark.parametrize("backend", ["norvig", "native", "sat", "exact-cover"])
def test_the_phases_add_up_to_the_time(backend: str) -> None:
    (record,) = measured(load(backend))
    timing = record.timing
    assert timing.init_ns + timing.solve_ns + timing.decode_ns == timing.wall_ns
    assert timing.solve_ns > 0


def test_a_pause_in_one_search_of_a_sample_does_not_count_as_one_in_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("unidoku.comparison.run.searched._FIGURES", 2)
    durations: list[float] = []

    def paused(board: Board, request: Request, result: Result) -> Result:
        durations.append(0.0 if len(durations) % 5 else 1.0)
        return replace(
            result, statistics={"init_time": durations[-1], "solve_time": 1e-9, "nodes": 1}
        )

    (record,) = measured(answers.fake("x", paused))
    in_sample = durations[-record.timing.loops :]
    assert len(in_sample) > 5
    assert record.statistics["init_time"] == pytest.approx(sum(in_sample) / len(in_sample))


def test_no_search_of_a_sample_sees_the_same_board_as_the_one_before() -> None:
    boards: list[Board] = []
    (record,) = measured(answers.recording(boards))
    assert all(board != other for board, other in pairwise(boards))
    solutions = load("norvig").solve(CASE.board, solutions=2).solutions
    assert record.solutions == solutions  # in the names of the case, whatever was asked


def test_all_backends_get_the_same_boards_in_the_same_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: dict[str, list[Board]] = {"a": [], "b": []}
    # A search takes a millisecond, however busy the machine is.
    monkeypatch.setattr("time.perf_counter_ns", lambda: 10**6 * sum(map(len, seen.values())))
    solvers = {name: answers.recording(boards) for name, boards in seen.items()}
    meter = Meter(solvers, MeasurementSettings(request=REQUEST))
    for round in (1, 2):
        for boards in seen.values():
            boards.clear()
        for name in ("b", "a"):
            meter.measure(meter.task(replace(LARGE, backend=name, round=round)))
        count = min(map(len, seen.values()))  # samples differ in length
        assert count > 2
        assert seen["a"][:count] == seen["b"][:count]


def test_answers_that_depend_on_the_names_of_the_values_are_wrong() -> None:
    def lie(board: Board, request: Request, result: Result) -> Result:
        return (
            result if board.givens[0] == 1 else answers.says_unsatisfiable(board, request, result)
        )

    (record,) = measured(answers.fake("x", lie))
    assert record.outcome in (Outcome.WRONG, Outcome.SOLVED)
    several = measured(answers.fake("x", lie), *(replace(WARM, round=k) for k in range(1, 9)))
    wrong = [record for record in several if record.outcome is Outcome.WRONG]
    assert wrong
    assert wrong[0].evidence[0].startswith("other answers to the same board")


def test_an_error_amid_a_sample_is_a_failure() -> None:
    calls = []

    def third_time(board: Board, request: Request, result: Result) -> Result:
        calls.append(board)
        if len(calls) > 4:
            raise ZeroDivisionError("the fifth time")
        return result

    (record,) = measured(answers.fake("x", third_time))
    assert record.outcome is Outcome.FAILED
    failure = "ZeroDivisionError: the fifth time (test_measure.py, line "
    assert record.evidence[0].startswith(failure)


def test_memory_that_a_backend_cannot_get_is_an_outcome_of_its_own() -> None:
    def hungry(board: Board, request: Request, result: Result) -> Result:
        size = 160 << 20  # of the system: free memory of this process would be within the limit
        with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as block:
            block[:: mmap.PAGESIZE] = b"x" * (size // mmap.PAGESIZE)
        return result

    run = Run(CASE, "x", 1)
    (record,) = measured(answers.fake("x", hungry), run, memory_limit=64 << 20)
    assert record.outcome is Outcome.MEMORY
    (record,) = measured(answers.fake("x", hungry), run, memory_limit=1 << 30, sample_ns=0)
    assert record.outcome is Outcome.SOLVED
    assert 150 << 20 < record.usage.peak_bytes < 350 << 20


def test_the_garbage_collector_is_off_while_a_run_is_timed_and_back_on_after_it() -> None:
    states = []

    def watched(board: Board, request: Request, result: Result) -> Result:
        states.append(gc.isenabled())
        return result

    assert gc.isenabled()
    measured(answers.fake("x", watched))
    assert not any(states)
    assert gc.isenabled()


def test_a_limit_that_a_backend_does_not_honour_is_not_handed_to_it() -> None:
    from unidoku.backends import BackendSpec
    from unidoku.backends.base import Capabilities

    requests = []

    class Deaf:
        def search(self, board: Board, request: Request) -> Result:
            requests.append(request)
            return load("norvig").search(board, request)

    spec = BackendSpec(name="deaf", target="", summary="", capabilities=Capabilities())
    (record,) = measured(Solver(spec, Deaf()))
    assert record.outcome is Outcome.SOLVED
    assert {request.time_limit for request in requests} == {None}


def test_a_naming_on_which_the_search_meets_its_limit_ends_the_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[Board] = []
    monkeypatch.setattr("time.perf_counter_ns", lambda: 10**6 * len(calls))  # on any machine

    def sometimes(board: Board, request: Request, result: Result) -> Result:
        calls.append(board)
        if len(calls) == 4:
            return answers.says_unknown(board, request, result)
        return result

    (record,) = measured(answers.fake("x", sometimes))
    assert record.outcome is Outcome.UNKNOWN
    assert (record.timing.loops, len(calls)) == (2, 4)
