"""A state of a solution by logic: the cells that are placed, and the candidates left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from unidoku.core.bits import bit, value_of, values_of
from unidoku.core.board import Board
from unidoku.core.caching import layout_cache
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.propagation.prune import partners_of
from unidoku.core.rules.base import Rule
from unidoku.logic.facts import cannot_hold
from unidoku.logic.geometry import Geometry, cells_by_value, cells_of, geometry, union
from unidoku.logic.step import Candidate, Step
from unidoku.support.language import message


def _no_clock() -> None:
    """Do nothing: there is no time limit."""


@dataclass(frozen=True)
class State:
    """A board on which some cells are placed and some candidates are gone.

    Immutable. The candidates that a placement removes from peers and by rules are gone already. A
    cell with one candidate need not be placed.

    Args:
        board: the puzzle as it was given.
        candidates: one set of values for each cell (see `unidoku.core.bits`), including placed
            cells.
        placed: the cells that are placed, as a set (see `unidoku.logic.geometry`).
        places: the cells *not yet placed* that may hold each value, as sets; ``places[0]`` is
            empty.
        contradiction: the reason why the board has no solutions, empty if none is known.
        tick: function that long techniques call from time to time; raises `TimeLimitError` once the
            time limit has passed.
    """

    board: Board
    candidates: tuple[int, ...]
    placed: int
    places: tuple[int, ...]
    contradiction: str = ""
    tick: Callable[[], None] = field(default=_no_clock, repr=False, compare=False)

    @classmethod
    def start(cls, board: Board, tick: Callable[[], None] = _no_clock) -> State:
        """Return the state in which only the givens are placed; hidden cells are below the grid."""
        board = expanded(board)
        places = cells_by_value(board.candidates, board.layout.n)
        change = _Change(cls(board, board.candidates, 0, tuple(places), tick=tick))
        for cell, value in enumerate(board.givens):
            if value:
                change.place(cell, value)
        change.touched.update(board.layout.cells)
        return change.state()

    def __reduce__(self) -> tuple[type[State], tuple[object, ...]]:
        """Pickle without `tick`: an unpickled state has no time limit."""
        fields = (self.board, self.candidates, self.placed, self.places, self.contradiction)
        return State, fields

    @property
    def layout(self) -> Layout:
        """The layout of the board."""
        return self.board.layout

    @cached_property
    def geometry(self) -> Geometry:
        """The layout's units and peers as sets of cells."""
        return geometry(self.board.layout)

    @cached_property
    def empty(self) -> int:
        """The cells that are not placed, as a set."""
        return ~self.placed & ((1 << len(self.candidates)) - 1)

    @property
    def is_solved(self) -> bool:
        """Whether all cells are placed, without a contradiction."""
        return not self.empty and not self.contradiction

    @property
    def grid(self) -> Grid:
        """The value of each cell that has one candidate left, 0 for the others."""
        return tuple(map(value_of, self.candidates))

    def has(self, cell: int, value: int) -> bool:
        """Return whether a cell is not placed and may hold a value."""
        return bool(self.places[value] >> cell & 1)

    def among(self, value: int, cells: int) -> tuple[Candidate, ...]:
        """Return (cell, value) for the unplaced cells of a set that may hold the value."""
        return tuple((cell, value) for cell in cells_of(self.places[value] & cells))

    def all_in(self, cells: Iterable[int]) -> tuple[Candidate, ...]:
        """Return all candidates of some cells."""
        return tuple((cell, value) for cell in cells for value in values_of(self.candidates[cell]))

    def named(self, cells: int) -> str:
        """Return the names of a set of cells, separated by commas."""
        return ", ".join(self.layout.names[cell] for cell in cells_of(cells))

    def located(self, value: int, unit: Unit, cells: int) -> str:
        """Return that a value of a unit is in some cells: ``3 of box 1 is in A2, B2``."""
        return message(
            "{value} of {unit} is in {cells}",
            value=self.layout.shown[value],
            unit=unit.words,
            cells=self.named(cells),
        )

    def placing(self, cell: int, value: int) -> State:
        """Return the state after a cell takes a value."""
        change = _Change(self)
        change.place(cell, value)
        return change.state()

    def after(self, step: Step) -> State:
        """Return the state after a step, including what its placements remove (see `State`)."""
        change = _Change(self)
        for cell, value in step.eliminations:
            change.remove(cell, value)
        for cell, value in step.placements:
            change.place(cell, value)
        return change.state()


