"""The order of the runs: interleaved and shuffled, so that drift of the machine falls on all."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.compare.cases import Case

__all__ = ["Run", "plan"]


@dataclass(frozen=True, slots=True)
class Run:
    """One case by one backend, once.

    Args:
        case: the board.
        backend: the label.
        round: which repeat it is, from 1.
    """

    case: Case
    backend: str
    round: int


def plan(cases: Sequence[Case], backends: Sequence[str], repeats: int, seed: int) -> Iterator[Run]:
    """Yield all runs in a randomised block design.

    Every round runs every case, in random order, and on each case every backend once, one right
    after the other, in random order. Runs of one backend in a row, the usual way, let a change
    of the machine's speed look like a difference between backends.
    """
    order = random.Random(seed)
    for number in range(1, repeats + 1):
        for case in order.sample(cases, len(cases)):
            labels = order.sample(backends, len(backends))
            yield from (Run(case, label, number) for label in labels)
