"""Engines: where runs are measured."""

from unidoku.comparison.run.bench import SAMPLE_NS, Bench, Measuring, symmetry_of
from unidoku.comparison.run.engine import Engine, open_engine
from unidoku.comparison.run.inline import Inline

__all__ = [
    "SAMPLE_NS",
    "Bench",
    "Engine",
    "Inline",
    "Measuring",
    "open_engine",
    "symmetry_of",
]
