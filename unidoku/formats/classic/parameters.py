"""Files of named parameters, which the formats of several modelling languages are."""

from __future__ import annotations

import re
from collections.abc import Mapping

from unidoku.errors import FormatError

_NUMBERS = re.compile(r"\s*(?:-?\d{1,6}\s*(?:,\s*-?\d{1,6}\s*)*,?\s*)?")


def read_items(data: str, item: re.Pattern[str], example: str) -> dict[str, str]:
    """Return the text of each parameter by its name.

    Args:
        data: the file, without comments.
        item: one parameter with its name and its text as groups, after any space.
        example: a parameter as the message of an error shows it.

    Raises:
        FormatError: something else is in the file, or a parameter twice.
    """
    items: dict[str, str] = {}
    start = 0
    while match := item.match(data, start):
        if match[1] in items:
            raise FormatError(f"expected each parameter once, got {match[1]} twice")
        items[match[1]] = match[2].strip()
        start = match.end()
    if rest := data[start:].strip():
        raise FormatError(f"expected parameters such as {example}, got {rest[:40]!r}")
    return items


def read_numbers(name: str, text: str) -> list[int]:
    """Return the numbers of a text that separates them by commas.

    Raises:
        FormatError: it is no such text; the message names the parameter.
    """
    if not _NUMBERS.fullmatch(text):
        raise FormatError(f"{name}: expected whole numbers and commas, got {text.strip()[:40]!r}")
    return [int(number) for number in re.findall(r"-?\d+", text)]


class Parameters:
    """The values of parameters, by name."""

    def __init__(self, items: Mapping[str, str]) -> None:
        """Take the text of each parameter."""
        self._items = items

    def number(self, name: str, least: int, most: int) -> int:
        """Return a number.

        Raises:
            FormatError: the text is not valid, or out of bounds.
        """
        item = self._items[name]
        if not re.fullmatch(r"-?\d{1,6}", item) or not least <= int(item) <= most:
            raise FormatError(f"{name}: expected a number from {least} to {most}, got {item[:40]}")
        return int(item)
