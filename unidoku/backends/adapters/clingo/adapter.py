"""The ground program of a layout, kept in clingo, and the search through its C interface."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from threading import Thread
from typing import Any, Literal, NamedTuple

from clingo import Control, Function, Number

from unidoku.backends.base import Core, Request, Result, Stop
from unidoku.backends.options import Value, checked, options_of
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.cover import Cover, cover_of, held_candidates
from unidoku.backends.toolkit.mdd import Mdd, mdds_of_automata
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.relations import clauses_of
from unidoku.backends.toolkit.stopping import stopped_from_outside
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import SameValues, Sets, Sum
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import Lowered, lower, narrowed
from unidoku.errors import UnsupportedError
from unidoku.support.deadline import check_time_limit

MOST_THREADS = 64
"""The largest number of threads that clingo accepts."""

_C: Any = import_module("clingo._internal")
"""The C interface, which is not typed: ``_lib`` and ``_ffi``."""

PAIRS_UP_TO = 9
"""Up to this many values, candidates that exclude each other are few enough to be listed in
pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clingo:
    """clingo, with its predefined configurations and its heuristics as options.

    A seed makes the sign of each decision random. Without a seed, which solution is found first may
    depend on earlier boards.

    Statistics: ``init_time`` and ``solve_time`` (seconds), ``nodes`` (choices), ``failures``
    (conflicts), ``restarts``.

    Args:
        configuration: name of one of clingo's sets of search parameters.
        heuristic: how decisions are made; by default as in the configuration. ``unit`` looks ahead
            at every node.
        encoding: how to encode that candidates exclude each other: ``pairs`` propagates faster,
            ``counts`` is built much faster on large boards; by default pairs up to nine values.
        parallel_mode: whether several threads ``compete`` on the whole board (the default) or
            ``split`` it; refused with one thread.
    """

    configuration: Literal["frumpy", "jumpy", "tweety", "handy", "crafty", "trendy"] = "tweety"
    heuristic: Literal["berkmin", "vmtf", "vsids", "unit", "none"] | None = None
    encoding: Literal["pairs", "counts"] | None = None
    parallel_mode: Literal["compete", "split"] | None = None

    def __post_init__(self) -> None:
        checked("clingo", self)

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the options and the arguments of clingo's controls."""
        parameters: dict[str, Value] = {**options_of(self), **self._kind(request).arguments()}
        parameters["encoding"] = self.encoding or f"pairs up to {PAIRS_UP_TO} values, counts above"
        return parameters if request.seed is None else parameters | {"seed": _seed(request.seed)}

    def cores(self) -> ClingoCores:
        """Return a live solver of clauses that tells which assumptions contradict each other."""
        return ClingoCores()

    def _kind(self, request: Request) -> _Kind:
        threads = request.threads
        if threads > MOST_THREADS:
            raise UnsupportedError(
                f"clingo cannot honour threads={threads}: it takes up to {MOST_THREADS}"
            )
        if threads == 1 and self.parallel_mode is not None:
            raise UnsupportedError(
                f"clingo cannot honour parallel_mode={self.parallel_mode} with one thread; "
                "use more (--threads 2)"
            )
        return _Kind(self, threads, request.seed is not None)

    def search(self, board: Board, request: Request) -> Result:
        """Solve under assumptions; clingo enumerates."""
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        layout = board.layout
        kind = self._kind(request)
        try:
            with _MODELS.lend(layout, kind, lambda: _Model(layout, kind, budget)) as model:
                return model.search(board, request, budget, collector)
        except LimitReached as limit:
            return collector.result(limit.stop, {"init_time": budget.elapsed})


class ClingoCores:
    """Clauses as integrity constraints on a choice of atoms; cores name assumptions."""

    def __init__(self) -> None:
        self._control = Control(logger=_swallow)
        self._atoms: list[int] = []

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause, for good; it takes effect with the next search."""
        self._reach(clause)
        with self._control.backend() as backend:
            backend.add_rule([], [-self._literal(literal) for literal in clause])

    def core(self, assumptions: Sequence[int], conflicts: int | None = None) -> Core:
        """Return some of the assumptions that contradict the clauses; see `Cores.core`."""
        self._reach(assumptions)
        limit = "umax" if conflicts is None else str(conflicts)
        self._control.configuration.solve.solve_limit = limit  # type: ignore[union-attr]  # has no fixed keys
        of = {self._literal(literal): literal for literal in assumptions}
        with self._control.solve(assumptions=[*of], yield_=True) as handle:
            result = handle.get()
            if result.satisfiable is None:
                return Stop.NODES
            return None if result.satisfiable else tuple(of[atom] for atom in handle.core())

    def model(self) -> Sequence[int]:
        """Return nothing: a control drops its model with the search."""
        return ()

    def prefer(self, literals: Sequence[int]) -> None:
        """Do nothing: the signs of atoms are clingo's."""

    def _reach(self, literals: Sequence[int]) -> None:
        """Make the atoms of variables that are new."""
        new = max(map(abs, literals), default=0) - len(self._atoms)
        if new > 0:
            with self._control.backend() as backend:
                atoms = [backend.add_atom() for _ in range(new)]
                backend.add_rule(atoms, [], choice=True)
            self._atoms += atoms

    def _literal(self, literal: int) -> int:
        atom: int = self._atoms[abs(literal) - 1]
        return atom if literal > 0 else -atom


