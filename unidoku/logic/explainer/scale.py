"""The techniques of the scale in their order, and the rating of a board by them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import UnsupportedError
from unidoku.logic.explainer import (
    chains,
    exclusion,
    forcing,
    sets,
    strong_links,
    uniqueness,
    wings,
)
from unidoku.logic.explainer.finding import Finding, Findings, apply
from unidoku.logic.explainer.grid import LAYOUT, Grid, N
from unidoku.logic.walkthrough import Ending, conclusion
from unidoku.support.deadline import check_time_limit

TECHNIQUES: tuple[Callable[[Grid], Findings], ...] = (
    sets.hidden_singles,  # 1.0 the last cell of a unit, 1.2 in a box, 1.5 in a line
    sets.direct_locking,  # 1.7 pointing, 1.9 claiming
    partial(sets.direct_hidden_sets, size=2),  # 2.0
    sets.naked_singles,  # 2.3
    partial(sets.direct_hidden_sets, size=3),  # 2.5
    sets.locking,  # 2.6 pointing, 2.8 claiming
    partial(sets.naked_sets, size=2),  # 3.0
    partial(sets.fish, size=2),  # 3.2
    partial(sets.hidden_sets, size=2),  # 3.4
    partial(sets.naked_sets, size=3),  # 3.6
    partial(sets.fish, size=3),  # 3.8
    partial(sets.hidden_sets, size=3),  # 4.0
    partial(strong_links.strong_link_chains, size=2),  # 4.0 to 4.3
    partial(wings.xy_wings, xyz=False),  # 4.2
    partial(wings.xy_wings, xyz=True),  # 4.4
    uniqueness.unique_loops,  # 4.5 to 5.0, more with a set beside them
    partial(sets.naked_sets, size=4),  # 5.0
    partial(sets.fish, size=4),  # 5.2
    partial(sets.hidden_sets, size=4),  # 5.4
    partial(strong_links.strong_link_chains, size=3),  # 5.4 to 5.7
    partial(wings.large_wings, size=3),  # 5.5, 5.6
    uniqueness.bivalue_graves,  # 5.6 to 6.2
    partial(strong_links.strong_link_chains, size=4),  # 5.8 to 6.1
    partial(wings.large_wings, size=4),  # 6.2 to 6.4
    exclusion.aligned_pairs,  # 6.2
    partial(wings.large_wings, size=5),  # 6.6
    chains.simple_chains,  # 6.5 X-cycles, 6.6 X-chains, 7.0 others, and their length
    partial(wings.large_wings, size=6),  # 7.5
    exclusion.aligned_triples,  # 7.5
    partial(forcing.forcing_chains, kind=forcing.NISHIO),  # 7.5 and the length
    partial(forcing.forcing_chains, kind=forcing.MULTIPLE),  # 8.0 and the length
    partial(forcing.forcing_chains, kind=forcing.DYNAMIC),  # 8.5 and the length
    partial(forcing.forcing_chains, kind=forcing.DYNAMIC_PLUS),  # 9.0 and the length
)
"""The finders in the order in which they are tried, each with its numbers."""

EASY_RATINGS = (1.0, 1.2, 1.5, 1.7, 1.9, 2.0, 2.3, 2.5, 2.6, 2.8, 3.0, 3.2, 3.4, 3.6, 3.8)
"""The numbers below `ALL_FROM`, from which on there is a number at each tenth."""

ALL_FROM = 4.0

LEAST_RATING, MOST_RATING = 1.0, 10.0
"""The bounds of ratings that can be asked for; longer chains of the last technique are not met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleRating:
    """The rating of a board on the scale.

    Args:
        outcome: whether the techniques solve it; where they do not, it is harder than 9.0, the
            number of the last of them.
        hardest: name of the hardest technique needed, or used so far; empty without steps.
        rating: the number of the hardest step.
        pearl: the number of the hardest step up to the first placement; 0 if there is none.
        diamond: the number of the first step.
        counts: number of steps by technique, the easiest technique first.
    """

    outcome: Ending
    hardest: str
    rating: float
    pearl: float
    diamond: float
    counts: Mapping[str, int]

    @classmethod
    def without_solution(cls) -> ScaleRating:
        """Return the rating of a board without solutions."""
        ending = Ending.CONTRADICTION
        return cls(outcome=ending, hardest="", rating=0.0, pearl=0.0, diamond=0.0, counts={})

    @property
    def conclusion(self) -> str:
        """The hardest technique, and whether the board is solved, in words."""
        return conclusion(self.outcome, self.hardest, "harder than the scale")

    def __str__(self) -> str:
        """Return the three numbers: ``7.2/1.2/1.2``."""
        return f"{self.rating:.1f}/{self.pearl:.1f}/{self.diamond:.1f}"

    def __repr__(self) -> str:
        """Return the rating as one phrase."""
        return f"<ScaleRating: {self.conclusion} ({self})>"

    def record(self) -> dict[str, Any]:
        """Return the rating as a table for JSON."""
        return {
            "scale": "explainer",
            "outcome": self.outcome.value,
            "hardest": self.hardest or None,
            "rating": self.rating,
            "pearl": self.pearl,
            "diamond": self.diamond,
            "counts": dict(self.counts),
        }


def refuse_layout(layout: Layout, argument: str, instead: str) -> None:
    """Raise `UnsupportedError` for boards that are not classic ones with nine values.

    Args:
        layout: the layout of the board.
        argument: the argument that asks for the scale, with which the error begins.
        instead: what to do instead.
    """
    if layout != LAYOUT:
        raise UnsupportedError(
            f"{argument}: expected a classic board of {N}x{N} cells, which the explainer's scale "
            f"is for, got {layout.name} with {layout.n} values; {instead}"
        )


def scale_rating(board: Board, *, most: float = math.inf) -> ScaleRating:
    """Rate a board that has exactly one solution.

    Cost: some milliseconds for boards up to 7.0, a tenth of a second to seconds for harder ones.

    Args:
        board: a classic board with exactly one solution: some techniques rest on that.
        most: number above which the rating is of no interest: the steps end with the first above.

    Raises:
        UnsupportedError: the board is not a classic one.
        TimeLimitError: the time limit in force was reached (`unidoku.support.deadline`).
    """
    refuse_layout(board.layout, "scale", "use the scale unidoku")
    grid = Grid(board.givens)
    findings: list[Finding] = []
    pearl = 0.0
    for finding in steps(grid):
        findings.append(finding)
        if finding.placement and not pearl:
            pearl = max(each.rating for each in findings)
        if finding.rating > most:
            break
    hardest = max(findings, key=lambda each: each.rating, default=None)
    easiest_first = sorted(findings, key=lambda each: each.rating)
    return ScaleRating(
        outcome=Ending.SOLVED if all(grid.values) else Ending.STALLED,
        hardest=hardest.technique if hardest else "",
        rating=_shown(hardest.rating) if hardest else 0.0,
        pearl=_shown(pearl),
        diamond=_shown(findings[0].rating) if findings else 0.0,
        counts=Counter(each.technique for each in easiest_first),
    )


def _shown(rating: float) -> float:
    """Return a number with one digit after the dot, as the scale is written."""
    return int((rating + 0.05) * 10) / 10


def steps(grid: Grid) -> Iterator[Finding]:
    """Solve a grid by the first step that is found, again and again; yield each before it is done.

    It ends when the grid is full, or when nothing is found.
    """
    while not all(grid.values):
        check_time_limit()
        finding = next((each for find in TECHNIQUES for each in find(grid)), None)
        if finding is None:
            return
        yield finding
        apply(finding, grid)
