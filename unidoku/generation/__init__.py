"""Makes puzzles on any layout: random full grids, whose givens are removed one by one.

`unidoku.generation.ruled` makes puzzles with rules, which it adds to full grids;
`unidoku.generation.instances` makes boards for experiments, with any number of solutions, and
`unidoku.generation.discriminate` boards that are hard for one backend and easy for another.

>>> puzzles = generate("classic", n=4, count=3, seed=7, symmetry="rotational")
>>> [sum(map(bool, board.givens)) for board in puzzles]
[6, 4, 4]

An exact backend proves that each puzzle has one solution, thousands of boards at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from numbers import Integral, Real
from typing import Any

from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import InputError, TimeLimitError
from unidoku.generation.discriminate import Discrimination, TellingBoard
from unidoku.generation.instances import InstanceGeneration, InstanceRequest
from unidoku.generation.request import PuzzleRequest
from unidoku.generation.ruled.run import RuledGeneration
from unidoku.generation.run import Generation
from unidoku.parallel.dispatch import check_executor
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel, each_step
from unidoku.support.schema import shown

__all__ = [
    "Discrimination",
    "Generation",
    "InstanceGeneration",
    "InstanceRequest",
    "PuzzleRequest",
    "TellingBoard",
    "generate",
]


@named_arguments
def generate(
    variant: str | Layout = "classic",
    *,
    n: int | None = None,
    rules: Iterable[str] = (),
    family: str = "",
    count: int | None = 1,
    clues: int | tuple[int, int] | None = None,
    symmetry: str = "none",
    minimal: bool = False,
    difficulty: str | None = None,
    rating: float | tuple[float, float] | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    backend: str | None = None,
    cross_check: str | None = None,
    per_layout: int = 1,
    walk: bool = False,
    threads: int = 1,
    executor: Executor | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Board]:
    """Make puzzles, each with exactly one solution, proved; returns an iterator over boards.

    >>> [puzzle] = generate(n=4, clues=5, seed=1)
    >>> puzzle.text("line")
    '....1..4....2.41'
    >>> [kenken] = generate(family="kenken", n=3, seed=1)
    >>> sorted(rule.kind for rule in kenken.layout.rules)[0]
    'kenken'

    Args:
        variant: name of a variant, or a layout; ``jigsaw`` without a map gets random regions.
        n: number of values; if None, 9, the n of the layout, or the default of the family.
        rules: kinds of rules to add, from `unidoku.generation.ruled.PLACEABLE_KINDS`.
        family: family of the puzzles, one of `unidoku.generation.ruled.FAMILIES`.
        count: number of puzzles, None for no limit.
        clues: the number of givens, or the smallest and the largest number.
        symmetry: symmetry of the positions of the givens, one of `SYMMETRIES`.
        minimal: whether every given, and every rule added, must be needed for uniqueness.
        difficulty: the hardest technique needed, by its name in `unidoku.logic`, or a level of
            `rate`: ``easy``, ``medium``, ``hard``, ``unfair``, ``extreme``.
        rating: the rating on Sudoku Explainer's own scale, or the smallest and the largest one, as
            `unidoku.rate` gives with ``scale="explainer"``; for classic boards.
        seed: seed of the random numbers; the same arguments give the same puzzles.
        time_limit: seconds for all puzzles together; None for no limit.
        backend: label of the exact backend that checks uniqueness; None for ``native``.
        cross_check: label of a second backend that confirms each puzzle; None for none.
        per_layout: number of puzzles that share random regions.
        walk: whether givens are exchanged until their number is as small as `clues` asks.
        threads: number of threads of the backend.
        executor: executor whose processes or machines make the puzzles, as in `Solver.stream`; the
            puzzles do not depend on it. If None, this process makes them.
        cancel: a token that ends the making in this process; see `unidoku.Cancel`.

    Raises:
        InputError: the request cannot be met, or the variant does not exist.
        TimeLimitError: the time limit was reached; the puzzles made before it were yielded.
        WrongAnswerError: two backends disagree.
    """
    check_executor(executor)
    common: dict[str, Any] = {
        "request": PuzzleRequest(
            clues=(clues, clues) if isinstance(clues, int | Integral) else clues,
            symmetry=symmetry,
            minimal=minimal,
            difficulty=difficulty,
            rating=(rating, rating) if isinstance(rating, int | float | Real) else rating,
        ),
        "count": count,
        "seed": seed,
        "time_limit": time_limit,
        "backend": backend,
        "cross_check": cross_check,
        "executor": executor,
    }
    if isinstance(rules, str):
        raise InputError(f"rules: expected a list of kinds, got {shown(rules)}; put it into a list")
    kinds = tuple(rules)
    if kinds or family:
        if isinstance(variant, Layout) or walk or per_layout != 1 or threads != 1:
            raise InputError(
                "rules, family: expected the name of a variant, without walk, per_layout and "
                "threads"
            )
        ruled = RuledGeneration(variant=variant, n=n, rules=kinds, family=family, **common)
        return each_step(_boards(ruled, (puzzle.board for puzzle in ruled)), cancel)
    run = Generation(
        variant=variant,
        n=9 if n is None else n,
        per_layout=per_layout,
        walk=walk,
        threads=threads,
        **common,
    )
    boards = (board for puzzles in run for board in puzzles.boards())
    return each_step(_boards(run, boards), cancel)


def _boards(run: Generation | RuledGeneration, boards: Iterator[Board]) -> Iterator[Board]:
    yield from boards
    if not run.progress.in_time:
        raise TimeLimitError(
            f"generate: time limit of {run.time_limit:g} s reached: {run.progress}"
        )
