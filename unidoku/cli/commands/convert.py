"""``unidoku convert``: puzzles from one format to another, with a report of what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import click

from unidoku.cli import completers
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    BackendChoice,
    each_puzzle,
    print_json,
    print_notes,
    with_backend,
    with_force,
    with_json,
    with_output,
    with_source,
)
from unidoku.cli.printing import example, put, say
from unidoku.errors import InputError
from unidoku.files.source import Sources
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import Format, find_format, format_to_write
from unidoku.formats.losses import Losses
from unidoku.formats.sentences import rules_text
from unidoku.support.atomic_write import check_target, write_text
from unidoku.support.text import plural


@click.command("convert", epilog=example("convert boards.txt -o boards.toml"))
@with_source
@with_backend
@click.option(
    "--to",
    metavar="FORMAT",
    shell_complete=completers.formats,
    help="Format to write, where the ending of --output does not show it.",
)
@with_output("Write the puzzle to this file.")
@with_force
@click.option(
    "--solve",
    is_flag=True,
    help="Write the solution too, if the backend proves that it is the only one.",
)
@click.option(
    "--rules-text",
    "with_text",
    is_flag=True,
    help="Write the rules in words into the puzzle, so that you can edit them.",
)
@click.option(
    "--strict", is_flag=True, help="Write nothing if something would be lost or was guessed."
)
@with_json
def command(
    sources: Sources,
    choice: BackendChoice,
    to: str | None,
    output: str | None,
    force: bool,
    solve: bool,
    with_text: bool,
    strict: bool,
    as_json: bool,
) -> int:
    """Convert PUZZLE to another format.

    PUZZLE is a file, a link or a text. Messages on standard error name each loss, each guess, and
    everything that has several meanings. With --strict, a loss is an error: the exit code is 2, and
    nothing is written; so it is with --solve if a puzzle has not exactly one solution, or if that
    is not decided within the time limit.
    """
    form = _format(to, output)
    write = form.load_writer()
    if output is not None:
        check_target(output, force=force)
    puzzles = [*each_puzzle(sources)]
    if solve:
        puzzles = [*_solved(puzzles, choice)]
    if with_text:
        puzzles = [
            replace(puzzle, rules_text=puzzle.rules_text or rules_text(puzzle.board))
            for puzzle in puzzles
        ]
    written = write(puzzles)
    print_notes(f"{form.name}: {line}" for line in written.losses.lines())
    losses = sum((puzzle.losses for puzzle in puzzles), Losses()) + written.losses
    if strict and losses:
        count = sum(map(len, (losses.dropped, losses.approximated, losses.guessed)))
        raise InputError(f"--strict: expected no losses, got {count}; nothing is written")
    if output is not None:
        write_text(output, f"{written}\n", force=force)
        say(f"written: {output}, {plural(len(puzzles), 'puzzle')}", err=True)
    if as_json:
        content = {} if output else {"text": written.text}
        print_json({"format": form.name, **content, "losses": losses.record()})
    elif output is None:
        put(written.text)
    return answer(True)


def _solved(puzzles: Sequence[Puzzle], choice: BackendChoice) -> Iterator[Puzzle]:
    """Yield puzzles with their solutions.

    Raises:
        InputError: a puzzle has no solution, or several, or that is not decided.
    """
    solver, limit = choice.solver()
    for number, puzzle in enumerate(puzzles, start=1):
        result = solver.solve(puzzle.board, solutions=2, time_limit=limit)
        if not result.unique:
            which = f"puzzle {number}: " if len(puzzles) > 1 else ""
            raise InputError(
                f"--solve: {which}expected exactly one solution, got: {result}; nothing is written"
            )
        yield replace(puzzle, solution=result.solutions[0])


def _format(to: str | None, output: str | None) -> Format:
    if to is not None:
        return find_format(to)
    if output is None:
        raise InputError("expected a format or a file to write: --to FORMAT or -o FILE")
    return format_to_write(output)
