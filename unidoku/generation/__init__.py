"""Makes puzzles on any layout: full grids at random, dug while one solution is left.

>>> puzzles = generate("classic", n=4, count=3, seed=7, symmetry="rotational")
>>> [sum(map(bool, board.givens)) for board in puzzles]
[6, 4, 4]

An exact backend decides every question of uniqueness, thousands of boards at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import TimeLimitError
from unidoku.generation.puzzles import Puzzles, framed_text
from unidoku.generation.request import SYMMETRIES, GenerationProgress, PuzzleRequest
from unidoku.generation.run import Generation

__all__ = [
    "SYMMETRIES",
    "Generation",
    "GenerationProgress",
    "PuzzleRequest",
    "Puzzles",
    "framed_text",
    "generate",
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
    backend: str | None = None,
    cross_check: str | None = None,
    per_layout: int = 1,
    walk: bool = False,
    threads: int = 1,
) -> Iterator[Board]:
    """Make puzzles, each with exactly one solution, proved; returns an iterator over boards.

    >>> [puzzle] = generate(n=4, clues=5, seed=1)
    >>> puzzle.text("line")
    '....1..4....2.41'

    Args:
        variant: name of a variant, or a layout; ``jigsaw`` without a map gets random regions.
        n: number of values; a layout has its own.
        count: number of puzzles, None for no limit.
        clues: the number of givens, or the fewest and the most.
        symmetry: symmetry of the positions of the givens, one of `SYMMETRIES`.
        minimal: whether every given must be needed for uniqueness.
        difficulty: the hardest technique needed, by its name in `unidoku.logic`.
        seed: seed of everything random; the same arguments give the same puzzles.
        time_limit: seconds for all puzzles together; None for no limit.
        backend: label of the exact backend that decides about uniqueness; None for ``native``.
        cross_check: label of a second backend, which confirms each puzzle; None for none.
        per_layout: number of puzzles that share random regions.
        walk: whether givens are exchanged until there are as few as in `clues`.
        threads: number of threads of the backend.

    Raises:
        InputError: the request cannot be met, or the variant does not exist.
        TimeLimitError: the time limit was reached; the puzzles before it were yielded.
        WrongAnswerError: two backends disagree.
    """
    run = Generation(
        variant=variant,
        n=n,
        request=PuzzleRequest(
            clues=(clues, clues) if isinstance(clues, int) else clues,
            symmetry=symmetry,
            minimal=minimal,
            difficulty=difficulty,
        ),
        count=count,
        seed=seed,
        time_limit=time_limit,
        backend=backend,
        cross_check=cross_check,
        per_layout=per_layout,
        walk=walk,
        threads=threads,
    )
    return _boards(run)


def _boards(run: Generation) -> Iterator[Board]:
    for puzzles in run:
        yield from puzzles.boards()
    if not run.progress.in_time:
        raise TimeLimitError(
            f"generate: time limit of {run.time_limit:g} s reached: {run.progress}"
        )
