"""What became of the attempts: how many gave a puzzle, and why the others did not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """Counts of a run so far.

    Args:
        wanted: puzzles asked for; None is no end.
        attempts: puzzles begun.
        made: puzzles that are as wished.
        refused: by reason, how many were not.
        seconds: how long it took.
        in_time: whether the run was not ended by its time limit.
    """

    wanted: int | None = None
    attempts: int = 0
    made: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    in_time: bool = True

    @property
    def missing(self) -> int | None:
        """How many puzzles are still to be made."""
        return None if self.wanted is None else self.wanted - self.made

    def __str__(self) -> str:
        """Return the counts in words.

        >>> str(Tally(wanted=100, made=3, seconds=60.0, refused=Counter({"not minimal": 1812})))
        '3 of 100 puzzles in 60 s; refused: 1,812 not minimal'
        """
        short = self.wanted is not None and self.made < self.wanted
        of = f" of {self.wanted:,}" if short else ""
        plural = "" if (self.wanted if short else self.made) == 1 else "s"
        seconds = f"{self.seconds:.0f}" if self.seconds >= 10 else f"{self.seconds:.2g}"
        text = f"{self.made:,}{of} puzzle{plural} in {seconds} s"
        told = ", ".join(
            f"{count:,} {reason}" for reason, count in self.refused.most_common() if count
        )
        return f"{text}; refused: {told}" if told else text
