"""The figures of a comparison: how many solved, how long, how many times the first, how sure.

Each module has one method, and takes `Times`: what `times_of` makes of the runs. Only luck takes
all runs. Nothing here prints.
"""

from unidoku.comparison.statistics.curves import cdf
from unidoku.comparison.statistics.luck import Luck, luck
from unidoku.comparison.statistics.pairs import PairedTimes, pair, pairs_with
from unidoku.comparison.statistics.phases import Phases, phases, ranking
from unidoku.comparison.statistics.resolution import (
    LEAST_PERCENT,
    Resolution,
    resolution,
    resolves,
)
from unidoku.comparison.statistics.summary import SHIFT, Summary, summarise, virtual_best
from unidoku.comparison.statistics.times import Times, times_of

__all__ = [
    "LEAST_PERCENT",
    "SHIFT",
    "Luck",
    "PairedTimes",
    "Phases",
    "Resolution",
    "Summary",
    "Times",
    "cdf",
    "luck",
    "pair",
    "pairs_with",
    "phases",
    "ranking",
    "resolution",
    "resolves",
    "summarise",
    "times_of",
    "virtual_best",
]
