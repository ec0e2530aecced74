"""Lowering: the rules of a layout in the form that adapters pass to solvers.

It consists of simplified shapes by class, and the candidates that shapes of one cell leave. An
adapter posts the shapes in its solver's own form and narrows each board to the candidates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import and_
from typing import assert_never

from unidoku.core.bits import all_values
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.shapes import Automaton, Or, Region, Relation, Rows, SameValues, Sets, Sum
from unidoku.core.simplify import simplified

__all__ = ["Lowered", "lower", "narrowed"]


@dataclass(frozen=True, slots=True)
class Lowered:
    """The rules of a layout, in the form that adapters pass to solvers.

    Args:
        n: the number of values.
        size: number of candidates of the layout; see `unidoku.backends.toolkit.cover`.
        relations: relations of two cells.
        sets: sets of values that cells hold.
        sums: sums of three cells or more.
        automata: automata of three cells or more.
        tables: tables of three cells or more.
        same_values: lists of the same values, with two cells or more in each.
        regions: connected regions of two cells or more.
        alternatives: alternatives of three cells or more.
        candidates: for each cell, the candidates that shapes of one cell leave.
    """

    n: int
    size: int
    relations: tuple[Relation, ...] = ()
    sets: tuple[Sets, ...] = ()
    sums: tuple[Sum, ...] = ()
    automata: tuple[Automaton, ...] = ()
    tables: tuple[Rows, ...] = ()
    same_values: tuple[SameValues, ...] = ()
    regions: tuple[Region, ...] = ()
    alternatives: tuple[Or, ...] = ()
    candidates: tuple[int, ...] = ()

    @property
    def beyond_pairs(self) -> tuple[Sets | Sum | Automaton | Rows | SameValues | Region | Or, ...]:
        """All shapes other than relations of two cells."""
        in_order: tuple[Automaton | Rows, ...] = (*self.automata, *self.tables)
        others: tuple[SameValues | Region | Or, ...]
        others = (*self.same_values, *self.regions, *self.alternatives)
        return (*self.sets, *self.sums, *in_order, *others)


@lru_cache(maxsize=64)
def lower(layout: Layout) -> Lowered:
    """Return the rules of a layout in their lowered form."""
    size = len(layout) * layout.n
    if not layout.rules:
        return Lowered(layout.n, size)
    simple = simplified(layout)
    relations: list[Relation] = []
    sets: list[Sets] = []
    sums: list[Sum] = []
    automata: list[Automaton] = []
    tables: list[Rows] = []
    same_values: list[SameValues] = []
    regions: list[Region] = []
    alternatives: list[Or] = []
    for shape in simple.shapes:
        match shape:
            case Relation():
                relations.append(shape)
            case Sets():
                sets.append(shape)
            case Sum():
                sums.append(shape)
            case Automaton():
                automata.append(shape)
            case Rows():
                tables.append(shape)
            case SameValues():
                same_values.append(shape)
            case Region():
                regions.append(shape)
            case Or():
                alternatives.append(shape)
            case _:
                assert_never(shape)
    everything = (all_values(layout.n),) * len(layout)
    candidates = () if simple.candidates == everything else simple.candidates
    return Lowered(
        layout.n,
        size,
        relations=tuple(relations),
        sets=tuple(sets),
        sums=tuple(sums),
        automata=tuple(automata),
        tables=tuple(tables),
        same_values=tuple(same_values),
        regions=tuple(regions),
        alternatives=tuple(alternatives),
        candidates=candidates,
    )


def narrowed(board: Board) -> Board:
    """Return the board without the candidates that shapes of one cell exclude."""
    layout = board.layout
    if not layout.rules or not (left := lower(layout).candidates):
        return board
    return Board.of(layout, tuple(map(and_, board.candidates, left)))
