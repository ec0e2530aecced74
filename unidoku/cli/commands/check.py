"""``unidoku check``: whether a board is proper, and if not, why."""

from __future__ import annotations

from collections.abc import Iterator

import click

from unidoku.analysis.check import Check, check
from unidoku.analysis.survey import survey
from unidoku.backends.base import Stop
from unidoku.cli.asking import Each
from unidoku.cli.common import (
    BackendChoice,
    numbered,
    print_json,
    search_record,
    with_backend,
    with_json,
    with_source,
)
from unidoku.cli.printing import example, say
from unidoku.core.verify.boards import verify
from unidoku.files.source import Sources
from unidoku.formats import Puzzle
from unidoku.support.deadline import Deadline


@click.command("check", epilog=example('check "1..2 .... ..1. ...1"'))
@with_source
@with_backend
@click.option(
    "--setting",
    is_flag=True,
    help="Report for setters: rules that conflict, rules to leave out, numbers of solutions.",
)
@with_json
def command(sources: Sources, choice: BackendChoice, setting: bool, as_json: bool) -> int:
    """Check whether PUZZLE is proper: has exactly one solution.

    For a board that is not proper, the output states why: which cells clash in which unit, or where
    two solutions differ. The exit code is 1 if a board is not proper, or if that was not decided.

    With --setting, the output also names a smallest set of rules and givens that conflict, the
    rules that can be left out, and the number of solutions as the rules are added one by one.
    """
    solver, limit = choice.solver()
    for name, item in (each := Each(numbered(sources), as_json=as_json)):
        with each.going_on():
            clock = Deadline()
            report = survey(item.board, backend=solver, time_limit=limit) if setting else None
            checked = (
                report.check if report else check(item.board, backend=solver, time_limit=limit)
            )
            wrong = [*_wrong(item, checked)]
            each.answer(checked.proper and not wrong)
            if as_json:
                record = search_record(item, checked.result, solver, clock.elapsed)
                details = report.record() if report else {}
                print_json({**record, "reasons": [*checked.reasons, *wrong], **details})
            else:
                say("\n  ".join([f"{name}{report or checked}", *wrong]))
    return each.code()


def _wrong(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    """Yield the wrong statements of a file about its puzzle."""
    result = checked.result
    if mismatch := puzzle.count_mismatch(result.count, is_exact=result.stop is Stop.EXHAUSTED):
        yield f"its file states another number of solutions: {mismatch}"
    if puzzle.solution is not None and (faults := verify(puzzle.board, puzzle.solution)):
        yield f"the solution in its file is not valid: {faults[0]}"
