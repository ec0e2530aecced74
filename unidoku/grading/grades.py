"""Grades: what each student's answers were, and their points."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from unidoku.core.board import Board
from unidoku.grading.assignment import Assignment, GradedBoard, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A student's answer to a board.

    Args:
        board: the board.
        status: what it is.
        points: its points.
        seconds: how long it took, or until it was ended.
        reason: why it is not correct, in words; empty for a correct one.
    """

    board: GradedBoard
    status: Status
    points: float
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refutation:
    """The smallest board found to which a student's answer is wrong.

    Args:
        board: the board; it has as many solutions as the board of the assignment, as far as
            properness goes: none, one, or several.
        reason: what is wrong.
    """

    board: Board
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The grade of a student.

    Args:
        student: name of the student: that of the file or folder.
        source: the file that was run.
        answers: the answers, in the order of the boards.
        points: the points of all answers, by the rule of the assignment.
        refutation: the smallest board with a wrong answer, if there is one.
    """

    student: str
    source: str
    answers: tuple[Answer, ...]
    points: float
    refutation: Refutation | None = None

    @property
    def counts(self) -> Counter[Status]:
        """Number of answers of each status."""
        return Counter(answer.status for answer in self.answers)

    @property
    def words(self) -> str:
        """What is wrong first, in a line; empty if all answers are correct."""
        return next((answer.reason for answer in self.answers if answer.reason), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grades:
    """The grades of a class.

    Args:
        assignment: the assignment.
        grades: the grades, by name of the student.
        missing: students that were not graded, because Ctrl-C came first.
    """

    assignment: Assignment
    grades: tuple[Grade, ...]
    missing: tuple[str, ...] = ()
