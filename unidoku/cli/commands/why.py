"""``unidoku why``: why a cell must or cannot hold a value."""

from __future__ import annotations

import re

import click

from unidoku.analysis.why import Verdict, why
from unidoku.cli.asking import Each
from unidoku.cli.common import (
    BackendChoice,
    numbered,
    print_grid,
    print_json,
    with_backend,
    with_json,
    with_source,
)
from unidoku.cli.printing import example, say
from unidoku.errors import InputError
from unidoku.files.source import Sources

_QUESTION = re.compile(r" *\w{2,8} *= *\w{1,3} *")
"""A cell and a value, which no text of a board looks like."""


@click.command("why", epilog=example('why "1... ..2. .3.. ...4" A2=2'))
@with_source
@click.argument("question", metavar="CELL=VALUE")
@with_backend
@with_json
def command(sources: Sources, question: str, choice: BackendChoice, as_json: bool) -> int:
    """Tell why a cell of PUZZLE must or cannot hold a value.

    The backend decides whether it must, cannot, or may: then two solutions are printed. The reason
    consists of what a person has to look at, none of which can be left out. The exit code is 1 if
    a board has no solution; then the output names what contradicts.
    """
    cell, equals, value = question.partition("=")
    if not (cell and equals and value):
        raise InputError(f"expected CELL=VALUE, such as A4=5, got {question!r}")
    arguments = click.get_current_context().params["puzzles"]
    if further := next(filter(_QUESTION.fullmatch, arguments), None):
        raise InputError(f"expected one CELL=VALUE, the last argument, got {further!r} too")
    solver, limit = choice.solver()
    for name, puzzle in (each := Each(numbered(sources), as_json=as_json)):
        with each.going_on():
            answer = why(
                puzzle.board,
                cell.strip(),
                value.strip(),
                backend=solver,
                time_limit=limit,
                longer=True,
            )
            each.answer(answer.verdict is not Verdict.NO_SOLUTIONS)
            if as_json:
                print_json(answer.record(puzzle.name))
                continue
            say(f"{name}{answer}")
            if answer.step is not None or answer.before:
                print_grid(answer.state, answer.step)
            for grid in answer.solutions:
                say()
                say(puzzle.board.fill(grid).text())
    return each.code()
