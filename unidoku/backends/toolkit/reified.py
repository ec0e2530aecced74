"""Literals that state whether constraints hold, for alternatives, of which not all have to hold.

A literal holds if and only if its constraint does. The candidates decide all fresh variables, so no
grid is found twice, however many branches it satisfies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias, assert_never

from unidoku.backends.toolkit.mdd import mdd_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.relations import clauses
from unidoku.backends.toolkit.rows import rows_apart
from unidoku.core.bits import all_values, bits_of, values_of
from unidoku.core.constraints.connected import neighbours_by_index
from unidoku.core.constraints.primitives import (
    Automaton,
    Constraint,
    Or,
    Region,
    Relation,
    SameValues,
    Sets,
    Sum,
    Table,
)

Clause: TypeAlias = list[int]
"""Literals, one of which holds."""


class Reified:
    """Clauses that define literals, numbered as in `unidoku.backends.toolkit.clauses`."""

    def __init__(self, n: int, new: Callable[[], int], sums: dict[int, Sum] | None = None) -> None:
        """Start without clauses.

        Args:
            n: the number of values.
            new: function that makes a fresh variable.
            sums: dict that gets the sums by their literals, which the solver then defines; by
                default sums are encoded in layers.
        """
        self._clauses: list[Clause] = []
        self._size = ModelSize()
        self._sums = sums
        self._n = n
        self._new = new
        self._counts: dict[tuple[tuple[int, ...], int | None], list[int]] = {}

    def taken(self) -> Iterator[Clause]:
        """Yield the clauses made since the last call, with each literal once, no tautologies."""
        pending, self._clauses, self._size = self._clauses, [], ModelSize()
        for clause in pending:
            literals = dict.fromkeys(clause)
            if not any(-literal in literals for literal in literals):
                yield [*literals]

    def any_of(self, literals: Iterable[int]) -> int:
        """Return a literal that holds if any of some literals does."""
        members = list(literals)
        if len(members) == 1:
            return members[0]
        literal = self._new()
        self._size.add(4 * len(members))
        self._clauses += [[-literal, *members], *[[literal, -member] for member in members]]
        return literal

    def all_of(self, literals: Iterable[int]) -> int:
        """Return a literal that holds if all of some literals do."""
        return -self.any_of([-literal for literal in literals])

    def holds(self, constraint: Constraint) -> int:
        """Return the literal of a constraint."""
        match constraint:
            case Relation(table, pairs):
                return self.all_of([self._related(Relation(table, (pair,))) for pair in pairs])
            case Sets():
                return self._one_of_sets(constraint)
            case Table(cells) if (apart := rows_apart(constraint, self._n)) is not None:
                return self.all_of(self.any_of(self._others(cells, row)) for row in apart)
            case Sum() if self._sums is not None:
                self._sums[literal := self._new()] = constraint
                return literal
            case Sum() | Automaton() | Table():
                return self._path(constraint)
            case SameValues():
                return self.all_of([self._equal(a, b) for a, b in self.counts_of(constraint)])
            case Region():
                return self._connected(constraint)
            case Or(branches):
                return self.any_of([self.all_of(map(self.holds, branch)) for branch in branches])
            case _:
                assert_never(constraint)

    def _is(self, cell: int, value: int) -> int:
        return cell * self._n + value

    def _others(self, cells: Sequence[int], row: Sequence[int]) -> list[int]:
        return [-self._is(cell, value) for cell, value in zip(cells, row, strict=True)]

    def _related(self, constraint: Relation) -> int:
        """Return the literal of a relation of two cells, with clauses for both of its signs."""
        literal, everything = self._new(), all_values(self._n)
        apart = Relation(tuple([everything & ~mask for mask in constraint.table]), constraint.pairs)
        for relation, sign in ((constraint, -literal), (apart, literal)):
            for ones, others in clauses(relation):
                self._size.add(1 + len(ones) + len(others))
                self._clauses.append([sign, *[-x - 1 for x in ones], *[x + 1 for x in others]])
        return literal

    def _one_of_sets(self, constraint: Sets) -> int:
        """Return the literal of sets: it holds if the cells hold all values of one set."""
        is_held = {
            value: self.any_of([self._is(cell, value) for cell in constraint.cells])
            for value in sorted(set(chain.from_iterable(map(values_of, constraint.masks))))
        }
        chosen = {
            m: self.all_of([is_held[value] for value in values_of(m)]) for m in constraint.masks
        }
        result = self.any_of(chosen.values())
        for value, value_literal in is_held.items() if len(constraint.cells) > 1 else ():
            with_it = [literal for mask, literal in chosen.items() if mask >> value - 1 & 1]
            self._clauses.append([-result, -value_literal, *with_it])
        return result

    def _path(self, constraint: Sum | Automaton | Table) -> int:
        """Return the literal of a path through layers: the state in which the path ends.

        If it holds, unit propagation finds all deductions, as for layers outside alternatives.
        """
        mdd = mdd_of(constraint, self._n)
        if mdd.is_empty:
            return self.any_of([])
        states: dict[int, int] = {}
        ways: list[tuple[int, list[int]]] = []  # the arcs that lead on, if there is a path
        for index, (cell, arcs) in enumerate(zip(mdd.cells, mdd.arcs, strict=True)):
            into: defaultdict[int, list[int]] = defaultdict(list)
            out: defaultdict[int, list[int]] = defaultdict(list)
            for state, value, target in arcs:
                value_literal = self._is(cell, value)
                arc = self.all_of([states[state], value_literal]) if index else value_literal
                into[target].append(arc)
                out[value_literal].append(arc)
                if index:
                    out[states[state]].append(arc)
            for value in range(1, self._n + 1):
                out[self._is(cell, value)] += []  # no arc leads on
            ways += out.items()
            states = {state: self.any_of(arcs) for state, arcs in into.items()}
        end = states[0]
        for literal, on in self._size.counted(ways):
            if on != [literal]:
                self._size.add(len(on))
                self._clauses.append([-end, -literal, *on])
        return end

    def _connected(self, constraint: Region) -> int:
        """Return the literal of a region: of its size, its cells, and the neighbouring values.

        From the first of the cells that lie in it, each other one is reached in so many steps.
        """
        inside = [
            self.any_of([self._is(cell, value) for value in values_of(constraint.mask)])
            for cell in constraint.cells
        ]
        most = min(constraint.high, len(inside))
        counts = self._counted(tuple(inside), most + 1)
        holds = [counts[k] for k in range(constraint.low)] + [-count for count in counts[most:]]
        reached, earlier = inside[:1], inside[0]
        for literal in inside[1:]:
            reached.append(self.all_of([literal, -earlier]))
            earlier = self.any_of([earlier, literal])
        masks = neighbours_by_index(constraint.cells, constraint.pairs)
        neighbours = [*map(bits_of, masks)]
        for _ in range(most - 1):
            near = [
                self.any_of(map(reached.__getitem__, (k, *adjacent)))
                for k, adjacent in enumerate(neighbours)
            ]
            reached = [self.all_of(both) for both in zip(inside, near, strict=True)]
        holds += [
            self.any_of([-literal, is_reached])
            for literal, is_reached in zip(inside, reached, strict=True)
        ]
        for value in range(1, self._n + 1) if constraint.others else ():
            value_literals = [
                self.all_of([literal, self._is(other, value)])
                for literal, other in zip(inside, constraint.others, strict=True)
            ]
            once, *twice = self._counted(tuple(value_literals), 2)
            holds += [*[-count for count in twice], *([once] if constraint.low == self._n else [])]
        return self.all_of(holds)

    def counts_of(self, constraint: SameValues) -> Iterable[tuple[int, int]]:
        """Return pairs of literals that are equal if two lists hold the same values.

        For each value: whether it is held once, twice, …; lists that differ hold it at most once.
        """
        for value in range(1, self._n + 1):
            lists = ([self._is(cell, value) for cell in part] for part in constraint.lists)
            if constraint.differ:
                first, second = map(self.any_of, lists)
                yield first, second
            else:
                yield from zip(*map(self._counted, map(tuple, lists)), strict=True)

    def _counted(self, literals: tuple[int, ...], most: int | None = None) -> list[int]:
        """Return literals that state whether at least one of some holds, at least two, ….

        Args:
            literals: the literals.
            most: the largest number that is counted; by default the number of literals.
        """
        if (literals, most) not in self._counts:
            counts: list[int] = []
            for literal in literals:
                raised = [literal, *[self.all_of([before, literal]) for before in counts]]
                counts = [*map(self.any_of, zip(counts, raised, strict=False)), raised[-1]][:most]
            self._counts[literals, most] = counts
        return self._counts[literals, most]

    def _equal(self, first: int, second: int) -> int:
        """Return a literal that holds if two are the same."""
        literal = self._new()
        self._clauses += [
            [-literal, -first, second],
            [-literal, first, -second],
            [literal, first, second],
            [literal, -first, -second],
        ]
        return literal
