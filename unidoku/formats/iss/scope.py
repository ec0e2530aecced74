"""The information that readers of constraints of Interactive Sudoku Solver use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from unidoku.core.constraints.primitives import Pair
from unidoku.errors import FormatError
from unidoku.formats.draft import Draft, one_line, whole_number
from unidoku.formats.meanings import Meaning
from unidoku.support.schema import shown

Args: TypeAlias = Sequence[str]


@dataclass(slots=True)
class Scope:
    """The information on which the meaning of a constraint may depend.

    Args:
        draft: the draft of the puzzle.
        cells: returns the numbers of cells.
        neighbours: returns the cells beside a cell.
        size: number of cells in a region.
        ties: how equal lines are ranked.
        group: returns the cells of a group, of the grid for the empty name, and how many of them
            are in a row.
        is_branch: whether the constraint is one of several alternatives.
        marked: the pairs of cells with a dot, and those with a letter.
        strict: the constraints about all other pairs.
    """

    draft: Draft
    cells: Callable[[Args], tuple[int, ...]]
    neighbours: Callable[[int], list[int]]
    size: int
    ties: str
    group: Callable[[str], tuple[tuple[int, ...], int]]
    is_branch: bool = False
    marked: dict[str, list[Pair]] = field(default_factory=lambda: {"dot": [], "letter": []})
    strict: list[str] = field(default_factory=list)

    def line(self, name: str, end: int) -> tuple[int, ...]:
        """Return the cells of a row or a column, ``R1`` or ``C1``, from its first or last cell."""
        kind, number = name[:1], whole_number(name[1:])
        draft = self.draft
        count = draft.rows if kind == "R" else draft.columns
        if kind not in ("R", "C") or number is None or not 1 <= number <= count:
            raise FormatError(f"expected a row or a column such as R1, got {shown(name)}")
        return draft.lines()[number - 1 + draft.rows * (kind == "C")][::end]

    def adjacent(self, cells: Sequence[int]) -> Iterator[Pair]:
        """Yield the adjacent pairs in a list of cells, the earlier cell first."""
        found = False
        for at, a in enumerate(cells):
            for b in cells[at + 1 :]:
                if b in self.neighbours(a):
                    found = True
                    yield a, b
        if not found:
            raise FormatError("expected cells side by side")


Read: TypeAlias = Callable[[Scope, Args], Iterable[Meaning]]


def number(text: str) -> int:
    """Return the number in a text."""
    number = whole_number(text)
    if number is None:
        raise FormatError(f"expected a whole number, got {shown(one_line(text))}")
    return number
