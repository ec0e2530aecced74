"""Unidoku itself, for benchmarks/beside.py: ``python ours.py [BACKEND]``.

Answers the questions of docs/benchmarks.md, a line of JSON each. Whatever is built is built anew,
and all of a call counts as that but the search: what is kept of a layout, of its shapes, of rules
and of machines is forgotten once the puzzle is read, as if its numbers were met for the first time.
What all layouts of its units share is not, nor what is told of relations and of sets of values.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import unidoku
from unidoku import Request
from unidoku.backends import lower, policy
from unidoku.backends.native.single import build, machines, memory, steps
from unidoku.core import (
    alternatives,
    deduce,
    hidden,
    machine,
    remainders,
    rules,
    shapes,
    simplify,
)
from unidoku.formats.neutral import Unread, puzzle_from_neutral

BACKEND = "native[engine=single]"


def _caches(*modules: ModuleType) -> Iterator[Any]:
    """Yield the functions of modules that keep what they returned."""
    for module in modules:
        for one in vars(module).values():
            if hasattr(one, "cache_clear") and one.__module__ == module.__name__:
                yield one


_RULES = [
    module
    for name, module in sys.modules.items()
    if name.startswith(f"{rules.__name__}.") and not name.endswith((".base", ".catalogue"))
]

KEPT = (
    *_caches(alternatives, hidden, machine, machines, *_RULES),
    deduce.strengthened,
    policy._unserved,
    remainders.cages_of,
    shapes._in_one_form,
    shapes.interned_rows,
    simplify.simplified,
    simplify._read_in_pairs,
    lower.lower,
    build.tables_of,
    *_caches(steps),
    memory.supports_of,
)
"""What keeps something of a layout, of shapes with their cells, of rules or of machines."""


def answer(
    solver: unidoku.Solver,
    *,
    puzzle: dict[str, Any],
    solutions: int,
    seconds: float,
    repeats: int,
    **_others: object,
) -> dict[str, Any]:
    """Answer a question, whose further fields are for others."""
    found: dict[str, Any] = {"build": [], "search": []}
    for _ in range(repeats):
        told = puzzle_from_neutral(puzzle)
        if isinstance(told, Unread):
            return {"refused": ", ".join(told.reasons)}
        board = told.board  # another object each time: a layout keeps what it found of itself
        for one in KEPT:
            one.cache_clear()
        begun = time.perf_counter()
        built = solver.attempt(board, Request(node_limit=1, keep=0), is_timed=False)
        took = time.perf_counter() - begun
        if built.result is None:
            return {"refused": str(built.error)}
        found["build"].append(took - built.result.statistics["solve_time"])
    while len(found["search"]) < repeats and sum(found["search"]) < seconds:
        result = solver.search(board, Request(solutions=solutions, time_limit=seconds))
        found["search"].append(result.statistics["solve_time"])
    nodes = result.statistics["nodes"]
    return found | {"count": result.count, "decided": result.stop.answered, "nodes": nodes}


def main(backend: str = BACKEND) -> None:
    """Answer questions until there are no more."""
    solver = unidoku.load(backend)
    solver.solve("1... ..2. .3.. ...4")  # what is compiled is loaded before anything is timed
    print(json.dumps({"ready": f"unidoku {unidoku.__version__}, {backend}"}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(solver, **json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
