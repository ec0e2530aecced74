"""Engines: where runs are measured."""

from unidoku.compare.execute.bench import SAMPLE_NS, Bench, Measuring, symmetry_of
from unidoku.compare.execute.engine import Engine, open_engine
from unidoku.compare.execute.inline import Inline

__all__ = [
    "SAMPLE_NS",
    "Bench",
    "Engine",
    "Inline",
    "Measuring",
    "open_engine",
    "symmetry_of",
]
