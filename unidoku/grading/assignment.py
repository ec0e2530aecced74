"""Assignments: the boards, the limits, and the rule that turns answers into points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from unidoku.backends.base import Stop
from unidoku.backends.solving.solver import load
from unidoku.comparison.cases import Case, PuzzleSource, read_cases
from unidoku.core.board import Board
from unidoku.core.variants import Variant
from unidoku.errors import InputError, SettingsError
from unidoku.files.source import is_puzzle_file
from unidoku.formats import read_puzzles
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS
from unidoku.support.schema import FINITE, TABLE, TEXT, above, least, listed_of, whole
from unidoku.support.toml import check_table, read_toml

_DECIDES = 60.0
"""Seconds in which a reference solver must count the solutions of a board."""


class Status(StrEnum):
    """How an answer to a board is judged."""

    CORRECT = "correct"
    WRONG = "wrong"
    LATE = "late"
    CRASHED = "crashed"
    NO_ANSWER = "no answer"
    NOT_IMPORTABLE = "not importable"

    @property
    def sign(self) -> str:
        """The character for it in tables."""
        return _SIGNS[self]


_SIGNS = {
    Status.CORRECT: "✓",
    Status.WRONG: "✗",
    Status.LATE: "◷",
    Status.CRASHED: "!",
    Status.NO_ANSWER: "–",
    Status.NOT_IMPORTABLE: "∅",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRule:
    """The points of an answer, times the points of its board, and of a whole assignment.

    Args:
        correct: for a correct answer.
        wrong: for a wrong one.
        late: for none within the time limit.
        crashed: for an exception, or the end of the process.
        no_answer: where the board is refused.
        all_correct: in addition, if all answers are correct.
        least: the fewest points of a student.
    """

    correct: float = 1.0
    wrong: float = 0.0
    late: float = 0.0
    crashed: float = 0.0
    no_answer: float = 0.0
    all_correct: float = 0.0
    least: float = 0.0

    def of(self, status: Status) -> float:
        """Return the points of an answer to a board of one point."""
        points: float = getattr(self, status.name.lower(), 0.0)
        return points


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedBoard:
    """A board of an assignment.

    Args:
        case: the board, with its name.
        points: factor of its points.
        expected: number of solutions that a right answer has.
    """

    case: Case
    points: float
    expected: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """An assignment.

    Args:
        title: its title.
        boards: the boards, in order.
        time_limit: seconds for each board.
        memory_limit: mebibytes for each board; 0 for no limit.
        solutions: number of solutions that are asked for.
        function: name of the function or class in a student's module.
        variant: variant of the boards, and of functions that get a text or rows.
        points: the rule of points.
    """

    title: str
    boards: tuple[GradedBoard, ...]
    time_limit: float = 10.0
    memory_limit: int = 1024 if KEEPS_MEMORY_LIMITS else 0
    solutions: int = 1
    function: str = "solve"
    variant: str = "classic"
    points: PointsRule = PointsRule()

    @property
    def most(self) -> float:
        """The points of a student whose answers are all correct."""
        rule = self.points
        return rule.correct * sum(board.points for board in self.boards) + rule.all_correct


def expected_count(board: Board, solutions: int) -> int:
    """Return how many solutions a right answer to a question for up to ``solutions`` has.

    Raises:
        InputError: the reference solver did not decide it within its time.
    """
    result = load("auto").solve(board, solutions=solutions, keep=0, time_limit=_DECIDES)
    if result.count < solutions and result.stop is not Stop.EXHAUSTED:
        raise InputError(
            f"expected boards whose solutions are counted within {_DECIDES:g} s, got "
            f"{board.text('line')}; leave it out, or ask for fewer solutions"
        )
    return result.count


_KINDS = {
    "title": TEXT,
    "boards": listed_of(TEXT),
    "board": listed_of(TABLE),
    "time_limit": above(0, 1e6),
    "memory_limit": whole(0, bits=31),
    "solutions": whole(1, bits=31),
    "function": TEXT,
    "variant": TEXT,
    "points": TABLE,
}

_BOARD_KINDS = {"boards": TEXT, "points": least(0, 1e9)}

_POINTS = dict.fromkeys(PointsRule.__slots__, FINITE)


def read_assignment(path: Path) -> Assignment:
    """Read an assignment: a TOML file, or a puzzle file with one point a board.

    Raises:
        SettingsError: a key is unknown or missing, or a value is of the wrong type.
        InputError, FormatError: the boards cannot be read, or their solutions not be counted.
    """
    if path.suffix != ".toml" or is_puzzle_file(path):
        table: dict[str, Any] = {"boards": [path.name]}
    else:
        table = check_table(read_toml(path), _KINDS, str(path))
    where, settings = str(path), dict(table)
    variant, solutions = settings.get("variant", "classic"), settings.get("solutions", 1)
    Variant.parse(variant)  # refuses an unknown one
    parts: list[Mapping[str, Any]] = [{"boards": text} for text in settings.pop("boards", ())]
    for part in settings.pop("board", ()):
        parts.append(check_table(part, _BOARD_KINDS, f"{where}: board"))
        if "boards" not in part:
            raise SettingsError(f"{where}: board: expected the key 'boards', got {[*part]}")
    if not parts:
        raise SettingsError(f"{where}: boards: expected files or texts of boards, got none")
    points = check_table(settings.pop("points", {}), _POINTS, f"{where}: points")
    title = settings.pop("title", path.stem)
    boards: dict[str, GradedBoard] = {}
    for part in parts:
        for case in _cases(part["boards"], variant, path.parent, len(boards)):
            boards[case.id] = GradedBoard(
                case=case,
                points=part.get("points", 1.0),
                expected=expected_count(case.board, solutions),
            )
    return Assignment(
        title=title, boards=tuple(boards.values()), points=PointsRule(**points), **settings
    )


def _cases(text: str, variant: str, folder: Path, before: int) -> Iterator[Case]:
    """Yield the boards of a file, with an ending, or of a pattern of files, or of a text."""
    if re.search(r"\.[a-z]+$|[*?/]", text) and "\n" not in text:
        yield from read_cases([PuzzleSource(files=(text,), variant=variant)], folder)
        return
    boards = tuple(
        puzzle if puzzle.name else replace(puzzle, name=f"board {number}")
        for number, puzzle in enumerate(read_puzzles(text, variant), start=before + 1)
    )
    yield from read_cases([PuzzleSource(boards=boards)], folder)
