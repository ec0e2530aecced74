"""Fuzzing: random boards for all backends; what is wrong is shrunk, saved, and found once.

`generate` makes boards from a seed → `hunt` asks all backends → `symptom` says what is wrong →
`shrink` looks for the smallest boards that show it → `canonical` tells whether they are known →
`finding` and `pytest_file` write them down, in a `folder` with which the hunt goes on later.
"""

from unidoku.compare.fuzz.finding import Finding, read_finding
from unidoku.compare.fuzz.folder import Folder, Progress
from unidoku.compare.fuzz.generate import Trial, boards, trial, trials
from unidoku.compare.fuzz.hunt import Done, Hunt, Hunting
from unidoku.compare.fuzz.pytest_file import IMAGE_SEED
from unidoku.compare.fuzz.shrink import ddmin, shrink
from unidoku.compare.fuzz.symptom import MakeEngine, Symptom

__all__ = [
    "IMAGE_SEED",
    "Done",
    "Finding",
    "Folder",
    "Hunt",
    "Hunting",
    "MakeEngine",
    "Progress",
    "Symptom",
    "Trial",
    "boards",
    "ddmin",
    "read_finding",
    "shrink",
    "trial",
    "trials",
]
