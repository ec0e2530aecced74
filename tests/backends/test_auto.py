"""The backend `auto`: who answers, after what, and that nothing is told twice or lost."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given

import unidoku
from unidoku import Board, Layout, Request, Result, Solver, Stop, layout, solve_many
from unidoku.backends import auto
from unidoku.backends.adapters.norvig import Norvig
from unidoku.backends.base import Capabilities
from unidoku.comparison.record import Record
from unidoku.core.rules import Killer, Thermo
from unidoku.errors import OptionError, UnidokuError, UnsupportedError
from unidoku.support import logs
from unidoku.support.deadline import Deadline
from unidoku.testing.strategies import boards, ruled_layouts

HARD = "1.......5.9.2...4...3...7...8.9.6.......5.......84..9...5...3...6...4.2.7.......1"
EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
MANY = "6....894.9....61...7..4....2..61..........2...89..2.......6...5.......3.8....16.."
TWO = Board.empty(layout("windoku", 4))
"""A board of 168 solutions and some failures between them."""


class Fake(Norvig):
    """Answers as Norvig's solver does, and remembers what it was asked."""

    capabilities: ClassVar = replace(
        unidoku.catalogue()["norvig"].capabilities,
        honours=frozenset({"time_limit", "threads", "seed"}),
    )
    asked: ClassVar[list[tuple[Layout, Request]]] = []

    def search(self, board: Board, request: Request) -> Result:
        self.asked.append((board.layout, request))
        return super().search(board, request)


class Refusing(Fake):
    def search(self, board: Board, request: Request) -> Result:
        raise UnsupportedError("refusing is what it does")


class Broken(Fake):
    def __init__(self) -> None:
        raise ImportError("no library")


class Slow(Fake):
    """Finds a solution, and no more until the time is over."""

    def search(self, board: Board, request: Request) -> Result:
        found = super().search(board, replace(request, solutions=1, time_limit=None))
        time.sleep(request.time_limit or 0)
        return replace(found, stop=Stop.TIME)


class Heavy(Fake):
    """Takes a minute to load, according to the only test that names it."""


HERE = __name__
FAKE = f"{HERE}:Fake"


def handing_over(failures: int = 1, then: str = FAKE) -> Solver:
    Fake.asked.clear()
    return unidoku.load("auto", budget=failures, then=then)


