"""Making puzzles, on any layout: full grids at random, dug as long as one solution is left.

>>> puzzles = list(generate("classic", n=4, count=3, seed=7, symmetry="rotational"))
>>> [sum(map(bool, board.givens)) for board in puzzles]
[6, 4, 4]

An exact backend decides every question of uniqueness, thousands of boards at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import TimeLimitError
from unidoku.generation.generation import Generation
from unidoku.generation.pattern import SYMMETRIES
from unidoku.generation.run import Puzzles
from unidoku.generation.tally import Tally
from unidoku.generation.text import framed_text, puzzle_lines
from unidoku.generation.wish import Wish

__all__ = [
    "SYMMETRIES",
    "Generation",
    "Puzzles",
    "Tally",
    "Wish",
    "framed_text",
    "generate",
    "puzzle_lines",
]


def generate(
    variant: str | Layout = "classic",
    *,
    n: int = 9,
    count: int | None = 1,
    clues: int | tuple[int, int] | None = None,
    symmetry: str = "none",
    minimal: bool = False,
    difficulty: str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    **options: Any,
) -> Iterator[Board]:
    """Yield boards that have exactly one solution, proved.

    Args:
        variant: a variant's name or a layout; ``jigsaw`` without a map gets random regions.
        n: values are 1 to n; of a layout its own.
        count: boards; None for no end.
        clues: the number of givens, or the fewest and the most.
        symmetry: of the pattern of givens; see `SYMMETRIES`.
        minimal: whether no single given may be superfluous.
        difficulty: the hardest technique needed; see `unidoku.logic`.
        seed: the same arguments give the same boards.
        time_limit: seconds for all of them.
        options: more fields of `Generation`: ``backend``, ``second``, ``per_layout``, ``walk``,
            ``threads``.

    Raises:
        InputError: a wish that cannot be, or a variant that does not exist.
        TimeLimitError: the time was over; the boards before it were yielded.
        WrongAnswerError: two backends disagree.
    """
    wish = Wish(
        clues=(clues, clues) if isinstance(clues, int) else clues,
        symmetry=symmetry,
        minimal=minimal,
        difficulty=difficulty,
    )
    run = Generation(
        variant=variant, n=n, wish=wish, wanted=count, seed=seed, time_limit=time_limit, **options
    )
    for puzzles in run:
        yield from puzzles.boards()
    if not run.tally.in_time:
        raise TimeLimitError(f"generate: {run.tally}")