class _Kind(NamedTuple):
    """What a control depends on, apart from the layout."""

    options: Clingo
    threads: int
    seeded: bool

    def arguments(self) -> dict[str, Value]:
        """Return the arguments of a control, by clingo's names."""
        options = self.options
        arguments: dict[str, Value] = {"eq": 0, "configuration": options.configuration}
        if options.heuristic is not None:
            arguments["heuristic"] = options.heuristic
        if self.threads > 1:
            arguments["parallel-mode"] = f"{self.threads},{options.parallel_mode or 'compete'}"
        arguments["forget-on-step"] = _EVERYTHING if self.seeded else _NOGOODS_AND_SIGNS
        if self.seeded:
            arguments["sign-def"] = "rnd"
        return arguments

    def in_pairs(self, n: int) -> bool:
        """Return whether exclusion is encoded in pairs."""
        return (self.options.encoding or ("pairs" if n <= PAIRS_UP_TO else "counts")) == "pairs"


_NOGOODS_AND_SIGNS = 14
_EVERYTHING = 15
"""What a control drops between boards; with a seed, everything that could change the result."""


def _seed(seed: int) -> int:
    return seed % 2**32


class _Model:
    """A control that holds the rules of a layout; used by one search at a time."""

    def __init__(self, layout: Layout, kind: _Kind, budget: Budget) -> None:
        self.cells = len(layout)
        arguments = [f"--{name}={value}" for name, value in kind.arguments().items()]
        self.control = Control(["--warn=none", *arguments], logger=_swallow)
        self.control.configuration.solve.models = 0  # type: ignore[union-attr]  # has no fixed keys
        self.atoms: list[int] = []
        self.value_of: dict[int, int] = {}
        new = _C._ffi.new
        self.handle = new("clingo_solve_handle_t **")
        self.model = new("clingo_model_t const **")
        self.result = new("clingo_solve_result_bitset_t *")
        self.symbols = new("clingo_symbol_t []", len(layout))
        self.statistics = new("clingo_statistics_t const **")
        self.key = new("uint64_t *")
        self.value = new("double *")
        try:
            self._write(layout, kind.in_pairs(layout.n), budget)
            # The rules are loaded now, so that no search has to. This cannot be interrupted and
            # takes about a third of the time of writing them.
            if budget.left is not None and budget.left < budget.elapsed / 3:
                raise LimitReached(Stop.TIME)
        except LimitReached:
            _free(self.control)
            raise
        self._use_up_interrupts()

    def _write(self, layout: Layout, pairs: bool, budget: Budget) -> None:
        """Write the ground rules: a choice among all candidates, and the constraints."""
        cover = cover_of(layout, budget)
        numbers = [Number(number) for number in range(max(len(layout), layout.n + 1))]
        with self.control.backend() as backend:
            for cell in layout.cells:
                budget.check_time()
                for value in range(1, layout.n + 1):
                    symbol: Any = Function("holds", [numbers[cell], numbers[value]])
                    self.value_of[symbol._rep] = value
                    self.atoms.append(backend.add_atom(symbol))
            atoms = self.atoms
            backend.add_rule(atoms, [], choice=True)
            size = ModelSize()
            for group in size.counted(cover.primary):
                backend.add_rule([], [-atoms[candidate] for candidate in group])
            if pairs:
                _write_pairs(backend, cover, atoms, budget)
            for ones, others in clauses_of(lower(layout)):
                size.add(len(ones) + len(others))
                true = [atoms[candidate] for candidate in ones]
                backend.add_rule([], [*true, *[-atoms[other] for other in others]])
            for constraint in lower(layout).sets:
                _write_sets(backend, constraint, atoms, layout.n, size)
            for sum_ in lower(layout).sums:
                _write_sum(backend, sum_, atoms, layout.n)
                size.add(len(sum_.cells) * layout.n)
            for mdd in mdds_of_automata(lower(layout)):
                _write_mdd(backend, mdd, atoms, layout.n, size)
            for same in lower(layout).same_values:
                _write_same_values(backend, same, atoms, layout.n)
                size.add(len(same.cells) * layout.n)
            _write_alternatives(backend, lower(layout), atoms)
            for group in () if pairs else (*cover.primary, *cover.secondary):
                budget.check_time()
                backend.add_weight_rule([], 2, [(atoms[candidate], 1) for candidate in group])

    def search(
        self, board: Board, request: Request, budget: Budget, collector: SolutionCollector
    ) -> Result:
        """Solve a board and leave the control ready for the next one."""
        control, atoms = self.control, self.atoms
        true, false = held_candidates(board)
        assumptions = [atoms[candidate] for candidate in true]
        assumptions += [-atoms[candidate] for candidate in false]
        if request.seed is not None:
            control.configuration.solver.seed = _seed(request.seed)  # type: ignore[union-attr]  # has no fixed keys
        init_time = budget.elapsed
        with stopped_from_outside(control.interrupt, budget):
            exhausted = self._solve(assumptions, collector)
        statistics = budget.times(init_time) | self._counters()
        if budget.left is not None and budget.left <= 0:
            self._use_up_interrupts()
        return collector.result(Stop.EXHAUSTED if exhausted else Stop.TIME, statistics)

    def _use_up_interrupts(self) -> None:
        """Start a search that is interrupted at once."""
        self.control.interrupt()
        self._solve([], SolutionCollector(_ONE))

    def _solve(self, assumptions: list[int], collector: SolutionCollector) -> bool:
        """Search until there are enough solutions or no more; return whether there are no more."""
        lib, check, none = _C._lib, _C._handle_error, _C._ffi.NULL
        rep, handle, model = self.control._rep, self.handle, self.model
        mode, size = lib.clingo_solve_mode_yield, len(assumptions)
        handle[0] = none
        try:
            check(lib.clingo_control_solve(rep, mode, assumptions, size, none, none, handle))
            while not collector.enough:
                check(lib.clingo_solve_handle_resume(handle[0]))
                check(lib.clingo_solve_handle_model(handle[0], model))
                if model[0] == none:
                    break
                collector.add(self._grid() if collector.keeps_next else None)
            check(lib.clingo_solve_handle_get(handle[0], self.result))
        finally:
            if handle[0] != none:
                check(lib.clingo_solve_handle_close(handle[0]))
        return bool(self.result[0] & lib.clingo_solve_result_exhausted)

    def _grid(self) -> Grid:
        """Return the grid of the model, whose symbols come in the order of their atoms."""
        lib, symbols, cells = _C._lib, self.symbols, self.cells
        _C._handle_error(
            lib.clingo_model_symbols(self.model[0], lib.clingo_show_type_atoms, symbols, cells)
        )
        return tuple(map(self.value_of.__getitem__, _C._ffi.unpack(symbols, cells)))

    def _counters(self) -> dict[str, float]:
        """Return clingo's counters of its last search."""
        lib, key, value = _C._lib, self.key, self.value
        lib.clingo_control_statistics(self.control._rep, self.statistics)
        statistics = self.statistics[0]
        lib.clingo_statistics_root(statistics, key)
        lib.clingo_statistics_map_at(statistics, key[0], b"solving", key)
        lib.clingo_statistics_map_at(statistics, key[0], b"solvers", key)
        solvers = key[0]
        counters: dict[str, float] = {}
        for name, theirs in _COUNTERS:
            lib.clingo_statistics_map_at(statistics, solvers, theirs, key)
            lib.clingo_statistics_value_get(statistics, key[0], value)
            counters[name] = int(value[0])
        return counters


