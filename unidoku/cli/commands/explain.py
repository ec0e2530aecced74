"""``unidoku explain``: solve as a person does, with the reason for each step."""

from __future__ import annotations

import math
from pathlib import Path

import click

from unidoku.analysis.walk import explain
from unidoku.cli.asking import Each
from unidoku.cli.common import (
    BackendChoice,
    entered_board,
    numbered_or_entered,
    only_puzzle,
    print_figures,
    print_grid,
    print_json,
    print_notes,
    time_limit_of,
    with_backend,
    with_entries,
    with_force,
    with_json,
    with_source,
    with_techniques,
)
from unidoku.cli.printing import example, say
from unidoku.errors import InputError
from unidoku.files.source import Sources
from unidoku.formats import Puzzle
from unidoku.logic import Ending, Walkthrough, chosen
from unidoku.logic.reasons.reasoning import MOST_PARTS
from unidoku.logic.show.page import write_html
from unidoku.logic.show.record import record
from unidoku.logic.show.words import is_key, summary, uses_table
from unidoku.support.atomic_write import check_target
from unidoku.support.page import ENDINGS
from unidoku.support.schema import shown
from unidoku.support.text import plural


@click.command("explain", epilog=example("explain boards.txt --grids key"))
@with_source
@with_backend
@with_techniques
@with_entries
@click.option(
    "--parts",
    metavar="N|any",
    default=str(MOST_PARTS),
    help="The largest number of parts of a short reason.",
)
@click.option(
    "--grids",
    type=click.Choice(["none", "key", "all"]),
    default="key",
    help="Steps whose candidates are drawn: none, those harder than singles, or all.",
)
@click.option(
    "--html", metavar="FILE", help="Write an HTML page that shows the solution step by step."
)
@with_force
@with_json
@click.option("--verify", is_flag=True, help="Prove each step with an exact backend.")
def command(
    sources: Sources,
    choice: BackendChoice,
    techniques: str,
    entries: str | None,
    parts: str,
    grids: str,
    html: str | None,
    force: bool,
    as_json: bool,
    verify: bool,
) -> int:
    """Solve PUZZLE step by step, as a person does.

    Each step uses the easiest technique that makes progress. A solver is asked first whether the
    board has a solution; if it has none, the output says why. The backend is used by --verify only.
    The exit code is 1 if a board is not solved, or if a step is refuted.
    """
    rows = chosen(techniques)
    most = _most(parts)
    limit = time_limit_of(choice.time_limit)
    puzzles = numbered_or_entered(sources, entries)
    if html is not None:
        puzzles = iter([("", only_puzzle(sources, asking="--html"))])
        check_target(html, force=force, endings=ENDINGS)
    for _, puzzle in (each := Each(puzzles, as_json=as_json)):
        with each.going_on():
            path = explain(
                puzzle.board,
                entries=entered_board(entries, puzzle),
                techniques=rows,
                most_parts=most,
                time_limit=limit,
                tell=lambda note: print_notes([note]),
            )
            each.answer(path.outcome is Ending.SOLVED)
            if html is not None:
                write_html(path, Path(html), title=puzzle.name, force=force)
                say(f"written: {html}, {plural(len(path.steps), 'step')}", err=True)
            if as_json:
                print_json(record(path, name=puzzle.name))
            elif html is not None:
                say(summary(path))
            else:
                each.head()
                _print_path(path, grids)
            if verify:
                each.answer(_verify(path, choice, puzzle))
    return each.code()


_LONGEST_NUMBER = 9
"""The most digits of a number of parts."""


def _most(parts: str) -> float:
    """Return the number that ``--parts`` says."""
    if parts == "any":
        return math.inf
    is_number = parts.isascii() and parts.isdecimal() and len(parts) <= _LONGEST_NUMBER
    if not (is_number and int(parts)):
        raise InputError(f"--parts: expected a number from 1, or any, got {shown(parts)}")
    return int(parts)


def _print_path(path: Walkthrough, grids: str) -> None:
    width = len(str(len(path.steps)))
    for number, step in enumerate(path.steps, start=1):
        say(f"{number:{width}}. {step.sentence}")
        if grids == "all" or (grids == "key" and is_key(step)):
            print_grid(path.states[number - 1], step)
    if path.steps:
        say()
    if path.grid is not None:
        say(path.board.fill(path.grid).text())
    else:
        print_grid(path.final)
    say()
    if path.steps:
        print_figures(uses_table(path))
        say()
    say(summary(path))


def _verify(path: Walkthrough, choice: BackendChoice, puzzle: Puzzle) -> bool:
    from unidoku.analysis.check import unsound_steps

    solver, seconds = choice.solver()
    wrong = unsound_steps(path, solver, time_limit=seconds)
    messages = [
        f"step {index + 1} removes a true candidate: {path.steps[index].sentence}"
        for index in wrong
    ]
    verified = f"verified: {plural(len(path.steps), 'step')}, no true candidate removed"
    title = f"{puzzle.name}: " if puzzle.name else ""
    for message in messages or [verified]:
        say(f"{title}{message} ({solver.label})", err=True)
    return not wrong
