"""The request for puzzles (clues, symmetry, difficulty), the progress of a run, and its parts.

A symmetry concerns the positions of the givens only. Units and values need not be symmetric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType
from typing import TypeAlias

from unidoku.core.layout import Layout, Position
from unidoku.core.regions import connected_parts
from unidoku.core.variants import Variant
from unidoku.errors import InputError, nearest
from unidoku.logic import check_layout, up_to
from unidoku.logic.catalogue import LEVELS, technique_names
from unidoku.logic.explainer.scale import (
    ALL_FROM,
    EASY_RATINGS,
    LEAST_RATING,
    MOST_RATING,
    refuse_layout,
)
from unidoku.support.deadline import Deadline
from unidoku.support.text import plural

_Move: TypeAlias = Callable[[int, int, int, int], Position]
"""Maps (row, column, last row, last column) to the symmetric position."""

_MOVES: dict[str, _Move] = {
    "rotational": lambda row, column, bottom, right: (bottom - row, right - column),
    "quarter": lambda row, column, bottom, _: (column, bottom - row),
    "horizontal": lambda row, column, bottom, _: (bottom - row, column),
    "vertical": lambda row, column, _, right: (row, right - column),
    "diagonal": lambda row, column, _, __: (column, row),
    "antidiagonal": lambda row, column, bottom, right: (right - column, bottom - row),
}

SYMMETRIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"none": (), **{name: (name,) for name in _MOVES}, "full": ("quarter", "vertical")}
)
"""The moves that generate each symmetry: half a turn, a quarter turn, a mirror (named after the
fixed line; the diagonal falls, the antidiagonal rises), or all of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleRequest:
    """Properties that puzzles must have, in addition to exactly one solution.

    Args:
        clues: the smallest and the largest number of givens; None for any number.
        symmetry: symmetry of the positions of the givens, one of `SYMMETRIES`.
        minimal: whether every given must be needed for uniqueness.
        difficulty: the hardest technique needed, by its name in `unidoku.logic`, or a level of
            `unidoku.rate`: ``easy``, ``medium``, ``hard``, ``unfair``, ``extreme``.
        rating: the smallest and the largest rating on Sudoku Explainer's own scale; instead of a
            difficulty, for classic boards.
    """

    clues: tuple[int, int] | None = None
    symmetry: str = "none"
    minimal: bool = False
    difficulty: str | None = None
    rating: tuple[float, float] | None = None

    @property
    def clues_text(self) -> str:
        """The number of givens in words: ``24 clues``, ``24-28 clues``."""
        return f"{_range_text(*(self.clues or (0, 0)))} clues"

    def clue_targets(self, layout: Layout) -> tuple[int, ...]:
        """Return the numbers of givens at which digging may stop, in ascending order.

        If as few givens as possible are to be left, the only number is 0.

        Raises:
            InputError: no puzzle of the layout meets the request.
        """
        groups = orbits(layout, self.symmetry)
        if self.difficulty in LEVELS:
            check_layout(up_to("hidden single"), layout)
        elif self.difficulty is not None:
            self._check_difficulty(self.difficulty, layout)
        if self.rating is not None:
            self._check_rating(self.rating, layout)
        if self.clues is None:
            return (0,)
        fewest, most = self.clues
        # Two values that no given has can be exchanged, so there are at least two solutions.
        least = 0 if layout.rules else layout.n - 1
        if not 0 <= fewest <= most or not least <= most or fewest > len(layout):
            raise InputError(
                f"clues: expected a number from {least} to {len(layout)}, or two of them, the "
                f"smaller first, got {_range_text(fewest, most)}"
            )
        counts = clue_counts(map(len, groups))
        targets = tuple(count for count in counts if fewest <= count <= most)
        if not targets:
            raise InputError(
                f"clues: {self.clues_text} cannot lie in a pattern of symmetry {self.symmetry!r} "
                f"on {layout.name} boards of this size; choose another number"
            )
        return (0,) if self.minimal else targets

    def _check_difficulty(self, name: str, layout: Layout) -> None:
        """Raise for a difficulty that is no level and no technique of the layout."""
        try:
            techniques = up_to(name)
        except InputError:
            hint = nearest(name, [*LEVELS, *technique_names()], f"levels: {', '.join(LEVELS)}")
            raise InputError(
                f"difficulty: expected a level or a technique, got {name!r}; {hint}"
            ) from None
        check_layout(techniques, layout)

    def _check_rating(self, rating: tuple[float, float], layout: Layout) -> None:
        """Raise for a rating that no puzzle of the layout has."""
        least, most = rating
        if self.difficulty is not None:
            raise InputError("rating, difficulty: expected one of them, got both")
        refuse_layout(layout, "rating", "ask for a difficulty")
        if not LEAST_RATING <= least <= most <= MOST_RATING:
            raise InputError(
                f"rating: expected a number from {LEAST_RATING} to {MOST_RATING}, or two of them, "
                f"the smaller first, got {_range_text(least, most)}"
            )
        if most < ALL_FROM and not any(least <= number <= most for number in EASY_RATINGS):
            numbers = ", ".join(map(str, EASY_RATINGS))
            raise InputError(
                f"rating: no puzzle is rated {_range_text(least, most)}; below {ALL_FROM} there "
                f"are {numbers}"
            )


