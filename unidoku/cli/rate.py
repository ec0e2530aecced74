"""``unidoku rate``: how hard a board is, by logic and by nodes."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from unidoku.api import configured
from unidoku.backends.options import split_labels
from unidoku.backends.solver import Solver
from unidoku.cli.common import print_table, time_limit_of, with_source, with_time_limit
from unidoku.cli.explain import with_techniques
from unidoku.core.board import Board
from unidoku.errors import TimeLimitError
from unidoku.files.source import Source
from unidoku.formats import Puzzle
from unidoku.logic import Outcome, Technique, chosen
from unidoku.rating import Difficulty, Effort, measure, rate

__all__ = ["command"]

_LATE = "time limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rated:
    """What is known of one board; None where the time limit came first."""

    puzzle: Puzzle
    difficulty: Difficulty | None
    efforts: dict[str, Effort | None]

    @property
    def is_complete(self) -> bool:
        """Whether logic solves the board and all that was asked for is known."""
        solved = self.difficulty is not None and self.difficulty.outcome is Outcome.SOLVED
        return solved and None not in self.efforts.values()


@click.command("rate")
@with_source
@with_techniques
@click.option(
    "--backends",
    default="native,norvig",
    show_default=True,
    metavar="A,B,…",
    help="Whose nodes are counted: any that report them.",
)
@click.option(
    "--isomorphs",
    type=click.IntRange(min=2),
    default=20,
    show_default=True,
    help="Images of the board that are searched, under random symmetries of its layout.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the symmetries.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals around the means.",
)
@click.option("--no-measure", is_flag=True, help="Rate by logic only.")
@with_time_limit
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line for a board.")
def command(
    source: Source,
    techniques: str,
    backends: str,
    isomorphs: int,
    seed: int,
    confidence: float,
    no_measure: bool,
    time_limit: float | None,
    as_json: bool,
) -> int:
    """Rate PUZZLE: the hardest technique it needs, and the nodes that searches take.

    The rating is Sudoku Explainer's, of the hardest step; the score HoDoKu's, of all steps. Nodes
    are geometric means over images of the board, with their confidence intervals: on one image
    they are luck. The exit code is 1 if logic does not solve a board, or a time limit came first.
    """
    rows = chosen(techniques)
    labels = [] if no_measure else split_labels(backends)
    solvers = [configured(label) for label in labels]
    limit = time_limit_of(time_limit)
    found = []
    for puzzle in source.read():
        efforts = {
            solver.label: _measure(
                puzzle.board,
                solver,
                isomorphs=isomorphs,
                seed=seed,
                confidence=confidence,
                time_limit=limit,
            )
            for solver in solvers
        }
        rated = _Rated(puzzle=puzzle, difficulty=_rate(puzzle.board, rows, limit), efforts=efforts)
        found.append(rated)
        if as_json:
            click.echo(json.dumps(_record(rated), ensure_ascii=False))
    if not as_json:
        _print(found, confidence)
    return 0 if all(rated.is_complete for rated in found) else 1


def _rate(board: Board, techniques: Sequence[Technique], limit: float | None) -> Difficulty | None:
    try:
        return rate(board, techniques, time_limit=limit)
    except TimeLimitError:
        return None


def _measure(board: Board, solver: Solver, **options: Any) -> Effort | None:
    try:
        return measure(board, solver, **options)
    except TimeLimitError:
        return None


def _print(found: Sequence[_Rated], confidence: float) -> None:
    labels = list(found[0].efforts) if found else []
    headings = ["board", "hardest technique", "rating", "score", "level"]
    headings += [f"{label} nodes ({100 * confidence:g} %)" for label in labels]
    rows = []
    for number, rated in enumerate(found, start=1):
        name = rated.puzzle.name or str(number)
        efforts = [_effort(effort) for effort in rated.efforts.values()]
        rows.append([name, *_difficulty(rated.difficulty), *efforts])
    print_table(headings, rows)
    if len(found) == 1 and (difficulty := found[0].difficulty) and difficulty.counts:
        click.echo()
        rows = [[name, str(count)] for name, count in difficulty.counts.items()]
        print_table(["technique", "steps"], rows)


def _difficulty(difficulty: Difficulty | None) -> list[str]:
    """Return the columns of a rating by logic."""
    if difficulty is None:
        return [_LATE, "", "", ""]
    hardest = difficulty.hardest or "none"
    match difficulty.outcome:
        case Outcome.SOLVED:
            words = hardest
        case Outcome.STALLED | Outcome.UNFINISHED:
            words = f"not solved by logic; so far {hardest}"
        case Outcome.CONTRADICTION:
            words = f"no solutions; so far {hardest}"
    return [words, f"{difficulty.rating:.1f}", f"{difficulty.score:,}", difficulty.level]


def _effort(effort: Effort | None) -> str:
    if effort is None:
        return _LATE
    low, high = effort.interval
    return f"{effort.mean:,.1f} ({low:,.1f} to {high:,.1f})"


def _record(rated: _Rated) -> dict[str, Any]:
    """Return what is known of a board as JSON has it."""
    board, difficulty = rated.puzzle.board, rated.difficulty
    return {
        "name": rated.puzzle.name,
        "layout": board.layout.name,
        "n": board.layout.n,
        "board": board.text("candidates" if board.has_pencil_marks else "line"),
        "logic": None
        if difficulty is None
        else {
            "outcome": difficulty.outcome.value,
            "hardest": difficulty.hardest or None,
            "rating": difficulty.rating,
            "score": difficulty.score,
            "level": difficulty.level or None,
            "counts": dict(difficulty.counts),
        },
        "nodes": {
            label: None
            if effort is None
            else {
                "mean": effort.mean,
                "interval": [None if math.isinf(end) else end for end in effort.interval],
                "confidence": effort.confidence,
                "images": list(effort.nodes),
            }
            for label, effort in rated.efforts.items()
        },
    }
