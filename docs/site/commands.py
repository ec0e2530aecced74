"""The page of every command and option, from the help that the commands carry."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from unidoku.cli.program import cli

sys.path.insert(0, str(Path(__file__).parents[1]))
from make_backends import one_line, table
from make_man import help_of

INTRODUCTION = """\
# Every command and option

What `unidoku COMMAND --help` prints; [the command line](command-line.md) has examples, and says
what the exit codes mean. `-h` and `--help` go with every command. A capital word is what you fill
in, brackets say what may be left out, and dots what may come several times.
"""


AS_IT_IS = re.compile(r"^\x08\n(.*?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
"""A paragraph whose lines click leaves as they are."""


def page() -> str:
    """Return the page."""
    root = click.Context(cli, info_name="unidoku", **cli.context_settings)
    parts = [INTRODUCTION, options(cli, root)]
    for name in cli.list_commands(root):
        command = cli.get_command(root, name)
        assert command is not None
        parts.append(section(command, click.Context(command, info_name=name, parent=root)))
    return "\n".join(parts)


def section(command: click.Command, context: click.Context) -> str:
    """Return what is said of a command."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    text = AS_IT_IS.sub(r"```text\n\1\n```", help_of(command))
    return f"## {context.command_path}\n\n```text\n{usage}\n```\n\n{text}\n\n" + options(
        command, context
    )


def options(command: click.Command, context: click.Context) -> str:
    """Return the table of a command's options."""
    records = (
        option.get_help_record(context)
        for option in command.get_params(context)
        if isinstance(option, click.Option) and "--help" not in option.opts
    )
    rows = [[f"`{names}`", shielded(text)] for names, text in filter(None, records)]
    return table(["option", "what it does"], rows) if rows else ""


def shielded(text: str) -> str:
    """Return a help text on one line of a table, with what Markdown would read shielded."""
    return re.sub(r"([*<>\[\]_])", r"\\\1", one_line(text))
