"""``unidoku warm``: compiles what searches of a layout need, before a server needs it."""

from __future__ import annotations

import click

import unidoku
from unidoku.cli.codes import answer
from unidoku.cli.printing import example, say
from unidoku.core.board import Board
from unidoku.errors import UnsupportedError
from unidoku.support.deadline import Deadline

_ENGINES = ("single", "lanes")


@click.command("warm", epilog=example("warm classic windoku"))
@click.argument("variants", nargs=-1, required=True, metavar="VARIANT…")
@click.option("--size", type=click.IntRange(1), default=9, help="Their size.")
def command(variants: tuple[str, ...], size: int) -> int:
    """Compile what `native` needs to search boards of these layouts.

    The machine code that comes with Unidoku serves single boards of any layout, and batches of the
    layouts that people use. Batches of other layouts are compiled by llvmlite (the extra `jit`) and
    kept in the cache, which takes some seconds once: a server wants that before its first batch.

    The exit code is 1 if a layout has no lanes here, so that single boards are searched one by one.
    """
    all_ready = True
    for variant in variants:
        layout = unidoku.layout(variant, size)
        for engine in _ENGINES:
            clock = Deadline()
            solver = unidoku.load(f"native[engine={engine}]")
            try:
                solver.solve(Board.empty(layout), node_limit=1)
            except UnsupportedError as error:
                say(f"{variant} {size}x{size}: {error}")
                all_ready = False
            else:
                say(f"{variant} {size}x{size}: {engine} is ready after {clock.elapsed:.2f} s")
    return answer(all_ready)
