"""``unidoku draw``: a board as a picture, or sheets of many."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, cast, get_args

import click

from unidoku.analysis.on_sheets import with_solution, with_words
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    BackendChoice,
    each_puzzle,
    only_puzzle,
    with_backend,
    with_force,
    with_output,
    with_source,
)
from unidoku.cli.printing import example, put, say
from unidoku.core.propagation.propagate import propagate
from unidoku.draw import PAPERS, Entry, Head, Theme, pdf, png, sheet, svg
from unidoku.draw.render import check_renderers
from unidoku.errors import InputError
from unidoku.files.source import Sources
from unidoku.formats import Puzzle
from unidoku.support.atomic_write import check_target, ending_of, new_file
from unidoku.support.text import listed, plural

_ENDINGS = (".svg", ".png", ".pdf")

_MOST = 10_000
"""The most puzzles on one sheet: all its pages are in memory at once."""


@click.command("draw", epilog=example('draw "1... ..2. .3.. ...4" --solved -o board.svg'))
@with_source
@with_backend
@click.option("--solved", is_flag=True, help="Draw the solution too, which the backend finds.")
@click.option("--labels", is_flag=True, help="Draw the names of rows and columns at the sides.")
@click.option("--candidates", is_flag=True, help="Draw the candidates after propagation too.")
@click.option(
    "--sheet", "is_sheet", is_flag=True, help="Draw all boards, several on each page, for printing."
)
@click.option(
    "--per-page",
    type=click.IntRange(1, 100),
    metavar="N",
    help="Boards on each page of a sheet; the default is 6.",
)
@click.option("--paper", type=click.Choice([*PAPERS]), help="Paper of a sheet; the default is a4.")
@click.option("--heading", metavar="TEXT", help="Heading of each page of a sheet.")
@click.option("--date", metavar="TEXT", help="Date beside the heading.")
@click.option("--name-line", is_flag=True, help="A line for a name, and for the date, on a sheet.")
@click.option("--level", is_flag=True, help="Print the level of each puzzle, as rate does.")
@click.option("--rules", is_flag=True, help="Print the rules in words.")
@click.option(
    "--no-solutions", is_flag=True, help="Leave out the pages with solutions at the end of a sheet."
)
@click.option(
    "--theme",
    type=click.Choice(get_args(Theme)),
    default="auto",
    help="Colours: light, dark, or auto, which follows the system in a browser.",
)
@click.option("--width", type=click.IntRange(min=1), metavar="PIXELS", help="Width of a PNG.")
@with_output("Write the picture to this file.", metavar="FILE.svg|png|pdf")
@with_force
def command(
    sources: Sources,
    choice: BackendChoice,
    solved: bool,
    labels: bool,
    candidates: bool,
    is_sheet: bool,
    theme: str,
    width: int | None,
    output: str | None,
    force: bool,
    **on_sheets: Any,
) -> int:
    """Draw PUZZLE, one board, as SVG, PNG or PDF.

    Without --output, the picture goes to standard output, as SVG. With --sheet, all boards are
    drawn, several on each page, with solutions on the last pages: one PDF with all pages, or SVG or
    PNG files, which are numbered if there are several.

    The exit code is 1 if solutions are needed and one is not found within the limits.
    """
    file = _Output(output, force, width, cast(Theme, theme))
    if not is_sheet:
        given = (name for name, value in on_sheets.items() if value)
        if alone := [f"--{name.replace('_', '-')}" for name in given]:
            raise click.UsageError(f"{listed(alone)}: expected together with --sheet; add it")
        puzzle = only_puzzle(sources)
        drawn = _entry(puzzle, candidates)
        entries = _solved([drawn], choice) if solved else [drawn]
        if entries is None:
            return answer(False)
        (entry,) = entries
        filled = replace(puzzle, board=entry.solved_board())
        picture = svg(filled, entry.solution, theme=file.fixed, all_marks=candidates, labels=labels)
        file.write([picture], puzzle.name)
        return answer(True)
    if output is None:
        raise click.UsageError(
            "--sheet: expected an output file, got none; name one: --output sheet.pdf"
        )
    if solved:
        raise click.UsageError(
            "--sheet: expected no --solved, because a sheet ends with its solutions; leave it out"
        )
    puzzles = islice(each_puzzle(sources, placed=False), _MOST + 1)
    drawings = [_entry(puzzle, candidates) for puzzle in puzzles]
    if len(drawings) > _MOST:
        raise InputError(f"expected at most {_MOST:,} puzzles on a sheet; give fewer files")
    limit = choice.solver()[1] if on_sheets["level"] else None
    words = {name: on_sheets[name] for name in ("rules", "level")}
    worded = [with_words(entry, **words, time_limit=limit) for entry in drawings]
    entries = worded if on_sheets["no_solutions"] else _solved(worded, choice)
    if entries is None:
        return answer(False)
    texts = {name: on_sheets[name] or "" for name in ("heading", "date")}
    head = Head(**texts, name_line=on_sheets["name_line"])
    per_page, paper = on_sheets["per_page"] or 6, on_sheets["paper"] or "a4"
    pages = sheet(entries, per_page=per_page, paper=paper, theme=file.fixed, head=head)
    file.write(pages, plural(len(entries), "puzzle"))
    return answer(True)


def _entry(puzzle: Puzzle, candidates: bool) -> Entry:
    """Return the entry of a sheet for a puzzle."""
    board = (propagate(puzzle.board) or puzzle.board) if candidates else puzzle.board
    return Entry(board=board, title=puzzle.name, puzzle=puzzle, all_marks=candidates)


def _solved(entries: list[Entry], choice: BackendChoice) -> list[Entry] | None:
    """Return the entries with their solutions; None, with a message, if one has none."""
    solver, limit = choice.solver()
    solved = []
    for number, entry in enumerate(entries, start=1):
        solution, result = with_solution(entry, solver, time_limit=limit)
        if not result.solutions:
            which = f"puzzle {number}: " if len(entries) > 1 else ""
            say(f"{which}{result}, {solver.label}", err=True)
            return None
        solved.append(solution)
    return solved


@dataclass(frozen=True, slots=True)
class _Output:
    """The target of pictures, which is checked before anything is drawn."""

    path: str | None
    force: bool
    width: int | None
    theme: Theme

    def __post_init__(self) -> None:
        if self.width is not None and self.ending != ".png":
            raise click.UsageError("--width: expected a PNG; name one: --output board.png")
        if self.path is not None:
            check_target(self.path, force=self.force, endings=_ENDINGS)
        if self.ending in (".png", ".pdf"):
            check_renderers()

    @property
    def ending(self) -> str:
        return "" if self.path is None else ending_of(self.path)

    @property
    def fixed(self) -> Theme:
        """The theme; a PNG or PDF cannot follow the system, and is light by default."""
        is_fixed = self.theme == "auto" and self.ending in (".png", ".pdf")
        return "light" if is_fixed else self.theme

    def write(self, pages: list[str], title: str) -> None:
        """Write pages: one file for a PDF, else one file for each page, numbered if several."""
        if self.path is None:
            put(pages[0])
            return
        path = Path(self.path)
        if self.ending == ".pdf":
            self._write(path, pdf(pages, title=title))
            return
        names = [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(pages) + 1)]
        names = names if len(pages) > 1 else [path]
        for name in names:
            check_target(name, force=self.force)
        for name, page in zip(names, pages, strict=True):
            is_png = self.ending == ".png"
            self._write(name, png(page, width=self.width) if is_png else f"{page}\n".encode())

    def _write(self, path: Path, content: bytes) -> None:
        with new_file(path, force=self.force, endings=_ENDINGS) as file:
            file.write(content)
        say(f"written: {path}", err=True)
