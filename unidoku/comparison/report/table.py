"""The table: what is to be shown, before it is known where."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

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

    def without(self, headings: Collection[str]) -> Table:
        """Return the table without the columns of these headings."""
        kept = [k for k, heading in enumerate(self.headings) if heading not in headings]
        return replace(
            self,
            headings=tuple(self.headings[k] for k in kept),
            rows=tuple(tuple(row[k] for k in kept) for row in self.rows),
        )
