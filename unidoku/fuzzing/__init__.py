"""Fuzzing: random boards for all backends; what is wrong is shrunk, saved, and found once.

`boards` makes trials from a seed → `hunt` asks all backends, by the workers of
`unidoku.comparison.run` → `symptom` says what is wrong → `shrink` looks for the smallest boards
that show it, by the steps of `reduce` → `unidoku.core.canonical` tells whether they are known →
`finding` writes them as TOML and as a test for pytest. `run` keeps them in a folder with which a
hunt is continued; `fuzz` does all of this. Only the command line and the package's front import
this package.
"""

from unidoku.fuzzing.boards import Trial, trial
from unidoku.fuzzing.finding import IMAGE_SEED, Finding, read_finding
from unidoku.fuzzing.hunt import Hunt, HuntEvent, HuntSettings, OpenRunner, TrialsDone
from unidoku.fuzzing.run import Folder, FuzzReport, FuzzRun, HuntState, fuzz
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
