"""The order of the runs: interleaved and shuffled, so that drift affects all backends alike."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from unidoku.backends.base import Request
from unidoku.comparison.cases import Case
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.symmetry import random_symmetry

MeasureChoice: TypeAlias = Literal["auto", "first", "warm"]
"""What times include: the model of each layout, or the search alone, or as many boards decide."""

_TRIES = 8
"""The most symmetries that are tried for a board before the only one of a layout."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run: a configuration of a backend searches a case once.

    Args:
        case: the board.
        backend: label of the backend.
        round: number of the repeat, from 1.
        image: 0 for the board itself, k for its k-th symmetric copy.
        request: the request; None for the request of all runs.
        warm_up: another board of the layout, which the backend searches before it is timed with
            the model that it then has; None if the time includes what the layout costs.
        group: consecutive runs with the same number are measured by one worker, in their order; if
            None, consecutive runs on one board are.
    """

    case: Case
    backend: str
    round: int
    image: int = 0
    request: Request | None = None
    warm_up: Board | None = None
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


def warm_ups(cases: Iterable[Case], measure: MeasureChoice, seed: int = 1) -> Mapping[str, Board]:
    """Return the board that comes before each case, by the ids of the cases.

    It is the one with the fewest candidates of those with the same layout, which is soon searched.
    With ``auto`` these are the cases whose layout several of them share, whose model one pays for
    once; with ``warm`` all that have a layout with another board; with ``first`` none.
    """
    if measure == "first":
        return {}
    groups: defaultdict[Layout, list[Case]] = defaultdict(list)
    for case in cases:
        groups[case.board.layout].append(case)
    boards: dict[str, Board] = {}
    for group in groups.values():
        easiest = sorted(group, key=_candidates)[:2]
        for case in group:
            if len(group) > 1:
                boards[case.id] = easiest[case is easiest[0]].board
            elif measure == "warm" and (image := _image(case, seed)) is not None:
                boards[case.id] = image
    return boards


def _candidates(case: Case) -> int:
    return sum(mask.bit_count() for mask in case.board.candidates)


def _image(case: Case, seed: int) -> Board | None:
    """Return a symmetric image of a board that differs from it; None if none is found."""
    order = random.Random(f"{seed}:{case.id}")
    for _ in range(_TRIES):
        image = random_symmetry(case.board.layout, order).board(case.board)
        if image != case.board:
            return image
    return None


def schedule(
    cases: Sequence[Case],
    backends: Sequence[str],
    repeats: int,
    seed: int,
    images: int = 0,
    measure: MeasureChoice = "auto",
) -> Iterator[Run]:
    """Yield the runs of a randomised block design.

    Each round runs every case and each of its symmetric copies once, in random order; on each of
    them all backends run one right after the other, in random order. If one backend's runs were
    consecutive, a change of the machine's speed would look like a difference between backends.
    """
    order = random.Random(seed)
    before = warm_ups(cases, measure, seed)
    blocks = [(case, image) for case in cases for image in range(images + 1)]
    for round_number in range(1, repeats + 1):
        for case, image in order.sample(blocks, len(blocks)):
            labels = order.sample(backends, len(backends))
            other = before.get(case.id)
            yield from (Run(case, label, round_number, image, warm_up=other) for label in labels)
