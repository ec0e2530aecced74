"""Compared sums: sums inside others, or sums that cover others, restrict the remaining cells.

Two rows with one star each hold two stars. If all open cells of two areas with one star each lie in
these rows, no other cell of the rows has a star; if two areas contain all open cells of the rows,
the areas have no star elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unidoku.core.bits import bits_of, set_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints.primitives import Automaton, Constraint, Sum
from unidoku.core.layout import Layout
from unidoku.logic.geometry import cells_of, union
from unidoku.logic.ruled.eliminations import Reason, count_open, elimination_steps
from unidoku.logic.ruled.local_problem import LocalProblem, Remaining
from unidoku.logic.ruled.statement import Statement, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Step

_MOST = 4
"""The largest number of sums of one kind that a person considers together."""

_BASE, _EACH = 3.7, 0.2
"""The rating of one sum and others, and the addition for each further sum."""


def compared_sums(state: State) -> Iterator[Step]:
    """Find sums inside others, or covering others, on boards of two values.

    With more values, such sums exclude little.
    """
    kinds = kinds_of_sums(state.layout) if state.layout.n == 2 else ()
    for size in range(1, _MOST + 1):
        for kind in kinds:
            for start in range(len(kind) - size + 1):
                chosen = kind[start : start + size]
                state.tick()
                for other in kinds:
                    if other is not kind:
                        yield from _steps(state, chosen, other)


def _steps(state: State, chosen: Sequence[KnownSum], other: Sequence[KnownSum]) -> Iterator[Step]:
    inside = union(known_sum.cells for known_sum in chosen) & state.empty
    touching = [known_sum for known_sum in other if known_sum.cells & inside]
    within = [known_sum for known_sum in touching if not known_sum.cells & state.empty & ~inside]
    covering = touching if not inside & ~union(known_sum.cells for known_sum in touching) else []
    for others in (within, covering):
        if not others:
            continue
        terms = [(cell, 1) for known_sum in chosen for cell in known_sum.statement.cells]
        terms += [(cell, -1) for known_sum in others for cell in known_sum.statement.cells]
        total = sum(known_sum.total for known_sum in chosen) - sum(
            known_sum.total for known_sum in others
        )
        constraint = Sum.of(terms, total, total)
        if not constraint.cells:
            continue
        problem = LocalProblem(state.layout, constraint.cells, [constraint])
        if count_open(state, problem):
            rating = round(_BASE + _EACH * (len(chosen) - 1), 1)
            reason = Reason(
                [known_sum.statement for known_sum in (*chosen, *others)], rating=rating
            )
            remaining = problem.pruned(problem.candidates_of(state.candidates))
            yield from elimination_steps(state, problem.cells, remaining, reason)


@dataclass(frozen=True, slots=True, eq=False)
class KnownSum:
    """A statement that cells, each once, sum to a total, with the cells as a set."""

    statement: Statement
    cells: int
    total: int

    @property
    def count(self) -> int:
        """The number of cells that hold the larger of two values."""
        return self.total - self.cells.bit_count()


@by_layout()
def kinds_of_sums(layout: Layout) -> tuple[tuple[KnownSum, ...], ...]:
    """Return the known sums of a layout in groups that share no cell: rows, columns, areas."""
    kinds: list[list[KnownSum]] = []
    for statement in statements_of(layout):
        if (total := _total(statement.constraint)) is None:
            continue
        known_sum = KnownSum(statement, statement.mask, total)
        for kind in kinds:
            if not any(known_sum.cells & other.cells for other in kind):
                kind.append(known_sum)
                break
        else:
            kinds.append([known_sum])
    return tuple(map(tuple, kinds))


def _total(constraint: Constraint) -> int | None:
    """Return the sum of cells, each once, that a constraint fixes; None if it fixes none."""
    match constraint:
        case Sum(_, weights, low, high) if low == high and set(weights) == {1}:
            return low
        case Automaton(cells, machine) if len(set(cells)) == len(cells):
            reached = {(state, 0) for state in bits_of(machine.starts)}
            for _ in cells:
                reached = {
                    (target, total + value)
                    for state, total in reached
                    for value, targets in enumerate(machine.steps[state], start=1)
                    for target in bits_of(targets)
                }
            totals = {total for state, total in reached if machine.accepting >> state & 1}
            return totals.pop() if len(totals) == 1 else None
        case _:
            return None


_MOST_LINES = 4
"""The largest number of lines of a group."""


class Group(LocalProblem):
    """Lines side by side on a board of two values, and the areas of one kind that cross them.

    Two rows with two stars each hold four. From each area come at least as many as it has no room
    for elsewhere, and at most as many as the rows have room for. If these numbers sum to four, each
    of them is met, which settles cells in the rows and outside them. Which areas lie in the rows,
    or cover them, need not be known beforehand, so one group serves every state.

    Args:
        layout: the layout.
        lines: the lines, each with its number of cells that hold the larger value.
        areas: the areas, which share no cell.
    """

    def __init__(
        self, layout: Layout, lines: Sequence[KnownSum], areas: Sequence[KnownSum]
    ) -> None:
        """Prepare the cells of both."""
        self.lines, self.areas = tuple(lines), tuple(areas)
        self.inside = union(line.cells for line in lines)
        covered = union(area.cells for area in areas)
        super().__init__(layout, cells_of(self.inside | covered), ())
        self._count = sum(line.count for line in lines)
        self._alone = self.inside & ~covered

    def _prune(self, candidates: Sequence[int], *, by_units: bool = False) -> Remaining:
        """Return the candidates that counting leaves; None if the numbers contradict."""
        cells = [*zip(self.cells, candidates, strict=True)]
        places = set_of(cell for cell, mask in cells if mask & 2)
        stars = set_of(cell for cell, mask in cells if mask == 2)
        least, most = (stars & self._alone).bit_count(), (places & self._alone).bit_count()
        shares = []
        for area in self.areas:
            inside, outside = area.cells & self.inside, area.cells & ~self.inside
            low = max(area.count - (places & outside).bit_count(), (stars & inside).bit_count())
            high = min(area.count - (stars & outside).bit_count(), (places & inside).bit_count())
            if low > high:
                return None
            least, most = least + low, most + high
            shares.append((inside, outside, area.count, low, high))
        if not least <= self._count <= most:
            return None
        if least < self._count < most:
            return tuple(candidates)
        gone, filled = (self._alone, 0) if least == self._count else (0, self._alone)
        for inside, outside, count, low, high in shares:
            share = low if least == self._count else high
            for side, wanted in ((inside, share), (outside, count - share)):
                gone |= side if wanted == (stars & side).bit_count() else 0
                filled |= side if wanted == (places & side).bit_count() else 0
        gone, filled = gone & places & ~stars, filled & places & ~stars
        return tuple(
            1 if gone >> cell & 1 else 2 if filled >> cell & 1 else mask for cell, mask in cells
        )


@by_layout()
def groups_of(layout: Layout) -> tuple[Group, ...]:
    """Return the groups of a layout of two values and with areas, those of few lines first."""
    kinds = kinds_of_sums(layout) if layout.n == 2 else ()
    lines = [kind for kind in kinds if all(_is_line(known_sum) for known_sum in kind)]
    areas = [kind for kind in kinds if kind not in lines]
    return tuple(
        group
        for size in range(2, _MOST_LINES + 1)
        for kind in lines
        for other in areas
        for group in _side_by_side(layout, kind, other, size)
    )


def _side_by_side(
    layout: Layout, kind: Sequence[KnownSum], other: Sequence[KnownSum], size: int
) -> Iterator[Group]:
    for start in range(len(kind) - size + 1):
        lines = kind[start : start + size]
        inside = union(line.cells for line in lines)
        if areas := [area for area in other if area.cells & inside]:
            yield Group(layout, lines, areas)


def _is_line(known_sum: KnownSum) -> bool:
    """Return whether the cells are spaced evenly, as those of a row or a column are."""
    cells = known_sum.statement.cells
    return len({after - before for before, after in pairwise(cells)}) == 1
