"""Prints for people and for files: nothing that others wrote steers the terminal."""

from __future__ import annotations

import sys

import click

from unidoku.support.text import printable


def say(text: object = "", *, err: bool = False) -> None:
    """Print a text for people, without characters that steer a terminal, wherever it goes."""
    click.echo(printable(str(text), allowed="\n"), err=err)


def put(text: str, *, nl: bool = True) -> None:
    """Print data: exactly to a file or a pipe, and like `say` to a terminal."""
    click.echo(printable(text, allowed="\n") if sys.stdout.isatty() else text, nl=nl)


def example(arguments: str) -> str:
    """Return the end of a help text: a command line, on a line of its own."""
    return f"\b\nExample:\n  unidoku {arguments}"
