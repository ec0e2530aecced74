"""Reasons that take a case distinction: a solver names parts that refute a candidate.

Propagation finds what can be told as a chain. Where it finds nothing, a solver of clauses names a
core of parts for each false candidate; it is shrunk until no part can be left out, the cheapest is
taken. Work is counted in questions and conflicts, so that the same board has the same reasons.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from importlib.util import find_spec
from itertools import groupby
from operator import or_

from unidoku.analysis.cores import CoreFinder
from unidoku.backends.base import Stop
from unidoku.core.bits import all_values, bit, bits_of, values_of
from unidoku.core.board import Board
from unidoku.errors import UnsupportedError
from unidoku.logic import State, Technique
from unidoku.logic.geometry import cells_of
from unidoku.logic.reasons.parts import LOOK, PartSet
from unidoku.logic.reasons.propagation import Propagation
from unidoku.logic.reasons.reasoning import MOST_PARTS, short_reason
from unidoku.logic.reasons.search import Reason, assumed
from unidoku.logic.step import Candidate

_CONFLICTS = (30, 600)
"""Conflicts after which a candidate is left for later: most are refuted within thirty."""

_TO_SOLVE, _TO_DECIDE = 300_000, 10_000
"""Where reasons may be large: conflicts after which the search for a solution ends, and those
after which a candidate is left."""

_TO_SHRINK = 40
"""Conflicts after which a part counts as needed while a core shrinks."""

_PATIENCE = 20
"""The number of undecided questions after which a core is left as it is."""

_LARGE = 80
"""The size of a core of a quick question that is told by its size alone, and shrinks with less
patience still."""

_TO_PROVE = 3_000
"""Conflicts after which a part of the cheapest reason counts as needed."""

_MOST_WORK = 10_000
"""The work after which a search takes what it has: some seconds."""

_HOPE = 300
"""The work after which a search that has found a short reason, and then none that is cheaper, ends.

