"""How programs are asked about boards, and answer: in lines of text, or in lines of JSON.

A line of text has a form, which says which of its words are the count and the grid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import fmean
from typing import Any, TypeAlias

from unidoku.backends.base import Request
from unidoku.backends.programs.session import Greeting
from unidoku.backends.programs.sheet import InputWriter, filled_board, refusal
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import FormatError, InputError, OptionError
from unidoku.support.schema import (
    FINITE,
    PLAIN,
    TEXT,
    YES_NO,
    Kind,
    listed_of,
    misfit,
    shown,
    whole,
)

NONE = "-"
"""The line that means: there is no solution."""

_FIELDS = {"count": r"\s*(?P<count>\d{1,18})\s*", "grid": r"(?P<grid>.*)", "skip": r".*?"}
"""The words of a form, and what each stands for in a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAnswer:
    """What a program says of a board.

    Args:
        count: number of solutions that it claims to have found.
        grids: some of them, or all.
        decided: whether it ended its search, not at its time limit.
        statistics: figures of the search.
    """

    count: int
    grids: tuple[Grid, ...] = ()
    decided: bool = True
    statistics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """A form such as ``grid``, ``count``, or ``skip:count:grid``.

    Args:
        text: the words ``grid``, ``count`` and ``skip`` (anything), with any other characters
            between them, which must be in the line too.
    """

    text: str = "grid"

    def __post_init__(self) -> None:
        words = [word for word in re.findall(r"\w+", self.text) if word != "skip"]
        if sorted(words) not in (["count"], ["grid"], ["count", "grid"]):
            raise OptionError(
                "answers: expected 'grid', 'count', or both with what stands between them, such as "
                f"'skip:count:grid', where skip is anything, got {self.text!r}"
            )

    @property
    def has_count(self) -> bool:
        """Whether the program counts solutions."""
        return "count" in self.text

    @property
    def expected(self) -> str:
        """What a line must be, in words."""
        words = {
            "grid": "a line with a grid",
            "count": "a line with the number of solutions",
        }
        return f"{words.get(self.text, f'a line of the form {self.text!r}')}, or {NONE}"

    def read(self, line: str, layout: Layout) -> LineAnswer:
        """Return the answer in a line.

        Raises:
            FormatError: it is not of this form.
        """
        if line == NONE:
            return LineAnswer(count=0)
        match = _pattern(self.text).fullmatch(line)
        if match is None:
            raise FormatError(f"expected {self.expected}, got {shown(line)}")
        groups = match.groupdict()
        count = int(groups["count"]) if "count" in groups else 1
        text = (groups.get("grid") or "").strip()
        if not count or (not text and self.has_count):
            return LineAnswer(count=count)
        try:
            return LineAnswer(count=count, grids=(grid_of(text, layout),))
        except InputError as error:
            raise FormatError(f"expected {self.expected}, got {shown(line)}: {error}") from error


@lru_cache(maxsize=64)
def _pattern(form: str) -> re.Pattern[str]:
    """Return the regular expression of a form."""
    parts = re.findall(r"\w+|\W+", form)
    return re.compile("".join(_FIELDS.get(part) or re.escape(part) for part in parts))


def grid_of(text: str, layout: Layout) -> Grid:
    """Return the grid in a text.

    Raises:
        FormatError: it is not a board of the layout, or has an empty cell.
    """
    board = Board.parse(text, layout)
    if 0 in board.givens:
        cell = layout.names[board.givens.index(0)]
        raise FormatError(f"no value in {cell}")
    return board.givens


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLines:
    """A board is a line of text, and so is an answer.

    Args:
        boards: writes the boards.
        form: the form of the answers.
        greeted: whether a program gets a full board first.
    """

    boards: InputWriter
    form: AnswerForm
    greeted: bool = True

    def question(self, board: Board, request: Request, seconds: float | None) -> str:
        """Return the line of a board, or its lines if the format has several.

        Raises:
            UnsupportedError: the program cannot be asked about it; also of `JsonLines`.
        """
        return self.boards.write(board)

    def answer(self, line: str, layout: Layout) -> LineAnswer:
        """Return the answer in a line, which may be a number, a grid, both, or `NONE`.

        Raises:
            FormatError: it is not an answer; also of `JsonLines`.
        """
        return self.form.read(line, layout)

    def greeting(self, layout: Layout) -> Greeting:
        """Return a board without an empty cell, which any program answers at once.

        Layouts with rules and some others have none; then nothing is written before the first
        board.
        """
        board = filled_board(layout) if self.greeted and not layout.rules else None
        if board is None:
            return Greeting()

        def is_answer(line: str) -> bool:
            try:
                return line == NONE or self.form.read(line, layout).count > 0
            except InputError:
                return False

        line = self.question(board, Request(), None)
        return Greeting(line, is_answer, f"{self.form.expected} for a board without an empty cell")


