"""``unidoku grade``: the solvers of a class on the boards of an assignment."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.cli.common import print_figures, with_force
from unidoku.cli.printing import example, say
from unidoku.errors import InputError
from unidoku.support.text import printable


@click.command(
    "grade", epilog=example("grade students --assignment assignment.toml --output grades")
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--assignment",
    "file",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The boards, the limits and the points: a TOML file, or a puzzle file.",
)
@click.option(
    "--output",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write a page for the teacher, one for each student, and tables as CSV to this folder.",
)
@with_force
def command(folder: Path, file: Path, output: Path | None, force: bool) -> int:
    """Grade the solvers in FOLDER, one of each student.

    A student hands in a Python module with the function or class that the assignment names, or a
    program that reads boards. It is run, in worker processes with limits of time and memory, and
    ended with all that it started. That is no sandbox: grade only what you would run yourself. With
    a puzzle file as the assignment, each board is one point.
    """
    from unidoku.grading import Grade, grade, read_assignment
    from unidoku.grading.pages import check_folder, grades_table, write_pages

    if not folder.is_dir():
        raise InputError(f"expected a folder with a file for each student, got {str(folder)!r}")
    assignment = read_assignment(file)
    if output is not None:
        check_folder(output, force=force)

    def watch(graded: Grade) -> None:
        points = f"{graded.points:.10g} of {assignment.most:.10g} points"
        say(printable(f"{graded.student}: {points}"), err=True)

    grades = grade(folder, assignment, watch=watch)
    print_figures(grades_table(grades))
    if output is not None:
        write_pages(grades, output, force=force)
        say(f"written: {output / 'index.html'}", err=True)
    if grades.missing:
        say(f"interrupted; not graded: {', '.join(map(printable, grades.missing))}", err=True)
        raise KeyboardInterrupt
    return 0
