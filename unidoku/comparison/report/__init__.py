"""Reports: what a comparison found, as tables for the terminal, Markdown, LaTeX and CSV.

`tables` builds plain `Table` values out of the figures of `unidoku.comparison.statistics`;
`standard_tables` builds all of them. Each ``to_`` module writes them in one format.
"""

from unidoku.comparison.report.standard import standard_tables
from unidoku.comparison.report.table import Table
from unidoku.comparison.report.tables import (
    contradictions_table,
    luck_table,
    phases_table,
    summary_table,
)
from unidoku.comparison.report.to_csv import to_csv
from unidoku.comparison.report.to_latex import to_latex
from unidoku.comparison.report.to_markdown import to_markdown
from unidoku.comparison.report.to_rich import to_rich
from unidoku.comparison.report.units import format_ratio, format_seconds

__all__ = [
    "Table",
    "contradictions_table",
    "format_ratio",
    "format_seconds",
    "luck_table",
    "phases_table",
    "standard_tables",
    "summary_table",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_rich",
]