class _Change:
    """A state under construction: its candidates while cells are placed and values removed."""

    def __init__(self, state: State) -> None:
        self.before = state
        self.layout = state.board.layout
        self.candidates = list(state.candidates)
        self.places = list(state.places)
        self.placed = state.placed
        self.contradiction = state.contradiction
        self.touched: set[int] = set()

    def remove(self, cell: int, value: int) -> None:
        if self.candidates[cell] & bit(value):
            self.candidates[cell] ^= bit(value)
            self.places[value] &= ~(1 << cell)
            self.touched.add(cell)

    def place(self, cell: int, value: int) -> None:
        if not self.candidates[cell] & bit(value):
            self.contradiction = self.contradiction or cannot_hold(self.layout, cell, value)
            return
        for other in values_of(self.candidates[cell]):
            self.places[other] &= ~(1 << cell)
        self.candidates[cell] = bit(value)
        self.placed |= 1 << cell
        self.touched.add(cell)
        for other in cells_of(geometry(self.layout).sees[cell] & self.places[value]):
            self.remove(other, value)
        partners = partners_of(self.layout)
        for other, allowed in partners[cell] if partners else ():
            for gone in values_of(self.candidates[other] & ~allowed[bit(value)]):
                self.remove(other, gone)

    def state(self) -> State:
        before = self.before
        return State(
            before.board,
            tuple(self.candidates),
            self.placed,
            tuple(self.places),
            self.contradiction or self._find_contradiction(),
            before.tick,
        )

    def _find_contradiction(self) -> str:
        """Find a cell without candidates, or a full unit without a place for a value."""
        names = self.layout.names
        for cell, mask in enumerate(self.candidates):
            if not mask:
                return message("{cell} has no candidates left", cell=names[cell])
        around = geometry(self.layout)
        units = {
            unit_cells.cells: unit_cells
            for cell in self.touched
            for unit_cells in around.units_of[cell]
        }
        for unit_cells in units.values():
            if unit_cells.full and (value := self._without_place(unit_cells.cells)):
                return message(
                    "{unit} has no place left for {value}",
                    unit=unit_cells.unit.words,
                    value=self.layout.shown[value],
                )
        return self._find_broken_rule() if self.layout.rules else ""

    def _find_broken_rule(self) -> str:
        """Find a rule that newly placed cells violate, by its definition."""
        layout, fresh = self.layout, cells_of(self.placed & ~self.before.placed)
        if not fresh:
            return ""
        values = [
            value_of(mask) if self.placed >> cell & 1 else 0
            for cell, mask in enumerate(self.candidates)
        ]
        first_value = () if layout.first_value == 1 else (layout.first_value,)
        by_cell = _rules_of(layout)
        for rule in dict.fromkeys(rule for cell in fresh for rule in by_cell[cell]):
            for cells in rule.broken(values, *first_value):
                return layout.fault(rule, cells, values)
        return ""

    def _without_place(self, cells: int) -> int:
        """Return a value that no cell of a set may hold any more, 0 if all are possible."""
        possible = union(self.candidates[cell] for cell in cells_of(cells))
        missing = ~possible & ((1 << self.layout.n) - 1)
        return (missing & -missing).bit_length()


@layout_cache(maxsize=64)
def _rules_of(layout: Layout) -> tuple[tuple[Rule, ...], ...]:
    """Return the rules that contain each cell."""
    by_cell: list[list[Rule]] = [[] for _ in layout.cells]
    for rule in layout.rules:
        for cell in rule.cells:
            by_cell[cell].append(rule)
    return tuple(map(tuple, by_cell))