_ANSWER: Mapping[str, Kind] = {
    "count": whole(0),
    "decided": YES_NO,
    "grids": listed_of(PLAIN),
    "build": listed_of(FINITE),
    "search": listed_of(FINITE),
    "nodes": whole(0),
    "refused": TEXT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLines:
    """A question is an object in a line of JSON, and so is an answer: see docs/languages.md.

    Args:
        boards: writes the boards.
    """

    boards: InputWriter

    def question(self, board: Board, request: Request, seconds: float | None) -> str:
        """Return the question, with the board as an object if its format is JSON."""
        text = self.boards.write(board)
        is_json = self.boards.format in ("json", "scl", "ipuz")
        puzzle = json.loads(text, parse_int=_exact) if is_json else text
        message = {
            "puzzle": puzzle,
            "solutions": request.solutions,
            "seconds": seconds,
            "repeats": 1,
        }
        return json.dumps(message)

    def answer(self, line: str, layout: Layout) -> LineAnswer:
        """Return the answer in an object; raise UnsupportedError if it is a refusal."""
        message = read_message(line)
        needed = () if "refused" in message else ("count", "decided")
        if wrong := misfit(message, _ANSWER, needed):
            raise FormatError(f"expected an answer: {wrong}")
        if "refused" in message:
            raise refusal(f"refuses the board: {message['refused']}")
        return LineAnswer(
            count=message["count"],
            grids=tuple(_grid(grid, layout) for grid in message.get("grids", ())),
            decided=message["decided"],
            statistics=dict(_figures(message)),
        )

    def greeting(self, layout: Layout) -> Greeting:
        """Return the greeting: the program prints an object with the key ``ready`` first."""

        def is_answer(line: str) -> bool:
            try:
                return "ready" in read_message(line)
            except FormatError:
                return False

        return Greeting("", is_answer, 'a line such as {"ready": "Solver 1.0"}')


LineProtocol: TypeAlias = TextLines | JsonLines
"""Questions and answers of a program; each of both is a line."""

_LARGEST = (1 << 53) - 1
"""The largest whole number that all readers of JSON keep exactly (RFC 8259, section 6)."""


def _exact(digits: str) -> int:
    """Return a number of a question; refuse one that a program may read as another."""
    number = int(digits)
    if abs(number) > _LARGEST:
        raise refusal(
            f"reads JSON, where numbers of up to {_LARGEST:,} are exact, the puzzle has {number:,}"
        )
    return number


def read_message(line: str) -> dict[str, Any]:
    """Return the object in a line of JSON.

    Raises:
        FormatError: the line has no object.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise FormatError(f"expected an object in a line of JSON, got {shown(line)}")
    return message


def _grid(answer: object, layout: Layout) -> Grid:
    """Return a grid that is a text, or a list of the values that the board shows."""
    if isinstance(answer, str):
        return grid_of(answer, layout)
    if isinstance(answer, list) and all(type(value) is int for value in answer):
        return tuple(value + 1 - layout.first_value for value in answer)
    raise FormatError(f"expected a grid as a text or a list of whole numbers, got {shown(answer)}")


def _figures(message: Mapping[str, Any]) -> dict[str, float]:
    """Return the statistics of an answer: means of its times, and its nodes."""
    names = {"build": "init_time", "search": "solve_time"}
    figures = {name: fmean(message[key]) for key, name in names.items() if message.get(key)}
    return figures | ({"nodes": message["nodes"]} if "nodes" in message else {})
