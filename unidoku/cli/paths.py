"""Code that commands for logic share: names of techniques, printed candidates."""

from __future__ import annotations

import shutil
import sys

import click

from unidoku.cli import completers
from unidoku.cli.common import print_rich
from unidoku.logic import State, Step

_PLAIN_WIDTH = 160
"""Characters in a line if the output is no terminal."""

with_techniques = click.option(
    "--techniques",
    default="usual",
    show_default=True,
    metavar="NAMES",
    shell_complete=completers.techniques,
    help="Techniques to use: names joined by commas; usual, for all that are valid on every board; "
    "all; or ..NAME, for the usual ones up to that one.",
)


def print_grid(state: State, step: Step | None = None) -> None:
    """Print the candidates of a state, and mark those that a step is about."""
    from unidoku.logic.show.terminal import grid_text  # imports rich

    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if terminal else _PLAIN_WIDTH
    print_rich(grid_text(state, step, width), width=10_000)
