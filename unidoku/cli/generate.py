"""``unidoku generate``: puzzles of any variant."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from unidoku.cli import completers
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    DEFAULT_TIME_LIMIT,
    progress_bar,
    seconds_of,
    tell,
    telling_notes,
    with_force,
    with_scheduler,
)
from unidoku.cli.status import showing
from unidoku.cluster import executor_for
from unidoku.errors import InputError
from unidoku.files.ruled import write
from unidoku.files.writer import FORMS, Form, open_writer
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import format_to_write
from unidoku.formats.lines import write_lines
from unidoku.generation import SYMMETRIES, Generation, PuzzleRequest, framed_text
from unidoku.generation.ruled import FAMILIES, KINDS_TO_LAY, RuledGeneration
from unidoku.writing import check_target

__all__ = ["command"]


def _clues(_context: object, _parameter: object, text: str | None) -> tuple[int, int] | None:
    """Read a number, or two with a dash between them."""
    if text is None:
        return None
    if (match := re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", text)) is None:
        raise InputError(f"--clues: expected a number or a range such as 24-28, got {text!r}")
    return int(match[1]), int(match[2] or match[1])


@click.command("generate")
@click.option(
    "--variant",
    default="classic",
    metavar="NAME",
    show_default=True,
    shell_complete=completers.variants,
    help="Layout of the puzzles.",
)
@click.option(
    "--rules",
    metavar="KIND,...",
    shell_complete=completers.rules_to_lay,
    help=f"Kinds of rules to add to the puzzles: {', '.join(KINDS_TO_LAY)}.",
)
@click.option(
    "--family",
    metavar="NAME",
    shell_complete=completers.families,
    help=f"Family of the puzzles: {', '.join(FAMILIES)}.",
)
@click.option(
    "--size",
    "n",
    type=click.IntRange(min=1),
    help="Number of values; the default is 9, or the usual size of a family.",
)
@click.option("--clues", metavar="N|N-M", callback=_clues, help="Number of givens, or a range.")
@click.option(
    "--symmetry",
    type=click.Choice(list(SYMMETRIES)),
    default="none",
    show_default=True,
    help="Symmetry of the positions of the givens.",
)
@click.option("--minimal", is_flag=True, help="Remove every given and rule that is not needed.")
@click.option(
    "--difficulty",
    metavar="TECHNIQUE",
    shell_complete=completers.one_technique,
    help="Hardest technique that the solution needs.",
)
@click.option(
    "--walk", is_flag=True, help="Exchange givens until there are as few as --clues asks for."
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of puzzles to make.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Seed of the random choices; by default a new one, which the summary names.",
)
@click.option(
    "--per-layout",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of puzzles that share their regions, for jigsaws without a map.",
)
@click.option(
    "--backend",
    metavar="LABEL",
    shell_complete=completers.backends,
    help="Backend that proves uniqueness; the default is native.",
)
@click.option(
    "--cross-check/--no-cross-check",
    default=None,
    help="Have a second backend confirm uniqueness; the default if --count is 1.",
)
@click.option(
    "--cross-check-backend",
    metavar="LABEL",
    default="sat",
    show_default=True,
    shell_complete=completers.backends,
    help="Second backend, which confirms uniqueness.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of threads.",
)
@click.option(
    "--time-limit",
    metavar="SECONDS|none",
    default=f"{DEFAULT_TIME_LIMIT:g}",
    show_default=True,
    callback=seconds_of,
    help="Time limit for all puzzles together.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["line", "framed"]),
    help="Form of the puzzles; the default is framed for one, and one line each for several.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write puzzles to this file, one on each line: text or .csv (with solutions), also .gz; "
    "or .npy; puzzles with rules as a puzzle file, or in another format that the ending names.",
)
@with_force
@with_scheduler
def command(
    rules: str | None,
    family: str | None,
    n: int | None,
    clues: tuple[int, int] | None,
    symmetry: str,
    minimal: bool,
    difficulty: str | None,
    count: int,
    seed: int | None,
    cross_check: bool | None,
    cross_check_backend: str,
    form: str | None,
    output: str | None,
    force: bool,
    scheduler: str | None,
    **options: Any,
) -> int:
    """Make puzzles that are proved to have exactly one solution.

    Puzzles go to standard output, a summary to standard error. Many puzzles are made and refused
    where few meet the request; the summary counts them. The exit code is 1 if the time limit was
    reached before there were enough puzzles.

    The same seed and the same arguments give the same puzzles.
    """
    checked = count == 1 if cross_check is None else cross_check
    options |= {
        "request": PuzzleRequest(
            clues=clues, symmetry=symmetry, minimal=minimal, difficulty=difficulty
        ),
        "count": count,
        "seed": secrets.randbits(32) if seed is None else seed,
        "cross_check": cross_check_backend if checked else None,
    }
    if scheduler is not None:
        resource = executor_for(scheduler)
        options["executor"] = click.get_current_context().with_resource(resource)
    if rules is not None or family is not None:
        return _with_rules(rules or "", family or "", n, form, output, force, options)
    run = Generation(n=n or 9, **options)
    if output and form == "framed":
        raise click.UsageError(
            "--format framed: expected no --output, which has one puzzle on each line"
        )
    try:
        if form == "framed" or (form is None and count == 1 and not output):
            _print_framed(run)
        else:
            _write_lines(run, output, force)
    finally:
        _summarise(run)
    return answer(run.progress.made == count)


def _summarise(run: Generation | RuledGeneration) -> None:
    click.echo(f"{run.progress}; seed {run.seed}", err=True)
    if not run.progress.made:
        click.echo(_advice(run.request), err=True)


def _with_rules(
    rules: str,
    family: str,
    n: int | None,
    form: str | None,
    output: str | None,
    force: bool,
    options: dict[str, Any],
) -> int:
    """Make puzzles with rules, and write all of them even if the run is interrupted."""
    unfit = {
        "--walk": options.pop("walk"),
        "--per-layout": options.pop("per_layout") != 1,
        "--threads": options.pop("threads") != 1,
        "--format": form is not None,
    }
    for name in (name for name, is_given in unfit.items() if is_given):
        raise click.UsageError(f"{name} is for boards without rules; leave it out")
    kinds = tuple(filter(None, re.split(r"[,\s]+", rules)))
    run = RuledGeneration(rules=kinds, family=family, n=n, **options)
    if output is not None:
        format_to_write(output)
        check_target(output, force=force)
    made: list[Puzzle] = []
    try:
        with _progress(run) as advance:
            for puzzle in run:
                made.append(puzzle)
                advance()
    finally:
        if made and output is not None:
            tell(write(made, output, force=force).losses.told())
        elif made:
            click.echo(write(made, "toml").text)
        _summarise(run)
    return answer(run.progress.made == run.count)


def _advice(request: PuzzleRequest) -> str:
    """Return which constraints could be relaxed, if no puzzle met all of them."""
    options = {
        "--clues": request.clues is not None,
        "--minimal": request.minimal,
        "--symmetry": request.symmetry != "none",
        "--difficulty": request.difficulty is not None,
    }
    given = ", ".join(name for name, is_given in options.items() if is_given)
    relaxed = f"relax one of {given}, or " if given else ""
    return f"no puzzle met all constraints; {relaxed}allow more time (--time-limit)"


def _print_framed(run: Generation) -> None:
    """Print each puzzle in rows, with an empty line between two."""
    separator = ""
    with _progress(run) as advance:
        for puzzles in run:
            for board in puzzles.boards():
                click.echo(separator + framed_text(board, with_map=run.has_maps))
                separator = "\n"
            advance()


def _write_lines(run: Generation, output: str | None, force: bool) -> None:
    """Write each puzzle as one line when it is made; CSV includes solutions."""
    forms: Sequence[Form] = ["text"] if run.has_maps else FORMS
    with (
        telling_notes(),
        open_writer(output, forms=forms, force=force) as writer,
        _progress(run) as advance,
    ):
        for puzzles in run:
            if len(puzzles):
                cells, grids = puzzles.cells, puzzles.grids
                match writer.form:
                    case "text":
                        writer.write(puzzles.lines(with_map=run.has_maps))
                    case "csv":
                        writer.write(write_lines(puzzles.layout, cells, grids, empty="0"))
                    case "npy":
                        writer.write_rows(cells)
            advance()


@contextlib.contextmanager
def _progress(run: Generation | RuledGeneration) -> Iterator[Callable[[], None]]:
    """Show a bar on a terminal, or else a line from time to time."""
    with progress_bar(run.count) as bar:
        if bar is None:
            with showing() as show:
                yield lambda: show(str(run.progress), lasting=False)
        else:
            yield lambda: bar(run.progress.made, run.progress)
