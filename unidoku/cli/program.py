"""The command ``unidoku``: finds the subcommand, and turns exceptions into exit codes."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import platform
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING

import click
from click.shell_completion import shell_complete

import unidoku
from unidoku.cli import interrupt, streams
from unidoku.cli.codes import ERROR, INTERRUPTED, NO, YES
from unidoku.cli.commands.completion import VARIABLE
from unidoku.cli.consent import consent
from unidoku.cli.printing import example, say
from unidoku.errors import (
    OUT_OF_MEMORY,
    BackendError,
    TimeLimitError,
    UnidokuError,
    is_out_of_memory,
    nearest,
)
from unidoku.support.extras import needing
from unidoku.support.naming import naming
from unidoku.support.trust import consenting

if TYPE_CHECKING:
    from unidoku.backends import BackendSpec

GROUPS = {
    "Solve": ("solve", "count", "check", "candidates"),
    "Explain": ("explain", "hint", "why", "rate", "trace"),
    "Edit in the browser": ("serve",),
    "Make and convert": ("generate", "draw", "convert", "export", "read-answer"),
    "Compare solvers": ("compare", "report", "diff", "replay", "fuzz", "grade"),
    "Set up": ("backends", "config", "warm", "trust", "completion"),
}
"""The subcommands, by what they are for."""

COMMANDS = list(chain.from_iterable(GROUPS.values()))
"""The subcommands: each is ``command`` in the module of its name, with ``_`` for a dash."""


_OF_WRITING = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
"""Errors of the system that mean that a stream cannot be written."""


class _LazyGroup(click.Group):
    """A group that imports the module of a subcommand when the subcommand is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return COMMANDS

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, names in GROUPS.items():
            commands = {name: self.get_command(ctx, name) for name in names}
            helps = {name: each.get_short_help_str(200) for name, each in commands.items() if each}
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, text in helps.items()])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(
            f"unidoku.cli.commands.{cmd_name.replace('-', '_')}"
        ).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = nearest(name, COMMANDS)
            raise click.UsageError(f"expected a command, got {name!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    invoke_without_command=True,
    no_args_is_help=True,
    epilog=example('solve "1... ..2. .3.. ...4" --backend sat'),
)
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, help="With --version: versions of all solvers too.")
@click.pass_context
def cli(context: click.Context, version: bool, verbose: bool) -> None:
    """One board, every solver: solve, explain, make and convert Sudoku; compare solvers."""
    if version and verbose:
        _print_versions()
        context.exit()
    if version:
        say(f"unidoku, version {unidoku.__version__}")
        context.exit()
    if verbose:
        raise click.UsageError("--verbose: expected together with --version; leave it out", context)
    if context.invoked_subcommand is None:
        raise click.UsageError("expected a command, got none; see: unidoku --help", context)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, print its exception in one line, and return its exit code.

    Args:
        arguments: arguments of the command line; None for those of this process.
    """
    warnings.showwarning = _show_warning
    try:
        with naming(_programs_in_force), consenting(consent):
            code = _carry_out(arguments)
        streams.flush()
    except OSError as error:
        code = ERROR
        if not isinstance(error, BrokenPipeError):  # the reader has gone, and needs no message
            with contextlib.suppress(OSError):
                message = f"{_place(error)}{error.strerror or error}"
                _complain(OUT_OF_MEMORY if is_out_of_memory(error) else message)
        streams.give_up()
    return code


def _programs_in_force(name: str) -> Mapping[str, BackendSpec]:
    """Return the rows of the programs that the settings declare."""
    from unidoku.settings import programs_in_force  # many commands need no settings

    return programs_in_force(name)


def _carry_out(arguments: Sequence[str] | None) -> int:
    try:
        with needing("this command"):
            code = _invoke(arguments)
    except (click.exceptions.Abort, KeyboardInterrupt):
        interrupt.finish(interrupted=True)
        _complain("interrupted")
        return INTERRUPTED
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        message = io.StringIO()
        error.show(message)
        say(message.getvalue().removesuffix("\n"), err=True)
        return ERROR
    except UnidokuError as error:
        # A library that cannot be loaded for want of memory looks like one that is not installed.
        starved = is_out_of_memory(error) and not isinstance(error, BackendError)
        _complain(OUT_OF_MEMORY if starved else str(error))
        return NO if isinstance(error, TimeLimitError) else ERROR
    return code if isinstance(code, int) else YES


def _invoke(arguments: Sequence[str] | None) -> object:
    """Call the command as `click.Group.main` does, except for interrupts and pipes."""
    if instruction := os.environ.get(VARIABLE):
        return shell_complete(cli, {}, "unidoku", VARIABLE, instruction)
    if arguments is None:
        arguments = sys.argv[1:]
        if os.name == "nt":  # where programs expand patterns such as *.txt themselves
            arguments = click.utils._expand_args(arguments)
    with cli.make_context("unidoku", list(arguments)) as context:
        return cli.invoke(context)


def _place(error: OSError) -> str:
    """Return the beginning of a message: the file or stream that failed."""
    if error.filename:
        return f"{os.fsdecode(error.filename)}: "
    if isinstance(error, FileNotFoundError):  # all other files have names
        return "the working folder: "
    return "the output cannot be written: " if error.errno in _OF_WRITING else ""


def _complain(message: str) -> None:
    say(f"unidoku: {message}", err=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _complain(f"warning: {message}")


_LIBRARIES = ("click", "llvmlite", "numpy", "rich")
"""The libraries of the default installation, except for the solvers."""


def _print_versions() -> None:
    """Print the versions of Unidoku, of Python, of the libraries and of the installed solvers."""
    from importlib import metadata

    from unidoku.backends import catalogue
    from unidoku.cli.common import print_table

    python = f"{platform.python_implementation()} {platform.python_version()}"
    rows = [["unidoku", unidoku.__version__], ["python", python], ["system", platform.platform()]]
    rows += [[name, metadata.version(name)] for name in _LIBRARIES]
    for spec in catalogue().values():
        if not spec.missing:
            version = spec.version or "version unknown"
            rows.append([f"backend {spec.name}", version])
    print_table(["what", "version"], rows)
    say("To report a bug, add the output of `unidoku config`.")
