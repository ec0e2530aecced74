"""Fuzzing: random boards for all backends; what is wrong is shrunk, saved, and found once.

`generate` makes boards from a seed → `hunt` asks all backends → `symptom` says what is wrong →
`shrink` looks for the smallest boards that show it → `canonical` tells whether they are known →
`finding` and `pytest_file` write them down, in a `folder` with which the hunt goes on later.
"""

from unidoku.fuzzing.finding import Finding, read_finding
from unidoku.fuzzing.folder import Folder, Progress
from unidoku.fuzzing.generate import Trial, boards, trial, trials
from unidoku.fuzzing.hunt import Done, Hunt, Hunting
from unidoku.fuzzing.pytest_file import IMAGE_SEED
from unidoku.fuzzing.shrink import ddmin, shrink
from unidoku.fuzzing.symptom import MakeEngine, Symptom

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
