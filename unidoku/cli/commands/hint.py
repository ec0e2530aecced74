"""``unidoku hint``: only the easiest next step."""

from __future__ import annotations

import click

from unidoku.cli.asking import Each
from unidoku.cli.common import (
    numbered,
    print_grid,
    time_limit_of,
    with_source,
    with_techniques,
    with_time_limit,
)
from unidoku.cli.printing import example, say
from unidoku.files.source import Sources
from unidoku.logic import State, chosen, hint
from unidoku.logic.show.words import no_step


@click.command("hint", epilog=example('hint "1... ..2. .3.. ...4"'))
@with_source
@with_techniques
@with_time_limit
def command(sources: Sources, techniques: str, time_limit: float | None) -> int:
    """Print the easiest next step of PUZZLE.

    A grid shows the candidates that it uses. The exit code is 1 if a board has no next step.
    """
    rows = chosen(techniques)
    limit = time_limit_of(time_limit)
    found = True
    for number, (_, puzzle) in enumerate(each := Each(numbered(sources))):
        if number:
            say()
        if puzzle.name:
            say(f"# {puzzle.name}")
        with each.going_on():
            state = State.start(puzzle.board)
            step = hint(puzzle.board, techniques=rows, time_limit=limit)
            if step is None:
                found = False
                say(no_step(state))
                continue
            say(step.sentence)
            print_grid(state, step)
    return each.code(found)
