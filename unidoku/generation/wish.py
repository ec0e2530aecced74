"""What is wished of puzzles, and which wishes cannot be."""

from __future__ import annotations

from dataclasses import dataclass

from unidoku.core.layout import Layout
from unidoku.errors import InputError
from unidoku.generation.pattern import clue_counts, orbits

__all__ = ["Wish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What puzzles shall be like, beyond having exactly one solution.

    Args:
        clues: the fewest and the most givens; None for any number.
        symmetry: of the pattern of givens; see `unidoku.generation.SYMMETRIES`.
        minimal: whether no single given may be superfluous.
        difficulty: the hardest technique needed; see `unidoku.logic`.
    """

    clues: tuple[int, int] | None = None
    symmetry: str = "none"
    minimal: bool = False
    difficulty: str | None = None

    @property
    def clues_text(self) -> str:
        """The number of givens in words: ``24 clues``, ``24-28 clues``."""
        fewest, most = self.clues or (0, 0)
        return f"{fewest} clues" if fewest == most else f"{fewest}-{most} clues"

    def goals(self, layout: Layout) -> tuple[int, ...]:
        """Return the numbers of givens at which digging may end, ascending; refuse what cannot be.

        Where as little as possible is to be left, the only one is 0.

        Raises:
            InputError: no puzzle of the layout can be so.
        """
        groups = orbits(layout, self.symmetry)
        if self.difficulty is not None:
            from unidoku.generation.difficulty import check_difficulty

            check_difficulty(self.difficulty, layout)
        if self.clues is None:
            return (0,)
        fewest, most = self.clues
        # Of two values that no given shows either could stand for the other.
        least = 0 if layout.rules else layout.n - 1
        if not fewest <= most or not least <= most or fewest > len(layout):
            raise InputError(
                f"clues: expected a number from {least} to {len(layout)}, or two of them, the "
                f"smaller first, got {fewest if fewest == most else f'{fewest}-{most}'}"
            )
        counts = clue_counts(map(len, groups))
        goals = tuple(count for count in counts if fewest <= count <= most)
        if not goals:
            raise InputError(
                f"clues: {self.clues_text} cannot lie in a pattern of symmetry {self.symmetry!r} "
                f"on {layout.name} boards of this size; choose another number"
            )
        return (0,) if self.minimal else goals