def _free(control: Control) -> None:
    """Free a control in another thread: it takes a fifth of the time of writing its rules."""
    control._free = False
    Thread(target=_C._lib.clingo_control_free, args=(control._rep,)).start()


_MODELS: Models[_Model] = Models()

_ONE = Request(keep=0)

_COUNTERS = (("nodes", b"choices"), ("failures", b"conflicts"), ("restarts", b"restarts"))

_PAIRS_BETWEEN_CHECKS = 1024


def _write_pairs(backend: Any, cover: Cover, atoms: list[int], budget: Budget) -> None:
    """Forbid each pair of exclusive candidates by clingo's own call, which takes half the time."""
    none, write, check = _C._ffi.NULL, _C._lib.clingo_backend_rule, _C._handle_error
    both = _C._ffi.new("clingo_literal_t [2]")
    for index, (a, b) in enumerate(cover.exclusive_pairs()):
        both[0], both[1] = atoms[a], atoms[b]
        check(write(backend._rep, False, none, 0, both, 2))
        if index % _PAIRS_BETWEEN_CHECKS == 0:
            budget.check_time()


def _write_sets(backend: Any, constraint: Sets, atoms: list[int], n: int, size: ModelSize) -> None:
    """Define which values and which set the cells hold, and demand that one set is held."""
    cells, masks = constraint.cells, constraint.masks
    value_atoms = [backend.add_atom() for _ in range(n)]
    for value, atom in enumerate(value_atoms):
        holding = [atoms[cell * n + value] for cell in cells]
        for candidate in holding:
            backend.add_rule([atom], [candidate])
        backend.add_weight_rule([], 2, [(candidate, 1) for candidate in holding])
    chosen = [backend.add_atom() for _ in masks]
    for y, mask in zip(chosen, masks, strict=True):
        size.add(len(cells))
        backend.add_rule([y], [value_atoms[value - 1] for value in values_of(mask)])
    backend.add_rule([], [-y for y in chosen])
    for value, atom in enumerate(value_atoms):
        size.add(len(masks))
        within, without = constraint.split(chosen, value + 1)
        backend.add_rule([], [atom, *[-y for y in within]])
        backend.add_rule([], [-atom, *[-y for y in without]])
    low, high = constraint.totals
    if low == high:  # redundant, but propagates more
        _write_sum(backend, Sum(cells, (1,) * len(cells), low, high), atoms, n)


