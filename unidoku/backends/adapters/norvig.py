"""Norvig's solver on any layout: propagation, then depth-first search.

Peter Norvig, "Solving Every Sudoku Puzzle" (https://norvig.com/sudoku.html). His ``eliminate`` and
``assign`` are `unidoku.core.propagation.propagate.eliminate`: assigning a value to a cell means
removing its other candidates. His ``search`` is in this module, with a stack instead of recursion,
so that boards of any size can be searched.

It needs only the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.backends.base import Capabilities, Request, Result
from unidoku.backends.spec import BackendSpec
from unidoku.backends.toolkit.budget import Budget, SolutionCollector, collect
from unidoku.backends.visit import Guess, NodeEnd, Visit
from unidoku.core.bits import all_values, bit, values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import ALL_CONSTRAINTS
from unidoku.core.layout import Grid
from unidoku.core.propagation.propagate import Candidates, eliminate
from unidoku.core.propagation.prune import removed_at_once

SPEC = BackendSpec(
    name="norvig",
    target="unidoku.backends.adapters.norvig:Norvig",
    summary="propagation and depth-first search, after Norvig's essay",
    paradigm="propagation and search",
    capabilities=Capabilities(
        constraints=ALL_CONSTRAINTS,
        honours=frozenset({"time_limit", "node_limit"}),
    ),
    distributions=("unidoku",),
    homepage="https://norvig.com/sudoku.html",
    licence="MIT",
)

_Waiting: TypeAlias = tuple[int, Guess | None, Candidates, list[tuple[int, int]]]

_STEPS_BETWEEN_CHECKS = 256


@dataclass(frozen=True, slots=True)
class Norvig:
    """Constraint propagation and search; it has no options of its own.

    Statistics: ``nodes`` (states propagated), ``failures`` (contradictions among them),
    ``eliminations`` (candidates removed), ``solve_time`` (seconds).
    """

    def search(self, board: Board, request: Request) -> Result:
        """Search depth first on the cell with the fewest candidates, smallest value first."""
        run = _Run(board, Budget(request))
        collector = SolutionCollector(request)
        stop = collect(run.solutions(), collector)
        return collector.result(
            stop,
            {
                "solve_time": run.budget.elapsed,
                "nodes": run.budget.nodes,
                "failures": run.failures,
                "eliminations": run.eliminations,
            },
        )

    def trace(self, board: Board, request: Request) -> Iterator[Visit]:
        """Yield the states of the same search, in its order."""
        run = _Run(board, Budget(request))
        yield from run.visits()


@dataclass(slots=True)
class _Run:
    """One search and its counters."""

    board: Board
    budget: Budget
    failures: int = 0
    eliminations: int = 0
    _steps: int = 0

    def solutions(self) -> Iterator[Grid]:
        """Yield the solutions; raise LimitReached when the budget is used up."""
        for visit in self.visits():
            if visit.end is NodeEnd.SOLUTION and visit.candidates is not None:
                yield tuple(mask.bit_length() for mask in visit.candidates)

    def visits(self) -> Iterator[Visit]:
        """Yield the states after propagation; raise LimitReached when the budget is used up."""
        everything = all_values(self.board.layout.n)
        unknown = [everything] * len(self.board.layout)
        givens = [(cell, everything & ~mask) for cell, mask in enumerate(self.board.candidates)]
        givens += removed_at_once(self.board.layout)
        # A waiting state is a guess, its parent's candidates and what to remove from them.
        stack: list[_Waiting] = [(0, None, unknown, givens)]
        while stack:
            depth, guess, parent, queue = stack.pop()
            self.budget.node()
            candidates = parent.copy()
            cell, end = None, NodeEnd.CONTRADICTION
            if eliminate(self.board.layout, candidates, queue, self._count):
                cell = _fewest_candidates(candidates)
                end = NodeEnd.SOLUTION
            else:
                self.failures += 1
            yield Visit(
                depth=depth,
                guess=guess,
                candidates=tuple(candidates),
                end=end if cell is None else None,
            )
            if cell is None:
                continue
            for value in reversed(values_of(candidates[cell])):
                gone = [(cell, everything & ~bit(value))]
                stack.append((depth + 1, Guess(cell=cell, value=value), candidates, gone))

    def _count(self, removed: int) -> None:
        """Count eliminations and check the clock from time to time: large boards take long."""
        self.eliminations += removed
        self._steps += 1
        if self._steps % _STEPS_BETWEEN_CHECKS == 0:
            self.budget.check_time()


def _fewest_candidates(candidates: Candidates) -> int | None:
    """Return the undecided cell with the fewest candidates, None if all are decided."""
    best = None
    fewest = 0
    for cell, mask in enumerate(candidates):
        if mask & (mask - 1):
            count = mask.bit_count()
            if count == 2:
                return cell
            if best is None or count < fewest:
                best, fewest = cell, count
    return best
