"""Words and numbers, written the same in every message, table and page.

The page of a comparison computes figures again where its reader filters; `words.js` writes
numbers by the same rules, and a test holds the two equal.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

NOTHING = "-"
"""Stands for a figure that does not exist."""


class Word(Enum):
    """A member whose text is the word that JSON has for it."""

    def __str__(self) -> str:
        """Return the word."""
        return str(self.value)

    def __format__(self, form: str) -> str:
        """Return the word, formatted as a text."""
        return format(str(self.value), form)


def seconds(value: float) -> str:
    """Return a duration with three digits and its unit.

    >>> seconds(0.0001234), seconds(2.5), seconds(math.nan)
    ('123 µs', '2.5 s', '-')
    """
    if math.isnan(value):
        return NOTHING
    if value >= 999.5:
        return f"{value:.0f} s"
    if value >= 0.9995:
        return f"{value:.3g} s"
    if value >= 0.9995e-3:
        return f"{value * 1e3:.3g} ms"
    return f"{value * 1e6:.3g} µs"


def ratio(value: float) -> str:
    """Return a ratio with two decimals, or three digits where those are more.

    >>> ratio(1.934), ratio(0.01234), ratio(1234.5), ratio(math.inf)
    ('1.93', '0.0123', '1234', '∞')
    """
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞"
    if value >= 99.995:
        return f"{value:.0f}"
    return f"{value:.2f}" if value >= 0.0995 else f"{value:.3g}"


def percent(value: float) -> str:
    """Return a percentage with two digits.

    >>> percent(0.0), percent(1.234), percent(123.4)
    ('0 %', '1.2 %', '123 %')
    """
    if math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞ %"
    return f"{value:.0f} %" if value >= 9.95 else f"{value:.2g} %"


def count(value: float) -> str:
    """Return a number of events, or a mean of such numbers, with three digits below a hundred.

    >>> count(12345.0), count(2.5), count(0), count(math.nan)
    ('12,345', '2.5', '0', '-')
    """
    if math.isnan(value):
        return NOTHING
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.3g}"


def plural(count: int, noun: str) -> str:
    """Return a number with its noun, which gets an s unless the number is one, in English only.

    `unidoku.support.language.quantity` writes in any language.

    >>> plural(1, "case"), plural(1200, "case")
    ('1 case', '1,200 cases')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def listed(items: Iterable[object], last: str = "and") -> str:
    """Return items as a phrase, with a word before the last one, for texts in English only.

    Errors and reports are such texts; `unidoku.support.language.listing` writes in any language.

    >>> listed([3, 7, 9]), listed("ab", "or"), listed(["one"]), listed([])
    ('3, 7 and 9', 'a or b', 'one', '')
    """
    *first, end = [*map(str, items)] or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def printable(text: str, allowed: str = "") -> str:
    r"""Return a text whose characters all show themselves, one for each of the text's.

    White space becomes a blank; ``?`` stands for all that steers a terminal or cannot be shown:
    escape and other control characters, marks that turn the direction of writing, surrogates.

    >>> printable("a\tb\x1b[2J\u202ec\ud800\n"), printable("a\n", allowed="\n")
    ('a b?[2J?c? ', 'a\n')

    Args:
        text: the text.
        allowed: characters that stay as they are.
    """
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in allowed
        else " "
        if character.isspace()
        else "?"
        for character in text
    )


_T = TypeVar("_T")


def no_formula(value: _T) -> _T | str:
    """Return a value of a table; a text that a spreadsheet would run gets an apostrophe in front.

    Spreadsheets take a text for a formula, quotes around it or not, that begins with ``=``, ``+``,
    ``-``, ``@``, a tab or a carriage return.

    >>> no_formula("=cmd|' /C calc'!A0"), no_formula("native"), no_formula(-1)
    ("'=cmd|' /C calc'!A0", 'native', -1)
    """
    is_formula = isinstance(value, str) and value.startswith(_FORMULA)
    return f"'{value}" if is_formula else value


_FORMULA = ("=", "+", "-", "@", "\t", "\r")

_COLOURS = re.compile(r"\x1b\[[\d;]*[A-Za-z]")


def without_colours(text: str) -> str:
    r"""Return the output of a program without the sequences that colour a terminal.

    >>> without_colours("\x1b[1;31msat\x1b[0m")
    'sat'
    """
    return _COLOURS.sub("", text)
