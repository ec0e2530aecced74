"""The search of `engine` as Python, told node by node: the same steps in the same order.

The loop of `engine.search` is here a second time, because machine code cannot yield; the steps are
its own, and a test holds the nodes of both equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from unidoku.backends.base import Request
from unidoku.backends.native.driver import borrow
from unidoku.backends.native.single.boards import Memory
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.build.memory import address
from unidoku.backends.native.single.function import INTERPRETED
from unidoku.backends.native.single.search import engine
from unidoku.backends.native.single.search.guess import guess as next_guess
from unidoku.backends.native.single.search.kinds import Propagator
from unidoku.backends.native.single.search.registers import Register
from unidoku.backends.native.single.search.state import Search, search_at
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.visit import Guess, NodeEnd, Visit
from unidoku.core.board import Board

_TICKS_BETWEEN_CHECKS = 64


def visits(board: Board, request: Request) -> Iterator[Visit]:
    """Yield the nodes of the search of a board; raise LimitReached at a limit."""
    budget = Budget(request)
    tables = tables_of(board.layout, INTERPRETED)
    memory = borrow(tables.idle, partial(Memory, tables))
    try:
        memory.begin(board.candidates, replace(request, keep=0), None)
        yield from _visits(board, memory, budget)
    finally:
        tables.idle.append(memory)


def _visits(board: Board, memory: Memory, budget: Budget) -> Iterator[Visit]:
    s = search_at(address(memory.registers))
    r, cells = s.registers, len(board.layout)
    budget.node()
    if not engine.begin_search(s):
        yield Visit(depth=0, candidates=tuple(s.candidates[cell] for cell in range(cells)))
        return
    depth, guess = 0, None
    above: list[int] = []  # the depth of the node that was branched on, for each saved state
    while True:
        failed = _propagate(s, budget)
        left = tuple(s.candidates[cell] for cell in range(cells))
        if failed == engine.DONE:
            cell, value = next_guess(s)
            if cell >= 0:
                yield Visit(depth=depth, guess=guess, candidates=left)
                budget.node()
                if r[Register.LEVEL] == r[Register.DEPTH]:
                    memory._grow()
                    s = search_at(address(memory.registers))
                engine.branch(s, cell, value)
                above.append(depth)
                depth, guess = depth + 1, Guess(cell=cell, value=value.bit_length())
                continue
            yield Visit(depth=depth, guess=guess, candidates=left, end=NodeEnd.SOLUTION)
            r[Register.COUNT] += 1
            r[Register.IN_A_ROW] = 0
        else:
            where = _where(board, s, failed)
            yield Visit(
                depth=depth,
                guess=guess,
                candidates=left,
                end=NodeEnd.CONTRADICTION,
                where=where,
            )
            engine.fail(s, failed)
        if not above:
            return
        if r[Register.RUN_FAILURES] >= r[Register.RUN] and r[Register.COUNT] == 0:
            engine.restart(s)
            above.clear()
            depth, guess = 0, None
            continue
        budget.node()
        engine.take_opposite(s)
        cell, value = s.guesses[2 * r[Register.LEVEL]], s.guesses[2 * r[Register.LEVEL] + 1]
        depth = above.pop() + 1
        guess = Guess(cell=cell, value=value.bit_length(), holds=False)


def _propagate(s: Search, budget: Budget) -> int:
    """Propagate to the end, however long it takes, and check the time meanwhile."""
    while True:
        s.registers[Register.UNTIL] = s.registers[Register.TICKS] + _TICKS_BETWEEN_CHECKS
        failed = engine.propagate(s)
        if failed != engine.LATE:
            return failed
        budget.check_time()


def _where(board: Board, s: Search, failed: int) -> str:
    """Return in words which constraint failed."""
    names = board.layout.names
    if failed <= engine.OF_PEERS:
        return f"a cell that {names[engine.OF_PEERS - failed]} sees must have its value"
    kind, row = Propagator(s.kinds[failed]), s.rows[failed]
    if kind in (Propagator.REGION, Propagator.DIVISION):
        return kind.name.lower()
    cells = [s.data[index] for index in range(row + 1, row + 1 + s.data[row])]
    words = kind.name.lower().replace("_", " ")
    if kind is Propagator.UNIT:
        for unit in board.layout.units:
            if unit.cells == tuple(sorted(cells)):
                return f"{unit} cannot have all values"
    return f"{words} of {', '.join(names[cell] for cell in cells if cell < len(names))}"
