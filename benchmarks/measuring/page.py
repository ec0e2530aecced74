"""A program's report: its tables; printed, and written to its page of results if asked."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from measuring.machine import say
from unidoku.errors import UnidokuError

Measure = Callable[[argparse.Namespace], Iterable[str]]
"""Measures what the options ask for; returns the lines of the report."""


class FaultError(Exception):
    """What was to be measured is wrong, and there is no report."""


class UnfitError(Exception):
    """The report is not for the page: it is wrong, or Ctrl-C cut it short.

    Args:
        code: exit code.
        why: message that is printed to standard error.
        lines: lines of the report, which is printed.
    """

    def __init__(self, code: int, why: str, lines: Iterable[str]) -> None:
        """Keep these."""
        super().__init__(why)
        self.code = code
        self.lines = lines


def page_parser(about: str | None, page: Path) -> argparse.ArgumentParser:
    """Return a parser that knows the options of `publish`."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    group = parser.add_argument_group("page of results")
    group.add_argument("--write", action="store_true", help=f"write {page.name} as well")
    group.add_argument("--force", action="store_true", help="replace the results that exist")
    return parser


def publish(measure: Measure, options: argparse.Namespace, page: Path) -> int:
    """Measure, print, and write where asked.

    Returns:
        The exit code: 0; 1 if something measured is wrong; 2 if the input is, or if the page
        exists and nobody said ``--force``; 130 after Ctrl-C.
    """
    if options.write and page.exists() and not options.force:
        say(f"expected a new file, got {page}, which exists; replace it with --force")
        return 2
    try:
        text = _text(measure(options))
        print(text, end="")
        if options.write:
            page.write_text(text, encoding="utf-8")
            say(f"written: {page}")
    except UnfitError as error:
        print(_text(error.lines), end="")
        say(str(error))
        return error.code
    except FaultError as error:
        say(str(error))
        return 1
    except (OSError, ValueError, UnidokuError) as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        say("stopped")
        return 130
    return 0


def _text(lines: Iterable[str]) -> str:
    text = "\n".join(lines).rstrip()
    return text and f"{text}\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, all columns but the first aligned right, and an empty line.

    >>> table(["file", "boards"], [["a", "7"]])
    ['| file | boards |', '| --- | ---: |', '| a | 7 |', '']
    """
    return [_line(head), _line(["---"] + ["---:"] * (len(head) - 1)), *map(_line, rows), ""]


def _line(fields: Sequence[str]) -> str:
    return f"| {' | '.join(fields)} |"


def figure(number: float) -> str:
    """Return a number in about three digits, thousands apart.

    >>> figure(0.01234), figure(1.234), figure(56.78), figure(98765)
    ('0.0123', '1.23', '56.8', '98,765')
    """
    if number == 0:
        return "0"
    if abs(number) >= 100:
        return f"{number:,.0f}"
    digits = 1 if abs(number) >= 10 else 2 if abs(number) >= 1 else 3
    return f"{number:.{digits}f}" if abs(number) >= 0.1 else f"{number:.3g}"


def bullets(heading: str, items: Sequence[str]) -> list[str]:
    """Return the lines of a section that is a list."""
    return [heading, "", *(f"- {item}" for item in items or ["nothing"]), ""]
