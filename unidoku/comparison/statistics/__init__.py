"""The figures of a comparison: cases solved, times, and confidence in the differences.

`times_of` reduces the runs to `Times`, one figure for each backend and case; the other functions
take these. Only `luck` takes all runs. Nothing here prints.
"""

from unidoku.comparison.statistics.counters import counted, satisfiable
from unidoku.comparison.statistics.curves import Curve, Point, curve, known_numbers, number_of
from unidoku.comparison.statistics.distributions import Distribution, distributions, pooled
from unidoku.comparison.statistics.groups import GROUPINGS, CaseGroup, grouped, grouping
from unidoku.comparison.statistics.luck import Luck, luck
from unidoku.comparison.statistics.pairs import (
    LEAST_PERCENT,
    PairedTimes,
    Resolution,
    pair,
    pairs_with,
    resolution,
    resolves,
    resolves_jointly,
)
from unidoku.comparison.statistics.phases import Phases, phases, ranking
from unidoku.comparison.statistics.summary import SHIFT, Summary, base_of, summarise, virtual_best
from unidoku.comparison.statistics.times import Times, cdf, median, selected, times_of

__all__ = [
    "GROUPINGS",
    "LEAST_PERCENT",
    "SHIFT",
    "CaseGroup",
    "Curve",
    "Distribution",
    "Luck",
    "PairedTimes",
    "Phases",
    "Point",
    "Resolution",
    "Summary",
    "Times",
    "base_of",
    "cdf",
    "counted",
    "curve",
    "distributions",
    "grouped",
    "grouping",
    "known_numbers",
    "luck",
    "median",
    "number_of",
    "pair",
    "pairs_with",
    "phases",
    "pooled",
    "ranking",
    "resolution",
    "resolves",
    "resolves_jointly",
    "satisfiable",
    "selected",
    "summarise",
    "times_of",
    "virtual_best",
]
