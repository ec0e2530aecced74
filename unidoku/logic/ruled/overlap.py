"""Overlaps of a rule and a unit: a value that one of them needs lies in both.

If a cage must hold 9, cells that see all places of 9 in the cage lose 9. If all places of 4 in a
row lie in a cage, the cage holds 4 and loses the values that do not go with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import bits_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout, Unit
from unidoku.logic.geometry import UnitCells, geometry, union
from unidoku.logic.links import forbidden
from unidoku.logic.ruled.clues import clue_in_words
from unidoku.logic.ruled.eliminations import Reason, elimination_steps
from unidoku.logic.ruled.local_problem import Remaining
from unidoku.logic.ruled.statement import Statement, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message

_MOST_CELLS = 12
"""The largest number of cells of a rule that is considered."""

_MOST_BITS = 1 << 23
"""The size of what is cached for a layout: 9x9 boards need less than a tenth of it."""


def rule_pointing(state: State) -> Iterator[Step]:
    """Find values that a rule or a unit needs in some cells, and what all these places exclude.

    That is the value in cells that see all of them, and values that relations forbid with each.
    """
    layout = state.layout
    if not layout.rules:
        return
    excluding = _excluding_of(layout)
    anywhere = union(cells << value * excluding.size for value, cells in enumerate(state.places))
    for statement, value, places in needed(state):
        if gone := excluding.by_all(value, places, anywhere):
            yield _excluding(state, value, places, gone, statement)
    for base in state.geometry.full if excluding.forbidden_by else ():
        for value, cells in enumerate(state.places):
            places = cells & base.cells
            if places & (places - 1) and (gone := excluding.by_all(value, places, anywhere)):
                yield _excluding(state, value, places, gone, base.unit)


def needed(state: State) -> Iterator[tuple[Statement, int, int]]:
    """Yield rules that need a value with several places, and these places."""
    for statement in _small(state):
        problem = statement.problem
        for value in values_of(problem.needs(problem.candidates_of(state.candidates))):
            places = state.places[value] & statement.mask
            if places & (places - 1):
                yield statement, value, places


@by_layout()
def _excluding_of(layout: Layout) -> _Excluding:
    return _Excluding(layout)


class _Excluding:
    """What the candidates of a layout exclude, cached for some; of 64 values all takes 9 GB."""

    def __init__(self, layout: Layout) -> None:
        self.size, self.sees = len(layout), geometry(layout).sees
        self.forbidden_by = forbidden(layout)
        self.in_cell = sum(1 << value * self.size for value in range(1, layout.n + 1))
        self.known: dict[int, int] = {}
        self.most_known = _MOST_BITS // (self.size * layout.n)

    def by_all(self, value: int, places: int, candidates: int) -> int:
        """Return those of some candidates that each place of a value excludes.

        Sets of candidates, each with the number ``value * size + cell``.
        """
        shift = value * self.size
        while candidates and places:
            cell = (places & -places).bit_length() - 1
            excluded = self.known.get(shift + cell)
            candidates &= self._by(shift, cell) if excluded is None else excluded
            places &= places - 1
        return candidates

    def _by(self, shift: int, cell: int) -> int:
        excluded = self.in_cell << cell & ~(1 << shift + cell) | self.sees[cell] << shift
        excluded |= self.forbidden_by.get(shift + cell, 0)
        if len(self.known) < self.most_known:
            self.known[shift + cell] = excluded
        return excluded


def _excluding(state: State, value: int, places: int, gone: int, needs: Statement | Unit) -> Step:
    """Return the step that removes what each place of a needed value excludes."""
    size = len(state.layout)
    if isinstance(needs, Unit):
        reason = state.located(value, needs, places)
    else:
        symbol = state.layout.shown[value]
        text = "{value} is in {cells} ({rule})"
        reason = message(text, value=symbol, cells=state.named(places), rule=needs.words)
    return Step(
        layout=state.layout,
        reason=reason,
        eliminations=tuple((node % size, node // size) for node in bits_of(gone)),
        units=(needs,) if isinstance(needs, Unit) else (),
        pattern=state.among(value, places),
        rules=() if isinstance(needs, Unit) else (needs.basis,),
    )


def unit_in_rule(state: State) -> Iterator[Step]:
    """Find values whose places in a full unit all lie in a rule, and what that excludes."""
    in_units = [
        (
            unit_cells,
            [
                (value, cells)
                for value, anywhere in enumerate(state.places)
                if (cells := anywhere & unit_cells.cells) & (cells - 1)
            ],
        )
        for unit_cells in state.geometry.full
    ]
    for statement in _small(state):
        inside, problem = statement.mask, statement.problem
        candidates = problem.candidates_of(state.candidates)
        for unit_cells, places in in_units:
            if not unit_cells.cells & inside:
                continue
            for value, cells in places:
                if not cells & ~inside:
                    remaining = problem.pruned_if_one_of(candidates, value, cells)
                    if remaining != candidates:
                        reason = _unit_reason(state, statement, value, unit_cells, cells, remaining)
                        yield from elimination_steps(state, statement.cells, remaining, reason)


def _unit_reason(
    state: State,
    statement: Statement,
    value: int,
    unit_cells: UnitCells,
    cells: int,
    remaining: Remaining,
) -> Reason:
    """Return what a rule excludes in which a unit has a value in some cells."""
    is_line = statement.mask == unit_cells.cells
    before = statement.problem.candidates_of(state.candidates)
    why = clue_in_words(statement, before, remaining)
    if is_line:
        text = "{unit} has a {value}"
        has = message(text, unit=unit_cells.unit.words, value=state.layout.shown[value])
        words = f", {has}"
    else:
        words = state.located(value, unit_cells.unit, cells)
    if why:
        so = message("{facts}, so {why}", facts=words, why=why[2:])
        words = why if is_line else so
    return Reason((statement,), words, bool(why), units=(unit_cells.unit,))


def _small(state: State) -> Iterator[Statement]:
    for statement in statements_of(state.layout):
        if 1 < len(statement.cells) <= _MOST_CELLS:
            state.tick()
            yield statement
