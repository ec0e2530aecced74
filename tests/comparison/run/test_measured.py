"""What a published time includes: never a board that its solver has searched in the same form."""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

import unidoku
from tests.helpers.boards import EASY, WIKIPEDIA
from tests.helpers.engines import BAD, CASES, GOOD, label
from tests.helpers.made_runs import results_of, run
from tests.helpers.wrong import answers, memories
from unidoku import Board, Killer, Layout, load
from unidoku.backends.base import Request, Result, Stop
from unidoku.comparison.cases import Case
from unidoku.comparison.order import Run, schedule, warm_ups
from unidoku.comparison.record import Measure, Outcome, Record
from unidoku.comparison.report.tables import standard_tables
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.report.words import measured_as
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.run.measure import Inline, MeasurementSettings
from unidoku.comparison.run.pool import Pool
from unidoku.comparison.run.views import Views
from unidoku.comparison.statistics.summary import ranking
from unidoku.comparison.statistics.times import times_of
from unidoku.core import caching

REQUEST = Request(solutions=2, time_limit=20)
CLASSIC = [
    Case(board=Board.parse(text), name=f"classic {number}", source="test")
    for number, text in enumerate(
        (
            WIKIPEDIA,
            EASY,
        )
    )
]


def killer(seed: int = 1) -> Case:
    """Return a killer without givens, whose layout no other board has and which has no image."""
    puzzle = next(iter(unidoku.generate(family="killer", n=9, seed=seed)))
    return Case(board=puzzle, name=f"killer {seed}", source="test")


def measured(*runs: Run, sample_ms: float = 20, **settings: bool) -> list[Record]:
    labels = {run.backend: load(run.backend) for run in runs}
    asked = MeasurementSettings(request=REQUEST, sample_ns=round(sample_ms * 1e6), **settings)
    return list(Inline(labels, asked).run(runs))


@pytest.fixture
def remembered() -> Iterator[list[memories.Remembers]]:
    """Give the instances of the backend that remembers which the test makes."""
    memories.Remembers.instances.clear()
    memories.Learns.instances.clear()
    yield memories.Remembers.instances
    memories.Remembers.instances.clear()
    memories.Learns.instances.clear()


REMEMBERS, LEARNS = (f"tests.helpers.wrong.memories:{name}" for name in ("Remembers", "Learns"))