@pytest.fixture
def _order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backends asked in turn: one that cannot be loaded, one that refuses, one that can."""
    order = (f"{HERE}:Broken", f"{HERE}:Refusing", FAKE)
    table = replace(auto.table(), order=dict.fromkeys(auto.KINDS, order), load={})
    monkeypatch.setattr(auto, "table", lambda: table)
    monkeypatch.setattr(auto, "_unloadable", set())
    logs.tell_once.cache_clear()
    Fake.asked.clear()


def test_what_is_easy_is_answered_by_native() -> None:
    result = unidoku.load("auto").solve(EASY, solutions=2)
    assert (result.unique, result.answered_by) == (True, "native")
    assert "handed_over_after" not in result.statistics


def test_what_native_gives_up_is_answered_by_the_backend_that_follows() -> None:
    result = handing_over(5).solve(HARD, solutions=2)
    assert (result.unique, result.answered_by) == (True, FAKE)
    assert result.statistics["handed_over_after"] == 5
    assert result.statistics["init_time"] > 0
    assert result.record()["answered_by"] == FAKE


@pytest.mark.parametrize("failures", [1, 2, 3])
@pytest.mark.parametrize("solutions", [1, 2, 50, None])
def test_no_solution_is_told_twice_or_lost_by_a_hand_over(
    failures: int, solutions: int | None
) -> None:
    some = [TWO, Board.parse(HARD), Board.empty(layout("x", 4)), Board.empty(layout("latin", 3))]
    for board in some:
        known = unidoku.solve(board, backend="norvig", solutions=solutions)
        result = handing_over(failures).solve(board, solutions=solutions)
        assert (result.count, result.stop) == (known.count, known.stop)
        assert len({*result.solutions}) == len(result.solutions) == result.count
        if solutions is None:
            assert {*result.solutions} == {*known.solutions}
        counted = handing_over(failures).solve(board, solutions=solutions, keep=0)
        assert (counted.count, counted.solutions) == (known.count, ())


@given(board=boards(ruled_layouts()))
def test_on_boards_with_rules_a_hand_over_after_each_failure_changes_no_count(board: Board) -> None:
    expected = unidoku.solve(board, backend="norvig", solutions=50)
    found = unidoku.load("auto[budget=1,then=sat]").solve(board, solutions=50)
    assert (found.count, found.stop) == (expected.count, expected.stop)
    if found.stop is Stop.EXHAUSTED:
        assert {*found.solutions} == {*expected.solutions}


def test_of_a_batch_only_what_is_hard_is_handed_over() -> None:
    texts = [EASY, HARD, EASY, MANY, HARD, "5" * 81, "no board"]
    for solutions in (2, 100):
        found = handing_over(10).solve_many(texts, solutions=solutions)
        known = solve_many(texts, backend="norvig", solutions=solutions)
        assert found.counts.tolist() == known.counts.tolist()
        assert found.stops.tolist() == known.stops.tolist()
        assert (found.grids[[0, 1, 4]] == known.grids[[0, 1, 4]]).all()
        assert 2 <= found.statistics["handed_over"] == len(Fake.asked) <= 3
    easy = handing_over(10**6).solve_many(texts, solutions=2)
    assert easy.counts.tolist() == [1, 1, 1, 1, 1, 0, 0]
    assert not Fake.asked
    assert "handed_over" not in easy.statistics


def test_a_stream_hands_over_what_is_hard_in_each_part() -> None:
    solver = handing_over(10)
    parts = [part.counts.tolist() for part in solver.stream([EASY, HARD] * 3, solutions=2, chunk=3)]
    assert parts == [[1, 1, 1], [1, 1, 1]]
    assert len(Fake.asked) == 3


def test_a_node_limit_is_nobodys_but_natives() -> None:
    solver = handing_over(1)
    result = solver.solve(Board.parse(HARD), solutions=2, node_limit=20)
    assert (result.stop, result.answered_by) == (Stop.NODES, "native")
    assert result.statistics["nodes"] == 20
    batch = solver.solve_many([HARD, HARD], solutions=2, node_limit=1)
    assert batch.counts.tolist() == [0, 0]
    assert not Fake.asked


def test_a_seed_goes_to_a_backend_that_has_one_and_threads_to_one_that_can_use_them() -> None:
    assert handing_over().solve(EASY, seed=7).answered_by == FAKE
    assert [request.seed for _, request in Fake.asked] == [7]
    assert handing_over().solve_many([EASY, EASY], seed=7).counts.tolist() == [1, 1]
    assert handing_over(10**6).solve(EASY, threads=2).answered_by == "native"
    assert handing_over(5).solve(HARD, threads=2, solutions=2).answered_by == FAKE
    assert [request.threads for _, request in Fake.asked] == [2]
    solver = handing_over(then="exact-cover")
    for limits, message in ({"seed": 3}, "seed=3"), ({"threads": 2}, "threads=2"):
        with pytest.raises(UnsupportedError, match=f"no installed backend can honour {message} "):
            solver.solve(EASY, **limits)  # type: ignore[arg-type]  # as they are named
    assert solver.solve_many([HARD, EASY], threads=2, solutions=2).counts.tolist() == [1, 1]


def test_it_is_never_its_own_successor() -> None:
    for then in (
        "auto",
        "auto[budget=3]",
        "native",
        "native[engine=python]",
        f"{auto.__name__}:Auto",
    ):
        with pytest.raises(OptionError, match="expected another backend"):
            unidoku.load("auto", then=then)
    for order in auto.table().order.values():
        assert order
        assert not {"auto", "native"} & {*order}


def test_an_option_that_cannot_be_is_refused_when_it_is_loaded() -> None:
    for options in ({"budget": 0}, {"budget": 1.5}, {"then": 3}, {"then": "no-such"}):
        with pytest.raises(UnidokuError):
            unidoku.load("auto", **options)


@pytest.mark.usefixtures("_order")
def test_who_cannot_be_loaded_or_refuses_is_passed_over() -> None:
    solver = unidoku.load("auto[budget=5]")
    with pytest.warns(UserWarning, match=r"^auto searches without .*:Broken: .* no library"):
        result = solver.solve(HARD, solutions=2)
    assert (result.unique, result.answered_by) == (True, FAKE)
    assert solver.solve(HARD, solutions=2).answered_by == FAKE, "and warns no more"


def test_without_a_backend_that_learns_native_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = replace(auto.table(), order=dict.fromkeys(auto.KINDS, ()))
    monkeypatch.setattr(auto, "table", lambda: nobody)
    result = unidoku.load("auto[budget=5]").solve(HARD, solutions=2, time_limit=60)
    assert (result.unique, result.answered_by) == (True, "native")


def test_what_takes_too_long_to_load_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    heavy = f"{HERE}:Heavy"
    slow = replace(
        auto.table(), order=dict.fromkeys(auto.KINDS, (heavy, FAKE)), load={heavy: 60.0, FAKE: 0.0}
    )
    monkeypatch.setattr(auto, "table", lambda: slow)
    result = unidoku.load("auto[budget=5]").solve(HARD, solutions=2, time_limit=50)
    assert (result.unique, result.answered_by) == (True, FAKE)


def test_at_the_time_limit_what_was_found_before_the_hand_over_is_not_lost() -> None:
    solver = handing_over(1, f"{HERE}:Slow")
    board = Board.parse(MANY)
    result = solver.solve(board, solutions=None, time_limit=0.1)
    assert result.stop is Stop.TIME
    assert result.count == len({*result.solutions}) >= 1
    begun = time.perf_counter()
    assert solver.solve(HARD, solutions=2, time_limit=0.2).count == 1
    assert time.perf_counter() - begun < 5


def test_with_rules_the_budget_is_ten_times_as_large() -> None:
    failures = auto.table().failures
    assert failures["rules"] == 10 * failures["plain"]
    constraint = layout("classic", 9)
    assert auto.kind_of(constraint) == "plain"
    assert auto.kind_of(layout("classic", 25)) == "large"
    assert auto.kind_of(replace(constraint, rules=(Thermo((0, 1, 2)),))) == "rules"


@dataclass(frozen=True)
class Told:
    """The constraints that a backend gets."""

    capabilities: ClassVar = Capabilities(
        constraints=unidoku.catalogue()["native"].capabilities.constraints,
        honours=frozenset({"time_limit"}),
    )

    def search(self, board: Board, request: Request) -> Result:
        Fake.asked.append((board.layout, request))
        return Norvig().search(board, request)


@pytest.mark.parametrize("deductions", [True, False])
def test_who_takes_over_is_told_what_follows_if_auto_is(deductions: bool) -> None:
    row = tuple(range(9))
    caged = replace(
        layout("classic", 9), rules=(Killer(row[:4], 20), Killer(row[4:8], 17), Killer((9, 10), 9))
    )
    board = Board.empty(caged)
    Fake.asked.clear()
    solver = unidoku.load("auto", budget=1, then=f"{HERE}:Told", deductions=deductions)
    solver.backend._hand_over(  # type: ignore[attr-defined]  # without luck in what is hard
        solver._board_for(board),
        Request(),
        Request(),
        Result(count=0, solutions=(), stop=Stop.INCOMPLETE),
        Deadline(),
    )
    ((message, _),) = Fake.asked
    assert (len(message.constraints) > len(caged.constraints)) is deductions


def test_the_journal_says_who_answered_and_after_what(tmp_path: Path) -> None:
    journal = tmp_path / "runs.jsonl"
    label = f"auto[budget=5,then={FAKE}]"
    heard: list[Record] = []
    unidoku.compare(
        *([HARD], [label, "norvig"]),
        repeats=1,
        engine="inline",
        output=journal,
        watch=lambda _, record: heard.append(record),
    )
    table = {record.backend: record for record in heard}
    assert table[unidoku.load(label).label].answered_by == FAKE
    assert table["norvig"].answered_by == ""
    lines = map(json.loads, journal.read_text().splitlines())
    runs = [line for line in lines if line["type"] == "run"]
    (handed_over,) = (line for line in runs if "answered_by" in line)
    assert handed_over["answered_by"] == FAKE
    assert handed_over["statistics"]["handed_over_after"] == 5


def test_parameters_name_the_budget_and_those_that_follow() -> None:
    parameters = unidoku.load("auto[budget=7,then=exact-cover]").parameters()
    assert (parameters["failures_plain"], parameters["then_plain"]) == (7, "exact-cover")
    parameters = unidoku.load("auto").parameters()
    assert parameters["failures_rules"] == auto.table().failures["rules"]
    assert "sat" in str(parameters["then_rules"])
