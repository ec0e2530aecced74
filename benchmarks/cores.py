"""How large are the cores of solvers, how long do they take, and are they right?

A state of a puzzle is asked about: for some of its false candidates, a solver names parts that
refute it. PySAT and clingo are asked as the package asks them; OR-Tools' CP-SAT and Z3 get the same
clauses here. Each core is checked by another solver, and shrunk by the same one to a set from which
no part can be left out.

Usage: python benchmarks/cores.py FILE... [--every N] [--start N] [--first N] [--candidates N]
       [--write [--force]]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from measuring.machine import machine, say
from measuring.page import UnfitError, page_parser, publish, table

import unidoku
from unidoku.analysis.cores import CoreFinder, SelectedClauses
from unidoku.backends.base import Cores
from unidoku.core.bits import all_values, bit, bits_of, values_of
from unidoku.files.puzzles import puzzles_in
from unidoku.files.source import Source
from unidoku.logic import Ending, State, walk_through
from unidoku.logic.geometry import cells_of
from unidoku.logic.reasons.parts import PartSet

RESULTS = Path(__file__).parent / "results" / "cores.md"


class CpSatCores:
    """Clauses in OR-Tools' CP-SAT, which names sufficient assumptions if it presolves nothing."""

    def __init__(self) -> None:
        from ortools.sat.python import cp_model

        self._module, self._model = cp_model, cp_model.CpModel()
        self._variables = defaultdict[int, Any](lambda: self._model.new_bool_var(""))

    def _literal(self, number: int) -> Any:
        variable = self._variables[abs(number)]
        return variable if number > 0 else variable.negated()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._model.add_bool_or([self._literal(number) for number in clause])

    def core(
        self, assumptions: Sequence[int], conflicts: int | None = None
    ) -> tuple[int, ...] | None:
        """Return the assumptions that the solver calls sufficient for infeasibility."""
        self._model.clear_assumptions()
        literals = {self._literal(number).index: number for number in assumptions}
        self._model.add_assumptions([self._literal(number) for number in assumptions])
        solver = self._module.CpSolver()
        solver.parameters.num_workers = 1
        if solver.solve(self._model) != self._module.INFEASIBLE:
            return None
        return tuple(literals[index] for index in solver.sufficient_assumptions_for_infeasibility())


class Z3Cores:
    """Clauses in Z3, which tracks assumptions."""

    def __init__(self) -> None:
        import z3

        self._z3, self._solver = z3, z3.SimpleSolver()

    def _literal(self, number: int) -> Any:
        variable = self._z3.Bool(f"x{abs(number)}")
        return variable if number > 0 else self._z3.Not(variable)

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._solver.add(self._z3.Or(*map(self._literal, clause)))

    def core(
        self, assumptions: Sequence[int], conflicts: int | None = None
    ) -> tuple[int, ...] | None:
        """Return the unsatisfiable core."""
        if self._solver.check(*map(self._literal, assumptions)) != self._z3.unsat:
            return None
        names = {str(self._literal(number)): number for number in assumptions}
        return tuple(names[str(literal)] for literal in self._solver.unsat_core())


def _of_backend(label: str) -> Callable[[], Cores]:
    return unidoku.load(label).backend.cores  # type: ignore[attr-defined,no-any-return]  # a source


SOURCES: dict[str, Callable[[], Any]] = {
    "sat (MiniSat 2.2)": _of_backend("sat"),
    "sat (Glucose 4)": _of_backend("sat[solver=glucose4]"),
    "sat (CaDiCaL 1.9.5)": _of_backend("sat[solver=cadical195]"),
    "clingo": _of_backend("clingo"),
    "cp-sat": CpSatCores,
    "z3": Z3Cores,
}


@dataclass(slots=True)
class Measured:
    """What the cores of one source were like: sizes, seconds, and how many were wrong."""

    first: list[int] = field(default_factory=list)
    shrunk: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    wrong: int = 0


