"""Kinds of values that JSON and TOML can hold: what each is in words, and whether a value is one.

Code that reads a file declares the kind of each key once; the check and its message follow.

>>> whole(1).holds(3), whole(1).holds(True), str(listed_of(TEXT))
(True, False, 'a list of texts')
"""

from __future__ import annotations

import contextlib
import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from reprlib import Repr

from unidoku.errors import FormatError, InputError, nearest


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value that a field may have: a check, and words for messages.

    Args:
        words: what a message says was expected, with its article: ``a text``.
        holds: returns whether a value is of the kind.
        plural: the words for several values, in the kinds of lists and tables of them: ``texts``;
            empty if there are none.
    """

    words: str
    holds: Callable[[object], bool]
    plural: str = ""

    def __str__(self) -> str:
        """Return the words."""
        return self.words


def _is(expected: type) -> Callable[[object], bool]:
    return lambda value: type(value) is expected


_LARGEST = sys.float_info.max


def _is_finite(value: object) -> bool:
    return type(value) in (int, float) and -_LARGEST <= value <= _LARGEST  # type: ignore[operator]  # it is a number


def _is_text(value: object) -> bool:
    if type(value) is not str:
        return False
    return value.isascii() or value.encode("utf-8", "replace").decode("utf-8") == value


_DEEPEST = 20
"""Levels of tables and lists that are looked into."""


def _is_plain(value: object, depth: int = 0) -> bool:
    if isinstance(value, dict | list):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        return depth < _DEEPEST and all(_is_plain(part, depth + 1) for part in parts)
    return value is None or type(value) is bool or _is_finite(value) or _is_text(value)


PLAIN = Kind("texts, finite numbers, lists and tables", _is_plain)
"""What JSON can hold, and no more."""

TEXT = Kind("a text", _is_text, "texts")
LINE = Kind(
    "a text in one line",
    lambda value: (
        _is_text(value) and not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", str(value))
    ),
    "texts",
)
YES_NO = Kind("true or false", _is(bool))
TABLE = Kind("a table", _is(dict), "tables")
PLAIN_TABLE = Kind("a table", lambda value: TABLE.holds(value) and PLAIN.holds(value), "tables")
WHOLE = Kind("a whole number", _is(int), "whole numbers")
NUMBER = Kind("a number", lambda value: type(value) in (int, float), "numbers")
FINITE = Kind("a finite number", _is_finite, "finite numbers")


def whole(least: int | None = None, bits: int = 63) -> Kind:
    """Return the kind of whole numbers from the least one to the largest of that many bits."""
    low, high = -(1 << bits) if least is None else least, (1 << bits) - 1
    low_words = f"-2^{bits}" if least is None else str(least)
    words = f"whole number from {low_words} to 2^{bits} - 1"

    def holds(value: object) -> bool:
        return type(value) is int and low <= value <= high

    return Kind(f"a {words}", holds, words.replace("number", "numbers", 1))


def least(low: float, high: float = math.inf) -> Kind:
    """Return the kind of finite numbers that are not below one, and not above another."""
    return Kind(
        f"a finite number of {low:g} or more{_most(high)}",
        lambda value: _is_finite(value) and low <= value <= high,  # type: ignore[operator]  # it is a number
    )


def above(low: float, high: float = math.inf) -> Kind:
    """Return the kind of finite numbers above one, and not above another."""
    return Kind(
        f"a finite number above {low:g}{_most(high)}",
        lambda value: _is_finite(value) and low < value <= high,  # type: ignore[operator]  # it is a number
    )


def _most(high: float) -> str:
    return "" if high == math.inf else f", at most {high:g}"


def matching(words: str, fits: Callable[[str], object]) -> Kind:
    """Return the kind of texts that fit."""
    return Kind(words, lambda value: type(value) is str and bool(fits(value)))


def one_of(members: type[Enum]) -> Kind:
    """Return the kind of texts that are values of an enumeration."""
    return among(sorted(member.value for member in members))


def among(texts: Iterable[str]) -> Kind:
    """Return the kind of some texts."""
    known = tuple(texts)
    return matching(f"one of {', '.join(known)}", known.__contains__)


def or_null(kind: Kind) -> Kind:
    """Return the kind that may be absent."""
    return Kind(f"{kind} or null", lambda value: value is None or kind.holds(value))


def listed_of(kind: Kind) -> Kind:
    """Return the kind of lists of a kind."""
    holds = kind.holds
    return Kind(f"a list of {kind.plural}", lambda v: type(v) is list and all(map(holds, v)))


def several(kind: Kind, count: int) -> Callable[[object], bool]:
    """Return the function that tells whether a value is a list of so many values of a kind."""
    holds = kind.holds
    return lambda v: type(v) is list and len(v) == count and all(map(holds, v))


def table_of(kind: Kind) -> Kind:
    """Return the kind of tables whose values are of a kind."""
    holds = kind.holds
    return Kind(
        f"a table of {kind.plural}",
        lambda v: type(v) is dict and all(map(TEXT.holds, v)) and all(map(holds, v.values())),
    )


NUMBERS = table_of(FINITE)
"""Numbers by their names."""


@contextlib.contextmanager
def at(where: str) -> Iterator[None]:
    """Name a place in a table in the errors of this block, which become errors of a format.

    Args:
        where: the place, such as a key.

    Raises:
        FormatError: the block raised an InputError.
    """
    try:
        yield
    except InputError as error:
        raise FormatError(f"{where}: {error}") from error


def misfit(
    table: Mapping[str, object], kinds: Mapping[str, Kind], required: Collection[str] = ()
) -> str:
    """Return what is wrong with the fields of a table, in words; empty if nothing is.

    >>> misfit({"n": "4"}, {"n": whole(1, bits=8)})
    "field 'n': expected a whole number from 1 to 2^8 - 1, got '4'"
    """
    for name, value in table.items():
        kind = kinds.get(name)
        if kind is None:
            return f"unknown field {shown(name)}; {nearest(name, kinds)}"
        if not kind.holds(value):
            return f"field {name!r}: expected {kind}, got {shown(value)}"
    for name in required:
        if name not in table:
            return f"field {name!r}: expected {kinds[name]}, got nothing"
    return ""


def shown(value: object) -> str:
    """Return a value as a message quotes it, in one line and without the middle of a long one."""
    return " ".join(map(str.strip, _REPR.repr(value).splitlines()))


FEW_DIGITS = "numbers of less than 4,000 digits"
"""What is expected where `is_too_long` finds another one."""


def is_too_long(value: object) -> bool:
    """Return whether a number, or one in a tuple, has more digits than Python writes as text."""
    if isinstance(value, tuple):
        return any(map(is_too_long, value))
    return isinstance(value, int) and value.bit_length() > _MOST_BITS


_MOST_BITS = 13_287


class _Repr(Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = 80

    def repr_int(self, x: int, level: int) -> str:
        return "a number of 4,000 digits or more" if is_too_long(x) else super().repr_int(x, level)


_REPR = _Repr()
