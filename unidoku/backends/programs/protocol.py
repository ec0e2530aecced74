"""How programs are asked about boards: in lines of text, or in lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol

from unidoku.backends.base import Request
from unidoku.backends.programs.form import NONE, AnswerForm, LineAnswer, grid_of
from unidoku.backends.programs.session import Greeting
from unidoku.backends.programs.sheet import InputWriter, filled_board, refusal
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import FormatError, InputError
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


class LineProtocol(Protocol):
    """Questions and answers of a program; each of both is a line."""

    def question(self, board: Board, request: Request, seconds: float | None) -> str:
        """Return the question about a board.

        Raises:
            UnsupportedError: the program cannot be asked about it.
        """

    def answer(self, line: str, layout: Layout) -> LineAnswer:
        """Return the answer in a line.

        Raises:
            FormatError: it is not an answer.
            UnsupportedError: the program refuses the board.
        """

    def greeting(self, layout: Layout) -> Greeting:
        """Return how a program begins; ``layout`` is that of its first board."""


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
        """Return the line of a board, or its lines if the format has several."""
        return self.boards.write(board)

    def answer(self, line: str, layout: Layout) -> LineAnswer:
        """Return the answer in a line, which may be a number, a grid, both, or `NONE`."""
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
        """Return the answer in an object."""
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
