"""``unidoku compare``: run a comparison, print its table and whether the backends agree."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from unidoku.backends.options import split_labels
from unidoku.cli.common import print_rich
from unidoku.compare import (
    Comparison,
    Disagreement,
    Outcome,
    PuzzleSource,
    Record,
    execute,
    judge,
    plan,
    read_comparison,
    summarise,
    write_record,
)
from unidoku.compare.report import NOTE, markdown, rich_table
from unidoku.errors import InputError
from unidoku.examples import comparison_file

__all__ = ["command"]

_SHOWN = 10


@click.command("compare")
@click.argument("sources", nargs=-1, metavar="[CONFIG.toml | PUZZLES…]")
@click.option("--backends", metavar="A,B,…", help="Labels, instead of those of the config.")
@click.option("--variant", default="classic", help="Of puzzle files named on the command.")
@click.option("--repeats", type=int, help="Runs of each case by each backend.")
@click.option("--time-limit", type=float, help="Seconds a run.")
@click.option("--seed", type=int, help="Of the order of the runs.")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a line of JSON a run to this new file.",
)
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table as Markdown.")
def command(
    sources: tuple[str, ...],
    backends: str | None,
    variant: str,
    repeats: int | None,
    time_limit: float | None,
    seed: int | None,
    output: Path | None,
    as_markdown: bool,
) -> int:
    """Compare backends on the puzzles of CONFIG.toml, or of puzzle files.

    Without either: all backends of the examples' own comparison on the built-in examples. Every
    grid is checked, all answers are compared; the exit code is 1 if two backends disagree, or
    one gives a wrong answer or fails. Settings (unidoku config) do not count here: a comparison
    is what its file and its options say.
    """
    comparison = _comparison(sources, variant).changed(
        backends=tuple(split_labels(backends)) if backends is not None else None,
        repeats=repeats,
        time_limit=time_limit,
        seed=seed,
    )
    solvers = comparison.solvers()
    cases = comparison.cases()
    runs = plan(cases, list(solvers), comparison.repeats, comparison.seed)
    total = len(cases) * len(solvers) * comparison.repeats
    records: list[Record] = []
    interrupted = False
    with _saving(output) as save:
        try:
            for record in _progress(execute(runs, solvers, comparison.request), total):
                save(record)
                records.append(record)
        except KeyboardInterrupt:
            interrupted = True
    disagreements = judge(cases, records)
    title = (
        f"cases: {len(cases)}, backends: {len(solvers)}, repeats: {comparison.repeats}, "
        f"solutions asked: {comparison.solutions}, limit: {comparison.time_limit:g} s a run"
    )
    _report(records, title, as_markdown)
    _report_verdict(records, disagreements)
    if interrupted:
        click.echo(f"interrupted after {len(records)} of {total} runs", err=True)
        raise KeyboardInterrupt
    failed = any(record.outcome is Outcome.FAILED for record in records)
    return 1 if disagreements or failed else 0


def _comparison(sources: tuple[str, ...], variant: str) -> Comparison:
    configs = [source for source in sources if source.endswith(".toml")]
    if not sources:
        return read_comparison(comparison_file())
    if configs and len(sources) > 1:
        raise InputError(f"expected one CONFIG.toml or puzzle files, got {', '.join(sources)}")
    if configs:
        return read_comparison(Path(configs[0]))
    default = read_comparison(comparison_file())
    return default.changed(puzzles=(PuzzleSource(files=sources, variant=variant),), folder=Path())


class _Saver:
    """Writes each record to a file, if there is one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file = None
        if path is not None:
            try:
                self._file = path.open("x", encoding="utf-8")
            except FileExistsError:
                raise InputError(
                    f"--output: {path} exists; name a new file, or remove it"
                ) from None
            except OSError as error:
                raise InputError(f"--output: {path} cannot be written: {error}") from error

    def __call__(self, record: Record) -> None:
        if self._file is not None:
            write_record(record, self._file)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _saving(path: Path | None) -> contextlib.closing[_Saver]:
    return contextlib.closing(_Saver(path))


def _progress(records: Iterable[Record], total: int) -> Iterator[Record]:
    """Pass the records on, and show on standard error how far the runs are."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    console = Console(stderr=True)
    off = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=off) as progress:
        task = progress.add_task("starting", total=total)
        for record in records:
            progress.update(task, advance=1, description=escape(_shown(record)))
            yield record


def _shown(record: Record) -> str:
    return f"{record.backend}: {record.name}"[:40]


def _report(records: list[Record], title: str, as_markdown: bool) -> None:
    summaries = summarise(records)
    if as_markdown:
        click.echo(markdown(summaries, title))
        return
    print_rich(rich_table(summaries, title), f"[dim]{NOTE}[/]", width=120)


def _report_verdict(records: list[Record], disagreements: list[Disagreement]) -> None:
    for record in {r.backend: r for r in records if r.outcome is Outcome.FAILED}.values():
        click.echo(f"failed: {record.backend} on {record.name}: {record.evidence[0]}")
    unknown = [record for record in records if record.outcome is Outcome.UNKNOWN]
    if unknown:
        click.echo("Not decided within the limit:")
    for label in dict.fromkeys(record.backend for record in unknown):
        names = sorted({record.name for record in unknown if record.backend == label})
        click.echo(f"  {label}: {'; '.join(names)}")
    if not disagreements:
        solved = {(r.case, r.backend) for r in records if r.outcome is Outcome.SOLVED}
        answers = Counter(case for case, _ in solved)
        shared = sum(count > 1 for count in answers.values())
        cases = len({record.case for record in records})
        click.echo(
            f"No disagreement: {shared} of {cases} cases were decided by several backends, "
            "all alike."
            if shared
            else f"Nothing to compare: none of {cases} cases was decided by several backends."
        )
        return
    click.echo(f"{len(disagreements)} disagreements:")
    for found in disagreements[:_SHOWN]:
        click.echo(f"  {found.case.name} ({found.case.id}, {found.case.source})")
        click.echo(f"    {found.evidence}")
        board = found.case.board
        marks = board.has_pencil_marks
        click.echo(f"    {board.layout!r}: {board.text('candidates' if marks else 'line')}")
    if len(disagreements) > _SHOWN:
        click.echo(f"  and {len(disagreements) - _SHOWN} more; --output keeps every record")
