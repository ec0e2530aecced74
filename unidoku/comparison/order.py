"""The order of the runs: interleaved and shuffled, so that drift affects all backends alike."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.backends.base import Request
from unidoku.comparison.cases import Case

__all__ = ["Run", "run_key", "schedule"]


@dataclass(frozen=True, slots=True)
class Run:
    """One run: a configuration of a backend searches a case once.

    Args:
        case: the board.
        backend: label of the backend.
        round: number of the repeat, from 1.
        image: 0 for the board itself, k for its k-th symmetric copy.
        request: the request; None for the request of all runs.
        group: consecutive runs with the same number are measured by one worker, in their order; if
            None, consecutive runs on one board are.
    """

    case: Case
    backend: str
    round: int
    image: int = 0
    request: Request | None = None
    group: int | None = None

    @property
    def together(self) -> tuple[object, ...]:
        """A value that consecutive runs share if one worker must measure them."""
        return (self.case.id, self.round, self.image) if self.group is None else (self.group,)

    @property
    def key(self) -> str:
        """The run's name in any journal: sixteen hexadecimal digits."""
        return run_key(self.case.id, self.backend, self.round, self.image)


def run_key(case: str, backend: str, round: int, image: int = 0) -> str:
    """Return the name of a run: the same in every journal of the same request."""
    text = f"{case}\n{backend}\n{round}\n{image}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def schedule(
    cases: Sequence[Case], backends: Sequence[str], repeats: int, seed: int, images: int = 0
) -> Iterator[Run]:
    """Yield the runs of a randomised block design.

    Each round runs every case and each of its symmetric copies once, in random order; on each of
    them all backends run one right after the other, in random order. If one backend's runs were
    consecutive, a change of the machine's speed would look like a difference between backends.
    """
    order = random.Random(seed)
    blocks = [(case, image) for case in cases for image in range(images + 1)]
    for number in range(1, repeats + 1):
        for case, image in order.sample(blocks, len(blocks)):
            labels = order.sample(backends, len(backends))
            yield from (Run(case, label, number, image) for label in labels)
