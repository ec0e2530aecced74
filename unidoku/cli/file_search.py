"""Searches files of many boards: shows progress, unreadable boards, and a summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unidoku.backends.base import Limits
from unidoku.backends.solving.solver import Solver
from unidoku.cli.common import notes_printed, print_notes, progress_bar
from unidoku.cli.printing import say
from unidoku.files.solve import SHOWN, Totals
from unidoku.files.source import Sources
from unidoku.support.deadline import Deadline
from unidoku.support.text import seconds


def search_file(
    search: Callable[..., Totals],
    sources: Sources,
    target: str | None,
    solver: Solver,
    limits: Limits,
    *,
    force: bool,
    **running: Any,
) -> Totals:
    """Search all boards of some sources with `solve_file` or `count_file`, into a target file.

    ``running`` has further keyword arguments of these functions. The summary is printed even if
    the search is interrupted.
    """
    first = sources.sources[0]
    clock = Deadline()
    totals = Totals()

    def print_summary() -> None:
        summary = f"{totals}; {solver.label}, {seconds(clock.elapsed)}"
        each = f", {seconds(clock.elapsed / totals.boards)} a board" if totals.boards else ""
        say(summary + each, err=True)

    def watch(further: Totals) -> None:
        nonlocal totals
        print_notes(further.notes[len(totals.notes) :])
        for reason in further.reasons[len(totals.reasons) :]:
            say(f"unidoku: {reason}", err=True)
        if totals.invalid <= SHOWN < further.invalid:
            say("unidoku: further boards that cannot be read are only counted", err=True)
        totals = further
        if advance is not None:
            advance(totals.done, totals)

    try:
        with notes_printed(), progress_bar(1.0) as advance:
            totals = search(
                [source.puzzle for source in sources.sources],
                target,
                backend=solver,
                variant=first.variant,
                size=first.size,
                symbols=first.symbols,
                column=first.column,
                format=first.form,
                guess=first.guess,
                progress=watch,
                force=force,
                **running,
                **limits,
            )
    except KeyboardInterrupt:
        print_summary()
        raise
    print_summary()
    return totals
