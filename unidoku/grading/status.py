"""What an answer of a student is: correct, wrong, late and so on."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """What an answer to a board is."""

    CORRECT = "correct"
    WRONG = "wrong"
    LATE = "late"
    CRASHED = "crashed"
    NO_ANSWER = "no answer"
    NOT_IMPORTABLE = "not importable"

    @property
    def sign(self) -> str:
        """A character that stands for it."""
        return _SIGNS[self]


_SIGNS = {
    Status.CORRECT: "✓",
    Status.WRONG: "✗",
    Status.LATE: "◷",
    Status.CRASHED: "!",
    Status.NO_ANSWER: "–",
    Status.NOT_IMPORTABLE: "∅",
}
