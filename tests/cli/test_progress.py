"""What a comparison shows of itself while it runs."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

import pytest
from rich.console import Console

from unidoku import Board
from unidoku.cli.commands.compare import Progress
from unidoku.comparison.cases import Case
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.lines import Header
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record, Timing

Clock: TypeAlias = Callable[[float], None]
CASE = Case(board=Board.parse("1... ..2. .3.. ...4"), name="a board", source="test")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets the clock that the progress looks at."""
    now = [0.0]
    monkeypatch.setattr("unidoku.cli.commands.compare.time.monotonic", lambda: now[0])

    def set_to(seconds: float) -> None:
        now[0] = seconds

    return set_to


def session_of(total: int) -> Comparison:
    session = Comparison(Header(plan={"backends": ["fast[x=1]", "slow"]}))
    session.add_case(CASE)
    session.total = total
    return session


def ran(session: Comparison, backend: str, outcome: Outcome = Outcome.SOLVED) -> Record:
    run = Run(CASE, backend, session.done + 1)
    record = Record(
        key=run.key,
        case=CASE.id,
        backend=backend,
        round=run.round,
        outcome=outcome,
        timing=Timing(wall_ns=2_000_000),
    )
    session.add(record)
    return record


def printed(clock: Clock, session: Comparison, ends: Iterable[int], crash: int = 0) -> list[str]:
    """Return the lines that are printed without a terminal, where runs end at these seconds."""
    written = io.StringIO()
    with Progress(Console(file=written, force_terminal=False)) as progress:
        for seconds in ends:
            clock(float(seconds))
            outcome = Outcome.CRASHED if seconds == crash else Outcome.SOLVED
            progress(session, ran(session, "slow", outcome))
    return written.getvalue().splitlines()


def test_without_a_terminal_there_is_a_plain_line_every_ten_seconds(clock: Clock) -> None:
    assert printed(clock, session_of(100), range(1, 22), crash=3) == [
        "11 of 100 runs, 1 crashed, 1:29 min left",
        "21 of 100 runs, 1 crashed, 1:19 min left",
    ]


def test_the_time_in_which_backends_are_prepared_is_not_taken_for_the_pace_of_runs(
    clock: Clock,
) -> None:
    lines = printed(clock, session_of(100), range(60, 71))
    assert lines == ["11 of 100 runs, 1:29 min left"]


def test_a_comparison_that_is_over_soon_says_nothing(clock: Clock) -> None:
    assert printed(clock, session_of(3), (1, 2, 3)) == []


def test_a_backend_that_is_compiled_after_the_first_run_is_not_taken_for_the_pace_of_runs(
    clock: Clock,
) -> None:
    written = io.StringIO()
    session = session_of(100)
    with Progress(Console(file=written, force_terminal=False)) as progress:
        for number, seconds in enumerate([1, 60, *range(61, 71)]):
            clock(float(seconds))
            record = ran(session, "slow")
            if number == 1:
                record = replace(record, timing=replace(record.timing, load_ns=59_000_000_000))
            progress(session, record)
    last = written.getvalue().splitlines()[-1]
    assert last.startswith("12 of 100 runs, ")
    assert last.endswith(", 1:28 min left")


def test_a_terminal_says_at_once_that_backends_are_prepared() -> None:
    written = io.StringIO()
    with Progress(Console(file=written, force_terminal=True, width=100)):
        assert "preparing the backends" in written.getvalue()


@pytest.mark.parametrize(
    ("loading", "shown"),
    [
        (True, "1 of 45 runs  preparing native for 3 s: imported, or compiled once"),
        (False, "1 of 45 runs  native: a board for 3 s"),
    ],
)
def test_a_terminal_says_what_a_run_that_takes_long_is_doing(
    clock: Clock, loading: bool, shown: str
) -> None:
    written = io.StringIO()
    session = session_of(45)
    with Progress(Console(file=written, force_terminal=True, width=100)) as progress:
        progress(session, ran(session, "slow"))
        clock(3.0)
        progress.waiting(session, Run(CASE, "native", 1), loading, 3.2)
    assert f"{shown}\n" in written.getvalue()


def test_without_a_terminal_a_backend_that_is_prepared_is_named_after_ten_seconds(
    clock: Clock,
) -> None:
    written = io.StringIO()
    session = session_of(45)
    with Progress(Console(file=written, force_terminal=False)) as progress:
        for seconds in range(1, 12):
            clock(float(seconds))
            progress.waiting(session, Run(CASE, "native[x=1]", 1), True, float(seconds))
    assert written.getvalue() == (
        "0 of 45 runs, preparing native[x=1] for 10 s: imported, or compiled once\n"
    )


def test_on_a_terminal_there_is_a_live_table_that_goes_away(clock: Clock) -> None:
    written = io.StringIO()
    session = session_of(4)
    console = Console(file=written, force_terminal=True, width=100, color_system=None)
    with Progress(console) as progress:
        for seconds, backend in enumerate(["fast[x=1]", "slow", "slow"], start=1):
            clock(float(seconds))
            outcome = Outcome.UNKNOWN if seconds == 3 else Outcome.SOLVED
            progress(session, ran(session, backend, outcome))
    shown = written.getvalue()
    for text in ("backend", "runs", "solved", "unknown", "mean", "fast[x=1]", "2 ms"):
        assert text in shown
    assert "3 of 4 runs, 1 s left" in shown
    assert "slow: a board" in shown
    assert shown.endswith(("\x1b[2K", "\x1b[?25h"))  # the table is wiped, the cursor is back


def test_the_time_left_counts_this_run_of_the_program_only(clock: Clock) -> None:
    session = session_of(100)
    for _ in range(80):
        ran(session, "slow")
    session.before = 80
    assert printed(clock, session, range(1, 12)) == ["91 of 100 runs, 9 s left"]
