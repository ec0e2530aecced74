"""The command ``unidoku``: finds the sub-command, and turns exceptions into exit codes.

0 fine; 1 a disagreement, or a board without the asked-for answer; 2 bad input or usage;
130 interrupted.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

import click

import unidoku
from unidoku.errors import BackendError, TimeLimitError, UnidokuError, WrongAnswerError

COMMANDS = [
    "solve",
    "count",
    "check",
    "candidates",
    "explain",
    "hint",
    "rate",
    "generate",
    "compare",
    "report",
    "diff",
    "replay",
    "fuzz",
    "backends",
    "config",
]
"""The sub-commands: each is ``command`` in the module of its name."""


class _LazyGroup(click.Group):
    """A group that imports a sub-command's module when that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"unidoku.cli.{cmd_name}").command
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(unidoku.__version__, prog_name="unidoku")
def cli() -> None:
    """One board, every solver: solve, count and check Sudoku boards; compare the solvers."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    warnings.showwarning = _show_warning
    try:
        code = cli.main(args=arguments, prog_name="unidoku", standalone_mode=False)
        if sys.stdout is not None:  # it may have been closed by whoever called
            sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        _complain("interrupted")
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    except (WrongAnswerError, BackendError, TimeLimitError) as error:
        _complain(str(error))
        return 1
    except UnidokuError as error:
        _complain(str(error))
        return 2
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            _complain(f"cannot write: {error}")
        # The reader of our output has gone; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code if isinstance(code, int) else 0


def _complain(message: str) -> None:
    click.echo(f"unidoku: {message}", err=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _complain(f"warning: {message}")
