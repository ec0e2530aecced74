"""Rules and givens as what a solver assumes: which conflict, and which make a puzzle unique.

The units always hold. Every rule and given has a selector, so that one live solver answers for any
choice of them, and what it learnt about one choice helps with the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import combinations
from typing import cast

from unidoku.analysis.cores import MOST_VARIABLES
from unidoku.backends.base import Cores, GivesCores, Stop
from unidoku.backends.solving.solver import load
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.core.bits import all_values, values_of
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Unit
from unidoku.core.propagation.contradiction import CellValues, Part, parts_of
from unidoku.core.rules.base import Rule
from unidoku.core.rules.doubler import Doubler
from unidoku.core.transforms.lower import lowered_form
from unidoku.core.transforms.simplify import simplify
from unidoku.errors import UnsupportedError
from unidoku.logic.geometry import cells_of, geometry

_CONFLICTS = 3_000
"""Conflicts after which a question is left to the caller: a fraction of a second."""

Clause = list[int]
Chosen = frozenset[int]
"""Numbers of rules and givens."""


class RuleCores:
    """The rules and givens of a board in a live solver.

    Args:
        board: the board.
        tick: called while the clauses are made, and for each question; may raise.

    Attributes:
        parts: the rules and givens; a rule of many pairs of cells is split into pairs.

    Raises:
        UnsupportedError: no source of cores is installed, or the rules have too many clauses,
            hidden cells or doublers.
    """

    def __init__(self, board: Board, tick: Callable[[], None] = lambda: None) -> None:
        """Make the clauses."""
        layout = board.layout
        if find_spec("pysat") is None or layout.hidden:
            raise UnsupportedError("cores: expected the extra sat, and no hidden cells")
        if any(rule.needs_auxiliary for rule in layout.rules):
            raise UnsupportedError("cores: expected rules without hidden cells")
        if any(isinstance(rule, Doubler) for rule in layout.rules):  # without it, sums are others
            raise UnsupportedError("cores: expected rules without doublers")
        self.tick = tick
        self.parts: list[Part] = [part for part in parts_of(board) if not isinstance(part, Unit)]
        self.every = frozenset(range(len(self.parts)))
        self._layout, self._candidates = layout, len(layout) * layout.n
        self._top = self._candidates + len(self.parts) + 1
        source = cast(GivesCores, load("sat").backend)
        self._live: Cores = source.cores()
        for clause in self._all():
            self._live.add(clause)

    @property
    def _other(self) -> int:
        """The literal that demands another grid than the solution."""
        return self._candidates + len(self.parts) + 1

    def demand_another(self, solution: Grid) -> None:
        """Have questions with ``another`` ask for a grid other than the solution."""
        literals = [-self._holds(cell, value) for cell, value in enumerate(solution)]
        self._live.add([-self._other, *literals])

    def core(self, chosen: Chosen, *, another: bool = False) -> Chosen | Stop | None:
        """Return rules and givens that have no grid, or no other grid, together.

        Returns:
            Some of the chosen, not always the fewest; None if there is a grid; `Stop.NODES` if that
            was not decided.
        """
        self.tick()
        selectors = [self._candidates + 1 + number for number in sorted(chosen)]
        literals = self._live.core([*selectors, *([self._other] if another else [])], _CONFLICTS)
        if not isinstance(literals, tuple):
            return literals
        last = self._candidates + len(self.parts)
        return frozenset(literal - self._candidates - 1 for literal in literals if literal <= last)

    def irreducible(
        self, core: Chosen, shows: Callable[[Chosen], bool], *, another: bool = False
    ) -> Chosen:
        """Return a core from which nothing can be left out, with givens left out first.

        Args:
            core: a core.
            shows: asked where it is not decided here whether some are a core.
            another: as for `core`.
        """
        order = sorted(core, key=lambda number: (isinstance(self.parts[number], Rule), -number))
        for number in order:
            if number not in core:
                continue
            smaller = self.core(core - {number}, another=another)
            if isinstance(smaller, frozenset):
                core = smaller
            elif smaller is Stop.NODES and shows(core - {number}):
                core -= {number}
        return core

    def _holds(self, cell: int, value: int) -> int:
        return cell * self._layout.n + value

    def _all(self) -> Iterator[Clause]:
        yield from self._units()
        everything = all_values(self._layout.n)
        for number, part in enumerate(self.parts):
            self.tick()
            off = -(self._candidates + 1 + number)
            if isinstance(part, CellValues):
                for value in values_of(everything & ~part.values):
                    yield [off, -self._holds(part.cell, value)]
            elif isinstance(part, Rule):
                for clause in self._rule(part):
                    # With all fresh variables false only clauses without a negated one can fail.
                    is_loose = any(-literal > self._candidates for literal in clause)
                    yield clause if is_loose else [off, *clause]

    def _units(self) -> Iterator[Clause]:
        layout = self._layout
        base = geometry(layout.base)
        values = range(1, layout.n + 1)
        for cell in layout.cells:
            yield [self._holds(cell, value) for value in values]
            for first, second in combinations(values, 2):
                yield [-self._holds(cell, first), -self._holds(cell, second)]
            for other in cells_of(base.sees[cell]):
                if other > cell:
                    yield from ([-self._holds(cell, v), -self._holds(other, v)] for v in values)
        for unit in layout.full_units:
            yield from ([self._holds(cell, value) for cell in unit.cells] for value in values)

    def _rule(self, rule: Rule) -> Iterator[Clause]:
        base = self._layout.base
        simple = simplify(base, rule.constraints(self._layout))
        for cell, mask in enumerate(simple.candidates):
            for value in values_of(all_values(base.n) & ~mask):
                yield [-self._holds(cell, value)]
        maker = Clauses(lowered_form(base, simple), top=self._top)
        yield from maker
        self._top = maker.top
        if self._top > MOST_VARIABLES:
            raise UnsupportedError(f"cores: more than {MOST_VARIABLES:,} variables")
