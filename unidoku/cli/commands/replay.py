"""``unidoku replay``: repeats one run of a journal."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from textwrap import indent

import click

from unidoku.cli.codes import ERROR, answer
from unidoku.cli.common import print_table
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.comparison.cases import Case
from unidoku.comparison.config import measuring_of, solver_of
from unidoku.comparison.journal import read_header, read_journal
from unidoku.comparison.order import Run
from unidoku.comparison.record import Measure, Record
from unidoku.core.board import Board
from unidoku.errors import InputError
from unidoku.support.text import plural


@click.command("replay", epilog=example("replay 0b5e runs.jsonl"))
@click.argument("key")
@click.argument("journal", type=click.Path(path_type=Path))
@with_trust
def command(key: str, journal: Path) -> int:
    """Run one run of a journal again, and print both.

    The new run has the same limits and seed. KEY is the key of a run in the JOURNAL, or its first
    digits. The exit code is 1 if the answer differs, and 2 if the run fails now but did not fail
    then.
    """
    from unidoku.comparison.run import open_runner
    from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS
    from unidoku.support.text import seconds

    case, old, others = _find(key, journal)
    plan = read_header(journal).plan
    solver, measuring = solver_of(old.backend, plan, journal), measuring_of(plan)
    if measuring.memory_limit is not None and not KEEPS_MEMORY_LIMITS:
        measuring = replace(measuring, memory_limit=None)
        lost = f"{journal} has a memory limit, which {sys.platform} cannot enforce; there is none"
        warnings.warn(lost, stacklevel=1)
    warm_up = None if old.measure in (None, Measure.FIRST) else _other(case, others)
    run = Run(case, old.backend, old.round, old.image, warm_up=warm_up)
    with open_runner({old.backend: solver}, measuring) as runner:
        (new,) = runner.run([run])
    say(f"{old.backend} on {case.name} ({case.id}), round {old.round}, image {old.image}")
    say(str(case.board))
    rows = []
    for name, record in (("then", old), ("now", new)):
        timing = record.timing
        first = "-" if timing.first_ns is None else seconds(timing.first_ns / 1e9)
        stop = record.stop.value if record.stop else "-"
        time = seconds(timing.wall_ns / 1e9)
        row = [name, record.outcome.value, str(record.count), stop, time, str(timing.loops), first]
        rows.append([*row, "; ".join(record.evidence)])
    headings = ["", "outcome", "count", "stop", "time", "loops", "first", "evidence"]
    print_table(headings, rows)
    _print_kept("traceback", old.traceback, new.traceback)
    _print_kept("printed", old.printed, new.printed)
    same = (old.outcome, old.count, old.stop) == (new.outcome, new.count, new.stop)
    if new.complete:
        same = same and set(old.solutions) == set(new.solutions)
    say("The same answer." if same else "Another answer.")
    return ERROR if new.outcome.is_failure and not same else answer(same)


def _print_kept(title: str, then: str, now: str) -> None:
    """Print what was kept of the run then and now; only once if both are equal."""
    texts = {"then and now": then} if then == now else {"then": then, "now": now}
    for when, text in texts.items():
        if text:
            say(f"{title}, {when}:\n{indent(text, '  ')}")


def _other(case: Case, others: Iterable[Case]) -> Board | None:
    """Return another board of a case's layout; None if there is none."""
    layout = case.board.layout
    return next((o.board for o in others if o.board.layout == layout and o.id != case.id), None)


def _find(key: str, path: Path) -> tuple[Case, Record, Iterable[Case]]:
    """Return the run that a key names, its case, and all cases."""
    cases: dict[str, Case] = {}
    records: list[Record] = []
    for entry in read_journal(path):
        if isinstance(entry, Case):
            cases[entry.id] = entry
        elif entry.key.startswith(key):
            records.append(entry)
    if not key or len({record.key for record in records}) != 1:
        raise InputError(
            f"expected the key of one run in {path}, got {key!r}, with which "
            f"{plural(len({record.key for record in records}), 'key')} begin; "
            'keys are the "key" of its lines, or of the table that unidoku report --runs writes'
        )
    return cases[records[0].case], records[0], cases.values()
