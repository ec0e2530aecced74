"""The clauses of a layout, kept in a live solver, and the search in slices of conflicts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, count, islice
from math import isqrt
from pathlib import Path
from typing import Any, Literal

import pysolvers
from pysat.card import CardEnc, EncType
from pysat.formula import CNF
from pysat.solvers import Solver as Pysat

from unidoku.backends.base import Core, Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.backends.toolkit.cover import cover_of, grid_of, held_candidates
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.reified import Clause
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.backends.turns import Turns, at_once
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

_TURN = 500_000
"""Work of a slice, some 0.05 s: a limit or Ctrl-C is noticed at the solver's next restart."""

_OF_LITERAL = 8
"""Work of making a literal of a clause, in the unit of `unidoku.backends.turns`."""

_OF_PROPAGATION = 2
"""Work of a propagation, and of a conflict for each propagation that it makes slower: the learnt
clauses that are left to read grow as the root of the conflicts."""

_OF_CONFLICT = 300
"""Work of a conflict of CaDiCaL, which does not count propagations."""

_DECISIONS = 1_000_000
"""Number of decisions of a slice of CaDiCaL: conflicts may be rare."""

_DESCENTS = 4
"""How many times as much as it has variables a solver may propagate in a slice, at least: each
slice begins without decisions, so that a short one would never come to a whole grid."""

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
        return at_once(self.search_in_turns(board, request, _TURN))

    def search_in_turns(self, board: Board, request: Request, turn: int) -> Turns:
        """Search as `search` does; the clauses are made in turns too, and kept if it is closed."""
        budget, collector = Budget(request), SolutionCollector(request)
        search, layout = _Search(narrowed(board), budget, collector, turn), board.layout
        try:
            if self.proof is None:
                with _LIVE.lend(layout, self, lambda: _Live(layout, self)) as live:
                    stop = yield from search.enumerate(live)
            else:
                stop = yield from self._prove(self.proof, search)
                if request.solutions == 1 and collector.enough:
                    raise UnsupportedError(
                        "sat wrote no proof: the search ends at the one solution requested; "
                        "request two (--solutions 2)"
                    )
        except LimitReached as limit:  # raised while the clauses were made
            stop = limit.stop
        return collector.result(stop, search.statistics)

    def cores(self) -> SatCores:
        """Return a live solver of clauses that names contradicting assumptions."""
        return SatCores(_MINISAT if self.solver == "auto" else self.solver)

    def _prove(self, name: str, search: _Search) -> Generator[int, None, Stop]:
        path = Path(name.replace("{digest}", search.board.digest))
        clauses = path.with_suffix(".cnf")
        for file in (path, clauses):
            check_target(file, force=self.force)
        live = _Live(search.board.layout, self, proving=True)
        stop = yield from search.enumerate(live)
        if stop is Stop.EXHAUSTED:
            lines = live.native.get_proof()
            if lines[-1:] != ["0"]:
                lines.append("0")  # the empty clause, which Glucose omits if it is obvious
            formula = CNF(from_clauses=live.clauses).to_dimacs()
            write_text(clauses, f"{formula}\n", force=self.force)
            write_text(path, "".join(f"{line}\n" for line in lines), force=self.force)
        return stop


class SatCores:
    """Clauses in one of PySAT's solvers; its cores are those that conflict analysis ends with.

    A budget of conflicts is honoured by all but CaDiCaL 1.5.3 and 1.9.5 within some conflicts.
    """

    def __init__(self, name: str) -> None:
        self._native = Pysat(name)
        self.add: Callable[[Sequence[int]], object] = self._native.solver.add_clause
        """Adds a clause, for good; PySAT's own, as there are thousands."""

    def core(self, assumptions: Sequence[int], conflicts: int | None = None) -> Core:
        """Return some of the assumptions that contradict the clauses; see `Cores.core`."""
        if conflicts is None:
            answer = self._native.solve(assumptions)
        else:
            self._native.conf_budget(conflicts)
            answer = self._native.solve_limited(assumptions)
        if answer is None:
            return Stop.NODES
        return None if answer else tuple(self._native.get_core() or ())

    def model(self) -> Sequence[int]:
        """Return the model that the last question found; see `Cores.model`."""
        return self._native.get_model() or ()

    def prefer(self, literals: Sequence[int]) -> None:
        """Have free choices satisfy literals; see `Cores.prefer`."""
        self._native.set_phases(literals)


class _Live:
    """A solver with the clauses of a layout; with a proof it also records its clauses."""

    def __init__(self, layout: Layout, options: Sat, *, proving: bool = False) -> None:
        self.clauses: list[Clause] | None = [] if proving else None
        self.native: Any = None
        self._options, self._layout = options, layout
        self._candidates = len(layout) * layout.n
        self._first: list[Clause] = []  # until the solver is chosen
        self._missing: Iterator[Clause] | None = None
        self._own_variables = self._variables = 0

    def build(self, budget: Budget, turn: int) -> Iterator[int]:
        """Add the clauses that it has not got yet; yield the work of each turn."""
        if self._own_variables:
            return
        if self._missing is None:
            parts = _clauses(self._layout, self._options.encoding, budget)
            self._missing = chain.from_iterable(parts)
        if self.native is None:
            yield from self._begin(self._missing, budget, turn)
        yield from _in_turns(self._missing, self._add, budget, turn)
        self._own_variables = self._variables = int(self.native.nof_vars())

    def _begin(self, clauses: Iterator[Clause], budget: Budget, turn: int) -> Iterator[int]:
        """Choose a solver, for ``auto`` by the number of clauses, and give it those made so far."""
        name: str = self._options.solver
        if name == "auto":
            room = 0 if self.clauses is not None else GLUCOSE_UP_TO + 1 - len(self._first)
            yield from _in_turns(islice(clauses, room), self._first.append, budget, turn)
            name = _MINISAT if len(self._first) > GLUCOSE_UP_TO else _GLUCOSE
        native = Pysat(name, **({} if self.clauses is None else {"with_proof": True}))
        self.native, self.solve_for = native, _slices(native, name)
        # Calls through PySAT's methods take as long as the solver: there are thousands of clauses.
        self._add = native.solver.add_clause if self.clauses is None else self.add
        for clause in self._first:
            self._add(clause)
        self._first = []

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

    def solution(self) -> list[int]:
        """Return the candidates of the solution that was found."""
        model = self.native.get_model()
        return [literal - 1 for literal in model[: self._candidates] if literal > 0]


