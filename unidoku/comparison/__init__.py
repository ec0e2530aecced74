"""Compare backends on the same boards: check every answer, prove agreement, measure the times.

Data flows in one direction: `config` (what to compare) → `cases` (boards) → `order` (of the runs) →
`run` (measures) → `record` (the result of a run) → `journal` and `reading` (one line of JSON for
each run, see `lines`) → `verdict` (do the answers agree?) and `results`, `statistics` (which
backend is faster?) → `report`. A `session` does all of this; the function is `compare`.
"""

from unidoku.comparison.comparison import Comparison
from unidoku.comparison.config import read_plan
from unidoku.comparison.session import compare, read_comparison

__all__ = ["Comparison", "compare", "read_comparison", "read_plan"]
