"""Searches whose steps a backend tells, recorded as trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Unpack

from unidoku.analysis.trace.tree import Candidate, Trace, TraceNode
from unidoku.api import solver_and_limits
from unidoku.backends.base import Limits, Request, Stop
from unidoku.backends.solving.policy import wrapped_exceptions
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.backends.toolkit.budget import LimitReached
from unidoku.backends.visit import Guess, NodeEnd, Visit, clash
from unidoku.core.bits import bit, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Layout
from unidoku.errors import UnsupportedError
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel, cancellable
from unidoku.support.deadline import Deadline, time_limit_scope

MOST_NODES = 100_000
"""The most nodes of a trace."""

TRACING = ("exact-cover", "logic", "native", "norvig", "python-constraint")
"""The backends of the catalogue that tell their search."""


@named_arguments
@cancellable
def trace(
    board: BoardLike,
    *,
    variant: str | Layout | None = None,
    backend: BackendLike = "native",
    cancel: Cancel | None = None,
    **options: Unpack[Limits],
) -> Trace:
    """Search a board and return the tree of the search, of at most 100,000 nodes.

    A search that tells what it does is slower than one that does not; its nodes are the same. On a
    layout with hidden cells, solutions that differ in these alone are several.

    >>> print(trace("1... ..2. .3.. ...4", backend="norvig"))
    norvig: 1 node, 0 contradictions, 1 solution; it ends at the last solution asked for

    Args:
        board: the puzzle: a board, a text, or rows of values.
        variant: layout of a text or of rows, as for `unidoku.solve`.
        backend: the backend; it must have the method ``trace``.
        cancel: a token that ends the search.
        options: limits of the search, and options of the backend.

    Raises:
        InputError: the board or a limit is not valid.
        UnsupportedError: the backend does not tell its search, or refuses the board.
    """
    solver, limits = solver_and_limits(backend, options)
    return trace_of(solver, as_board(board, variant), Request.of(**limits))


def trace_of(solver: Solver, board: Board, request: Request) -> Trace:
    """Return the tree of a solver's search; see `trace`."""
    tell = getattr(solver.backend, "trace", None)
    if tell is None:
        raise UnsupportedError(
            f"expected a backend that tells the steps of its search ({', '.join(TRACING)}), "
            f"got {solver.label}"
        )
    clock = Deadline(request.time_limit)

    def check_time() -> None:
        if clock.passed:
            raise LimitReached(Stop.TIME)

    most = min(request.node_limit or MOST_NODES, MOST_NODES)
    part = replace(request, node_limit=most, keep=0)
    with wrapped_exceptions(solver.label), time_limit_scope(check_time):
        try:
            prepared = solver.board_for(expanded(board))
            tree = _Tree(prepared, len(board.layout))
            stop = tree.grow(partial(tell, prepared, part), part.solutions, most, clock)
        except LimitReached as limit:  # in code that prepares rules
            prepared, tree, stop = board, _Tree(board, len(board.layout)), limit.stop
    runs = tree.runs(stop)
    return Trace(
        board=board,
        backend=solver.label,
        layout=prepared.layout,
        runs=runs,
        stop=stop,
        nodes=tree.nodes,
    )


@dataclass(slots=True)
class _Open:
    """A node that may still get children."""

    visit: Visit
    filled: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]
    current: Sequence[int] | None
    end: NodeEnd | None
    children: list[TraceNode] = field(default_factory=list)

    def closed(self, layout: Layout) -> TraceNode:
        """Return the node with the children that it has got."""
        end, where = self.end, self.visit.where
        if end is None and not self.children and not self.visit.step:
            end = NodeEnd.CONTRADICTION
        if end is NodeEnd.CONTRADICTION and not where and self.visit.candidates is not None:
            where = clash(layout, self.visit.candidates)
            where = where or ("a rule cannot hold" if layout.rules else "")
        return TraceNode(
            guess=self.visit.guess,
            step=self.visit.step,
            filled=self.filled,
            removed=self.removed,
            end=end,
            where=where,
            children=tuple(self.children),
        )


class _Tree:
    """A tree that grows with each visit."""

    def __init__(self, board: Board, cells: int) -> None:
        self._board = board
        self._cells = cells
        self._path: list[_Open] = []
        self._runs: list[TraceNode] = []
        self.nodes = 0

    def grow(
        self,
        tell: Callable[[], Iterable[Visit]],
        solutions: int | None,
        most: int,
        clock: Deadline,
    ) -> Stop:
        """Add the nodes of a search until it ends or a limit is reached; return why."""
        count = 0
        try:
            for visit in tell():
                is_node = not visit.step and (visit.depth or not self._path)
                if is_node and self.nodes == most:
                    return Stop.NODES
                self._add(visit)
                self.nodes += bool(is_node)
                count += visit.end is NodeEnd.SOLUTION
                if count == solutions:
                    return Stop.SOLUTIONS
                if clock.passed:
                    return Stop.TIME
        except LimitReached as limit:
            return limit.stop
        return Stop.EXHAUSTED

    def _add(self, visit: Visit) -> None:
        self._close(visit.depth)
        parent = self._path[-1] if self._path else None
        before = parent.current if parent else self._board.candidates
        filled, removed = _difference(before, visit, self._cells)
        after = before if visit.candidates is None else visit.candidates
        if visit.step and parent:
            parent.current = after
        self._path.append(_Open(visit, filled, removed, after, visit.end))

    def _close(self, depth: int) -> None:
        while len(self._path) > depth:
            node = self._path.pop().closed(self._board.layout)
            (self._path[-1].children if self._path else self._runs).append(node)

    def runs(self, stop: Stop) -> tuple[TraceNode, ...]:
        """Return the finished roots; where a limit ended the search, its last node says so."""
        if stop in (Stop.TIME, Stop.NODES, Stop.INCOMPLETE):
            if not self._path:
                return (TraceNode(guess=None, end=NodeEnd.LIMIT),)
            last = self._path[-1]
            last.end = last.end or NodeEnd.LIMIT
        self._close(0)
        return tuple(self._runs)


def _difference(
    before: Sequence[int] | None, visit: Visit, cells: int
) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """Return the cells that were filled, and other candidates that were removed, by propagation."""
    if before is None or visit.candidates is None:
        return (), ()
    filled, removed = [], []
    guess = visit.guess if isinstance(visit.guess, Guess) else None
    assumed = guess.cell if guess and guess.holds else -1
    for cell, (old, new) in enumerate(zip(before[:cells], visit.candidates, strict=False)):
        if old == new or cell == assumed:
            continue
        if is_single(new):
            filled.append((cell, new.bit_length()))
        else:
            gone = old & ~new
            if guess and cell == guess.cell:
                gone &= ~bit(guess.value)
            removed += [(cell, value) for value in values_of(gone)]
    return tuple(filled), tuple(removed)
