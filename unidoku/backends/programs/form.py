"""The form of a line in which a program answers: which words are the count and the grid."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.errors import FormatError, InputError, OptionError
from unidoku.support.schema import shown

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
