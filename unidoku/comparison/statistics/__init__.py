"""The figures of a comparison: cases solved, times, and confidence in the differences.

`times_of` reduces the runs to `Times`, one figure for each backend and case; the other functions
take these. Only `luck` takes all runs. Nothing here prints.
"""

from unidoku.comparison.statistics.luck import Luck, luck
from unidoku.comparison.statistics.pairs import (
    LEAST_PERCENT,
    PairedTimes,
    Resolution,
    pair,
    pairs_with,
    resolution,
    resolves,
)
from unidoku.comparison.statistics.phases import Phases, phases, ranking
from unidoku.comparison.statistics.summary import SHIFT, Summary, base_of, summarise, virtual_best
from unidoku.comparison.statistics.times import Times, cdf, times_of

__all__ = [
    "LEAST_PERCENT",
    "SHIFT",
    "Luck",
    "PairedTimes",
    "Phases",
    "Resolution",
    "Summary",
    "Times",
    "base_of",
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
