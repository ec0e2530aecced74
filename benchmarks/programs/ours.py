"""Unidoku itself, for benchmarks/beside.py: ``python ours.py [BACKEND]``.

Answers the questions of docs/benchmarks.md, a line of JSON each. All of a call counts as building
but the search. Whatever has cells in it is built again each time: caches of the layout, of its
hidden cells, of its constraints and what is deduced from them are cleared once the puzzle is read,
and so are caches of its units, unless it has none or those of a named variant. What has no cells is
kept, as other programs keep it: machines by the numbers of their rules (the total of a sandwich),
and what is found of a machine alone; tables of relations, of rows and of sets of values.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import unidoku
from unidoku import Layout, Request
from unidoku.backends import find, sum_range
from unidoku.backends.native import choice
from unidoku.backends.native.single.build import cages, combined_sums, layout_tables, rows_of_rules
from unidoku.backends.solving import policy
from unidoku.core import hidden, layout
from unidoku.core.constraints import connected, primitives, pruners
from unidoku.core.rules import ranks
from unidoku.core.transforms import implied, innies_outies, lower, simplify
from unidoku.core.variants import ADDITIONS
from unidoku.errors import LayoutError
from unidoku.formats.neutral import Unread, puzzle_from_neutral

BACKEND = "native[engine=single]"


def _caches(*modules: ModuleType) -> Iterator[Any]:
    """Yield the functions of modules that keep what they returned."""
    for module in modules:
        for function in vars(module).values():
            if hasattr(function, "cache_clear") and function.__module__ == module.__name__:
                yield function


WITH_CELLS = (
    *_caches(choice, connected, hidden, pruners, sum_range),
    implied.with_implied,
    policy._with_constraints,
    innies_outies.cages_of,
    primitives._in_one_form,
    ranks._times_of_each,
    simplify.simplified,
    lower.lower,
    layout_tables.tables_of,
)
"""What keeps something of a layout, or of constraints with their cells."""

OF_UNITS = (
    layout._plain,
    cages.units_of,
    combined_sums.partitions,
    innies_outies.in_full_units,
    innies_outies.runs,
    innies_outies.unit_sets,
    layout_tables.rows_of_units,
    layout_tables.tables_of_units,
    rows_of_rules.lines_of,
    rows_of_rules.lines_with,
)
"""What keeps something of units alone."""

WHOLE_RULES = find("native").capabilities.whole_rules
"""The kinds of rules that add no hidden cells to the units."""

VARIANTS = ("classic", "latin", *ADDITIONS)
"""Variants whose units are kept."""


def _has_known_units(asked_layout: Layout) -> bool:
    """Return whether a layout has the units of a named variant, or none."""
    if not asked_layout.units:
        return True
    for name in () if hidden.conceals(asked_layout, WHOLE_RULES) else VARIANTS:
        try:
            known = unidoku.layout(name, asked_layout.n)
        except LayoutError:
            continue
        units = ({unit.cells for unit in each.units} for each in (asked_layout, known))
        if asked_layout.positions == known.positions and len(set(map(frozenset, units))) == 1:
            return True
    return False


def _has_known_full_units(asked_layout: Layout) -> bool:
    """Return whether the units with all values are those of a variant, or none."""
    full_units = {unit.cells for unit in asked_layout.full_units}
    for name in ("classic", "latin") if full_units else ():
        try:
            known = unidoku.layout(name, asked_layout.n)
        except LayoutError:
            continue
        if full_units == {unit.cells for unit in known.full_units}:
            return asked_layout.positions == known.positions
    return not full_units


def _forget(asked_layout: Layout) -> None:
    """Clear the caches of a puzzle with this layout."""
    if not _has_known_full_units(asked_layout):
        layout_tables.rows_of_full_units.cache_clear()
    for cache in WITH_CELLS:
        cache.cache_clear()
    if not _has_known_units(asked_layout):
        layout._IN_USE.clear()
        for cache in OF_UNITS:
            cache.cache_clear()


def answer(
    solver: unidoku.Solver,
    *,
    puzzle: dict[str, Any],
    solutions: int,
    seconds: float,
    repeats: int,
) -> dict[str, Any]:
    """Answer a question."""
    seconds_of: dict[str, list[float]] = {"build": [], "search": []}
    for _ in range(repeats):
        read_puzzle = puzzle_from_neutral(puzzle)
        if isinstance(read_puzzle, Unread):
            return {"refused": ", ".join(read_puzzle.reasons)}
        # Another object each time, because a layout keeps what it found of itself.
        board = read_puzzle.board
        _forget(board.layout)
        begun = time.perf_counter()
        built = solver.attempt(board, Request(node_limit=1, keep=0), is_timed=False)
        took = time.perf_counter() - begun
        if built.result is None:
            return {"refused": str(built.error)}
        seconds_of["build"].append(took - built.result.statistics["solve_time"])
    while len(seconds_of["search"]) < repeats and sum(seconds_of["search"]) < seconds:
        result = solver.search(board, Request(solutions=solutions, time_limit=seconds))
        seconds_of["search"].append(result.statistics["solve_time"])
    nodes = result.statistics["nodes"]
    return seconds_of | {"count": result.count, "decided": result.stop.answered, "nodes": nodes}


def main() -> None:
    """Answer questions until there are no more."""
    backend = sys.argv[1] if len(sys.argv) > 1 else BACKEND
    solver = unidoku.load(backend)
    solver.solve("1... ..2. .3.. ...4")  # what is compiled is loaded before anything is timed
    print(json.dumps({"ready": f"unidoku {unidoku.__version__}, {backend}"}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(solver, **json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
