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
from types import MappingProxyType

import click

import unidoku
from unidoku.errors import BackendError, TimeLimitError, UnidokuError, WrongAnswerError

__all__ = ["cli", "main"]

COMMANDS = MappingProxyType(
    {
        "solve": "unidoku.cli.solve",
        "count": "unidoku.cli.count",
        "check": "unidoku.cli.check",
        "candidates": "unidoku.cli.candidates",
        "explain": "unidoku.cli.explain",
        "hint": "unidoku.cli.hint",
        "rate": "unidoku.cli.rate",
        "generate": "unidoku.cli.generate",
        "compare": "unidoku.cli.compare",
        "report": "unidoku.cli.report",
        "diff": "unidoku.cli.diff",
        "replay": "unidoku.cli.replay",
        "fuzz": "unidoku.cli.fuzz",
        "backends": "unidoku.cli.backends",
        "config": "unidoku.cli.config",
    }
)
"""Where each sub-command is: ``command`` in that module."""


class _LazyGroup(click.Group):
    """A group that imports a sub-command's module when that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name]).command
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
    except click.exceptions.Abort:
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
    except KeyboardInterrupt:
        _complain("interrupted")
        return 130
    except BrokenPipeError:
        # The reader of our output has gone; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        _complain(f"cannot write: {error}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code if isinstance(code, int) else 0


def _complain(message: str) -> None:
    click.echo(f"unidoku: {message}", err=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _complain(f"warning: {message}")
