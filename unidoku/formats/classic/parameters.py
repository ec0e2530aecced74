"""Files of named parameters, which the formats of several modelling languages are."""

from __future__ import annotations

import re

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
    at = 0
    while match := item.match(data, at):
        if match[1] in items:
            raise FormatError(f"expected each parameter once, got {match[1]} twice")
        items[match[1]] = match[2].strip()
        at = match.end()
    if rest := data[at:].strip():
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
