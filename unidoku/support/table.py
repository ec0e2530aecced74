"""Tables: values and how they are written, before it is known where.

A `Table` is made once and written as text for a terminal, as Markdown, LaTeX, CSV or HTML.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import rich.table

from unidoku.support.text import no_formula, printable


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and how the values below it are written.

    ``text`` and ``html`` write a value; without ``html``, the text is escaped. ``kind`` is the
    class of the cells in HTML; a column of the kind ``name`` is written from the left, and its
    texts may take several lines in a terminal.
    """

    heading: str
    text: Callable[[Any], str] = str
    html: Callable[[Any], str] | None = None
    kind: str = "number"

    def markup(self, value: object) -> str:
        """Return a value as HTML."""
        return escape(self.text(value)) if self.html is None else self.html(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Values in rows and columns; the first column has names, the others figures.

    The note is below the table and explains the figures; the foot is a last row that sums up the
    others, which CSV leaves out. Both may be empty. ``dispensable`` are headings of the columns
    that a narrow terminal leaves out first, in this order.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
    foot: tuple[Any, ...] = ()
    dispensable: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows that are not as long as the headings."""
        assert all(len(row) == len(self.columns) for row in self._lines), self.title

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading of each column."""
        return tuple(column.heading for column in self.columns)

    @property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The rows as text, and the foot."""
        return tuple(
            tuple(column.text(value) for column, value in zip(self.columns, row, strict=True))
            for row in self._lines
        )

    @property
    def _lines(self) -> tuple[tuple[Any, ...], ...]:
        return (*self.rows, self.foot) if self.foot else self.rows

    def at(self, places: Sequence[int]) -> Table:
        """Return the table with the columns at these places, in this order."""
        return replace(
            self,
            columns=tuple(self.columns[index] for index in places),
            rows=tuple(tuple(row[index] for index in places) for row in self.rows),
            foot=tuple(self.foot[index] for index in places) if self.foot else (),
        )


def to_rich(table: Table, *, framed: bool = True) -> rich.table.Table:
    """Return the table as rich prints it, without its note, which may be wider than the table.

    Without a frame, it is a plain list: no title, no lines, all columns to the left.
    """
    from rich.table import Table as RichTable  # 45 ms, which a listing need not spend
    from rich.text import Text

    if framed:
        rich_table = RichTable(title=Text(printable(table.title)), title_justify="left")
    else:
        rich_table = RichTable(box=None, pad_edge=False)
    for index, (column, least) in enumerate(zip(table.columns, _least(table), strict=True)):
        heading = Text(printable(column.heading))
        if not framed or _is_name(column, index):
            rich_table.add_column(heading, overflow="fold", min_width=least if framed else None)
        elif len(column.heading) > least:
            rich_table.add_column(heading, justify="right", overflow="fold", min_width=least)
        else:
            rich_table.add_column(heading, justify="right", no_wrap=True)
    for row in table.texts:
        rich_table.add_row(*(Text(printable(cell)) for cell in row))
    return rich_table


def _is_name(column: Column, index: int) -> bool:
    return index == 0 or column.kind == "name"


def fitted(table: Table, width: int, hint: str = "") -> Table:
    """Return the table without columns for which a terminal of this width has no room.

    Headings of figures are folded first. Names are folded to 32 characters before a dispensable
    column is left out, and to 16 before another one is, from the right. The note says which columns
    are missing.

    >>> columns = tuple(map(Column, ("name", "mean", "max")))
    >>> table = Table(title="T", columns=columns, rows=(("one", 1.5, 22.5),), dispensable=("mean",))
    >>> shown = fitted(table, 18)
    >>> shown.headings, shown.note
    (('name', 'max'), 'Left out, because 18 characters are too few: mean.')

    Args:
        table: the table.
        width: number of characters.
        hint: where the missing columns can be seen, as the end of a sentence.
    """
    figures = [k for k, column in enumerate(table.columns) if not _is_name(column, k)]
    first = [table.headings.index(name) for name in table.dispensable if name in table.headings]
    others = [index for index in reversed(figures[1:]) if index not in first]
    left_out: list[int] = []
    narrower = table
    for index, fold in (
        *((index, 32) for index in first),
        *((index, _LEAST_NAME) for index in others),
    ):
        if _width(narrower, fold) <= width:
            break
        left_out.append(index)
        narrower = table.at([k for k in range(len(table.columns)) if k not in left_out])
    if not left_out:
        return table
    missing = ", ".join(table.headings[index] for index in sorted(left_out))
    end = f"; {hint}" if hint else ""
    note = f"Left out, because {width} characters are too few: {missing}{end}."
    return replace(narrower, note=f"{table.note} {note}".lstrip())


_LEAST_NAME, _LEAST_HEADING = 16, 12
"""Characters of a line to which names and the headings of figures are folded at most."""


def _least(table: Table, fold: int = _LEAST_NAME) -> list[int]:
    """Return the least width of each column; names have at most this many characters a line."""
    widths = []
    for index, column in enumerate(table.columns):
        cells = max((len(row[index]) for row in table.texts), default=0)
        heading = len(column.heading)
        if _is_name(column, index):
            widths.append(min(max(cells, heading), fold))
        else:
            widths.append(max(cells, min(heading, _LEAST_HEADING)))
    return widths


def _width(table: Table, fold: int) -> int:
    """Return the width of a framed table if names have at most this many characters a line."""
    return 1 + sum(3 + least for least in _least(table, fold))


def to_markdown(table: Table) -> str:
    r"""Return the table as GitHub's Markdown, its title in bold above, its note below.

    >>> columns = (Column("name"), Column("n"))
    >>> print(to_markdown(Table(title="T", columns=columns, rows=(("a|b", 1),))))
    **T**
    <BLANKLINE>
    | name | n |
    | --- | ---: |
    | a\|b | 1 |
    <BLANKLINE>
    """

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rule = [
        "---" if _is_name(column, index) else "---:" for index, column in enumerate(table.columns)
    ]
    rows = [map(_for_markdown, row) for row in (table.headings, *table.texts)]
    title = _for_markdown(table.title)
    lines = [f"**{title}**", "", line(rows[0]), line(rule), *map(line, rows[1:])]
    if table.note:
        lines += ["", _for_markdown(table.note)]
    return "\n".join([*lines, ""])


def _for_markdown(text: str) -> str:
    return re.sub(r"([\\`*_<>|~])", r"\\\1", " ".join(text.split()))


_FOR_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{character: "\\" + character for character in "&%$#_{}"},
        # A row that begins with a bracket would be read as the option of the row before.
        "[": "{[}",
        "]": "{]}",
        "×": r"\(\times\)",
        "†": r"\textdagger{}",
        "∞": r"\(\infty\)",
        "µ": r"\textmu{}",
        "–": r"\textendash{}",
        "`": r"\textasciigrave{}",
    }
)


def to_latex(table: Table) -> str:
    """Return a table environment; a document needs the package booktabs for it.

    It is plain ASCII, unless names are not.
    """

    def line(cells: Iterable[str]) -> str:
        return "    " + " & ".join(map(_for_latex, cells)) + r" \\"

    sides = "".join("l" if _is_name(*pair[::-1]) else "r" for pair in enumerate(table.columns))
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{_for_latex(table.title)}}}",
        rf"  \begin{{tabular}}{{{sides}}}",
        r"    \toprule",
        line(table.headings),
        r"    \midrule",
        *map(line, table.texts),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]
    if table.note:
        lines += ["", rf"  \medskip\footnotesize {_for_latex(table.note)}"]
    return "\n".join([*lines, r"\end{table}", ""])


def _for_latex(text: str) -> str:
    # Two hyphens in a row would be printed as one dash.
    text = " ".join(text.split()).translate(_FOR_LATEX)
    return text.replace("--", "-{}-").replace("--", "-{}-")


def to_csv(table: Table, *, spreadsheet: bool = False) -> str:
    r"""Return the values as CSV, floats in full precision; None and nan are empty.

    >>> to_csv(Table(title="T", columns=(Column("a"), Column("b")), rows=((0.1, None),)))
    'a,b\n0.1,\n'

    Args:
        table: the table.
        spreadsheet: whether texts that spreadsheets would run are escaped by `no_formula`.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    escaped = no_formula if spreadsheet else lambda value: value
    for row in (table.headings, *table.rows):
        # Only nan differs from itself.
        writer.writerow([escaped(value) if value == value else None for value in row])
    return file.getvalue()


def to_html(table: Table, kind: str = "") -> str:
    """Return a table element of a class, the first cell of each row as its heading.

    The title becomes the caption, the note is left out.
    """
    name, *figures = table.columns

    def line(row: tuple[Any, ...]) -> str:
        cells = "".join(
            f'<td class="{column.kind}">{column.markup(value)}</td>'
            for column, value in zip(figures, row[1:], strict=True)
        )
        return f'<tr><th scope="row">{name.markup(row[0])}</th>{cells}</tr>'

    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = "".join(
        f'<th scope="col">{escape(heading)}</th>' if heading else "<td></td>"
        for heading in table.headings
    )
    foot = f"<tfoot>{line(table.foot)}</tfoot>" if table.foot else ""
    return (
        f'<table class="{kind}">{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(map(line, table.rows))}</tbody>{foot}</table>"
    )
