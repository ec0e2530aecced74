"""Inputs that are nearly right: what is written is changed here and there, by a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKENS = tuple(
    token.encode("utf-8", "surrogatepass")
    for token in (
        "",
        "\0",
        "\n",
        "\r",
        "\r\n",
        "\t",
        " ",
        ",",
        ";",
        '"',
        "'",
        "#",
        ".",
        "0",
        "-1",
        "1e999",
        "NaN",
        "null",
        "true",
        "[]",
        "{}",
        "[[",
        "=",
        "\\",
        "\x1b[2J",
        "\ufeff",
        "\u2028",
        "\U0001f600",
        "é",
        "\ud800",
        "9" * 40,
        "1" * 5000,
        "../../x",
        "quizzes,solutions",
        "<script>",
    )
)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def mutated(data: bytes, others: Sequence[bytes], order: random.Random) -> bytes:
    """Return the data after one to four changes.

    Args:
        data: a right input.
        others: right inputs of the same kind, of which parts may be taken.
        order: decides on the changes.
    """
    for _ in range(order.choice((1, 1, 1, 2, 2, 3, 4))):
        data = order.choice(_CHANGES)(data, others, order)
    return data


def _flip(data: bytes, _others: Sequence[bytes], order: random.Random) -> bytes:
    """Change a byte."""
    if not data:
        return data
    at = order.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << order.randrange(8)]) + data[at + 1 :]


def _insert(data: bytes, _others: Sequence[bytes], order: random.Random) -> bytes:
    """Put in something that readers stumble on."""
    at = order.randint(0, len(data))
    return data[:at] + order.choice(_TOKENS) * order.choice((1, 1, 1, 2, 100)) + data[at:]


def _cut(data: bytes, _others: Sequence[bytes], order: random.Random) -> bytes:
    """Drop the end."""
    return data[: order.randint(0, len(data))]


def _drop(data: bytes, _others: Sequence[bytes], order: random.Random) -> bytes:
    """Drop a part."""
    start, end = sorted(order.randint(0, len(data)) for _ in range(2))
    return data[:start] + data[end:]


def _drop_line(data: bytes, _others: Sequence[bytes], order: random.Random) -> bytes:
    """Drop, double or move a line."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    line = lines.pop(order.randrange(len(lines)))
    for _ in range(order.randrange(3)):
        lines.insert(order.randint(0, len(lines)), line)
    return b"".join(lines)


def _splice(data: bytes, others: Sequence[bytes], order: random.Random) -> bytes:
    """Put in a part of another input."""
    other = order.choice(others)
    start, end = sorted(order.randint(0, len(other)) for _ in range(2))
    at = order.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _number(data: bytes, _others: Sequence[bytes], order: random.Random) -> bytes:
    """Replace a number by one that is no such number, or far off."""
    matches = list(_NUMBER.finditer(data))
    if not matches:
        return data
    match = order.choice(matches)
    number = order.choice((b"0", b"-1", b"1e400", b"99999999999999999999", b"2.5", b'"x"', b"[1]"))
    return data[: match.start()] + number + data[match.end() :]


_CHANGES: tuple[Callable[[bytes, Sequence[bytes], random.Random], bytes], ...] = (
    _flip,
    _insert,
    _cut,
    _drop,
    _drop_line,
    _splice,
    _number,
)
