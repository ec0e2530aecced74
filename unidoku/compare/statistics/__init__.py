"""The figures of a comparison: how many solved, how long, how many times the first, how sure.

Each module has one method, and takes `Times`: what `times_of` makes of the runs. Only luck takes
all runs. Nothing here prints.
"""

from unidoku.compare.statistics.curves import cdf
from unidoku.compare.statistics.luck import Luck, luck
from unidoku.compare.statistics.pairs import Pair, pair, pairs_with
from unidoku.compare.statistics.phases import Phases, phases, ranking
from unidoku.compare.statistics.resolution import (
    LEAST_PERCENT,
    Resolution,
    resolution,
    resolves,
)
from unidoku.compare.statistics.summary import SHIFT, Summary, summarise, virtual_best
from unidoku.compare.statistics.times import Times, times_of

__all__ = [
    "LEAST_PERCENT",
    "SHIFT",
    "Luck",
    "Pair",
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