def _write_sum(
    backend: Any, constraint: Sum, atoms: list[int], n: int, passed: Sequence[int] = ()
) -> None:
    """Forbid that a bound is exceeded, or define an atom that says so.

    clingo accepts no negative weights.
    """
    above, below = [], []
    least = most = 0
    for cell, weight in zip(constraint.cells, constraint.weights, strict=True):
        terms = [weight, weight * n]
        least += min(terms)
        most += max(terms)
        for value in range(1, n + 1):
            atom = atoms[cell * n + value - 1]
            above.append((atom, weight * value - min(terms)))
            below.append((atom, max(terms) - weight * value))
    for terms_of, bound in (
        (above, constraint.high - least + 1),
        (below, most - constraint.low + 1),
    ):
        backend.add_weight_rule(passed, bound, [term for term in terms_of if term[1]])


def _write_mdd(backend: Any, mdd: Mdd, atoms: list[int], n: int, size: ModelSize) -> None:
    """Define the states that the cells lead to, and demand that they lead to the end."""
    if mdd.is_empty:
        backend.add_rule([], [])
        return
    before: dict[int, list[int]] = {0: []}  # the conditions of each state; the first has none
    for cell, arcs in zip(mdd.cells, mdd.arcs, strict=True):
        ways = {(state, value) for state, value, _ in arcs}
        after = {target: backend.add_atom() for target in {target for _, _, target in arcs}}
        for state, value, target in size.counted(arcs):
            backend.add_rule([after[target]], [*before[state], atoms[cell * n + value - 1]])
        for state, conditions in before.items():
            size.add(3 * n)
            for value in range(1, n + 1):
                if (state, value) not in ways:
                    backend.add_rule([], [*conditions, atoms[cell * n + value - 1]])
        backend.add_rule([], [-state for state in after.values()])
        before = {state: [atom] for state, atom in after.items()}


def _write_same_values(backend: Any, constraint: SameValues, atoms: list[int], n: int) -> None:
    """Demand for each value that neither list holds it more often."""
    size = len(constraint.cells)
    for value in range(n):
        first, second = ([atoms[cell * n + value] for cell in part] for part in constraint.lists)
        for larger, smaller in ((first, second), (second, first)):
            terms = [(atom, 1) for atom in larger] + [(-atom, 1) for atom in smaller]
            backend.add_weight_rule([], size + 1, terms)


def _write_alternatives(backend: Any, lowered: Lowered, atoms: list[int]) -> None:
    """Demand one branch of each alternative, by clauses that decide all fresh atoms."""
    fresh: defaultdict[int, int] = defaultdict(backend.add_atom)
    sums: dict[int, Sum] = {}
    for clause in clauses_of_alternatives(lowered, sums=sums):
        signed_atoms = [
            (
                literal,
                atoms[variable - 1]
                if (variable := abs(literal)) <= lowered.size
                else fresh[variable],
            )
            for literal in clause
        ]
        backend.add_rule([], [-atom if literal > 0 else atom for literal, atom in signed_atoms])
    for number, constraint in sums.items():
        check_time_limit()
        passed = backend.add_atom()
        _write_sum(backend, constraint, atoms, lowered.n, [passed])
        backend.add_rule([fresh.pop(number)], [-passed])
    if fresh:
        backend.add_rule(list(fresh.values()), [], choice=True)


def _swallow(code: object, message: str) -> None:
    """Drop a warning that clingo would write to stderr."""
