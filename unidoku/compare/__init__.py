"""Compare backends: the same boards, every answer checked, agreement proved, times side by side.

Data flows one way: `config` (what to compare) → `cases` (boards) → `plan` (in which order) →
`execute` (runs) → `record` (one line a run) → `verdict` (do they agree?) and `statistics` (who
is faster?) → `report`.
"""

from unidoku.compare.cases import Case, PuzzleSource, read_cases
from unidoku.compare.config import Comparison, read_comparison
from unidoku.compare.execute import execute
from unidoku.compare.plan import Run, plan
from unidoku.compare.record import Outcome, Record, read_records, write_record
from unidoku.compare.statistics import Summary, summarise
from unidoku.compare.verdict import Disagreement, judge

__all__ = [
    "Case",
    "Comparison",
    "Disagreement",
    "Outcome",
    "PuzzleSource",
    "Record",
    "Run",
    "Summary",
    "execute",
    "judge",
    "plan",
    "read_cases",
    "read_comparison",
    "read_records",
    "summarise",
    "write_record",
]
