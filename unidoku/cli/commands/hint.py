"""``unidoku hint``: only the easiest next step."""

from __future__ import annotations

import click

from unidoku.analysis import mistakes
from unidoku.analysis.walk import hint
from unidoku.cli.asking import Each
from unidoku.cli.common import (
    entered_board,
    numbered_or_entered,
    print_grid,
    print_notes,
    time_limit_of,
    with_entries,
    with_source,
    with_techniques,
    with_time_limit,
)
from unidoku.cli.printing import example, say
from unidoku.files.source import Sources
from unidoku.logic import State, chosen

_ENTERED = "if values were entered here, give this board by --entries, and the puzzle without them"


@click.command("hint", epilog=example('hint "1... ..2. .3.. ...4"'))
@with_source
@with_techniques
@with_entries
@click.option(
    "--stage",
    type=click.IntRange(1, 3),
    default=3,
    help="How much to tell of a mistake: 1 that there is one, 2 its row, 3 the cell and why.",
)
@with_time_limit
def command(
    sources: Sources, techniques: str, entries: str | None, stage: int, time_limit: float | None
) -> int:
    """Print the easiest next step of PUZZLE.

    A grid shows the candidates that it uses. A solver is asked first whether the board has a
    solution; if it has none, the output says what is wrong. The exit code is 1 if a board has no
    next step.
    """
    rows = chosen(techniques)
    limit = time_limit_of(time_limit)
    for prefix, puzzle in (each := Each(numbered_or_entered(sources, entries))):
        each.head()
        with each.going_on():
            entered = entered_board(entries, puzzle)
            step = hint(
                puzzle.board,
                entries=entered,
                techniques=rows,
                time_limit=limit,
                tell=lambda note: print_notes([note]),
            )
            each.answer(step)
            if step:
                say(step.sentence)
                board = (
                    puzzle.board
                    if entered is None
                    else mistakes.with_entries(puzzle.board, entered)
                )
                print_grid(State.start(board), step)
                continue
            if step.mistake is not None and entered is not None:
                say("\n".join(step.mistake.stages[:stage]))
            else:
                say(step.words)
                if step.mistake is not None and not prefix:
                    print_notes([_ENTERED])
    return each.code()
