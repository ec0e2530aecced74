"""``unidoku count``: the number of solutions."""

from __future__ import annotations

from typing import Any

import click

from unidoku.backends.base import Limits, Request, Stop, count_text
from unidoku.cli.asking import Each
from unidoku.cli.codes import ERROR, answer
from unidoku.cli.common import (
    BackendChoice,
    numbered,
    print_json,
    print_notes,
    search_record,
    with_backend,
    with_force,
    with_json,
    with_output,
    with_running,
    with_source,
    with_threads,
)
from unidoku.cli.printing import example, say
from unidoku.files.detect import is_batch
from unidoku.files.source import Sources
from unidoku.support.deadline import Deadline
from unidoku.support.text import plural


@click.command("count", epilog=example('count "12.. .... .... ...." --variant x'))
@with_source
@with_backend
@click.option(
    "--limit", type=int, help="Stop at this number of solutions; the default is to count all."
)
@with_threads
@with_output("Write numbers to this file, one on each line: text, also .gz.")
@with_force
@with_running
@with_json
def command(
    sources: Sources,
    choice: BackendChoice,
    limit: int | None,
    threads: int,
    output: str | None,
    force: bool,
    running: dict[str, Any],
    as_json: bool,
) -> int:
    """Count the solutions of PUZZLE, all of them or up to a limit.

    PUZZLE is files, folders, the text of a board, or - for standard input. A number without "at
    least" is exact. The exit code is 1 if a board reached its time limit, or if the puzzle's file
    states another number. A board that the backend refuses is reported with the reason, and the
    exit code is 2.

    Large files (.csv, .npy, compressed or with many boards) and searches with --output or
    --scheduler run in parts. A board that cannot be read keeps its line in the output, and the
    exit code is 2.
    """
    solver, seconds = choice.solver()
    limits = Limits(solutions=limit, keep=0, time_limit=seconds, threads=threads)
    request = Request.of(**limits)
    if (output or running) and as_json:
        raise click.UsageError(
            "--json: expected no --output, --scheduler or --resume, because JSON goes to standard "
            "output"
        )
    if output or running or (is_batch(sources) and not as_json):
        # imports numpy, which a single board does not need
        from unidoku.cli.file_search import search_file
        from unidoku.files.solve import count_file

        totals = search_file(count_file, sources, output, solver, limits, force=force, **running)
        return ERROR if totals.invalid else answer(not totals.undecided)
    boards = undecided = others = 0
    for prefix, item in (each := Each(numbered(sources), as_json=as_json)):
        clock = Deadline()
        with each.going_on():
            result = solver.search(item.board, request)
            mismatch = item.count_mismatch(result.count, is_exact=result.stop is Stop.EXHAUSTED)
            boards += 1
            undecided += not result.stop.answered
            others += bool(mismatch)
            each.answer(result.stop.answered and not mismatch)
            if as_json:
                record = search_record(item, result, solver, clock.elapsed)
                # "surprise" is the former name, for one more release.
                names = ("count_mismatch", "surprise") if mismatch else ()
                print_json(record | dict.fromkeys(names, mismatch))
                continue
            name = f"  {item.name}" if prefix and item.name else ""
            expected = f"  ({mismatch})" if mismatch else ""
            say(f"{count_text(result.count, result.stop)}{name}{expected}")
    if boards > 1 and (undecided or others):
        print_notes([_summary(boards, undecided, others)])
    return each.code()


def _summary(boards: int, undecided: int, others: int) -> str:
    """Return a summary of undecided and unexpected counts, for the end of many lines.

    >>> _summary(1200, 0, 2)
    '1,200 boards: 2 have another number of solutions than their file states'
    """
    remarks = [f"{undecided:,} not decided"] * bool(undecided)
    if others:
        have, their = ("have", "their") if others > 1 else ("has", "its")
        remarks.append(f"{others:,} {have} another number of solutions than {their} file states")
    return f"{plural(boards, 'board')}: {', '.join(remarks)}"
