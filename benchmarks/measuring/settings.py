"""How much is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from measuring.contestant import Contestant


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How much is measured.

    Args:
        quick: whether to take a hundredth of the boards, to see that all works.
        rounds: number of rounds of each measurement.
        libraries: further searchers of classic boards.
    """

    quick: bool
    rounds: int
    libraries: Sequence[Contestant] = ()

    @property
    def seconds(self) -> float:
        """For a searcher's sample of boards, and for a measurement that is repeated."""
        return 0.02 if self.quick else 0.5

    @property
    def least(self) -> int:
        """Boards of a file, which is repeated up to that."""
        return 100 if self.quick else 2000

    def of(self, boards: int) -> int:
        """Return how many boards to take where so many are asked for."""
        return max(min(10, boards), boards // 100) if self.quick else boards
