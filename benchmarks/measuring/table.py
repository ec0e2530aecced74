"""Markdown tables, and figures of three digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, all columns but the first aligned right, and an empty line.

    >>> table(["file", "boards"], [["a", "7"]])
    ['| file | boards |', '| --- | ---: |', '| a | 7 |', '']
    """
    return [
        _line(head),
        _line(["---"] + ["---:"] * (len(head) - 1)),
        *map(_line, rows),
        "",
    ]


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
