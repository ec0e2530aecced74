"""The command line: one module a command, imported when it is called."""

from unidoku.cli.main import main

__all__ = ["main"]
