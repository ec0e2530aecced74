"""Fuzzing: asks all backends about random boards, and shrinks and saves each fault once.

`boards` makes trials from a seed, or with `mutation` from a user's puzzles → `hunt` asks all
backends, with the workers of `unidoku.comparison.run` → `symptom` detects faults → `shrink` looks
for the smallest boards that show a fault, with the steps of `reduce` → `unidoku.core.canonical`
detects faults that are known already → `finding` writes the others as TOML and as a test for
pytest. `folder` keeps them and the progress, so that a hunt can be continued; `run` runs all of
this. Only the command line and the top-level package import this package.
"""

from unidoku.fuzzing.boards import Trial, trial
from unidoku.fuzzing.finding import IMAGE_SEED, Finding, read_finding
from unidoku.fuzzing.folder import Folder, HuntState
from unidoku.fuzzing.hunt import Hunt, HuntEvent, HuntSettings, OpenRunner, TrialsDone
from unidoku.fuzzing.run import FuzzReport, FuzzRun, fuzz
from unidoku.fuzzing.shrink import shrink
from unidoku.fuzzing.symptom import Symptom

__all__ = [
    "IMAGE_SEED",
    "Finding",
    "Folder",
    "FuzzReport",
    "FuzzRun",
    "Hunt",
    "HuntEvent",
    "HuntSettings",
    "HuntState",
    "OpenRunner",
    "Symptom",
    "Trial",
    "TrialsDone",
    "fuzz",
    "read_finding",
    "shrink",
    "trial",
]
