"""``unidoku trace``: the search of one board as a tree."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.api import configured
from unidoku.backends.base import Request
from unidoku.cli import completers
from unidoku.cli.common import (
    only_puzzle,
    print_json,
    settings_for,
    time_limit_of,
    with_force,
    with_json,
    with_source,
    with_time_limit,
)
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.files.source import Sources
from unidoku.support.atomic_write import check_target, write_text
from unidoku.support.page import ENDINGS


@click.command("trace", epilog=example("trace boards.txt --backend norvig --html tree.html"))
@with_source
@click.option(
    "--backend",
    default="native",
    metavar="NAME",
    shell_complete=completers.tracing_backends,
    help="Backend that searches, optionally with options, as in logic[search=true].",
)
@click.option(
    "--solutions",
    type=click.IntRange(min=1),
    default=1,
    help="Solutions to find; 2 shows the proof that there is only one.",
)
@click.option(
    "--node-limit", type=click.IntRange(min=1), help="Nodes after which the tree ends; 100,000."
)
@click.option("--html", metavar="FILE", help="Write the tree as an HTML page that folds.")
@with_force
@with_time_limit
@with_json
@with_trust
def command(
    sources: Sources,
    backend: str,
    solutions: int,
    node_limit: int | None,
    html: str | None,
    force: bool,
    time_limit: float | None,
    as_json: bool,
) -> int:
    """Show the search of PUZZLE by a backend as a tree.

    Each line is a node: the guess, the cells that propagation then filled, how many other
    candidates it removed, and how the node ended. Backends that do not tell their search are
    refused. A tree has at most 100,000 nodes, and its first line says why it ends.
    """
    from unidoku.analysis.trace.record import trace_of

    solver = configured(backend, settings_for(backend))
    if html is not None:
        check_target(html, force=force, endings=ENDINGS)
    puzzle = only_puzzle(sources)
    limits = Request(
        solutions=solutions, node_limit=node_limit, time_limit=time_limit_of(time_limit)
    )
    tree = trace_of(solver, puzzle.board, limits)
    if html is not None:
        write_text(Path(html), tree.html(puzzle.name), force=force, endings=ENDINGS)
        say(f"written: {html}", err=True)
    if as_json:
        print_json(tree.record(puzzle.name))
    else:
        say(str(tree))
        if html is None:
            for line in tree.lines():
                say(line)
    return 0
