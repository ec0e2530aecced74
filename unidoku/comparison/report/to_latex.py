"""Tables as LaTeX, with the rules of the package booktabs."""

from __future__ import annotations

from collections.abc import Iterable

from unidoku.comparison.report.table import Table

__all__ = ["to_latex"]

_ESCAPES = str.maketrans(
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
    columns = "l" + "r" * (len(table.headings) - 1)
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{_escaped(table.title)}}}",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        _line(table.headings),
        r"    \midrule",
        *map(_line, table.rows),
        r"    \bottomrule",
        r"  \end{tabular}",
    ]
    if table.note:
        lines += ["", rf"  \medskip\footnotesize {_escaped(table.note)}"]
    return "\n".join([*lines, r"\end{table}", ""])


def _line(cells: Iterable[str]) -> str:
    return "    " + " & ".join(map(_escaped, cells)) + r" \\"


def _escaped(text: str) -> str:
    # Two hyphens in a row would be printed as one dash.
    return " ".join(text.split()).translate(_ESCAPES).replace("--", "-{}-").replace("--", "-{}-")