def test_a_warm_solver_gets_another_board_first_and_then_no_form_twice(
    remembered: list[memories.Remembers], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A search takes a millisecond, however busy the machine is.
    monkeypatch.setattr(
        "time.perf_counter_ns", lambda: 10**6 * sum(len(each.boards) for each in remembered)
    )
    runs = list(schedule(CLASSIC, [REMEMBERS], 2, 1, images=2))
    records = measured(*runs)
    assert {record.measure for record in records} == {Measure.WARM}
    searched = [instance for instance in remembered if instance.boards]
    for instance in searched:
        assert max(Counter(instance.boards).values()) == 1
    first = runs[0]
    assert searched[0].boards[0] == first.warm_up != first.case.board
    assert sum(len(instance.boards) for instance in searched) > 10 * len(runs)


def test_a_layout_of_one_board_gets_a_new_solver_for_each_search(
    remembered: list[memories.Remembers],
) -> None:
    case = CLASSIC[0]
    runs = list(schedule([case], [REMEMBERS], 2, 1))
    records = measured(*runs)
    assert {record.measure for record in records} == {Measure.FIRST}
    searched = [instance for instance in remembered if instance.boards]
    assert [len(instance.boards) for instance in searched] == [1] * len(searched)
    loops = sum(record.timing.loops for record in records)
    assert len(searched) == loops + 1  # the first one of a process may load what all use
    layouts = [instance.boards[0].layout for instance in searched]
    assert len(set(map(id, layouts))) == len(layouts)


def test_a_solver_that_answers_at_once_what_it_has_seen_gains_nothing() -> None:
    case = killer()
    (record,) = measured(Run(case, LEARNS, 1), sample_ms=1000)
    assert (record.measure, record.timing.loops > 1) == (Measure.FIRST, True)
    assert record.timing.wall_ns > 2_000_000
    other = Case(board=case.board, name="", source="")
    assert Views(Run(other, "x", 1), 1, relabel=True).get(1) is None  # it has no other form


def test_sat_learns_nothing_from_a_board_that_is_timed_again() -> None:
    case = killer(2)
    alone = load("sat").search(case.board, REQUEST).statistics["failures"]
    assert alone > 20
    runs = [Run(case, backend, number) for number in (1, 2) for backend in ("sat", "auto")]
    records = [record for record in measured(*runs) if record.backend == "sat"]
    assert [record.statistics["failures"] for record in records] == [alone, alone]
    again = load("sat")
    counts = [again.search(case.board, REQUEST).statistics["failures"] for _ in range(3)]
    assert counts[2] < alone / 2  # which is what was timed when models were kept


def test_backends_of_one_process_do_not_share_what_they_learnt() -> None:
    case = killer(2)
    other = Board(case.board.layout, tuple(15 for _ in case.board.candidates))
    runs = [Run(case, backend, 1, warm_up=other) for backend in ("sat", "sat[deductions=true]")]
    first, self_test_twin = measured(*runs, sample_ms=0)
    assert first.statistics["failures"] == self_test_twin.statistics["failures"] > 0


def test_a_layout_whose_model_may_be_gone_is_warmed_again() -> None:
    units = [tuple(range(start, start + 4)) for start in (0, 4, 8, 12)]
    layouts = [
        Layout.from_units(4, [*units, (0, cell)]) for cell in (5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
    ]
    runs = [
        Run(_case(layout), "sat", 1, warm_up=Board(layout, (1, *(15,) * 15)))
        for layout in (*layouts, layouts[0], layouts[-1])
    ]
    again = [record.timing.first_ns is not None for record in measured(*runs, sample_ms=0)]
    # The first of ten was searched too long ago, the last one was not.
    assert again == [*[True] * 10, True, False]


def test_the_boards_that_share_a_layout_decide_what_is_measured() -> None:
    lone = killer()
    cases = [*CLASSIC, lone]
    assert warm_ups(cases, "auto") == {
        CLASSIC[0].id: CLASSIC[1].board,
        CLASSIC[1].id: CLASSIC[0].board,
    }
    assert warm_ups(cases, "first") == {}
    assert set(warm_ups(cases, "warm")) == {case.id for case in CLASSIC}
    (image,) = warm_ups(CLASSIC[:1], "warm").values()
    assert image != CLASSIC[0].board
    assert image.layout == CLASSIC[0].board.layout


def test_an_object_that_cannot_be_made_again_is_searched_once_a_run() -> None:
    boards: list[Board] = []
    asked = MeasurementSettings(request=REQUEST)
    records = list(Inline({"x": answers.recording(boards)}, asked).run([Run(killer(), "x", 1)]))
    assert (records[0].timing.loops, len(boards)) == (1, 1)


def test_a_board_that_a_kept_solver_has_searched_before_is_marked() -> None:
    case, solver = killer(), answers.fake("x", answers.honest)
    run = Run(case, "x", 1, warm_up=Board(case.board.layout, (7,) * 81))
    runner = Inline({"x": solver}, MeasurementSettings(request=REQUEST))
    first, again = runner.run([run, replace(run, round=2)])
    assert "had searched" not in str(first.usage.disturbed)
    assert "had searched this board before" in again.usage.disturbed[-1]


@pytest.mark.processes
def test_a_backend_that_dies_on_the_board_before_is_not_blamed_on_the_next() -> None:
    name = "tests.helpers.wrong.memories:DiesOnOnes"
    cases = [Case(board=board, name=str(k), source="test") for k, board in enumerate((BAD, *GOOD))]
    runs = [Run(cases[1], name, 1, warm_up=BAD), Run(cases[2], name, 1, warm_up=BAD)]
    runs.append(Run(cases[0], name, 1, warm_up=GOOD[0]))
    settings = PoolSettings(grace=1.0)
    asked = MeasurementSettings(request=REQUEST, sample_ns=0, relabel=False)
    with Pool({name: load(name)}, asked, settings) as pool:
        records = {record.case: record for record in pool.run(runs)}
    assert [records[case.id].outcome for case in cases] == [
        *(Outcome.CRASHED, Outcome.SOLVED, Outcome.SOLVED)
    ]
    assert records[cases[1].id].measure is Measure.FIRST


@pytest.mark.processes
def test_a_backend_that_hangs_on_the_board_before_is_not_blamed_on_the_next() -> None:
    name = label("HangsInPython")
    runs = [Run(case, name, 1, warm_up=BAD) for case in (CASES[0], CASES[2])]
    request = Request(solutions=1, time_limit=0.3)
    asked = MeasurementSettings(request=request, sample_ns=0, relabel=False)
    with Pool({name: load(name)}, asked, PoolSettings(grace=0.2)) as pool:
        assert {record.outcome for record in pool.run(runs)} == {Outcome.SOLVED}


def test_what_is_made_of_a_layout_is_made_again_after_it_was_forgotten() -> None:
    """Each cached function of layouts and of what has cells is in the list that is cleared."""
    caches = {
        "unidoku.backends.native.lanes.compile": "compiled code stays, as libraries do",
        "unidoku.core.text.reader": "the reader, which is never timed",
        "unidoku.core.verify.boards": "the checker, which is never timed",
        "unidoku.core.symmetry": "the comparison itself looks for symmetries",
        "unidoku.core.canonical": "no solver uses it",
        "unidoku.core.variants": "named variants are made once, by the reader",
        "unidoku.fuzzing.shrink": "no solver uses it",
        "unidoku.generation.grids": "no solver uses it",
        "unidoku.fuzzing.mutation": "no solver uses it",
    }
    lost = []
    for module in pkgutil.walk_packages(unidoku.__path__, "unidoku."):
        if ".adapters." in module.name or module.name.startswith("unidoku.testing"):
            continue
        namespace = importlib.import_module(module.name)
        for name, function in vars(namespace).items():
            if not isinstance(function, functools._lru_cache_wrapper):
                continue
            parameters = inspect.signature(function).parameters.values()
            of_layouts = any(
                word in str(parameter.annotation)
                for parameter in parameters
                for word in ("Layout", "Board", "Cover", "Shape", "Unit")
            )
            cleared = [getattr(clear, "__self__", None) for clear in caching._clear]
            is_cleared = any(function is cache for cache in cleared)
            if of_layouts and not is_cleared and function.__module__ not in caches:
                lost.append(f"{module.name}.{name}")
    assert not lost
    assert len(cleared) > 20


def test_a_layout_costs_the_same_in_each_first_search(monkeypatch: pytest.MonkeyPatch) -> None:
    from unidoku.core.transforms import lower

    prepared_layouts: list[Layout] = []
    real = lower.lower.__wrapped__

    @caching.layout_cache(maxsize=64)
    def counted(layout: Layout) -> lower.Lowered:
        prepared_layouts.append(layout)
        return real(layout)

    monkeypatch.setattr(lower, "lower", counted)
    case = killer()
    (record,) = measured(Run(case, "python-constraint", 1))
    assert record.outcome is Outcome.SOLVED
    assert len(prepared_layouts) >= record.timing.loops


def test_a_late_answer_is_not_solved_and_stays_an_answer() -> None:
    import time

    def late(board: Board, request: Request, result: Result) -> Result:
        time.sleep(0.2)
        return result

    asked = MeasurementSettings(request=Request(solutions=2, time_limit=0.1))
    (record,) = Inline({"x": answers.fake("x", late)}, asked).run([Run(CLASSIC[0], "x", 1)])
    assert (record.outcome, record.stop, record.count) == (Outcome.LATE, Stop.EXHAUSTED, 1)


def test_cages_without_images_have_one_form_and_classic_boards_thousands() -> None:
    rules = [Killer((0, 1), 5)]
    layout = Layout.from_units(4, [], rules=rules)
    assert sum(1 for _ in Views(Run(_case(layout), "x", 1), 1, relabel=True)) == 1
    views = Views(Run(CLASSIC[0], "x", 1), 1, relabel=True)
    forms = {view.board for view, _ in zip(views, range(3000), strict=False)}
    assert len(forms) == 3000


def _case(layout: Layout) -> Case:
    return Case(board=Board.empty(layout), name="", source="")


def test_each_group_of_cases_and_each_program_has_a_sentence() -> None:
    records = [
        run("a", 0, 1, measure=Measure.FIRST),
        run("a", 1, 1, measure=Measure.WARM),
        run("a", 2, 1, measure=Measure.WARM),
        run("b", 0, 1, measure=Measure.FIRST),
        run("b", 1, 1, measure=Measure.WHOLE),
        run("b", 2, 1, measure=Measure.WHOLE),
    ]
    warm, first, programs = measured_as(times_of(results_of(records)))
    assert warm.startswith("Warm: 2 cases on 1 layout, ")
    assert first.startswith("First: 1 case, ")
    assert programs.startswith("b starts a program for each search")
    note = standard_tables(results_of(records))[0].note
    assert warm in note
    assert programs in note


def test_older_journals_say_nothing_of_it() -> None:
    assert list(measured_as(times_of(results_of([run("a", 0, 1)])))) == []


def test_one_off_costs_are_those_beyond_a_later_search_of_the_same_board() -> None:
    def seconds(value: int) -> int:
        return value * 10**9

    other = results_of([run("a", 0, 1)]).cases[0].id
    records = [
        run("a", 0, 2, measure=Measure.WARM),
        run("a", 1, 5, measure=Measure.WARM, first_ns=seconds(9), warm_up=other),
        run("a", 2, 100, measure=Measure.FIRST, first_ns=seconds(300)),
    ]
    times = times_of(results_of(records))
    assert times.one_off[0].tolist()[1] == 7  # 9 s on the board that later takes 2 s
    # The case whose time includes its layout neither costs nor counts.
    assert ranking(times, 1) == [("a", 3.5 + 7)]
    assert ranking(times, 7) == [("a", 3.5 + 1)]
    only = times_of(results_of(records[2:]))
    tables = standard_tables(results_of(records[2:]), view=ReportView(phases=True))
    assert str(ranking(only, 1)[0][1]) == "nan"
    assert not [heading for heading in tables[1].headings if heading.startswith("1 of")]
