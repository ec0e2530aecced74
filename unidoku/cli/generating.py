"""The output of ``unidoku generate``: puzzles, and a summary of the run."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import click

from unidoku.cli.codes import answer
from unidoku.cli.common import notes_printed, print_notes, progress_bar
from unidoku.cli.printing import put, say, showing
from unidoku.files.ruled import write
from unidoku.files.writer import FORMS, Form, open_writer
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import format_to_write
from unidoku.formats.lines import write_lines
from unidoku.generation import Discrimination, Generation, PuzzleRequest, TellingBoard
from unidoku.generation.instances import InstanceGeneration, InstanceRequest
from unidoku.generation.maker import framed_text
from unidoku.generation.ruled import RuledGeneration
from unidoku.support.atomic_write import check_target
from unidoku.support.text import plural

Run: TypeAlias = Generation | RuledGeneration | InstanceGeneration


def summarise(run: Run) -> None:
    """Print the counts and the seed of a run, and what to change if it made nothing."""
    say(f"{run.progress}; seed {run.seed}", err=True)
    if not run.progress.made:
        say(_advice(run.request), err=True)


def refuse(
    options: dict[str, Any], form: str | None, boards: str, others: Mapping[str, bool]
) -> None:
    """Remove the options that only plain puzzles have; raise if one of them or others is given."""
    unfit = {
        "--walk": options.pop("walk", False),
        "--per-layout": options.pop("per_layout", 1) != 1,
        "--threads": options.pop("threads", 1) != 1,
        "--format": form is not None,
        **others,
    }
    for name in (name for name, is_given in unfit.items() if is_given):
        raise click.UsageError(f"{name} is for {boards}; leave it out")


def _check_output(output: str | None, force: bool) -> None:
    """Refuse a file that could not be written, before the work for it."""
    if output is not None:
        format_to_write(output)
        check_target(output, force=force)


def _deliver(puzzles: Sequence[Puzzle], output: str | None, force: bool) -> None:
    """Write puzzles, if there are any, to a file or as a puzzle file to standard output."""
    if puzzles and output is not None:
        print_notes(write(puzzles, output, force=force).losses.lines())
    elif puzzles:
        put(write(puzzles, "toml").text)


def write_puzzles(
    run: RuledGeneration | InstanceGeneration, output: str | None, force: bool
) -> int:
    """Make puzzles, and write all of them as puzzle files even if the run is interrupted."""
    _check_output(output, force)
    puzzles: list[Puzzle] = []
    try:
        with _progress(run.progress.wanted) as advance:
            for puzzle in run:
                puzzles.append(puzzle)
                advance(run.progress.made, run.progress)
    finally:
        _deliver(puzzles, output, force)
        summarise(run)
    return answer(run.progress.missing == 0)


def write_telling(walk: Discrimination, output: str | None, force: bool) -> int:
    """Walk to a telling board, and write the best so far even if the walk is interrupted."""
    _check_output(output, force)
    best: TellingBoard | None = None
    progress = walk.progress

    def measured() -> str:
        text = f"{progress.attempts:,} of {plural(walk.boards, 'board')} measured"
        return text if best is None else f"{best}; {text}"

    try:
        with _progress(walk.boards) as advance:
            for board in walk:
                best = board
                advance(progress.attempts, measured())
    finally:
        _deliver([best.named] if best else [], output, force)
        reasons = [f"{count:,} {reason}" for reason, count in progress.refused.most_common()]
        refused = f"; refused: {', '.join(reasons)}" if reasons else ""
        if progress.attempts or not progress.in_time:  # no error of a backend came first
            say(f"{measured()}{refused}; seed {walk.run.seed}", err=True)
    return answer(best is not None and progress.in_time)


def given(request: PuzzleRequest) -> dict[str, bool]:
    """Return whether each option of a request is given."""
    return {
        "--clues": request.clues is not None,
        "--minimal": request.minimal,
        "--symmetry": request.symmetry != "none",
        "--difficulty": request.difficulty is not None,
        "--rating": request.rating is not None,
    }


def _advice(request: PuzzleRequest | InstanceRequest) -> str:
    """Return which constraints could be relaxed, if no puzzle met all of them."""
    if isinstance(request, InstanceRequest):
        return (
            "no board met the request; ask for another number of cells or solutions, or allow more "
            "time (--time-limit)"
        )
    names = ", ".join(name for name, is_given in given(request).items() if is_given)
    relaxed = f"relax one of {names}, or " if names else ""
    return f"no puzzle met all constraints; {relaxed}allow more time (--time-limit)"


def print_framed(run: Generation) -> None:
    """Print each puzzle in rows, with an empty line between two."""
    separator = ""
    with _progress(run.progress.wanted) as advance:
        for puzzles in run:
            for board in puzzles.boards():
                say(separator + framed_text(board, with_map=run.has_maps))
                separator = "\n"
            advance(run.progress.made, run.progress)


def write_each_line(run: Generation, output: str | None, force: bool) -> None:
    """Write each puzzle as one line when it is made; CSV includes solutions."""
    forms: Sequence[Form] = ["text"] if run.has_maps else FORMS
    with (
        notes_printed(),
        open_writer(output, forms=forms, force=force) as writer,
        _progress(run.progress.wanted) as advance,
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
            advance(run.progress.made, run.progress)


@contextlib.contextmanager
def _progress(wanted: float | None) -> Iterator[Callable[[float, object], None]]:
    """Show a bar on a terminal, or else a line from time to time."""
    with progress_bar(wanted) as bar:
        if bar is None:
            with showing() as show:
                yield lambda _done, text: show(str(text), lasting=False)
        else:
            yield bar
