"""The table of a comparison, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from unidoku.compare.record import Outcome
from unidoku.compare.statistics import Summary

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["NOTE", "format_seconds", "markdown", "rich_table"]

NOTE = (
    "Each time is the median of a case's repeats; unknown cases count with the time they took. "
    "× first: time over that of the first row, geometric mean over the cases that both solved."
)

_HEADINGS = ("backend", "solved", "unknown", "wrong", "median", "mean", "max", "total", "× first")
_RARE = (Outcome.FAILED, Outcome.UNSUPPORTED)


def format_seconds(seconds: float) -> str:
    """Return a duration with three digits and its unit.

    >>> format_seconds(0.0001234), format_seconds(2.5)
    ('123 µs', '2.5 s')
    """
    if seconds >= 999.5:
        return f"{seconds:.0f} s"
    if seconds >= 0.9995:
        return f"{seconds:.3g} s"
    if seconds >= 0.9995e-3:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds * 1e6:.3g} µs"


def _rows(summaries: Sequence[Summary]) -> tuple[list[str], list[list[str]]]:
    rare = [o for o in _RARE if any(summary.outcomes.get(o, 0) for summary in summaries)]
    headings = [*_HEADINGS[:4], *(outcome.value for outcome in rare), *_HEADINGS[4:]]
    shown = (Outcome.SOLVED, Outcome.UNKNOWN, Outcome.WRONG, *rare)
    rows = []
    for summary in summaries:
        durations = (summary.median, summary.mean, summary.maximum, summary.total)
        rows.append(
            [
                summary.backend,
                *(str(summary.outcomes.get(outcome, 0)) for outcome in shown),
                *("-" if value != value else format_seconds(value) for value in durations),
                "-" if summary.ratio is None else f"{summary.ratio:.2f}",
            ]
        )
    return headings, rows


def rich_table(summaries: Sequence[Summary], title: str) -> Table:
    """Return the table for the terminal."""
    from rich.markup import escape
    from rich.table import Table

    headings, rows = _rows(summaries)
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "backend" else "right")
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def markdown(summaries: Sequence[Summary], title: str) -> str:
    """Return the table as Markdown."""
    headings, rows = _rows(summaries)

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rule = ["---", *("---:" for _ in headings[1:])]
    return "\n".join([f"**{title}**", "", *map(line, [headings, rule, *rows]), "", NOTE, ""])
