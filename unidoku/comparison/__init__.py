"""Compare backends on the same boards: check every answer, prove agreement, measure the times.

Data flows in one direction: `config` (what to compare) → `cases` (boards) → `order` (of the runs) →
`run` (measures) → `record` (the result of a run) → `journal` and `reading` (one line of JSON for
each run, see `lines`) → `verdict` (do the answers agree?) and `results`, `statistics` (which
backend is faster?) → `report`. A `session` does all of this; the function is `compare`.
"""

from unidoku.comparison.cases import Case, PuzzleSource, read_cases
from unidoku.comparison.comparison import Comparison
from unidoku.comparison.config import ComparisonPlan, read_plan
from unidoku.comparison.journal import Journal
from unidoku.comparison.order import Run, schedule
from unidoku.comparison.reading import merged, read_header, read_journal
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import Results
from unidoku.comparison.session import compare, read_comparison
from unidoku.comparison.verdict import Disagreement, Judge, Verdict, judge

__all__ = [
    "Case",
    "Comparison",
    "ComparisonPlan",
    "Disagreement",
    "Journal",
    "Judge",
    "Outcome",
    "PuzzleSource",
    "Record",
    "ReportView",
    "Results",
    "Run",
    "Verdict",
    "compare",
    "judge",
    "merged",
    "read_cases",
    "read_comparison",
    "read_header",
    "read_journal",
    "read_plan",
    "schedule",
]
