"""``unidoku solve``: the solutions of one board or of files of boards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click

from unidoku.backends.base import Limits, Request, Result
from unidoku.backends.solving.solver import Solver
from unidoku.cli.asking import Each
from unidoku.cli.codes import ERROR, answer
from unidoku.cli.common import (
    BackendChoice,
    answerer,
    numbered,
    print_json,
    search_record,
    with_backend,
    with_force,
    with_form,
    with_json,
    with_output,
    with_running,
    with_source,
    with_threads,
)
from unidoku.cli.printing import example, say
from unidoku.core.board import Board, TextForm
from unidoku.files.detect import is_batch
from unidoku.files.source import Sources
from unidoku.formats import Puzzle
from unidoku.support.deadline import Deadline
from unidoku.support.text import seconds


@click.command("solve", epilog=example("solve boards.txt --solutions 2 -o solutions.csv"))
@with_source
@with_backend
@click.option(
    "--solutions",
    default="1",
    metavar="N|all",
    help="Number of solutions to find.",
)
@click.option("--node-limit", type=int, help="Limit on search nodes for each board.")
@with_threads
@click.option("--seed", type=int, help="Seed of the backend's random choices.")
@with_form("Form of the solutions; the default is framed for one board, one line each for several.")
@with_output("Write solutions to this file, one on each line: text or .csv, also .gz; or .npy.")
@with_force
@with_running
@click.option("--recheck", is_flag=True, help="With --scheduler: check each grid again here.")
@with_json
@click.option("--stats", is_flag=True, help="Show the backend's own statistics.")
def command(
    sources: Sources,
    choice: BackendChoice,
    solutions: str,
    node_limit: int | None,
    threads: int,
    seed: int | None,
    form: str | None,
    output: str | None,
    force: bool,
    running: dict[str, Any],
    recheck: bool,
    as_json: bool,
    stats: bool,
) -> int:
    """Find solutions of PUZZLE: one, several or all.

    PUZZLE is files, folders, the text of a board, or - for standard input. Solutions go to standard
    output, a summary of each board to standard error. The exit code is 1 if a board has no
    solution, or if none was found within its limits.

    Large files (.csv, .npy, compressed or with many boards) and searches with --output or
    --scheduler run in parts, with one summary for all boards. A board that cannot be read keeps
    its line in the output, and the exit code is 2.
    """
    if re.fullmatch("all|[0-9]{1,18}", solutions) is None:
        raise click.BadParameter(f"expected a number or 'all', got {solutions!r}")
    solver, limit = choice.solver()
    limits = Limits(
        solutions=None if solutions == "all" else int(solutions),
        time_limit=limit,
        node_limit=node_limit,
        threads=threads,
        seed=seed,
    )
    request = Request.of(**limits)
    _check_output(output, form, solutions, as_json, bool(running))
    if recheck:
        running["recheck"] = True
    one_line = form != "framed" and solutions == "1" and not as_json
    if output or running or (one_line and is_batch(sources)):
        # imports numpy, which a single board does not need
        from unidoku.cli.file_search import search_file
        from unidoku.files.solve import solve_file

        totals = search_file(solve_file, sources, output, solver, limits, force=force, **running)
        if stats:
            _print_figures(totals.statistics)
        return ERROR if totals.invalid else answer(totals.solved == totals.boards)
    return _solve_each(sources, solver, request, form, as_json, stats)


def _check_output(
    output: str | None, form: str | None, solutions: str, as_json: bool, is_shared: bool
) -> None:
    """Refuse options that do not go together.

    Raises:
        click.UsageError: they do not.
    """
    if as_json and (output or form or is_shared):
        raise click.UsageError(
            "--json: expected no --output, --format, --scheduler or --resume, because JSON goes to "
            "standard output"
        )
    if is_shared and (form or solutions != "1") and not output:
        raise click.UsageError(
            "--scheduler, --resume: expected one solution for each board, one line each"
        )
    if output and form == "framed":
        raise click.UsageError("--output: expected one solution for each board, one line each")
    if output and solutions != "1" and ".csv" not in Path(output).suffixes:
        raise click.UsageError(
            "--output: expected one solution for each board; --solutions 2 needs a .csv, whose "
            "column 'unique' shows whether the solution is the only one"
        )


def _solve_each(
    sources: Sources,
    solver: Solver,
    request: Request,
    form: str | None,
    as_json: bool,
    stats: bool,
) -> int:
    """Solve board by board; return the exit code."""
    for name, item in (each := Each(numbered(sources), as_json=as_json)):
        written = cast(TextForm, form or ("line" if name else "framed"))
        clock = Deadline()
        with each.going_on():
            result = solver.search(item.board, request)
            elapsed = clock.elapsed
            each.answer(result.count)
            if as_json:
                print_json(search_record(item, result, solver, elapsed))
                continue
            _print(item, result, written)
            say(f"{name}{result}, {answerer(solver, result)}, {seconds(elapsed)}", err=True)
            if stats:
                _print_figures(result.statistics)
    return each.code()


def _print_figures(statistics: Mapping[str, float]) -> None:
    figures = "  ".join(f"{name}={value:g}" for name, value in statistics.items())
    say(f"  {figures}", err=True)


def _print(puzzle: Puzzle, result: Result, form: TextForm) -> None:
    for k, grid in enumerate(result.solutions):
        if k and form == "framed":
            say()
        say(puzzle.board.fill(grid).text(form))
    if result.candidates is not None and not result.count:
        candidates = Board(puzzle.board.layout, result.candidates)
        say(candidates.text("candidates"), err=True)
    for problem in puzzle.board.problems():
        say(f"  {problem}", err=True)
