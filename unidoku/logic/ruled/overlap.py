"""Overlaps of a rule and a unit: a value that one of them needs lies in both.

If a cage must hold 9, cells that see all places of 9 in the cage lose 9. If all places of 4 in a
row lie in a cage, the cage holds 4 and loses the values that do not go with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import bit, set_of, values_of
from unidoku.core.layout import Unit
from unidoku.logic.geometry import UnitCells, cells_of, each_of, union
from unidoku.logic.links import forbidden
from unidoku.logic.ruled.clues import clue_in_words
from unidoku.logic.ruled.eliminations import Reason, elimination_steps
from unidoku.logic.state import State
from unidoku.logic.statement import Statement, statements_of
from unidoku.logic.step import Step
from unidoku.support.language import message

_MOST_CELLS = 12
"""The largest number of cells of a rule that is considered."""


def rule_pointing(state: State) -> Iterator[Step]:
    """Find values that a rule or a unit needs in some cells, and what all these places exclude.

    That is the value in cells that see all of them, and values that relations forbid with each.
    """
    if not state.layout.rules:
        return
    for statement, value, places in needed(state):
        yield from _excluding(state, value, places, statement)
    for base in state.geometry.full if forbidden(state.layout) else ():
        for value, anywhere in enumerate(state.places):
            if (places := anywhere & base.cells) & (places - 1):
                yield from _excluding(state, value, places, base.unit)


def needed(state: State) -> Iterator[tuple[Statement, int, int]]:
    """Yield rules that need a value with several places, and these places."""
    for statement in _small(state):
        candidates = statement.problem.candidates_of(state.candidates)
        placed = union(state.candidates[c] for c in statement.cells if state.placed >> c & 1)
        inside = set_of(statement.cells)
        for value in values_of(union(candidates) & ~placed):
            places = state.places[value] & inside
            without = tuple([mask & ~bit(value) for mask in candidates])
            if (
                places & (places - 1)
                and 0 not in without
                and statement.problem.pruned(without) is None
            ):
                yield statement, value, places


def _excluding(state: State, value: int, places: int, needs: Statement | Unit) -> Iterator[Step]:
    """Yield the step that removes what each place of a value excludes that a rule or unit needs."""
    size, layout = len(state.layout), state.layout
    forbidden_by = forbidden(layout)
    gone = -1
    for cell in cells_of(places):
        weak = state.geometry.sees[cell] << value * size
        weak |= forbidden_by.get(value * size + cell, 0)
        for other in values_of(state.candidates[cell] & ~bit(value)):
            weak |= 1 << other * size + cell
        gone &= weak
        if not gone:
            return
    gone &= union(
        cells << candidate_value * size for candidate_value, cells in enumerate(state.places)
    )
    if gone:
        removed = [(node % size, node // size) for node in each_of(gone)]
        is_unit = isinstance(needs, Unit)
        yield Step(
            layout=layout,
            reason=message(
                "{value} of {unit} is in {cells}" if is_unit else "{value} is in {cells} ({rule})",
                value=layout.shown[value],
                unit=needs.words,
                rule=needs.words,
                cells=state.named(places),
            ),
            eliminations=tuple(removed),
            units=(needs,) if isinstance(needs, Unit) else (),
            pattern=state.among(value, places),
            rules=() if isinstance(needs, Unit) else (needs.basis,),
        )


def unit_in_rule(state: State) -> Iterator[Step]:
    """Find values whose places in a full unit all lie in a rule, and what that excludes."""
    for statement in _small(state):
        inside = set_of(statement.cells)
        candidates = statement.problem.candidates_of(state.candidates)
        for unit_cells in state.geometry.full:
            if not unit_cells.cells & inside:
                continue
            for value, anywhere in enumerate(state.places):
                cells = anywhere & unit_cells.cells
                if cells & (cells - 1) and not cells & ~inside:
                    remaining = statement.problem.pruned_if_one_of(candidates, value, cells)
                    is_line = inside == unit_cells.cells
                    why = clue_in_words(statement, candidates, remaining, state.layout)
                    words = _where(state, value, unit_cells, cells, is_line=is_line)
                    if why:
                        so = message("{facts}, so {why}", facts=words, why=why[2:])
                        words = why if is_line else so
                    reason = Reason((statement,), words, bool(why), units=(unit_cells.unit,))
                    yield from elimination_steps(state, statement.cells, remaining, reason)


def _where(state: State, value: int, unit_cells: UnitCells, cells: int, *, is_line: bool) -> str:
    """Return where a unit has a value: ``3 of box 1 is in A2, B2``."""
    symbol, unit = state.layout.shown[value], unit_cells.unit.words
    if is_line:
        return f", {message('{unit} has a {value}', unit=unit, value=symbol)}"
    text, cells_text = "{value} of {unit} is in {cells}", state.named(cells)
    return message(text, value=symbol, unit=unit, cells=cells_text)


def _small(state: State) -> Iterator[Statement]:
    for statement in statements_of(state.layout):
        if 1 < len(statement.cells) <= _MOST_CELLS:
            state.tick()
            yield statement
