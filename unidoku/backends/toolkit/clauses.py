"""The rules of a layout as clauses, for solvers that support nothing else.

Clauses follow DIMACS: the variable of a candidate is its number plus one, fresh variables come
after all candidates, and a negative number is a negated variable. The candidates decide each fresh
variable, except with steps that are encoded forwards only, so that no grid is found twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from unidoku.backends.toolkit.mdd import Mdd, mdd_of, steps_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.reified import Clause, Reified
from unidoku.backends.toolkit.relations import clauses_of
from unidoku.backends.toolkit.rows import rows_apart
from unidoku.core.bits import values_of
from unidoku.core.constraints.primitives import SameValues, Sets, Sum
from unidoku.core.transforms.lower import Lowered


def fresh_variables(clauses: Iterable[Clause], size: int) -> set[int]:
    """Return the variables of clauses that come after that many candidates."""
    counted = ModelSize().counted(clauses)
    return {abs(literal) for clause in counted for literal in clause if abs(literal) > size}


def clauses_of_alternatives(
    lowered: Lowered, *, same_values: bool = False, sums: dict[int, Sum] | None = None
) -> Clauses:
    """Return the clauses of alternatives and regions alone; the rest has another form.

    Args:
        lowered: the rules.
        same_values: whether to include lists of the same values.
        sums: see `Clauses.reified_sums`.
    """
    same = lowered.same_values if same_values else ()
    either, regions = lowered.alternatives, lowered.regions
    alone = Lowered(lowered.n, lowered.size, same_values=same, regions=regions, alternatives=either)
    return Clauses(alone, reified_sums=sums)


@dataclass(slots=True)
class Clauses:
    """The clauses of a layout's rules.

    Args:
        lowered: the rules.
        forward: whether layers are encoded as forward steps only: at most half as many clauses, for
            solvers that are slow with many. A state may then hold that no path leads to, so
            solutions must be distinguished by the candidates, or one is found again.
        top: the last variable used so far.
        reified_sums: dict that gets the sums in alternatives, each by the variable that states
            whether it holds, for a solver that supports such sums; None to encode them as clauses
            too.
        candidates: what is left of each cell, if the clauses need to hold for these values only:
            fewer clauses, without the fact itself that the others are gone.
    """

    lowered: Lowered
    forward: bool = False
    top: int = field(default=0)
    reified_sums: dict[int, Sum] | None = None
    candidates: Sequence[int] = ()

    def __post_init__(self) -> None:
        """Start numbering after the candidates."""
        self.top = max(self.top, self.lowered.size)

    def __iter__(self) -> Iterator[Clause]:
        """Yield all clauses; this creates fresh variables.

        Raises:
            LimitReached: the time limit of the search has passed.
            UnsupportedError: there are too many, see `unidoku.backends.toolkit.model_size`.
        """
        return ModelSize().counted(self._all())

    def _all(self) -> Iterator[Clause]:
        for ones, others in clauses_of(self.lowered):
            yield [*[-number - 1 for number in ones], *[other + 1 for other in others]]
        for constraint in self.lowered.sets:
            yield from self._sets(constraint)
        for sum_ in self.lowered.sums:
            yield from self._layers(mdd_of(sum_, self.lowered.n))
        for automaton in self.lowered.automata:
            yield from self._layers(mdd_of(automaton, self.lowered.n))
        for table in self.lowered.tables:
            apart = rows_apart(table, self.lowered.n)
            if apart is None:
                yield from self._layers(mdd_of(table, self.lowered.n))
            for row in apart or ():
                yield [-self._holds(c, v) for c, v in zip(table.cells, row, strict=True)]

        reified = Reified(self.lowered.n, self._new, self.reified_sums)
        for same in self.lowered.same_values:
            yield from self._same_values(same, reified)
        for region in self.lowered.regions:
            holds = reified.holds(region)
            yield from reified.taken()
            yield [holds]
        for either in self.lowered.alternatives:
            literals = []
            for branch in either.branches:
                literals.append(reified.all_of(map(reified.holds, branch)))
                yield from reified.taken()  # one branch may have millions of clauses
            holds = reified.any_of(literals)
            yield from reified.taken()
            yield [holds]

    def _new(self) -> int:
        self.top += 1
        return self.top

    def _holds(self, cell: int, value: int) -> int:
        return cell * self.lowered.n + value

    def _sets(self, constraint: Sets) -> Iterator[Clause]:
        """Choose a set: a variable for each set, and for each value that the cells may hold.

        Unit propagation finds a third of the deductions, and no other measured encoding was faster:
        it is small, and learned clauses need just these variables. Lines that differ are encoded
        too.
        """
        n, cells, masks = self.lowered.n, constraint.cells, constraint.masks
        if self.candidates:
            left = [self.candidates[cell] for cell in cells]
            union = reduce(or_, left)
            masks = tuple([m for m in masks if not m & ~union and all(m & mask for mask in left)])
        possible, chosen = Sets(cells, masks), [self._new() for _ in masks]
        yield chosen
        for value in range(1, n + 1):
            literals = [self._holds(cell, value) for cell in cells]
            with_it, without = possible.split(chosen, value)
            if not with_it:
                yield from ([-x] for x in literals)
                continue
            for index, x in enumerate(literals):
                yield from ([-x, -other] for other in literals[index + 1 :])
            if not without:
                yield literals
                continue
            is_held = self._new()
            yield from ([-x, is_held] for x in literals)
            yield [-is_held, *literals]
            yield from ([-y, is_held] for y in with_it)
            yield from ([-y, -is_held] for y in without)
            yield [-is_held, *with_it]
            yield [is_held, *without]

    def _same_values(self, constraint: SameValues, reified: Reified) -> Iterator[Clause]:
        """Yield that each value is held equally often; by both or neither list if each differs."""
        if not constraint.differ:
            counts = [*reified.counts_of(constraint)]
            yield from reified.taken()
            yield from (clause for a, b in counts for clause in ([-a, b], [a, -b]))
            return
        for value in range(1, self.lowered.n + 1):
            first, second = (
                [self._holds(cell, value) for cell in part] for part in constraint.lists
            )
            yield from ([-x, *second] for x in first)
            yield from ([-x, *first] for x in second)

    def _layers(self, mdd: Mdd) -> Iterator[Clause]:
        """Yield that there is a path through the layers."""
        if self.candidates:
            mdd = mdd.within(self.candidates)
        if mdd.is_empty:
            return iter([[]])
        if self.candidates:
            return self._states(mdd)
        return self._steps(mdd) if self.forward else self._arcs(mdd)

    def _steps(self, mdd: Mdd) -> Iterator[Clause]:
        """Yield where a state and a value lead: a variable for each state."""
        before = {0: 0}  # the variable of each state; 0 for the first and last, which hold
        for cell, states, steps in steps_of(mdd, self.lowered.n):
            after = {state: self._new() for state in states}
            for state, value, target in steps:
                fails = [-before[state]] if before[state] else []
                leads_to = [] if target is None else [after[target]]
                yield [*fails, -self._holds(cell, value), *leads_to]
            before = after

    def _states(self, mdd: Mdd) -> Iterator[Clause]:
        """Yield what each state leads to and comes from: a variable for each state.

        Unit propagation finds fewer deductions than with arcs, but there are a fifth as many
        variables and half as many clauses, so that a single question is answered sooner.
        """
        last = len(mdd.cells) - 1
        before = {0: 0}  # the variable of each state; 0 for the first, which holds
        for index, (cell, arcs) in enumerate(zip(mdd.cells, mdd.arcs, strict=True)):
            first, targets = cell * self.lowered.n, {arc[2] for arc in arcs}
            values = values_of(self.candidates[cell])
            after = {state: self._new() for state in targets} if index < last else {}
            out: dict[int, list[int]] = {state: [] for state in before.values()}
            sources: dict[int, list[int]] = {state: [] for state in after.values()}
            by: dict[int, list[int]] = {state: [] for state in after.values()}
            by_value: dict[int, list[int]] = {value: [] for value in values}
            for start, value, end in arcs:
                state, holds = before[start], first + value
                out[state].append(holds)
                by_value[value].append(state)
                if after:
                    target = after[end]
                    sources[target].append(state)
                    by[target].append(holds)
                    yield [-state, -holds, target] if state else [-holds, target]
            yield from ([*ends, -first - v] for v, ends in by_value.items() if 0 not in ends)
            yield from ([-state, *ends] for state, ends in out.items() if state)
            if index:
                yield from ([-target, *ends] for target, ends in sources.items())
            for target, ends in by.items():
                if not index or len({*ends}) < len(values):
                    yield [-target, *ends]
            before = after

    def _arcs(self, mdd: Mdd) -> Iterator[Clause]:
        """Yield that one arc of each layer holds: a variable for each state and each arc.

        Unit propagation then finds all deductions (Bacchus, GAC via unit propagation, 2007).
        """
        before = {0: 0}  # the variable of each state; 0 for the first and last, which hold
        for index, (cell, arcs) in enumerate(zip(mdd.cells, mdd.arcs, strict=True)):
            last = index == len(mdd.cells) - 1
            after = {state: 0 if last else self._new() for state in {arc[2] for arc in arcs}}
            out: defaultdict[int, list[int]] = defaultdict(list)
            into: defaultdict[int, list[int]] = defaultdict(list)
            by_value: dict[int, list[int]] = {v: [] for v in range(1, self.lowered.n + 1)}
            for state, value, target in arcs:
                arc = self._new()
                for end in (before[state], self._holds(cell, value), after[target]):
                    if end:
                        yield [-arc, end]
                out[state].append(arc)
                into[target].append(arc)
                by_value[value].append(arc)
            for value, ends in by_value.items():
                yield [-self._holds(cell, value), *ends]
            for state, ends in out.items():
                if before[state]:
                    yield [-before[state], *ends]
            for state, ends in into.items():
                if after[state]:
                    yield [-after[state], *ends]
            before = after
