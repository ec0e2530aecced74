"""Prints for people and for files, of which nothing steers the terminal; a line with progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

import click

from unidoku.support.text import printable


def say(text: object = "", *, err: bool = False) -> None:
    """Print a text for people, without characters that steer a terminal, wherever it goes."""
    click.echo(printable(str(text), allowed="\n"), err=err)


def put(text: str, *, nl: bool = True) -> None:
    """Print data: exactly to a file or a pipe, and like `say` to a terminal."""
    click.echo(printable(text, allowed="\n") if sys.stdout.isatty() else text, nl=nl)


def is_terminal(*streams: TextIO | None) -> bool:
    """Return whether standard streams are terminals; one that is closed is None."""
    return all(stream is not None and stream.isatty() for stream in streams)


def example(arguments: str) -> str:
    """Return the end of a help text: a command line, on a line of its own."""
    return f"\b\nExample:\n  unidoku {arguments}"


_EVERY = 10.0
"""Seconds between two lines if there is no terminal."""


class Show(Protocol):
    """Shows the progress of a command."""

    def __call__(self, text: str, *, lasting: bool) -> None:
        """Show a text; a lasting text, such as a result, stays on the screen."""


@contextmanager
def showing() -> Iterator[Show]:
    """Show a line that changes on a terminal; otherwise print a line from time to time."""
    if is_terminal(sys.stderr):
        with live() as show:
            yield show
        return
    last = time.monotonic()

    def plain(text: str, *, lasting: bool) -> None:
        nonlocal last
        now = time.monotonic()
        if lasting or now - last >= _EVERY:
            last = last if lasting else now
            say(text, err=not lasting)

    yield plain


@contextmanager
def live() -> Iterator[Show]:
    """Show a line that changes in place, with lasting texts above it."""
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text

    console = Console(stderr=True)
    with Status("", console=console) as status:

        def show(text: str, *, lasting: bool) -> None:
            if lasting:
                console.print(Text(printable(text, allowed="\n")))
            else:
                status.update(Text(printable(text)))

        yield show