Most cheapest reasons are found within the work of a hundred questions."""

_CONFLICTS_OF_A_QUESTION = 10
"""So many conflicts without an answer are as much work as a question."""

_CHEAP = 8 * LOOK
"""What a reason from an earlier state may cost to be taken without another search."""

_NEAR = 2 * MOST_PARTS
"""The size up to which parts of a reason that is too large are exchanged for others."""

_MOST_EXCHANGED = 12
"""The number of candidates whose reasons are exchanged."""

_DEARER = 2
"""How many times as dear the parts may be that take the place of others."""

_PIECES = (8, 4, 2, 1)
"""How many parts are left out at once while a core shrinks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long parts against a single candidate are looked for, which somebody waits for.

    Args:
        conflicts: the conflicts that decide it.
        usual: the number of clauses up to which so many are allowed; where there are more, a
            conflict takes as many times as long, and fewer are.
        clauses: the number of clauses after which rules are left out.
        to_shrink: the conflicts after which a part of the core counts as needed.
        pieces: how many parts are left out at once while it shrinks.
        patience: the number of undecided questions after which it is left as it is.
        patience_if_large: the same for a core that is told by its size alone.
    """

    conflicts: int
    usual: int
    clauses: int
    to_shrink: int
    pieces: tuple[int, ...]
    patience: int
    patience_if_large: int


QUICK = Effort(
    conflicts=1_200,
    usual=14_000,  # as a hard killer has
    clauses=25_000,
    to_shrink=60,
    pieces=(4, 2, 1),
    patience=2,
    patience_if_large=0,
)
"""Some hundredths of a second."""

LONG = Effort(
    conflicts=30_000,
    usual=50_000,
    clauses=250_000,
    to_shrink=1_000,
    pieces=(32, 8, 2, 1),
    patience=60,
    patience_if_large=60,
)
"""Up to some seconds."""


class CoreReasons:
    """The search for the cheapest reason of each state of a walkthrough.

    What one state taught is used for the next: candidates that are gone are clauses, candidates
    that are true in a solution are not asked about again, and a core stays a core.

    Args:
        backend: the source of cores.
        most: the largest number of parts that is of use; more than twelve are looked for longer.
        effort: how long single questions are looked for; without it no rules are left out, and
            boards of too many variables have no cores.
    """

    def __init__(
        self, backend: str = "sat", most: float = MOST_PARTS, effort: Effort | None = None
    ) -> None:
        """Begin without a board."""
        self.backend, self.most, self.effort = backend, most, effort
        self._live: _Live | None = None
        self._refused: Board | None = None

    def __call__(self, state: State) -> Reason | None:
        """Return the cheapest reason that is found, of any size; None if there is none.

        Cost: a fraction of a second to some seconds.
        """
        live = self._fitting(state)
        if live is None:
            return None
        is_taught = bool(live.core_of)
        reason = live.cheapest(state, self.most)
        if is_taught and (reason is None or reason.parts.bit_count() > self.most):
            self._live = None  # without what earlier states taught, other cores are found
            live = self._fitting(state)
            reason = (live and live.cheapest(state, self.most)) or reason
        return reason

    def against(self, state: State, cell: int, value: int, *, is_placed: bool) -> PartSet | None:
        """Return parts by which a cell cannot have a value, or must have it; None if undecided.

        Cost: 5 to 50 ms on boards of 81 cells, the first question as much again for the clauses;
            with `LONG` up to some seconds.

        Args:
            state: the state.
            cell: the cell.
            value: the value.
            is_placed: whether the cell must have the value, otherwise it cannot.
        """
        live = self._fitting(state)
        return None if live is None else live.against(state, -1 if is_placed else 1, (cell, value))

    @property
    def is_whole(self) -> bool:
        """Whether the clauses in use have all rules."""
        return self._live is not None and self._live.finder.model.is_whole

    @property
    def conflicts(self) -> int:
        """The conflicts after which a single question is left undecided."""
        return 0 if self._live is None else self._live.conflicts(self._live.effort.conflicts)

    def _fitting(self, state: State) -> _Live | None:
        if self._live is None or not self._live.fits(state):
            if state.board == self._refused:
                return None
            try:
                self._live = _Live(state, self.backend, self.effort)
            except UnsupportedError:
                self._refused = state.board
                return None
        return self._live


@dataclass(frozen=True, slots=True)
class _Core:
    """A candidate, and parts that refute it with what they cost."""

    cost: int
    candidate: Candidate
    parts: PartSet

    @property
    def size(self) -> int:
        """The number of parts."""
        return self.parts.bit_count()


def _cheapest(cores: Iterable[_Core]) -> _Core | None:
    """Return the first of the cheapest cores; None without one."""
    return min(cores, key=lambda core: core.cost, default=None)


class _Live:
    """The clauses of a layout with the candidates that are gone."""

    def __init__(self, state: State, backend: str, effort: Effort | None = None) -> None:
        self.board, self.effort = state.board, effort or QUICK
        clauses = None if effort is None else effort.clauses
        self.finder = CoreFinder(state.layout, backend, state.tick, state.candidates, clauses)
        parts = self.finder.model.parts
        self.every: PartSet = (1 << parts.first_given) - 1
        self.left = [all_values(state.layout.n)] * len(state.layout)
        self.true: set[Candidate] = set()
        self.core_of: dict[Candidate, PartSet] = {}
        self.shrunk: set[Candidate] = set()
        self.work = 0
        self.models = Witnesses()
        self.finder.live.prefer(self.finder.model.selectors(self.every))

    def fits(self, state: State) -> bool:
        """Return whether a state is one of the same walkthrough, and not an earlier one."""
        return state.board == self.board and not any(
            mask & ~earlier for mask, earlier in zip(state.candidates, self.left, strict=True)
        )

    def _begin(self, state: State) -> None:
        """Begin a search at a state."""
        self._take(state)
        self.tick, self.work = state.tick, 0
        model = self.finder.model
        self.propagation = Propagation(model.parts, state.candidates, state.tick)
        weights = self.propagation.weights[: model.parts.first_given]
        self.order = sorted(range(len(weights)), key=weights.__getitem__)
        self.models.begin(state.candidates, weights)

    def _dear_first(self, parts: PartSet) -> list[int]:
        """Return the numbers of parts in the order in which they are left out."""
        return sorted(bits_of(parts), key=self.propagation.weights.__getitem__, reverse=True)

    def _core(self, candidate: Candidate, parts: PartSet) -> _Core:
        return _Core(self.propagation.cost(parts), candidate, parts)

    def conflicts(self, usual: int) -> int:
        """Return the conflicts that a single question may take, where usually it takes so many.

        At least one: no conflicts mean no limit to some solvers.
        """
        share = min(1.0, self.effort.usual / self.finder.model.number)
        return max(1, round(usual * share))

    def against(self, state: State, sign: int, candidate: Candidate) -> PartSet | None:
        """Return parts against a candidate, or for it if the sign is negative."""
        self._begin(state)
        literal = (sign * self.finder.model.candidate(*candidate),)

        def core(parts: PartSet, conflicts: int) -> PartSet | Stop | None:
            self.tick()
            return self.finder.core(parts, literal, self.conflicts(conflicts), self.order)

        effort = self.effort
        parts = core(self.every, effort.conflicts)
        if not isinstance(parts, int):
            return None
        order = self._dear_first(parts)
        is_large = parts.bit_count() > _LARGE
        patience = effort.patience_if_large if is_large else effort.patience
        undecided, broken = 0, list[PartSet]()
        for size in effort.pieces:
            rest = order
            while rest and undecided <= patience:
                left = parts & ~_sole(broken, parts)
                rest = [number for number in rest if left >> number & 1]
                piece, rest = sum(1 << number for number in rest[:size]), rest[size:]
                smaller = core(parts & ~piece, effort.to_shrink) if piece else None
                if isinstance(smaller, int):
                    parts = smaller
                elif piece and smaller is None:
                    broken.append(self._broken(self.finder.live.model()))
                undecided += isinstance(smaller, Stop)
        return parts

    def cheapest(self, state: State, most: float) -> Reason | None:
        self._begin(state)
        everything = list(state.all_in(cells_of(state.empty)))
        is_any = most > MOST_PARTS
        best = self._searched(everything, most)
        if is_any:  # a longer search for fewer parts at each step would not come to the end
            best = best or self._large(everything)
        elif best is not None and best.size > MOST_PARTS:
            best = self._exchanged(everything, best)
        if best is None:
            return None
        is_large = is_any and best.size > MOST_PARTS
        parts = best.parts if is_large else self._minimal(best)
        by_chain = self.propagation.refuted(assumed(best.candidate), allowed=parts) is not None
        removed = (best.candidate, *self._likewise(parts, best.candidate, everything, is_large))
        # A chain is about the first.
        return Reason(parts, self.propagation.cost(parts), removed, by_chain)

    def _searched(self, candidates: Sequence[Candidate], most: float) -> _Core | None:
        """Return the cheapest reason that the work of one search finds; None if it finds none."""
        todo = [candidate for candidate in candidates if candidate not in self.true]
        best = _cheapest(self._shrunk_cores(candidates))
        for conflicts in () if best is not None and best.cost <= _CHEAP else _CONFLICTS:
            cores, todo = self._cores(todo, conflicts)
            last = self.work
            for each in sorted(cores, key=lambda each: each.cost):
                end = _MOST_WORK
                if best is not None and best.size <= most:
                    end = min(end, last + _HOPE)
                if self.work < end:
                    limit = best.cost if best is not None else 1 << 30
                    if (better := self._shrunk(each, limit)) is not None:
                        best, last = better, self.work
            if best is not None and best.size <= MOST_PARTS:
                break
        return best

    def _exchanged(self, candidates: Sequence[Candidate], best: _Core) -> _Core:
        """Return a smaller reason, if one lies near the smallest ones that are known.

        One part at a time is forbidden, and the solver is asked for a core that has as many of the
        others as it can name.
        """
        self.work = 0
        cores = self._shrunk_cores(candidates)
        for core in sorted(cores, key=lambda each: (each.size, each.cost))[:_MOST_EXCHANGED]:
            nearby: _Core | None = core if core.size <= _NEAR else None
            while nearby is not None and self.work < _MOST_WORK:
                if nearby.size < best.size:
                    best = nearby
                if best.size <= MOST_PARTS:
                    return best
                nearby = self._near(nearby)
        return best

    def _near(self, core: _Core) -> _Core | None:
        """Return a smaller reason that lacks a part of one, the first that is found."""
        usual = self.order
        for number in self._dear_first(core.parts):
            self.order = [*bits_of(core.parts), *(p for p in usual if not core.parts >> p & 1)]
            parts = self._ask(self.every & ~(1 << number), core.candidate, _TO_SHRINK)
            self.order = usual
            if isinstance(parts, int):
                smaller = self._core(core.candidate, parts)
                other = self._shrunk(smaller, _DEARER * core.cost)
                if other is not None and other.size < core.size:
                    return other
        return None

    def _large(self, candidates: Sequence[Candidate]) -> _Core | None:
        """Return the cheapest core after a longer search; None if no candidate is decided."""
        if self.core_of.keys().isdisjoint(candidates):
            self.tick()
            if self.finder.core(self.every, (), _TO_SOLVE, self.order) is None:
                self._learn()
            self.work = 0
            self._cores([each for each in candidates if each not in self.true], _TO_DECIDE)
        decided = [each for each in candidates if each in self.core_of]
        return _cheapest(self._cores_of(decided))

    def _likewise(
        self, parts: PartSet, candidate: Candidate, others: Sequence[Candidate], is_large: bool
    ) -> Iterator[Candidate]:
        """Yield the other candidates that the parts of a reason contradict."""
        self.work = 0
        for each in others:
            if each != candidate and each not in self.true:
                is_patient = is_large and self.work < _MOST_WORK
                conflicts = _CONFLICTS[-1] if is_patient else _TO_SHRINK
                if isinstance(self._ask(parts, each, conflicts), int):
                    yield each

    def _shrunk_cores(self, candidates: Sequence[Candidate]) -> Iterator[_Core]:
        """Yield the reasons that are shrunk, those that earlier states left too."""
        return self._cores_of([each for each in candidates if each in self.shrunk])

    def _cores_of(self, candidates: Iterable[Candidate]) -> Iterator[_Core]:
        """Yield the core that is known of each of some candidates."""
        for each in candidates:
            yield self._core(each, self.core_of[each])

    def _take(self, state: State) -> None:
        model = self.finder.model
        for cell, mask in enumerate(state.candidates):
            for value in values_of(self.left[cell] & ~mask):
                self.finder.live.add([-model.candidate(cell, value)])
            self.left[cell] = mask

    def _ask(self, parts: PartSet, candidate: Candidate, conflicts: int) -> PartSet | Stop | None:
        self.tick()
        literal = self.finder.model.candidate(*candidate)
        if self.models.satisfies(parts, candidate):
            return None
        answer = self.finder.core(parts, (literal,), conflicts, self.order)
        if answer is None:
            self._learn()
        is_undecided = isinstance(answer, Stop)
        self.work += conflicts // _CONFLICTS_OF_A_QUESTION if is_undecided else 1
        return answer

    def _learn(self) -> None:
        """Keep the model that the solver found."""
        clauses = self.finder.model
        if model := self.finder.live.model():
            n, first = clauses.parts.layout.n, clauses.candidate(len(self.left), 0)
            positive = [divmod(literal - 1, n) for literal in model[:first] if literal > 0]
            self.models.add([(cell, value + 1) for cell, value in positive], self._broken(model))

    def _broken(self, model: Sequence[int]) -> PartSet:
        """Return the parts that a model breaks."""
        clauses = self.finder.model
        first = clauses.candidate(len(self.left), 0)
        selectors = model[first : first + clauses.parts.first_given]
        return sum([1 << part for part, literal in enumerate(selectors) if literal < 0])

    def _cores(
        self, candidates: Sequence[Candidate], conflicts: int
    ) -> tuple[list[_Core], list[Candidate]]:
        """Return a core for each false candidate, and the candidates that are not decided."""
        cores, later = [], []
        for candidate in candidates:
            parts: PartSet | Stop | None = self.core_of.get(candidate)
            if parts is None and self.work < _MOST_WORK:
                parts = self._ask(self.every, candidate, conflicts)
                if parts is None:
                    self.true.add(candidate)
            if isinstance(parts, int):
                self.core_of[candidate] = parts
                cores.append(self._core(candidate, parts))
            elif parts is not None:
                later.append(candidate)
        return cores, later

    def _shrunk(self, core: _Core, limit: int) -> _Core | None:
        """Return a core from which no part can be left out in time; None if it is too dear."""
        parts, candidate = core.parts, core.candidate
        order = self._dear_first(parts)
        undecided = 0
        for size in _PIECES:
            rest = order
            while rest:
                needed, least = self.models.needed(parts, candidate)
                if least >= limit or undecided > _PATIENCE:
                    self.core_of[candidate] = parts
                    return None
                rest = [number for number in rest if (parts & ~needed) >> number & 1]
                piece = sum(1 << number for number in rest[:size])
                rest = rest[size:]
                smaller = self._ask(parts & ~piece, candidate, _TO_SHRINK) if piece else None
                if isinstance(smaller, int):
                    parts = smaller
                undecided += isinstance(smaller, Stop)
        self.core_of[candidate] = parts
        self.shrunk.add(candidate)
        cost = self.propagation.cost(parts)
        return _Core(cost, candidate, parts) if cost < limit else None

    def _minimal(self, core: _Core) -> PartSet:
        """Return the parts without those that a longer search finds superfluous."""
        parts = core.parts
        for number in self._dear_first(parts):
            smaller = self._ask(parts & ~(1 << number), core.candidate, _TO_PROVE)
            if isinstance(smaller, int):
                parts = smaller
        return parts


def _sole(broken: Iterable[PartSet], parts: PartSet) -> PartSet:
    """Return the parts that are the only ones among some which a model breaks."""
    return reduce(or_, (few for each in broken if not (few := each & parts) & few - 1), 0)


def with_cores(
    rows: Sequence[Technique], source: CoreReasons | None, most: float = MOST_PARTS
) -> Iterator[Technique]:
    """Yield techniques, with short reasons of so many parts that may take a case distinction."""
    for row in rows:
        if row.find is short_reason and (source is not None or most != MOST_PARTS):
            yield replace(row, find=partial(short_reason, source=source, most=most))
        else:
            yield row


def core_reasons(most: float = MOST_PARTS, effort: Effort | None = None) -> CoreReasons | None:
    """Return a search for reasons of so many parts, if its source of cores is installed."""
    if find_spec("pysat") is None:
        return None
    return CoreReasons(most=most, effort=effort)


_MOST = 4_000
"""The largest number of models that are kept."""


class Witnesses:
    """Models of a layout's links and of some of its parts, by the candidates that they hold."""

    def __init__(self) -> None:
        """Begin without models."""
        self.all: list[tuple[Sequence[Candidate], PartSet]] = []
        self._broken: dict[Candidate, list[PartSet]] = defaultdict(list)
        self._levels: list[tuple[int, PartSet]] = []

    def begin(self, candidates: Sequence[int], weights: Sequence[int]) -> None:
        """Forget the models that hold candidates which are gone, and take what parts cost now."""
        models, self.all = self.all, []
        self._broken.clear()
        for model, broken in models:
            if all(candidates[cell] & bit(value) for cell, value in model):
                self.add(model, broken)
        order = sorted(range(len(weights)), key=weights.__getitem__)
        self._levels = [
            (weight, sum(1 << part for part in parts))
            for weight, parts in groupby(order, weights.__getitem__)
        ]

    def add(self, model: Sequence[Candidate], broken: PartSet) -> None:
        """Keep a model: the candidates that it holds, and the parts that it breaks."""
        if len(self.all) < _MOST:
            self.all.append((model, broken))
            for candidate in model:
                self._broken[candidate].append(broken)

    def satisfies(self, parts: PartSet, candidate: Candidate) -> bool:
        """Return whether a model is known that holds a candidate and breaks none of some parts."""
        return any(not broken & parts for broken in self._broken.get(candidate, ()))

    def needed(self, parts: PartSet, candidate: Candidate) -> tuple[PartSet, int]:
        """Return the parts that every reason among some has, and the least that one costs.

        Of the broken parts of several models without a common part, a reason has one each.
        """
        needed = least = seen = 0
        for broken in sorted({each & parts for each in self._broken[candidate]}, key=int.bit_count):
            if not broken & (broken - 1):
                needed |= broken
            if not broken & seen:
                seen |= broken
                least += next((cost for cost, level in self._levels if broken & level), 0)
        return needed, least
