"""Progress of a comparison on standard error: a live table on terminals, else plain lines."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from unidoku.comparison.comparison import Comparison
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.support.text import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

_LONG_LOAD = 1_000_000_000
"""Nanoseconds of a load that takes long enough to spoil the estimate of the time left."""

_EVERY = 10.0
"""Seconds between two plain lines."""

_REFRESH = 0.25
"""Seconds between two updates of the live table."""


class Progress:
    """Shows the progress of a comparison while the body of a ``with`` runs it."""

    def __init__(self, console: Console | None = None) -> None:
        """Choose a live table or plain lines for a console; by default standard error."""
        from rich.console import Console

        self._console = console or Console(stderr=True)
        self._live: Live | None = None
        self._outcomes: dict[str, Counter[Outcome]] = {}
        self._seconds: Counter[str] = Counter()
        self._shown = time.monotonic()
        self._first: tuple[float, int] | None = None

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            from rich.live import Live

            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
            self._live.update("preparing the backends", refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, session: Comparison, record: Record) -> None:
        """Show a run."""
        backend = session.name(record.backend)
        self._outcomes.setdefault(backend, Counter())[record.outcome] += 1
        self._seconds[backend] += record.timing.wall_ns
        now = time.monotonic()
        is_first = self._first is None
        if is_first or (record.timing.load_ns or 0) > _LONG_LOAD:
            self._first = now, session.done
        if is_first and self._live is None:
            self._shown = now
            return
        doing = f"{backend}: {session.case(record.case).name}"
        self._show(session, now, self._left(session, now), doing)

    def waiting(self, session: Comparison, run: Run, loading: bool, seconds: float) -> None:
        """Show what a run that takes long is doing."""
        now, lasting, backend = time.monotonic(), _duration(seconds), session.name(run.backend)
        if loading:
            left, doing = "", f"preparing {backend} for {lasting}: imported, or compiled once"
        else:
            left, doing = self._left(session, now), f"{backend}: {run.case.name} for {lasting}"
        self._show(session, now, left, doing, f", {doing}")

    def _show(
        self, session: Comparison, now: float, left: str, doing: str, ending: str = ""
    ) -> None:
        """Show the progress unless it was shown a moment ago; plain lines end with ``more``."""
        if now - self._shown < (_EVERY if self._live is None else _REFRESH):
            return
        self._shown = now
        if self._live is None:
            line = f"{self._line(session)}{left}{ending}"
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)
        else:
            self._live.update(self._picture(session, left, doing), refresh=True)

    def _line(self, session: Comparison) -> str:
        """Return the progress, and what went wrong so far."""
        outcomes = sum(self._outcomes.values(), Counter[Outcome]())
        failures = [
            f"{n} {outcome}" for outcome, n in outcomes.items() if outcome is not Outcome.SOLVED
        ]
        parts = [f"{session.done} of {session.total} runs", *sorted(failures)]
        return ", ".join(parts)

    def _left(self, session: Comparison, now: float) -> str:
        """Return the estimated time for the remaining runs, at the pace so far; at first nothing.

        The time until the last long load, in which a backend was compiled, does not count.
        """
        since, before = self._first or (now, session.done)
        if session.done == before:
            return ""
        pace = (now - since) / (session.done - before)
        return f", {_duration(pace * (session.total - session.done))} left"

    def _picture(self, session: Comparison, left: str, doing: str) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        from unidoku.support.text import seconds

        seen = [o for o in Outcome if any(o in counted for counted in self._outcomes.values())]
        table = Table(box=None, pad_edge=False)
        table.add_column("backend")
        for heading in ("runs", *(outcome.value for outcome in seen), "mean"):
            table.add_column(heading, justify="right")
        for label, counted in self._outcomes.items():
            runs = counted.total()
            figures = [str(counted[outcome] or "") for outcome in seen]
            mean = seconds(self._seconds[label] / runs / 1e9)
            table.add_row(Text(printable(label)), str(runs), *figures, mean)
        bar = ProgressBar(total=session.total, completed=session.done, width=60)
        line = Text(f"{session.done} of {session.total} runs{left}  {printable(doing)}")
        line.no_wrap, line.overflow = True, "ellipsis"
        return Group(table, line, bar)  # the bar ends without a new line


def _duration(seconds: float) -> str:
    """Return a duration in convenient units.

    >>> _duration(4.2), _duration(95), _duration(7300)
    ('4 s', '1:35 min', '2:01 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"