def _range_text(least: float, most: float) -> str:
    return f"{least}" if least == most else f"{least}-{most}"


@dataclass(slots=True)
class GenerationProgress:
    """How many attempts of a run made a puzzle, and why the others did not.

    Attributes:
        wanted: number of puzzles asked for, None for no limit.
        attempts: number of puzzles begun.
        made: number of puzzles that meet the request.
        refused: number of attempts that failed, by reason.
        seconds: duration of the run so far.
        in_time: False if the time limit ended the run.
    """

    wanted: int | None = None
    attempts: int = 0
    made: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    in_time: bool = True

    @property
    def missing(self) -> int | None:
        """The number of puzzles that are still missing."""
        return None if self.wanted is None else self.wanted - self.made

    def __str__(self) -> str:
        """Return the counts in words.

        >>> refused = Counter({"not minimal": 1812})
        >>> str(GenerationProgress(wanted=100, made=3, seconds=60.0, refused=refused))
        '3 of 100 puzzles in 60 s; refused: 1,812 not minimal'
        """
        short = self.wanted is not None and self.made < self.wanted
        puzzles = f"{self.made:,} of {plural(self.wanted or 0, 'puzzle')}"
        seconds = f"{self.seconds:.0f}" if self.seconds >= 10 else f"{self.seconds:.2g}"
        text = f"{puzzles if short else plural(self.made, 'puzzle')} in {seconds} s"
        reasons = ", ".join(
            f"{count:,} {reason}" for reason, count in self.refused.most_common() if count
        )
        return f"{text}; refused: {reasons}" if reasons else text


@dataclass(frozen=True, slots=True)
class Assignment:
    """Attempts for a node.

    Args:
        number: number of the first attempt, or of the layout if each layout has its own regions.
        size: number of attempts.
        limit: seconds left of the time limit; None for no limit.
    """

    number: int
    size: int
    limit: float | None


def assignments(size: int, deadline: Deadline) -> Iterator[Assignment]:
    """Yield assignments of this size, without end."""
    for number in count(0, size):
        yield Assignment(number, size, deadline.limit)


def known_layout(variant: str, n: int) -> Layout:
    """Return the layout of a variant.

    Raises:
        InputError: there is no such variant, or it has no known regions.
    """
    parsed = Variant.parse(variant)
    if parsed.needs_regions:
        raise InputError(
            f"{variant}: expected a layout with known regions; give the map of the regions"
        )
    return parsed.layout(n)


def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the cells in groups that the symmetry maps onto each other.

    >>> from unidoku.core.variants import layout
    >>> sorted(map(len, orbits(layout("classic", 4), "quarter")))
    [4, 4, 4, 4]

    Raises:
        InputError: there is no such symmetry, or the cells of the layout do not have it.
    """
    if symmetry not in SYMMETRIES:
        known = nearest(symmetry, SYMMETRIES)
        raise InputError(f"symmetry: expected a known one, got {symmetry!r}; {known}")
    moves = [_MOVES[name] for name in SYMMETRIES[symmetry]]
    bottom, right = layout.rows - 1, layout.columns - 1
    moved: list[list[int]] = []
    for row, column in layout.positions:
        places = [move(row, column, bottom, right) for move in moves]
        missing = [position for position in places if position not in layout.cell_at]
        if missing:
            raise InputError(
                f"symmetry {symmetry!r}: {layout.names[layout.cell_at[row, column]]} has no "
                f"counterpart on {layout.name} boards of this size; choose another symmetry"
            )
        moved.append([layout.cell_at[position] for position in places])
    return tuple(map(tuple, connected_parts(layout.cells, moved)))


def clue_counts(sizes: Iterable[int]) -> tuple[int, ...]:
    """Return how many givens a pattern can have whose orbits have these sizes, in ascending order.

    >>> clue_counts([2, 2, 1])
    (0, 1, 2, 3, 4, 5)
    """
    sums = 1
    for size in sizes:
        sums |= sums << size
    return tuple(count for count in range(sums.bit_length()) if sums >> count & 1)
