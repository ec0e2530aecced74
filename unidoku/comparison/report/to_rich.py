"""Tables for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unidoku.comparison.report.table import Table

if TYPE_CHECKING:
    import rich.table

__all__ = ["to_rich"]


def to_rich(table: Table) -> rich.table.Table:
    """Return the table as rich prints it, without its note, which may be wider than the table.

    What looks like rich's markup is shown as it is.
    """
    from rich.table import Table as RichTable  # 45 ms, which a listing need not spend
    from rich.text import Text

    shown = RichTable(title=Text(table.title), title_justify="left")
    for place, heading in enumerate(table.headings):
        if place:
            shown.add_column(Text(heading), justify="right", no_wrap=True)
        else:
            shown.add_column(Text(heading), overflow="fold")
    for row in table.rows:
        shown.add_row(*map(Text, row))
    return shown
