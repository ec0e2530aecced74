"""``unidoku explain``: solve as a person does, and say why each step holds."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path as File

import click

from unidoku.cli.common import (
    BackendChoice,
    print_rich,
    print_table,
    time_limit_of,
    with_backend,
    with_source,
)
from unidoku.errors import InputError
from unidoku.files.source import Source
from unidoku.formats import Puzzle
from unidoku.logic import Outcome, Path, State, Step, chosen, explain
from unidoku.logic.show.record import record
from unidoku.logic.show.words import counted, is_key, summary, uses

__all__ = ["command", "print_grid", "with_techniques"]

_PLAIN_WIDTH = 160
"""Characters of a line where the output is no terminal."""

with_techniques = click.option(
    "--techniques",
    default="usual",
    show_default=True,
    metavar="NAMES",
    help="Names joined by commas; usual: all that hold on every board; all; ..NAME: up to one.",
)


@click.command("explain")
@with_source
@with_backend
@with_techniques
@click.option(
    "--grids",
    type=click.Choice(["none", "key", "all"]),
    default="key",
    show_default=True,
    help="Draw the candidates for no step, for those harder than singles, or for all.",
)
@click.option("--html", metavar="FILE", help="Write a page that shows the path step by step.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line for a board.")
@click.option("--verify", is_flag=True, help="Prove each step by an exact backend.")
def command(
    source: Source,
    choice: BackendChoice,
    techniques: str,
    grids: str,
    html: str | None,
    as_json: bool,
    verify: bool,
) -> int:
    """Solve PUZZLE as a person does, step by step: the easiest technique that leads on.

    The backend is used by --verify only. The exit code is 1 if a board is not solved, or a step
    is refuted.
    """
    rows = chosen(techniques)
    puzzles = source.read()
    if html is not None and len(puzzles) != 1:
        raise InputError(
            f"--html: expected one board, got {len(puzzles)}; give one of them as PUZZLE"
        )
    solved = True
    for number, puzzle in enumerate(puzzles):
        path = explain(puzzle.board, rows, time_limit=time_limit_of(choice.time_limit))
        solved &= path.outcome is Outcome.SOLVED
        if html is not None:
            _write_page(path, html, puzzle)
        if as_json:
            click.echo(json.dumps(record(path, name=puzzle.name), ensure_ascii=False))
        elif html is not None:
            click.echo(summary(path))
        else:
            if number:
                click.echo()
            _print_path(path, puzzle, grids)
        if verify:
            solved &= _verify(path, choice, puzzle)
    return 0 if solved else 1


def _print_path(path: Path, puzzle: Puzzle, grids: str) -> None:
    if puzzle.name:
        click.echo(f"# {puzzle.name}")
    width = len(str(len(path.steps)))
    for number, step in enumerate(path.steps, start=1):
        click.echo(f"{number:{width}}. {step.sentence}")
        if grids == "all" or (grids == "key" and is_key(step)):
            print_grid(path.states[number - 1], step)
    if path.steps:
        click.echo()
    if path.grid is not None:
        click.echo(path.board.fill(path.grid).text())
    else:
        print_grid(path.final)
    click.echo()
    if path.steps:
        headings = ["technique", "steps", "rating", "score"]
        print_table(headings, list(_rows(path)))
        click.echo()
    click.echo(summary(path))


def _rows(path: Path) -> Iterator[list[str]]:
    for use in uses(path):
        yield [use.technique, str(use.steps), f"{use.rating:.1f}", f"{use.score:,}"]


def print_grid(state: State, step: Step | None = None) -> None:
    """Print the candidates of a state, those that a step is about marked."""
    from unidoku.logic.show.terminal import grid_text  # rich, which JSON and pages do without

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else _PLAIN_WIDTH
    print_rich(grid_text(state, step, width), width=10_000)


def _write_page(path: Path, file: str, puzzle: Puzzle) -> None:
    from unidoku.logic.show.page import write_html

    write_html(path, File(file), title=puzzle.name)
    click.echo(f"written: {file}, {counted(len(path.steps), 'step')}", err=True)


def _verify(path: Path, choice: BackendChoice, puzzle: Puzzle) -> bool:
    from unidoku.proving import unsound_steps

    solver, seconds = choice.solver()
    wrong = unsound_steps(path, solver, seconds)
    title = f"{puzzle.name}: " if puzzle.name else ""
    if not wrong:
        steps = counted(len(path.steps), "step")
        message = f"verified: {steps}, no true candidate removed ({solver.label})"
        click.echo(title + message, err=True)
        return True
    for index in wrong:
        message = f"step {index + 1} removes a true candidate: {path.steps[index].sentence}"
        click.echo(f"{title}{message} ({solver.label})", err=True)
    return False
