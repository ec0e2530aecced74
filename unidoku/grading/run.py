"""Grades what is in a folder, student by student, in workers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from unidoku.backends.base import Request, Stop
from unidoku.comparison.cases import Case
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run.chunks import PoolSettings
from unidoku.comparison.run.measure import MeasurementSettings
from unidoku.comparison.run.pool import Pool
from unidoku.core.board import Board
from unidoku.errors import InputError
from unidoku.fuzzing.reduce import Boards, measure
from unidoku.fuzzing.shrink import shrink
from unidoku.grading.assignment import Assignment, GradedBoard, Status, expected_count
from unidoku.grading.grades import Answer, Grade, Grades, Refutation
from unidoku.grading.student import NOT_IMPORTABLE, Submission, submissions_in
from unidoku.support.deadline import Deadline
from unidoku.support.text import plural, printable

SHRINKING = 20.0
"""Seconds in which a board that refutes a student is made smaller."""

_STATUS = {
    Outcome.LATE: Status.LATE,
    Outcome.TIMEOUT: Status.LATE,
    Outcome.MEMORY: Status.CRASHED,
    Outcome.CRASHED: Status.CRASHED,
    Outcome.FAILED: Status.CRASHED,
    Outcome.WRONG: Status.WRONG,
    Outcome.UNSUPPORTED: Status.NO_ANSWER,
}
"""What a run that did not end with an answer means; answers are judged by `_judged`."""


def grade(
    folder: Path,
    assignment: Assignment,
    *,
    watch: Callable[[Grade], object] = lambda _: None,
    shrinking: float = SHRINKING,
) -> Grades:
    """Grade all that is in a folder.

    Each board is searched in a worker, which is ended with all that it started, at its limits and
    after the last board of a student.

    Args:
        folder: the folder, with a module, a program or a folder for each student.
        assignment: the assignment.
        watch: called with each grade.
        shrinking: seconds for the smallest board that refutes a student; 0 for the first such
            board.

    Returns:
        The grades; those so far if Ctrl-C ended the work, with the names of the others.

    Raises:
        InputError: the folder has nothing to grade, or two submissions of one name.
        BackendError: no worker can be started.
    """
    submissions = list(submissions_in(folder, assignment.function))
    names = [submission.student for submission in submissions]
    if not names:
        raise InputError(
            f"expected a module (.py) or a program for each student in {str(folder)!r}, got none"
        )
    if twice := {name for name in names if names.count(name) > 1}:
        raise InputError(f"expected one file a student, got several of {min(twice)!r}")
    measuring = MeasurementSettings(
        request=Request(solutions=assignment.solutions, time_limit=assignment.time_limit),
        memory_limit=assignment.memory_limit << 20 or None,
        relabel=False,
        untimed=True,
    )
    configurations = {
        submission.student: submission.configuration(assignment.function, assignment.variant)
        for submission in submissions
    }
    grades: list[Grade] = []
    with (
        contextlib.suppress(KeyboardInterrupt),
        Pool(configurations, measuring, PoolSettings(pin=False)) as pool,
    ):
        for submission in submissions:
            grade = _Grader(submission, assignment, pool).grade(shrinking)
            grades.append(grade)
            watch(grade)
            pool.refresh()
    return Grades(assignment=assignment, grades=tuple(grades), missing=tuple(names[len(grades) :]))


class _Grader:
    """Grades a student."""

    def __init__(self, submission: Submission, assignment: Assignment, pool: Pool) -> None:
        self._submission = submission
        self._assignment = assignment
        self._pool = pool
        self._has_answered = False

    def grade(self, shrinking: float) -> Grade:
        """Search all boards, and return the grade."""
        answers = tuple(self._answers())
        rule = self._assignment.points
        points = sum(answer.points for answer in answers)
        if all(answer.status is Status.CORRECT for answer in answers):
            points += rule.all_correct
        return Grade(
            student=self._submission.student,
            source=self._submission.path.name,
            answers=answers,
            points=max(points, rule.least),
            refutation=self._refutation(answers, shrinking),
        )

    def _answers(self) -> Iterator[Answer]:
        problem = ""
        for board in self._assignment.boards:
            if problem:
                yield self._answer(board, Status.NOT_IMPORTABLE, 0.0, problem)
                continue
            record = self._record(board.case)
            status, reason = self._judged(record, board.expected)
            if status is Status.NOT_IMPORTABLE:
                problem = reason
            yield self._answer(board, status, record.timing.wall_ns / 1e9, reason)

    def _answer(self, board: GradedBoard, status: Status, seconds: float, reason: str) -> Answer:
        points = board.points * self._assignment.points.of(status)
        return Answer(board=board, status=status, points=points, seconds=seconds, reason=reason)

    def _record(self, case: Case) -> Record:
        (record,) = self._pool.run([Run(case, self._submission.student, 1)])
        self._has_answered |= record.outcome in (Outcome.SOLVED, Outcome.WRONG)
        return record

    def _refutation(self, answers: tuple[Answer, ...], shrinking: float) -> Refutation | None:
        """Return the smallest board found to which the answer is wrong: it has fewer givens.

        It has the layout of a board of the assignment, and is as proper as that.
        """
        wrong = [answer for answer in answers if answer.status is Status.WRONG]
        if not wrong:
            return None
        first = min(wrong, key=lambda answer: measure((answer.board.case.board,)))
        start, reason = first.board.case.board, first.reason
        reasons = {start.digest: reason}
        shows = partial(self._refutes, start=start, several=expected_count(start, 2), to=reasons)
        deadline = Deadline(max(shrinking, 1e-9))
        (board,) = shrink((start,), shows, deadline, small=False)
        return Refutation(board=board, reason=reasons[board.digest])

    def _refutes(self, boards: Boards, *, start: Board, several: int, to: dict[str, str]) -> bool:
        """Return whether the answer to a board is wrong, and add the reason."""
        (board,) = boards
        if board.layout != start.layout or expected_count(board, 2) != several:
            return False
        case = Case(board=board, name="", source="")
        expected = expected_count(board, self._assignment.solutions)
        status, reason = self._judged(self._record(case), expected)
        if status is not Status.WRONG:
            return False
        to[board.digest] = reason
        return True

    def _judged(self, record: Record, expected: int) -> tuple[Status, str]:
        """Return how the answer of a run is judged, and what is wrong with it."""
        evidence = self._words("; ".join(record.evidence))
        problem = evidence.removeprefix(NOT_IMPORTABLE)
        if record.outcome is Outcome.FAILED and problem != evidence:
            return Status.NOT_IMPORTABLE, problem
        if record.outcome is Outcome.TIMEOUT and evidence.startswith("could not be loaded"):
            return Status.NOT_IMPORTABLE, f"the import {evidence}"
        if record.outcome is Outcome.UNKNOWN:
            return self._undecided(record)
        if record.outcome is not Outcome.SOLVED:
            return _STATUS[record.outcome], evidence or f"{record.outcome}: no answer"
        if record.count != expected:
            counted = plural(record.count, "solution") if record.count else "no solution"
            right = plural(expected, "solution") if expected else "none"
            return Status.WRONG, f"found {counted}, there {'is' if expected < 2 else 'are'} {right}"
        return Status.CORRECT, ""

    def _undecided(self, record: Record) -> tuple[Status, str]:
        """Return whether a run without an answer used its time or gave up before."""
        limit = self._assignment.time_limit
        if record.stop is Stop.TIME and record.timing.wall_ns > 1e9 * limit / 2:
            starts = not self._has_answered and self._submission.path.suffix != ".py"
            return Status.LATE, f"no answer within {limit:g} s{', its start included' * starts}"
        return Status.NO_ANSWER, "it gave up"

    def _words(self, evidence: str) -> str:
        """Return evidence as students read it: files by name, and a grid as they are handed in.

        Nothing in it steers the terminal of a teacher who prints a file.
        """
        path = self._submission.path
        text = _GRID.sub(lambda match: f", in {match[1].replace(', ', '')}", evidence)
        text = text.removeprefix("BackendError: ").removeprefix(f"{self._submission.student}: ")
        return printable(text.replace(str(path), path.name), allowed="\n")


_GRID = re.compile(r", in the grid \(((?:\d, )+\d)\)")
