"""The figures of a comparison: cases solved, times, and confidence in the differences.

`times_of` reduces the runs to `Times`, one figure for each backend and case; the other functions
take these. Only `symmetry_spread` takes all runs. Nothing here prints.
"""

from unidoku.comparison.statistics.curves import Curve, Point, curve, known_numbers, number_of
from unidoku.comparison.statistics.distributions import (
    Distribution,
    SymmetrySpread,
    distributions,
    pooled,
    symmetry_spread,
)
from unidoku.comparison.statistics.groups import GROUPINGS, CaseGroup, grouped, grouping
from unidoku.comparison.statistics.pairs import (
    LEAST_PERCENT,
    NoiseFloor,
    PairedTimes,
    noise_floor,
    pair,
    pairs_with,
    resolves,
    resolves_jointly,
)
from unidoku.comparison.statistics.phases import Phases, phases, ranking
from unidoku.comparison.statistics.summary import SHIFT, Summary, base_of, summarise, virtual_best
from unidoku.comparison.statistics.times import (
    Times,
    cdf,
    counted,
    median,
    satisfiable,
    selected,
    times_of,
)

__all__ = [
    "GROUPINGS",
    "LEAST_PERCENT",
    "SHIFT",
    "CaseGroup",
    "Curve",
    "Distribution",
    "NoiseFloor",
    "PairedTimes",
    "Phases",
    "Point",
    "Summary",
    "SymmetrySpread",
    "Times",
    "base_of",
    "cdf",
    "counted",
    "curve",
    "distributions",
    "grouped",
    "grouping",
    "known_numbers",
    "median",
    "noise_floor",
    "number_of",
    "pair",
    "pairs_with",
    "phases",
    "pooled",
    "ranking",
    "resolves",
    "resolves_jointly",
    "satisfiable",
    "selected",
    "summarise",
    "symmetry_spread",
    "times_of",
    "virtual_best",
]