_LIVE: Models[_Live] = Models(worn=lambda live: live.is_worn)


def _slices(native: Any, name: str) -> Callable[[Clause, int, Budget], tuple[bool | None, int]]:
    """Return a function that solves for a turn: True, False, or None for neither; and its work."""
    if not name.startswith("cadical"):

        def solve_for(assumptions: Clause, turn: int, budget: Budget) -> tuple[bool | None, int]:
            native.clear_interrupt()
            native.prop_budget(max(turn // _OF_PROPAGATION, _DESCENTS * native.nof_vars()))
            before = native.accum_stats()
            with stopped_from_outside(native.interrupt, budget):
                answer = native.solve_limited(assumptions, expect_interrupt=True)
            after = native.accum_stats()
            conflicts = after["conflicts"] - before["conflicts"]
            propagations = after["propagations"] - before["propagations"]
            return answer, _OF_PROPAGATION * (propagations + conflicts * isqrt(after["conflicts"]))

        return solve_for

    # PySAT's own method would jump out of CaDiCaL at Ctrl-C. It does not if it believes that this
    # is not the main thread. CaDiCaL keeps the GIL, at most for a slice.
    adapter = native.solver
    solve = getattr(pysolvers, f"{name}_solve_lim")

    def solve_cadical_for(assumptions: Clause, turn: int, _: Budget) -> tuple[bool | None, int]:
        adapter.conf_budget(turn // _OF_CONFLICT + 1)
        adapter.dec_budget(_DECISIONS)
        before = native.accum_stats()["conflicts"]
        answer = solve(adapter.cadical, assumptions, 0)
        adapter.status = None if answer == 0 else answer > 0  # read by get_model
        conflicts = native.accum_stats()["conflicts"] - before
        return adapter.status, max(conflicts * _OF_CONFLICT, 1 if answer else turn)

    return solve_cadical_for


@dataclass(slots=True)
class _Search:
    """A search of a board, whose work is done in turns."""

    board: Board
    budget: Budget
    collector: SolutionCollector
    turn: int
    statistics: dict[str, float] = field(default_factory=dict)

    def enumerate(self, live: _Live) -> Generator[int, None, Stop]:
        """Find solutions until there are enough, no more, or a limit is reached; return which."""
        yield from live.build(self.budget, self.turn)
        before = live.native.accum_stats()
        self.statistics["init_time"] = init_time = self.budget.elapsed
        try:
            yield from self._solutions(live)
        except LimitReached as limit:
            return limit.stop
        finally:
            self.statistics["solve_time"] = self.budget.elapsed - init_time
            after = live.native.accum_stats()
            for name, figure in _FIGURES.items():
                self.statistics[name] = after[figure] - before[figure]
        return Stop.SOLUTIONS if self.collector.enough else Stop.EXHAUSTED

    def _solutions(self, live: _Live) -> Iterator[int]:
        """Collect solutions until there are enough or no more; yield the work of each turn."""
        true, false = held_candidates(self.board)
        assumptions = [candidate + 1 for candidate in true]
        assumptions += [-candidate - 1 for candidate in false]
        given, proving = set(true), live.clauses is not None
        if proving:  # a proof does not cover assumptions
            for literal in assumptions:
                live.add([literal])
            assumptions = []
        forbidding = 0  # the variable that activates the clauses against solutions found
        work = 0  # of this turn
        try:
            while True:
                self.budget.check_time()
                answer, effort = live.solve_for(assumptions, self.turn, self.budget)
                work += effort
                if answer is False:
                    return
                if answer:
                    model, keeps = live.solution(), self.collector.keeps_next
                    if self.collector.add(grid_of(self.board.layout, model) if keeps else None):
                        return
                    clause = [-candidate - 1 for candidate in model if candidate not in given]
                    if not proving:
                        if not forbidding:
                            forbidding = live.new_variable()
                            assumptions.append(forbidding)
                        clause.append(-forbidding)
                    live.add(clause)
                if answer is None or work >= self.turn:
                    yield work
                    work = 0
        finally:
            if forbidding:
                live.add([-forbidding])


def _in_turns(
    clauses: Iterable[Clause], take: Callable[[Clause], object], budget: Budget, turn: int
) -> Iterator[int]:
    """Make clauses and hand them over; yield the work of each turn."""
    literals, most = 0, turn // _OF_LITERAL
    for clause in clauses:
        take(clause)
        literals += len(clause)
        if literals > most:
            budget.check_time()
            yield literals * _OF_LITERAL
            literals = 0
    yield literals * _OF_LITERAL


def _clauses(layout: Layout, encoding: str, budget: Budget) -> Iterator[Iterable[Clause]]:
    """Yield the clauses of a layout in parts.

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
