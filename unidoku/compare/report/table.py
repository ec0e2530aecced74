"""The table: what is to be shown, before it is known where."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Texts in rows and columns; the first column has names, the others figures.

    Args:
        title: a line above.
        headings: one a column.
        rows: each with a text a column.
        note: sentences below that say what the figures are; may be empty.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse rows that are not as long as the headings."""
        assert all(len(row) == len(self.headings) for row in self.rows), self.title
