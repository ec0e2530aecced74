"""Lowering: the rules of a layout in the form that adapters pass to solvers.

It consists of simplified constraints by class, and the candidates that constraints of one cell
leave. An adapter posts the constraints in its solver's own form and narrows each board to the
candidates.
"""

from __future__ import annotations

from operator import and_

from unidoku.core.bits import all_values
from unidoku.core.board import Board
from unidoku.core.caching import layout_cache
from unidoku.core.constraints.primitives import (
    Automaton,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
    quick_value,
)
from unidoku.core.layout import Layout
from unidoku.core.transforms.simplify import Simplified, simplified


@quick_value
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
        candidates: for each cell, the candidates that constraints of one cell leave.
    """

    n: int
    size: int
    relations: tuple[Relation, ...] = ()
    sets: tuple[Sets, ...] = ()
    sums: tuple[Sum, ...] = ()
    automata: tuple[Automaton, ...] = ()
    tables: tuple[Table, ...] = ()
    same_values: tuple[SameValues, ...] = ()
    regions: tuple[Region, ...] = ()
    alternatives: tuple[Or, ...] = ()
    candidates: tuple[int, ...] = ()

    @property
    def beyond_pairs(self) -> tuple[Sets | Sum | Automaton | Table | SameValues | Region | Or, ...]:
        """All constraints other than relations of two cells."""
        in_order: tuple[Automaton | Table, ...] = (*self.automata, *self.tables)
        others: tuple[SameValues | Region | Or, ...]
        others = (*self.same_values, *self.regions, *self.alternatives)
        return (*self.sets, *self.sums, *in_order, *others)


@layout_cache(maxsize=64)
def lower(layout: Layout) -> Lowered:
    """Return the rules of a layout in their lowered form."""
    size = len(layout) * layout.n
    if not layout.rules:
        return Lowered(layout.n, size)
    return lowered_form(layout, simplified(layout))


def lowered_form(layout: Layout, simple: Simplified) -> Lowered:
    """Return simplified constraints, of all rules of a layout or of some, in their lowered form."""
    of_kind = simple.of_kind
    everything = (all_values(layout.n),) * len(layout)
    candidates = () if simple.candidates == everything else simple.candidates
    return Lowered(
        layout.n,
        len(layout) * layout.n,
        relations=tuple(of_kind.get(Relation, ())),
        sets=tuple(of_kind.get(Sets, ())),
        sums=tuple(of_kind.get(Sum, ())),
        automata=tuple(of_kind.get(Automaton, ())),
        tables=tuple(of_kind.get(Table, ())),
        same_values=tuple(of_kind.get(SameValues, ())),
        regions=tuple(of_kind.get(Region, ())),
        alternatives=tuple(of_kind.get(Or, ())),
        candidates=candidates,
    )


def narrowed(board: Board) -> Board:
    """Return the board without the candidates that constraints of one cell exclude."""
    layout = board.layout
    if not layout.rules or not (left := lower(layout).candidates):
        return board
    return Board.of(layout, tuple(map(and_, board.candidates, left)))
