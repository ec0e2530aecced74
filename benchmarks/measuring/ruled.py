"""How fast puzzles with rules are made, whether they are what they are said to be, how hard."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import mean

from measuring.machine import say
from unidoku import Board, load
from unidoku.core.layout import Unit
from unidoku.core.propagation.contradiction import assembled, parts_of
from unidoku.core.rules import Rule
from unidoku.errors import TimeLimitError
from unidoku.formats import Puzzle
from unidoku.generation import PuzzleRequest, RuledGeneration
from unidoku.generation.ruled import FAMILIES
from unidoku.logic import Ending, explain

EXAMINERS = ("sat", "clingo")

RULES = ("thermo,kropki", "arrow", "whisper,renban", "sandwich", "xv,little-killer")
"""Rules on classic 9x9 boards that are measured beside the families."""

HEADINGS = (
    "kind",
    "puzzles",
    "time",
    "a second",
    "refused",
    "givens, mean",
    "rules, mean",
    "solved by logic",
    "hardest technique, most often",
    "faults",
)

_SECONDS_OF_LOGIC = 5.0

_RATED = 20
"""Puzzles of a kind that are solved by logic, at most."""


def ruled_rows(puzzles: int, seed: int, kinds: Sequence[str]) -> Iterator[tuple[list[str], int]]:
    """Yield a row of figures for each kind, plain and minimal, and how much is wrong in it."""
    for kind in kinds:
        for minimal in (False, True):
            yield _row(kind, minimal, puzzles, seed)


def _row(kind: str, minimal: bool, puzzles: int, seed: int) -> tuple[list[str], int]:
    say(f"{kind}{', minimal' * minimal} …")
    asked = {"family": kind} if kind in FAMILIES else {"rules": tuple(kind.split(","))}
    run = RuledGeneration(
        **asked,
        request=PuzzleRequest(minimal=minimal),
        count=puzzles,
        seed=seed,
    )
    began = time.process_time()
    made = list(run)
    seconds = time.process_time() - began
    wrong = [fault for puzzle in made for fault in _examined(puzzle, minimal)]
    rated = made[:_RATED]
    hardest = Counter(map(_hardest, rated))
    hardest.pop("", None)
    solved = sum(count for name, count in hardest.items() if "forcing" not in name)
    figures = [
        kind + ", minimal" * minimal,
        f"{len(made):,}",
        f"{seconds:.1f} s",
        f"{len(made) / seconds:,.1f}",
        f"{sum(run.progress.refused.values()):,}",
        f"{mean(sum(map(bool, puzzle.board.givens)) for puzzle in made):.1f}",
        f"{mean(len(puzzle.board.layout.rules) for puzzle in made):.1f}",
        f"{solved} of {len(rated)}",
        ", ".join(f"{name} {count}" for name, count in hardest.most_common(2)),
        "; ".join(wrong) or "none",
    ]
    return figures, len(wrong)


def _examined(puzzle: Puzzle, minimal: bool) -> Iterator[str]:
    """Yield what is wrong with a puzzle."""
    for label in EXAMINERS:
        result = load(label).solve(puzzle.board, solutions=2)
        if not result.unique or result.solutions != (puzzle.solution,):
            yield f"{label}: {puzzle.name}: {result}"
    if minimal:
        for lesser in _lesser(puzzle.board):
            if load(EXAMINERS[0]).solve(lesser, solutions=2).count != 2:
                yield f"{puzzle.name}: something is superfluous"
                return


def _lesser(board: Board) -> Iterator[Board]:
    """Yield the board without each given and each rule that was laid; what families say stays."""
    fixed = _fixed(board)
    units = [part for part in parts_of(board) if isinstance(part, Unit)]
    rest = [part for part in parts_of(board) if not isinstance(part, Unit)]
    for at, part in enumerate(rest):
        if part not in fixed:
            yield assembled(board.layout, [*units, *rest[:at], *rest[at + 1 :]])


def _fixed(board: Board) -> list[object]:
    """Return what a family says of each line, whatever is laid: those of zeros and ones do."""
    if board.layout.first_value:
        return []
    areas = set(board.layout.areas)

    def is_laid(rule: Rule) -> bool:
        return rule.kind == "nonogram" or (rule.kind == "contains" and rule.cells in areas)

    return [part for part in parts_of(board) if isinstance(part, Rule) and not is_laid(part)]


def _hardest(puzzle: Puzzle) -> str:
    """Return the hardest technique of a path; empty if it does not get to the end in time."""
    try:
        path = explain(puzzle.board, time_limit=_SECONDS_OF_LOGIC).finished()
    except TimeLimitError:
        return ""
    if path.outcome is not Ending.SOLVED:
        return ""
    return path.hardest.technique if path.hardest else "none"
