"""A table says the same in every format."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from unidoku.support.table import Column, Table, fitted, to_html, to_latex, to_markdown, to_rich

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=12)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 4))
    row = st.tuples(*[TEXTS] * width)
    return Table(
        title=draw(TEXTS),
        columns=tuple(map(Column, draw(row))),
        rows=tuple(draw(st.lists(row, max_size=4))),
        note=draw(TEXTS),
    )


def table_with(
    headings: tuple[str, ...], *rows: tuple[object, ...], title: str, note: str = ""
) -> Table:
    return Table(title=title, columns=tuple(map(Column, headings)), rows=rows, note=note)


@given(tables())
def test_markdown_keeps_every_cell(table: Table) -> None:
    lines = to_markdown(table).splitlines()
    shown = [line for line in lines if line.startswith("| ")]
    cells = [re.split(r" (?<!\\)\| ", f" {line[2:-1]}| ")[:-1] for line in shown]
    plain = [[re.sub(r"\\(.)", r"\1", cell).strip() for cell in row] for row in cells]
    del plain[1]
    assert plain == [list(row) for row in (table.headings, *table.texts)]
    assert re.sub(r"\\(.)", r"\1", lines[0]) == f"**{table.title}**"


def test_markdown_aligns_figures_to_the_right() -> None:
    table = table_with(("name", "n"), ("a_b", 1), title="The title", note="1 ~ 2")
    assert to_markdown(table).splitlines() == [
        *("**The title**", "", "| name | n |", "| --- | ---: |", r"| a\_b | 1 |", "", r"1 \~ 2"),
    ]


LATEX = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\(\times\)": "×",
    r"\(\infty\)": "∞",
    r"\textmu{}": "µ",
    "{[}": "[",
    "{]}": "]",
    **{"\\" + character: character for character in "&%$#_{}"},
    r"\textendash{}": "–",
    r"\textasciigrave{}": "`",
    "-{}": "-",
}


def from_latex(text: str) -> str:
    """Return what is printed; a character that LaTeX would not print is no part of the pattern."""
    piece = re.compile("|".join(map(re.escape, LATEX)) + r"|[^\\&%$#_{}~^<>|`\[\]]")
    pieces = piece.findall(text)
    assert "".join(pieces) == text
    return "".join(LATEX.get(piece, piece) for piece in pieces)


@given(tables())
def test_latex_keeps_every_cell_and_leaves_nothing_for_tex_to_read(table: Table) -> None:
    lines = to_latex(table).splitlines()
    shown = [
        line.removeprefix("    ").removesuffix(r" \\") for line in lines if line.endswith(r" \\")
    ]
    cells = [[from_latex(cell) for cell in line.split(" & ")] for line in shown]
    assert cells == [list(row) for row in (table.headings, *table.texts)]
    assert from_latex(lines[2][len(r"  \caption{") : -1]) == table.title


def test_latex_has_the_rules_of_booktabs() -> None:
    table = table_with(("backend", "× first"), ("a_b", "[1, 2] ~"), title="50 %")
    assert to_latex(table).splitlines() == [
        r"\begin{table}",
        r"  \centering",
        r"  \caption{50 \%}",
        r"  \begin{tabular}{lr}",
        r"    \toprule",
        r"    backend & \(\times\) first \\",
        r"    \midrule",
        r"    a\_b & {[}1, 2{]} \textasciitilde{} \\",
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]


def test_the_terminal_shows_brackets_as_they_are() -> None:
    from rich.console import Console

    table = table_with(
        ("backend", "[i]n"), ("cp-sat[num_workers=2]", "[red]1[/]"), title="[b]title[/b]"
    )
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(to_rich(table))
    text = console.export_text()
    for part in (table.title, *table.headings, *table.texts[0]):
        assert part in text


class Cells(HTMLParser):
    """The texts of a table's cells, row by row."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        else:
            assert tag in ("table", "caption", "thead", "tbody")

    def handle_data(self, data: str) -> None:
        if self.rows:
            self.rows[-1][-1] += data


@given(tables())
def test_html_keeps_every_cell_and_leaves_nothing_for_a_browser_to_read(table: Table) -> None:
    rows = Cells(to_html(table)).rows
    assert rows == [list(row) for row in (table.headings, *table.texts)]


def test_a_column_writes_html_in_its_own_way() -> None:
    columns = (Column("name"), Column("n", "{:.1f}".format, "<b>{}</b>".format, kind="wide"))
    table = Table(title="", columns=columns, rows=(("<a>", 2),))
    assert table.texts == (("<a>", "2.0"),)
    assert to_html(table, "kind") == (
        '<table class="kind"><thead><tr><th scope="col">name</th><th scope="col">n</th></tr>'
        '</thead><tbody><tr><th scope="row">&lt;a&gt;</th><td class="wide"><b>2</b></td></tr>'
        "</tbody></table>"
    )


@given(tables(), st.integers(1, 60))
def test_a_table_that_is_too_wide_loses_columns_but_never_names(table: Table, width: int) -> None:
    shown = fitted(table, width)
    assert shown.headings[:1] == table.headings[:1]
    assert len(shown.rows) == len(table.rows)
    assert [row[0] for row in shown.rows] == [row[0] for row in table.rows]
    left_out = len(table.columns) - len(shown.columns)
    assert ("Left out" in shown.note[len(table.note) :]) == bool(left_out)
    assert left_out <= max(len(table.columns) - 2, 0), "a name and a figure always stay"


def test_dispensable_columns_are_left_out_in_their_order_before_names_are_folded() -> None:
    name = "a-name-of-thirty-two-characters!"
    table = Table(
        title="T",
        columns=tuple(map(Column, ("name", "n", "mean", "max"))),
        rows=((name, 1, "12345678", "12345678"),),
        note="A note.",
        dispensable=("max", "mean"),
    )
    assert fitted(table, 62) is table
    assert fitted(table, 61).headings == ("name", "n", "mean")
    narrow = fitted(table, 49, "see the page")
    assert narrow.headings == ("name", "n")
    message = "Left out, because 49 characters are too few: mean, max; see the page."
    assert narrow.note == f"A note. {message}"


def test_columns_of_names_are_written_from_the_left() -> None:
    columns = (Column("group"), Column("backend", kind="name"), Column("n"))
    table = Table(title="T", columns=columns, rows=(("g", "b", 1),))
    assert "| --- | --- | ---: |" in to_markdown(table)
    assert r"\begin{tabular}{llr}" in to_latex(table)
