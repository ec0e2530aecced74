"""The clauses of a layout, kept in a live solver, and the search in slices of conflicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations, count, islice
from pathlib import Path
from typing import Any, Literal

import pysolvers
from pysat.card import CardEnc, EncType
from pysat.formula import CNF
from pysat.solvers import Solver as Pysat

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.cover import cover_of, grid_of, held_candidates
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.reified import Clause
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import lower, narrowed
from unidoku.errors import OptionError, UnsupportedError
from unidoku.support.atomic_write import check_target, ending_of, write_text

PAIRWISE_VALUES = 25
"""The largest n that ``auto`` encodes pairwise: 0.5 million clauses, a second to build."""

_WITH_PROOF = ("cadical153", "cadical195", "glucose3", "glucose4")

_GLUCOSE, _MINISAT = "glucose4", "minisat22"
"""The solvers that ``auto`` chooses from."""

GLUCOSE_UP_TO = 200_000
"""The largest number of clauses for Glucose: it looks at its limits only when it restarts.

On an empty latin square of 25 values that took it a second, MiniSat a thousandth; on large boards
and long sums MiniSat is as fast."""

_SLICE = 0.05
"""Seconds that a slice should take: CaDiCaL notices a limit or Ctrl-C within twice that."""

_FIRST_SLICE = 500
"""The largest number of conflicts of the first slice, a few milliseconds on 9x9."""

_FIRST_WORK = 5_000_000
"""Conflicts of the first slice times clauses: a conflict of long sums may take milliseconds."""

_PROPAGATIONS = 5_000_000
"""Number of propagations of a slice if the solver counts them: conflicts may be rare."""

_DECISIONS = 1_000_000
"""Number of decisions of a slice of CaDiCaL, which does not count propagations."""

_MOST_VARIABLES = 4000
"""Number of additional variables that a live solver may accumulate: each search leaves one."""


_FIGURES = {
    "nodes": "decisions",
    "failures": "conflicts",
    "propagations": "propagations",
    "restarts": "restarts",
}
"""PySAT's names of its statistics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sat:
    """SAT solvers of PySAT, used incrementally: clauses stay, givens are assumptions.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``nodes`` (decisions), ``failures``
    (conflicts), ``propagations``, ``restarts``, if the solver counts them.

    Args:
        solver: one of PySAT's solvers; Glucose notices a time limit only when it restarts, on large
            models after tenths of a second. ``auto``: Glucose 4 for up to 200,000 clauses and for
            proofs, MiniSat 2.2 above.
        encoding: encoding of at-most-one. ``pairwise``: a clause for each pair, which propagates
            best; ``seqcounter``, ``bitwise`` and ``ladder``: PySAT's own, with extra variables and
            far fewer clauses; ``auto``: pairwise up to 25 values, seqcounter above.
        proof: file for the solver's DRAT proof that there are no solutions beyond those found;
            ``{digest}`` in its name is replaced by the board's digest. The clauses that it refutes
            are written to a file beside it with the ending ``.cnf``: the layout's clauses, the
            givens, and one clause against each solution found. A solver that writes a proof is made
            again for each board. Refused if one solution is requested and found, because nothing is
            proved then.
        force: whether to replace existing files of a proof.
    """

    solver: Literal[
        "auto",
        "cadical153",
        "cadical195",
        "glucose3",
        "glucose4",
        "glucose42",
        "maplechrono",
        "maplesat",
        "mergesat3",
        "minisat22",
        "minisat-gh",
    ] = "auto"
    encoding: Literal["auto", "pairwise", "seqcounter", "bitwise", "ladder"] = "auto"
    proof: str | None = None
    force: bool = False

    def __post_init__(self) -> None:
        checked("sat", self)
        if self.proof is not None and self.solver not in ("auto", *_WITH_PROOF):
            raise OptionError(
                f"sat: solver {self.solver!r} writes no proof; choose {' or '.join(_WITH_PROOF)}"
            )
        if self.proof is not None and ending_of(self.proof) == ".cnf":
            raise OptionError(
                f"sat: proof: expected an ending other than .cnf, which is used for the clauses, "
                f"got {self.proof!r}"
            )
        if self.force and self.proof is None:
            raise OptionError("sat: force: expected the option proof, whose files it replaces")

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options; there are no others."""
        parameters = options_of(self)
        if self.solver == "auto":
            parameters["solver"] = f"{_GLUCOSE} up to {GLUCOSE_UP_TO:,} clauses, {_MINISAT} above"
            if self.proof is not None:
                parameters["solver"] = _GLUCOSE
        if self.encoding == "auto":
            parameters["encoding"] = f"pairwise up to {PAIRWISE_VALUES} values, seqcounter above"
        return parameters

    def search(self, board: Board, request: Request) -> Result:
        """Solve under assumptions repeatedly, with each solution found forbidden."""
        budget, collector = Budget(request), SolutionCollector(request)
        statistics: dict[str, float] = {}
        board = narrowed(board)
        layout = board.layout
        try:
            if self.proof is None:
                with _LIVE.lend(layout, self, lambda: _Live(layout, self, budget)) as live:
                    stop = _enumerate(live, board, collector, budget, statistics)
            else:
                stop = self._prove(self.proof, board, collector, budget, statistics)
                if request.solutions == 1 and collector.enough:
                    raise UnsupportedError(
                        "sat wrote no proof: the search ends at the one solution requested; "
                        "request two (--solutions 2)"
                    )
        except LimitReached as limit:  # raised while the clauses were made
            stop = limit.stop
        return collector.result(stop, statistics)

    def _prove(
        self,
        name: str,
        board: Board,
        collector: SolutionCollector,
        budget: Budget,
        statistics: dict[str, float],
    ) -> Stop:
        path = Path(name.replace("{digest}", board.digest))
        clauses = path.with_suffix(".cnf")
        for file in (path, clauses):
            check_target(file, force=self.force)
        live = _Live(board.layout, self, budget, proving=True)
        stop = _enumerate(live, board, collector, budget, statistics)
        if stop is Stop.EXHAUSTED:
            lines = live.native.get_proof()
            if lines[-1:] != ["0"]:
                lines.append("0")  # the empty clause, which Glucose omits if it is obvious
            formula = CNF(from_clauses=live.clauses).to_dimacs()
            write_text(clauses, f"{formula}\n", force=self.force)
            write_text(path, "".join(f"{line}\n" for line in lines), force=self.force)
        return stop


class _Live:
    """A solver with the clauses of a layout; with a proof it also records its clauses."""

    def __init__(
        self, layout: Layout, options: Sat, budget: Budget, *, proving: bool = False
    ) -> None:
        self.clauses: list[Clause] | None = [] if proving else None
        parts = _clauses(layout, options.encoding, budget)
        clauses = chain.from_iterable(_each_in_time(parts, budget))
        name: str = options.solver
        if name == "auto":
            first = [] if proving else [*islice(clauses, GLUCOSE_UP_TO + 1)]
            name = _MINISAT if len(first) > GLUCOSE_UP_TO else _GLUCOSE
            clauses = chain(first, clauses)
        self.native: Any = Pysat(name, **({"with_proof": True} if proving else {}))
        self._candidates = len(layout) * layout.n
        self._solve = _slices(self.native, name)
        # Calls through PySAT's methods take as long as the solver: there are thousands of clauses.
        add = self.add if proving else self.native.solver.add_clause
        for clause in clauses:
            add(clause)
        self._own_variables = self._variables = int(self.native.nof_vars())
        size = max(int(self.native.nof_clauses()), 1)
        self._conflicts = min(_FIRST_SLICE, _FIRST_WORK // size + 1)

    @property
    def is_worn(self) -> bool:
        """Whether a new solver would be much smaller."""
        return self._variables > self._own_variables + _MOST_VARIABLES

    def add(self, clause: Clause) -> None:
        self.native.add_clause(clause)
        if self.clauses is not None:
            self.clauses.append(clause)

    def new_variable(self) -> int:
        self._variables += 1
        return self._variables

    def solve(self, assumptions: Clause, budget: Budget) -> list[int] | None:
        """Return the candidates of a solution, None if there is none; observe the time limit."""
        while True:
            budget.check_time()
            started = time.perf_counter()
            answer = self._solve(assumptions, self._conflicts, budget)
            if answer is not None:
                break
            elapsed = time.perf_counter() - started
            if elapsed < _SLICE / 2:
                self._conflicts *= 2
            elif elapsed > _SLICE * 2:
                self._conflicts = max(1, self._conflicts // 2)
        if not answer:
            return None
        model = self.native.get_model()
        return [literal - 1 for literal in model[: self._candidates] if literal > 0]


_LIVE: Models[_Live] = Models(worn=lambda live: live.is_worn)


def _slices(native: Any, name: str) -> Callable[[Clause, int, Budget], bool | None]:
    """Return a function that solves for that many conflicts: True, False, or None for neither."""
    if not name.startswith("cadical"):

        def solve_for(assumptions: Clause, conflicts: int, budget: Budget) -> bool | None:
            native.clear_interrupt()
            native.conf_budget(conflicts)
            native.prop_budget(_PROPAGATIONS)
            with stopped_from_outside(native.interrupt, budget):
                answer: bool | None = native.solve_limited(assumptions, expect_interrupt=True)
            return answer

        return solve_for

    # PySAT's own method would jump out of CaDiCaL at Ctrl-C. It does not if it believes that this
    # is not the main thread. CaDiCaL keeps the GIL, at most for a slice.
    adapter = native.solver
    solve = getattr(pysolvers, f"{name}_solve_lim")

    def solve_cadical_for(assumptions: Clause, conflicts: int, _: Budget) -> bool | None:
        adapter.conf_budget(conflicts)
        adapter.dec_budget(_DECISIONS)
        answer = solve(adapter.cadical, assumptions, 0)
        adapter.status = None if answer == 0 else answer > 0  # read by get_model
        return adapter.status  # type: ignore[no-any-return]  # untyped library

    return solve_cadical_for


def _enumerate(
    live: _Live,
    board: Board,
    collector: SolutionCollector,
    budget: Budget,
    statistics: dict[str, float],
) -> Stop:
    """Find solutions until there are enough, no more, or a limit is reached; return which."""
    true, false = held_candidates(board)
    assumptions = [candidate + 1 for candidate in true]
    assumptions += [-candidate - 1 for candidate in false]
    given = set(true)
    proving = live.clauses is not None
    if proving:  # a proof does not cover assumptions
        for literal in assumptions:
            live.add([literal])
        assumptions = []
    forbidding = 0  # the variable that activates the clauses against solutions found
    before = live.native.accum_stats()
    statistics["init_time"] = init_time = budget.elapsed
    try:
        while (found := live.solve(assumptions, budget)) is not None:
            if collector.add(grid_of(board.layout, found) if collector.keeps_next else None):
                return Stop.SOLUTIONS
            clause = [-candidate - 1 for candidate in found if candidate not in given]
            if not proving:
                if not forbidding:
                    forbidding = live.new_variable()
                    assumptions.append(forbidding)
                clause.append(-forbidding)
            live.add(clause)
    except LimitReached as limit:
        return limit.stop
    finally:
        if forbidding:
            live.add([-forbidding])
        statistics["solve_time"] = budget.elapsed - init_time
        after = live.native.accum_stats()
        for name, figure in _FIGURES.items():
            statistics[name] = after[figure] - before[figure]
    return Stop.EXHAUSTED


def _each_in_time(parts: Iterable[Iterable[Clause]], budget: Budget) -> Iterator[Iterable[Clause]]:
    """Yield parts of a model with a look at the clock before each."""
    for part in parts:
        budget.check_time()
        yield part


def _clauses(layout: Layout, encoding: str, budget: Budget) -> Iterator[Iterable[Clause]]:
    """Yield the clauses of a layout in parts, so that the time can be checked between them.

    First, that some candidate of each primary set holds; then the rules; last, that at most one of
    each set holds, by the encoding.

    Args:
        layout: the layout.
        encoding: the encoding of "at most one": ``pairwise``, the name of one of PySAT's, or
            ``auto`` for the one that suits the number of values.
        budget: time limit of the search.
    """
    cover = cover_of(layout, budget)
    yield ([candidate + 1 for candidate in group] for group in cover.primary)
    rules = Clauses(lower(layout))
    yield rules
    if encoding == "auto":
        encoding = "pairwise" if layout.n <= PAIRWISE_VALUES else "seqcounter"
    if encoding == "pairwise":
        yield from _pairs(layout)
        return
    top = rules.top
    for group in (*cover.primary, *cover.secondary):
        literals = [candidate + 1 for candidate in group]
        part = CardEnc.atmost(literals, 1, top_id=top, encoding=getattr(EncType, encoding))
        top = max(top, part.nv)
        yield part.clauses


def _pairs(layout: Layout) -> Iterator[Iterable[Clause]]:
    """Yield a clause for each pair of values of a cell and for each value of a pair of peers."""
    n = layout.n
    for cell, peers in enumerate(layout.peers):
        first = cell * n + 1
        yield ([-a, -b] for a, b in combinations(range(first, first + n), 2))
        for start in (other * n + 1 for other in peers if other > cell):
            yield ([-a, -b] for a, b in zip(range(first, first + n), count(start), strict=False))
