"""``unidoku fuzz``: runs backends on random boards; shrinks and saves disagreements."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.backends.options import split_labels
from unidoku.cli import completers
from unidoku.cli.codes import answer
from unidoku.cli.common import print_notes, with_backends, with_scheduler
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say, showing
from unidoku.comparison.cases import PuzzleSource, read_cases
from unidoku.core.board import Board
from unidoku.core.rules.base import KINDS
from unidoku.errors import InputError, nearest
from unidoku.files.source import Sources
from unidoku.fuzzing.finding import Finding
from unidoku.fuzzing.run import FuzzRun
from unidoku.support.deadline import Deadline


@click.command("fuzz", epilog=example("fuzz --backends native,sat --minutes 10"))
@click.argument("puzzles", nargs=-1, metavar="[PUZZLES…]")
@with_backends(
    "Labels of the backends, one or more; with short names, as in "
    "mine=function:students.anna:solve.",
    required=True,
)
@click.option("--minutes", type=float, default=5.0, help="Minutes to search.")
@click.option(
    "--boards",
    metavar="N",
    type=click.IntRange(min=1),
    help="Stop after N trials, of one or a few boards each.",
)
@click.option("--seed", type=int, default=1, help="Seed of the random boards.")
@click.option(
    "--sizes",
    metavar="N-M",
    help="Smallest and largest number of values of random layouts; the default is 2-16.",
)
@click.option(
    "--rules",
    metavar="A,B,…",
    shell_complete=completers.rules,
    help="Kinds of random rules, which every random layout then has; the default is all kinds, "
    "on half of the layouts.",
)
@click.option(
    "--variant",
    default="classic",
    shell_complete=completers.variants,
    help="Layout of the puzzle files.",
)
@click.option(
    "--time-limit",
    type=float,
    default=1.0,
    help="Time limit of each search, in seconds.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Number of processes; the default is one for each core.",
)
@with_scheduler
@with_trust
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("fuzz-findings"),
    help="Folder for the findings; if it holds a hunt, the hunt is continued.",
)
def command(
    puzzles: tuple[str, ...],
    backends: str,
    minutes: float,
    boards: int | None,
    seed: int,
    sizes: str | None,
    rules: str | None,
    variant: str,
    time_limit: float,
    workers: int | None,
    scheduler: str | None,
    output: Path,
) -> int:
    """Search for boards on which a backend is at fault.

    Backends run on random boards. One is at fault if another backend's answer refutes its own, if
    it returns a wrong grid, fails, crashes, or overruns its limit. Each such board is shrunk, and
    saved as TOML and as a test for pytest. A single backend is also run on symmetric copies of each
    board.

    With PUZZLES, files, folders, patterns or links, these are searched first, and then
    changed again and again: givens, the numbers and cells of rules, and whole rules.

    The same seed gives the same boards. A second call with the same --output continues the hunt.
    The exit code is 1 if the folder holds findings, 0 if not.
    """
    labels = split_labels(backends)
    if not labels:
        raise InputError(f"--backends: expected labels of backends, got {backends!r}")
    if not 0 < minutes < float("inf"):
        raise InputError(f"--minutes: expected a number above 0, got {minutes:g}")
    if time_limit == float("inf"):
        raise InputError("--time-limit: expected seconds above 0, because a search may never end")
    with FuzzRun(
        labels,
        seed=seed,
        sizes=None if sizes is None else _sizes(sizes),
        rules=_rules(rules),
        puzzles=_puzzles(puzzles, variant),
        time_limit=time_limit,
        folder=output,
        workers=workers,
        scheduler=scheduler,
    ) as run:
        if run.state.next or run.findings:
            count = len(run.findings)
            say(f"continues at number {run.state.next}; known findings: {count}")
        try:
            _hunt(run, boards, 60 * minutes, output)
        finally:
            say(run.report)
    return answer(not run.findings)


def _hunt(run: FuzzRun, boards: int | None, seconds: float, output: Path) -> None:
    clock, before = Deadline(seconds), run.state.boards
    with showing() as show:
        for event in run.events(boards, seconds):
            if isinstance(event, Finding):
                path = output / f"{event.slug}.toml"
                evidence = event.evidence
                for label, name in run.names.items():
                    evidence = evidence.replace(label, name)
                show(f"found: {event.kind}: {evidence}\n  {path}", lasting=True)
            show(_line(run, clock, before), lasting=False)


def _line(run: FuzzRun, clock: Deadline, before: int) -> str:
    """Return the progress of the hunt; ``before`` is the number of boards done in earlier calls."""
    pace = (run.state.boards - before) / max(clock.elapsed, 1e-9)
    seconds_left = max(clock.left or 0.0, 0.0)
    return (
        f"boards: {run.state.boards}, {pace:.0f}/s, "
        f"findings: {len(run.findings)}, left: {seconds_left / 60:.1f} min"
    )


def _rules(text: str | None) -> list[str]:
    """Return the kinds of rules of the option; none if it is not given."""
    if text is None:
        return []
    kinds = [kind.strip() for kind in text.split(",") if kind.strip()]
    if not kinds:
        raise InputError(f"--rules: expected kinds of rules, got {text!r}; {nearest('', KINDS)}")
    return kinds


def _puzzles(names: tuple[str, ...], variant: str) -> list[Board]:
    """Return the boards of files, folders, glob patterns, links and texts."""
    if not names:
        return []
    sources = Sources.of(names)
    print_notes(sources.notes)
    files = tuple(source.puzzle for source in sources.sources)
    cases = read_cases([PuzzleSource(files=files, variant=variant)], Path())
    return [case.board for case in cases]


def _sizes(text: str) -> range:
    low, dash, high = text.partition("-")
    try:
        sizes = range(int(low), int(high if dash else low) + 1)
    except ValueError:
        sizes = range(0)
    if not sizes or sizes[0] < 1 or sizes[-1] > 25:
        raise InputError(f"--sizes: expected sizes such as 2-16, from 1 to 25, got {text!r}")
    return sizes