def measure(state: State, solution: Sequence[int], most: int, found: dict[str, Measured]) -> None:
    """Ask each source about some false candidates of a state, with clauses for what is left of it.

    The witnesses have the clauses of all candidates.
    """
    clauses: list[Sequence[int]] = []
    model = SelectedClauses.of(state.layout, clauses.append, candidates=state.candidates)
    facts: list[Sequence[int]] = [
        [-model.candidate(cell, value)]
        for cell, mask in enumerate(state.candidates)
        for value in values_of(all_values(state.layout.n) & ~mask)
    ]
    every = model.selectors((1 << model.parts.first_given) - 1)
    false = [
        model.candidate(cell, value)
        for cell, value in state.all_in(cells_of(state.empty))
        if cell < len(solution) and value != solution[cell]  # a solution has no hidden cells
    ]
    witnesses = {name: CoreFinder(state.layout, name) for name in ("sat", "clingo")}
    for witness in witnesses.values():
        for clause in facts:
            witness.live.add(clause)
    for name, make in SOURCES.items():
        live = make()
        for clause in (*clauses, *facts):
            live.add(clause)
        witness = witnesses["clingo" if name.startswith("sat") else "sat"]
        for candidate in false[:: max(1, len(false) // most)][:most]:
            before = time.process_time()
            core = live.core([candidate, *every])
            found[name].seconds.append(time.process_time() - before)
            if core is None:
                found[name].wrong += 1
                continue
            parts = model.chosen(core)
            if not isinstance(witness.core(parts, [candidate]), int):
                found[name].wrong += 1
                continue
            found[name].first.append(parts.bit_count())
            found[name].shrunk.append(_shrunk(witnesses["sat"], parts, candidate).bit_count())


def _shrunk(finder: CoreFinder, parts: PartSet, candidate: int) -> PartSet:
    for number in reversed([*bits_of(parts)]):
        smaller = finder.core(parts & ~bit(number + 1), [candidate])
        if isinstance(smaller, int):
            parts = smaller
    return parts


def report(options: argparse.Namespace) -> Iterator[str]:
    """Ask all sources; yield the lines of the report."""
    yield from ("# Cores of solvers", "", machine(), "")
    found: dict[str, Measured] = defaultdict(Measured)
    states = 0
    for file in options.files:
        puzzles = puzzles_in(Source(str(file)), lambda *_: None)
        for puzzle in islice(islice(puzzles, options.start, None, options.every), options.first):
            result = unidoku.solve(puzzle.board, solutions=2, time_limit=60)
            walk = walk_through(puzzle.board, techniques="..grouped AIC", time_limit=60)
            if result.unique and walk.outcome is Ending.STALLED:
                measure(walk.final, result.solutions[0], options.candidates, found)
                states += 1
                say(f"{states}: {puzzle.name}")
    yield f"{states} states at which the techniques up to grouped AIC stall; up to "
    yield f"{options.candidates} false candidates of each."
    yield ""
    head = ("source", "cores", "wrong", "parts: median", "90 %", "shrunk: median", "smallest")
    lines = table((*head, "ms: median", "90 %"), (_row(*item) for item in found.items()))
    yield from lines
    if any(
        measured.wrong for name, measured in found.items() if name.startswith(("sat", "clingo"))
    ):
        raise UnfitError(1, "a wrong core", lines)


def _row(name: str, found: Measured) -> list[str]:
    numbers = [f"{len(found.first) + found.wrong}", f"{found.wrong}"]
    for values in (found.first, found.seconds):
        ordered = sorted(values) or [0]
        scale = 1 if values is found.first else 1e3
        figures = (statistics.median(ordered), ordered[len(ordered) * 9 // 10])
        numbers += [f"{scale * each:.3g}" for each in figures]
        if values is found.first:
            numbers += [
                f"{statistics.median(found.shrunk or [0]):g}",
                f"{min(found.shrunk or [0])}",
            ]
    return [name, *numbers]


def main() -> int:
    """Run the program; return its exit code."""
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="puzzles")
    parser.add_argument("--every", type=int, default=1, help="take every so many puzzles only")
    parser.add_argument("--start", type=int, default=0, help="puzzles to leave out at first")
    parser.add_argument("--first", type=int, default=None, help="the most puzzles of each file")
    parser.add_argument("--candidates", type=int, default=8, help="false candidates of a state")
    return publish(report, parser.parse_args(), RESULTS)


if __name__ == "__main__":
    sys.exit(main())
