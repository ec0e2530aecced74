"""``unidoku diff``: the changes from one journal to another."""

from __future__ import annotations

import math
from pathlib import Path

import click

from unidoku.cli.codes import answer
from unidoku.cli.common import print_figures
from unidoku.cli.printing import example, say
from unidoku.errors import InputError

_SHOWN = 20


@click.command("diff", epilog=example("diff before.jsonl after.jsonl --fail-above 1.1"))
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option(
    "--fail-above",
    type=click.FloatRange(min=0, min_open=True),
    metavar="RATIO",
    help="Exit with 1 if a backend's time ratio is above this number, such as 1.10.",
)
def command(first: Path, second: Path, fail_above: float | None) -> int:
    """Compare two journals: answers, time-outs and times.

    The ratio is the time in the second journal over the time in the first, paired by case, with
    its 95 % interval. The exit code is 1 if an answer changed. With --fail-above it is also 1 if a
    case is no longer solved within its limits, or if a ratio is above that number and its interval
    above 1.
    """
    from unidoku.comparison.difference import difference

    if fail_above is not None and not math.isfinite(fail_above):
        raise click.UsageError(f"--fail-above: expected a ratio such as 1.10, got {fail_above:g}")
    differing = difference(first, second)
    for title, kind in (
        ("Other answers", "answer"),
        ("No longer solved within the limits", "limit"),
        ("Solved now but not before", "solved"),
    ):
        changes = [change for change in differing.changes if change.kind == kind]
        if changes:
            say(f"{title}: {len(changes)}")
        for change in changes[:_SHOWN]:
            before, after = ("; ".join(answers) for answers in (change.before, change.after))
            say(f"  {change.backend} on {change.case.name} ({change.case.id})")
            say(f"    {before} → {after}")
        if len(changes) > _SHOWN:
            say(f"  and {len(changes) - _SHOWN} more")
    kinds = {change.kind for change in differing.changes}
    if not kinds:
        say("No answer changed.")
    elif "answer" not in kinds:
        say("Where both journals have an answer, it is the same.")
    for line in differing.missing:
        say(line)
    if differing.pairs:
        print_figures(differing.table)
    for line in differing.environment:
        say(f"differs: {line}")
    slower = []
    if fail_above is not None:
        if not kinds and not any(pair.both for pair in differing.pairs.values()):
            fault = "expected a case that a backend solved in both journals, got none"
            raise InputError(f"--fail-above: {fault}")
        slower = differing.slower_than(fail_above)
        for label in slower:
            say(f"slower: {label} by more than {fail_above:g}")
    failed = "answer" in kinds or slower or (fail_above is not None and "limit" in kinds)
    return answer(not failed)
