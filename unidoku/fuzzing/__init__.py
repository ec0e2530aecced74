"""Fuzzing: asks all backends about random boards, and shrinks and saves each fault once.

`boards` makes trials from a seed, or with `mutation` from a user's puzzles → `hunt` asks all
backends, with the workers of `unidoku.comparison.run` → `symptom` detects faults → `shrink` looks
for the smallest boards that show a fault, with the steps of `reduce` → `unidoku.core.canonical`
detects faults that are known already → `finding` writes the others as TOML and as a test for
pytest. `folder` keeps them and the progress, so that a hunt can be continued; `run` runs all of
this. Only the command line and the top-level package import this package.
"""

from unidoku.fuzzing.run import FuzzReport, fuzz

__all__ = ["FuzzReport", "fuzz"]
