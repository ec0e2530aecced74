"""Parts of the text of a constraint of XCSP3: lists, numbers, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import NUMBER
from unidoku.formats.xcsp3.rules import Row
from unidoku.formats.xcsp3.variables import values_in

MOST_NUMBERS = 1_000_000
"""So many numbers may a list of a constraint have."""


def text_of(element: Element, tag: str) -> str:
    """Return the text of the only child of a name, or that of the element without children."""
    part = element.child(tag)
    return part.text if part else element.text


def first_of(element: Element, name: str) -> int:
    """Return the number of the first of a list, by the name of its attribute; 0 by default."""
    text = element.attributes.get(name, "0")
    if not NUMBER.fullmatch(text):
        raise FormatError(f"expected a number as {name}, got {text[:40]!r}")
    return int(text)


def rows_of(text: str, size: int) -> Iterator[Row]:
    """Yield the tuples of a table; those of one value have no brackets.

    Raises:
        FormatError: the text is no table.
    """
    if size == 1 and "(" not in text:
        yield from ((value,) for value in values_in(text, MOST_NUMBERS))
        return
    if re.sub(r"\([^()]*\)", "", text).strip():
        raise FormatError(f"expected tuples such as (1,2)(3,4), got {text[:40]!r}")
    for match in re.finditer(r"\(([^()]*)\)", text):
        words = [word.strip() for word in match[1].split(",")]
        for word in words:
            if word != "*" and not NUMBER.fullmatch(word):
                raise FormatError(f"expected numbers or * in a tuple, got {word[:40]!r}")
        yield tuple([None if word == "*" else int(word) for word in words])


def rows_of_numbers(text: str) -> list[list[int]]:
    """Return the rows of a matrix of numbers, ``(1,2)(3,4)``."""
    rows = [*rows_of(text, 0)]
    if not rows or len({*map(len, rows)}) > 1 or any(None in row for row in rows):
        raise FormatError("expected a matrix of numbers such as (1,2)(3,4)")
    return [[value for value in row if value is not None] for row in rows]
