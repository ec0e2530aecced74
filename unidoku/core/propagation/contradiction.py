"""Explain contradictions: find units, rules and cells of a board that cannot all be satisfied.

A contradiction that propagation finds is first looked for in small parts of the board. Then parts
are removed one by one until none of the remaining parts can be removed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from unidoku.core.bits import all_values, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Unit
from unidoku.core.propagation.propagate import propagate
from unidoku.core.rules.base import Rule
from unidoku.core.rules.doubler import Doubler
from unidoku.core.rules.valued import as_stated
from unidoku.support.ddmin import ddmin
from unidoku.support.deadline import Deadline
from unidoku.support.language import Message, listing, message, series


@dataclass(frozen=True, slots=True)
class CellValues:
    """A cell holds one of some values."""

    cell: int
    values: int


Part: TypeAlias = Unit | Rule | CellValues
"""A part of a contradiction."""


def conflict(board: Board, deadline: Deadline | None = None) -> tuple[Part, ...]:
    """Return parts of a board that propagation proves contradictory.

    Empty if it finds no contradiction. None of the parts can be left out, unless the deadline
    passed before that was tried.
    """
    layout, clock = board.layout, deadline or Deadline()

    def shows(parts: Sequence[Part]) -> bool:
        return not clock.passed and contradict(layout, parts)

    whole = list(parts_of(board))
    if not contradict(layout, whole):
        return ()
    return tuple(ddmin(next(filter(shows, _small_parts(whole)), whole), shows))


def hopeless_cell(board: Board, deadline: Deadline) -> str:
    """Return a sentence about a cell whose values all lead to a contradiction; empty if none."""
    if (narrowed := propagate(board)) is None:
        return ""
    for cell in sorted(board.layout.cells, key=lambda cell: len(narrowed.values(cell))):
        values = narrowed.values(cell)
        for value in values:
            if deadline.passed or propagate(narrowed.assign(cell, value)) is not None:
                break
        else:
            return message(
                "{cell} cannot hold any value: {values} each lead to a contradiction",
                cell=board.layout.names[cell],
                values=listing(board.layout.shown[value] for value in values),
            )
    return ""


def parts_of(board: Board) -> Iterator[Part]:
    """Yield all parts of a board; a rule of many pairs of cells is split into pairs."""
    yield from board.layout.units
    for rule in board.layout.rules:
        yield from rule.in_pairs()
    everything = all_values(board.layout.n)
    for cell, mask in enumerate(board.candidates):
        if mask != everything:
            yield CellValues(cell, mask)


def _small_parts(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield each rule alone, then with its cells' values, then also with its cells' units."""
    rules = [part for part in parts if isinstance(part, Rule)]
    for rule in rules:
        yield [rule]
    for part in parts:
        if not isinstance(part, CellValues):
            yield [part, *_values_of({*part.cells}, parts)]
    for rule in rules:
        cells = set(rule.cells)
        touched = [u for u in parts if isinstance(u, Unit) and len(cells.intersection(u.cells)) > 1]
        yield [rule, *touched, *_values_of(cells, parts)]


def _values_of(cells: set[int], parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the values of some cells among the parts of a board."""
    for part in parts:
        if isinstance(part, CellValues) and part.cell in cells:
            yield part


def assembled(layout: Layout, parts: Sequence[Part]) -> Board:
    """Return the board on the cells of a layout that has only these parts.

    Sums that count doublers bring the rule of these, without which they would be other sums.
    """
    units = tuple([part for part in parts if isinstance(part, Unit)])
    rules = tuple([part for part in parts if isinstance(part, Rule)])
    if any(as_stated(rule) != rule for rule in rules):
        doublers = [rule for rule in layout.rules if isinstance(rule, Doubler)]
        rules = (*[rule for rule in doublers if rule not in rules], *rules)
    masks = [all_values(layout.n)] * len(layout)
    for part in parts:
        if isinstance(part, CellValues):
            masks[part.cell] = part.values
    return Board(replace(layout, units=units, rules=rules), tuple(masks))


def contradict(layout: Layout, parts: Sequence[Part]) -> bool:
    """Return whether propagation proves that a board of only these parts has no solution."""
    return propagate(assembled(layout, parts)) is None


def part_in_words(layout: Layout, part: Part) -> str:
    """Return a part in words."""
    if isinstance(part, Unit):
        return str(_named(layout, part))
    if isinstance(part, Rule):
        return part.words(layout.names_in_words)
    return _values_in_words(layout, part)


def explanation(layout: Layout, parts: Sequence[Part]) -> str:
    """Return a sentence about parts that contradict each other; empty if there are none."""
    if not parts:
        return ""
    units, rules, values = (
        [part_in_words(layout, part) for part in parts if isinstance(part, kind)]
        for kind in (Unit, Rule, CellValues)
    )
    if len(rules) == len(parts) == 1:
        return message("{rule}, which is impossible", rule=rules[0])
    if len(rules) == 1 and not units:
        return message("{rule}, but {values}", rule=rules[0], values=listing(values))
    texts = [*rules]
    if units:
        texts.append(message("no value is twice in {units}", units=listing(units)))
    if values:
        texts.append(listing(values))
    return message("these cannot all be true: {facts}", facts=series(texts))


def _named(layout: Layout, unit: Unit) -> Message:
    if unit.name:
        return unit.words
    cells = " ".join(layout.names[cell] for cell in unit.cells)
    return Message("{kind} {label}", kind=Message(unit.kind), label=cells)


def _values_in_words(layout: Layout, part: CellValues) -> str:
    """Return in words which values a cell may hold, or may not hold if those are fewer."""
    name, values = layout.names[part.cell], values_of(part.values)
    gone = values_of(all_values(layout.n) & ~part.values)
    is_few = len(values) <= len(gone)
    return message(
        "{cell} is {value}" if is_few else "{cell} is not {value}",
        cell=name,
        value=listing((layout.shown[value] for value in (values if is_few else gone)), "or"),
    )
