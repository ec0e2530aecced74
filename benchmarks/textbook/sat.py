"""PySAT: a variable a candidate, pairs that exclude each other, a variable a state of a line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations, count

from pysat.solvers import Solver

from textbook.facts import Accepted, Differ, Equals, Fact, Related, Row, facts, partial_sums
from unidoku import Board


def solve(board: Board) -> tuple[int, float]:
    """Enumerate two models, the first forbidden by its candidates."""
    n = board.layout.n
    fresh = count(len(board.layout) * n + 1)
    with Solver("glucose4") as solver:
        for cell in board.layout.cells:
            its = [cell * n + value for value in range(1, n + 1)]
            solver.add_clause([its[value - 1] for value in board.values(cell)])
            solver.append_formula([-a, -b] for a, b in combinations(its, 2))
        for fact in facts(board):
            solver.append_formula(clauses(fact, n, fresh))
        began = time.perf_counter()
        found = 0
        while found < 2 and solver.solve():
            found += 1
            model = solver.get_model()[: len(board.layout) * n]
            solver.add_clause([-literal for literal in model if literal > 0])
        return found, time.perf_counter() - began


def clauses(fact: Fact, n: int, fresh: Iterator[int]) -> Iterator[list[int]]:
    """Yield the clauses of a fact: what excludes what, and states step by step."""
    match fact:
        case Differ(cells):
            for value in range(1, n + 1):
                its = [cell * n + value for cell in cells]
                yield from ([-a, -b] for a, b in combinations(its, 2))
                if len(cells) == n:
                    yield its
        case Equals(cells, _):
            yield from clauses(partial_sums(fact, n), n, fresh)
        case Related((a, b), _):
            yield from ([-(a * n + v), -(b * n + w)] for v, w in fact.forbidden(n))
        case Row(cells, rows):
            chosen = [next(fresh) for _ in rows]
            yield chosen
            for choice, row in zip(chosen, rows, strict=True):
                yield from ([-choice, cell * n + v] for cell, v in zip(cells, row, strict=True))
        case Accepted(cells, _, accepting, steps):
            before: dict[int, int] = {0: next(fresh)}
            yield [before[0]]
            after_of = {(state, value): target for state, value, target in steps}
            for cell in cells:
                targets = sorted({after_of[key] for key in after_of if key[0] in before})
                after = {state: next(fresh) for state in targets}
                for state, state_literal in before.items():
                    for value in range(1, n + 1):
                        target = after_of.get((state, value))
                        leads_to = [] if target is None else [after[target]]
                        yield [-state_literal, -(cell * n + value), *leads_to]
                before = after
            yield from (
                [-state_literal]
                for state, state_literal in before.items()
                if state not in accepting
            )
