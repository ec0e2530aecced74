"""Write the manual page of the command ``unidoku`` from its own help: all commands, one page.

Usage: python docs/make_man.py [FILE], build/man/unidoku.1 by default; make man does so.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import unidoku
from unidoku.cli import codes
from unidoku.cli.program import cli

PAGE = Path(__file__).parent.parent / "build" / "man" / "unidoku.1"

CODES = {
    codes.YES: "The answer is yes, or what was asked for is done.",
    codes.NO: "The answer is no, or it was not found within the limits.",
    codes.ERROR: "Bad input or usage, a backend or a file that fails.",
    codes.INTERRUPTED: "Ctrl-C.",
}
VARIABLES = {
    "UNIDOKU_BACKEND": "The backend, where no option names one.",
    "UNIDOKU_SETTINGS": "A file of settings that replaces your own unidoku.toml; empty for none.",
    "UNIDOKU_TRUSTED": "Another list of trusted folders; empty for none.",
    "UNIDOKU_LEVEL": "A lower level of processor for the machine code, 2 to 5; 0 for none.",
    "UNIDOKU_CACHE": "Another folder for what is compiled; empty for none.",
    "NO_COLOR": "Turns colours off.",
    "COLUMNS": "The width of a terminal's tables.",
}


def page() -> str:
    """Return the manual page in the language of man."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    context = click.Context(cli, info_name="unidoku", **cli.context_settings)
    yield f'.TH UNIDOKU 1 "" "unidoku {unidoku.__version__}" "User Commands"'
    yield ".SH NAME"
    yield f"unidoku \\- {_text(cli.get_short_help_str(limit=200))}"
    yield ".SH SYNOPSIS"
    yield ".B unidoku"
    yield "[OPTIONS] COMMAND [ARGUMENTS]"
    yield ".SH DESCRIPTION"
    yield from _help(cli)
    yield ".SH OPTIONS"
    yield from _options(cli, context)
    yield ".SH COMMANDS"
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        yield from _command(command, click.Context(command, info_name=name, parent=context))
    yield ".SH EXIT STATUS"
    yield from _tagged({str(code): meaning for code, meaning in CODES.items()})
    yield ".SH ENVIRONMENT"
    yield from _tagged(VARIABLES)
    yield ".SH SEE ALSO"
    yield "The pages in docs/ of a checkout: command\\-line.md, puzzle\\-files.md, comparison.md."


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield f".SS {_text(context.command_path)}"
    yield f".B {_text(context.command_path)}"
    yield _text(" ".join(command.collect_usage_pieces(context)))
    yield from _help(command)
    yield from _options(command, context)


def help_of(command: click.Command) -> str:
    """Return the help of a command, with the example at its end."""
    return "\n\n".join(filter(None, [inspect.cleandoc(command.help or ""), command.epilog]))


def _help(command: click.Command) -> Iterator[str]:
    """Yield the paragraphs of a command's help; those that click leaves as they are, too."""
    for paragraph in re.split(r"\n{2,}", help_of(command)):
        yield ".PP"
        first, _, rest = paragraph.partition("\n")
        if first.strip(" ") == "\b":
            yield from (".nf", *map(_text, rest.splitlines()), ".fi")
        else:
            yield from map(_text, paragraph.splitlines())


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [
        parameter
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option)
    ]
    records = [option.get_help_record(context) for option in options]
    yield from _tagged(dict(record for record in records if record is not None))


def _tagged(meanings: dict[str, str]) -> Iterator[str]:
    for name, meaning in meanings.items():
        yield from (".TP", f".B {_text(name)}", _text(meaning) or "\\&")


def _text(text: str) -> str:
    """Return a line of text that means itself in the language of man."""
    line = text.rstrip().replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{line}" if line[:1] in (".", "'", " ") and line else line


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")
    print(f"written: {target}")
