"""Cores: parts of a board that contradict each other, which a solver of clauses names.

Each part of a layout (`unidoku.logic.reasons.parts`) has a selector, a literal that switches its
clauses on, so that a core of assumed selectors is a set of parts. That cells hold at most one
value, and that cells which see each other differ, is always known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import cast
from weakref import WeakKeyDictionary

from unidoku.backends.base import Core, Cores, GivesCores, Stop
from unidoku.backends.solving.solver import BackendLike, Solver, load
from unidoku.backends.toolkit.clauses import Clauses
from unidoku.core.bits import all_values, bits_of, is_single, values_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Constraint, Region
from unidoku.core.hidden import expanded
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import lowered_form
from unidoku.core.transforms.simplify import Simplified
from unidoku.errors import UnsupportedError
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.reasons.parts import Part, Parts, PartSet, parts_of
from unidoku.logic.ruled.statement import Derived, Statement, statements_of

MOST_VARIABLES = 100_000
"""The largest number of variables: a chaos construction of 16 values has 650,000, which no search
gets through in seconds."""

_TO_REFUTE, _TO_SHRINK = 100_000, 200
"""Conflicts that the search for a contradiction may take, and those after which a part counts as
needed while it shrinks."""

_PIECES = (16, 4, 1)
"""How many parts are left out at once."""


_TOO_LARGE: WeakKeyDictionary[Statement, set[tuple[tuple[int, ...], int | None]]] = (
    WeakKeyDictionary()
)
"""For each rule, the candidates of its cells at which it takes more clauses than a number."""

_MOST_REMEMBERED = 1 << 6
"""The number of candidates that are kept for a rule: questions are asked where logic ends."""


@dataclass(frozen=True, slots=True, eq=False)
class SelectedClauses:
    """The clauses of a layout's parts, which a solver has.

    The variable of a candidate is ``cell * n + value``; the selector of a part comes after these,
    in the order of the parts; fresh variables come last. A derived sum has no clauses: it follows
    from other parts, and a sum of six cells would have as many as the rest.

    Args:
        parts: the parts.
        number: how many clauses there are; one that belongs to a part has its selector negated.
        variables: the number of variables.
        is_whole: whether no rule was left out.
    """

    parts: Parts
    number: int
    variables: int
    is_whole: bool = True

    @classmethod
    def of(
        cls,
        layout: Layout,
        add: Callable[[Sequence[int]], object],
        tick: Callable[[], None] = lambda: None,
        candidates: Sequence[int] = (),
        most: int | None = None,
    ) -> SelectedClauses:
        """Make the clauses of the parts of an expanded layout, and add each to a solver.

        Cost: 5 to 40 ms on boards of 81 cells.

        Args:
            layout: the layout.
            add: called with each clause; none is kept, as the garbage collector would look through
                all of them.
            tick: called for each part; may raise.
            candidates: what is left of each cell, if only that is asked about: rules then have
                fewer clauses, and those of which all cells are settled none.
            most: the number of clauses after which rules are left out, those of many open cells
                first, and so are those that alone take as many; their parts are then in no core.
                By default none are, and a layout of too many variables is refused.

        Raises:
            UnsupportedError: there would be more than 100,000 variables.
        """
        maker, number = _Maker(parts_of(layout), tick, candidates, most), 0
        for clauses in maker.clauses():
            number += len(clauses)
            for clause in clauses:
                add(clause)
        return cls(maker.parts, number, maker.top, maker.is_whole)

    def candidate(self, cell: int, value: int) -> int:
        """Return the literal of a candidate."""
        return cell * self.parts.layout.n + value

    def selectors(self, chosen: PartSet, order: Sequence[int] = ()) -> list[int]:
        """Return the literals that switch parts on, in some order; by default that of the parts."""
        first = len(self.parts.layout) * self.parts.layout.n + 1
        numbers = [number for number in order if chosen >> number & 1]
        return [first + number for number in numbers or bits_of(chosen)]

    def chosen(self, core: Sequence[int]) -> PartSet:
        """Return the parts of a core; its other literals are left out."""
        first = len(self.parts.layout) * self.parts.layout.n + 1
        return sum(1 << literal - first for literal in core if literal >= first)

    def given(self, board: Board) -> Iterator[Sequence[int]]:
        """Yield the clauses of the givens of a board, each switched on by its part."""
        everything = all_values(board.layout.n)
        for cell, mask in enumerate(board.candidates):
            (selector,) = self.selectors(1 << self.parts.first_given + cell)
            for value in values_of(everything & ~mask):
                yield [-selector, -self.candidate(cell, value)]
            if is_single(mask):
                yield [-selector, self.candidate(cell, mask.bit_length())]


class _Maker:
    """Makes the clauses of parts; the fresh variables come after those of candidates and parts."""

    def __init__(
        self,
        parts: Parts,
        tick: Callable[[], None],
        candidates: Sequence[int],
        most: int | None,
    ) -> None:
        self.parts, self.tick, self.most = parts, tick, most
        self.left = candidates
        layout = parts.layout
        self.n, self.candidates = layout.n, len(layout) * layout.n
        self.top = self.candidates + len(parts.all)
        self.of_rules = 0
        self.is_whole = True

    def clauses(self) -> Iterator[Sequence[Sequence[int]]]:
        """Yield the clauses, those of a cell or of a part at once: most of the time is theirs."""
        layout = self.parts.layout
        sees = geometry(layout).sees
        n, left = self.n, self.left or (all_values(self.n),) * len(layout)
        for cell in layout.cells:
            yield [*combinations([-cell * n - value for value in values_of(left[cell])], 2)]
            yield [
                (-cell * n - value, -other * n - value)
                for other in cells_of(sees[cell] & -1 << cell + 1)
                for value in values_of(left[cell] & left[other])
            ]
        for statement in statements_of(layout):
            if statement.is_of_single_cells:
                allowed = _single(layout, statement.constraints)
                for cell in statement.cells:
                    gone = values_of(all_values(n) & ~allowed[cell])
                    yield [(-self._holds(cell, value),) for value in gone]
        for number in self._in_order():
            self.tick()
            part, off = self.parts.all[number], -(self.candidates + 1 + number)
            match part.kind:
                case "cell":
                    yield [(off, *[self._holds(part.cells[0], v) for v in range(1, n + 1)])]
                case "place":
                    yield [(off, *[self._holds(cell, part.value) for cell in part.cells])]
                case "rule" if self._open(part) and not isinstance(part.statement, Derived):
                    yield self._switched_on(off, self._of_rule(part))

    def _switched_on(self, off: int, clauses: Iterable[Sequence[int]]) -> list[Sequence[int]]:
        """Return clauses that hold if a literal is false.

        With all fresh variables false only the clauses without a negated one can fail.
        """
        fresh = -self.candidates
        return [
            clause if clause and (clause[0] < fresh or min(clause) < fresh) else (off, *clause)
            for clause in clauses
        ]

    def _in_order(self) -> Iterable[int]:
        """Return the numbers of the parts, those of few open cells first if some are left out."""
        every = self.parts.all
        if self.most is None:
            return range(len(every))
        return sorted(range(len(every)), key=lambda number: self._open(every[number]))

    def _open(self, part: Part) -> int:
        """Return the number of open cells of a rule, 0 for other parts."""
        if part.kind != "rule":
            return 0
        return sum(not self.left or self.left[c] & self.left[c] - 1 > 0 for c in part.cells)

    @cached_property
    def _of_regions(self) -> int:
        """The number of clauses of all regions: one alone is of little use."""
        return sum(
            _clauses_of_region(constraint, self.n)
            for statement in statements_of(self.parts.layout)
            for constraint in statement.constraints
        )

    def _is_room(self, constraints: Sequence[Constraint]) -> bool:
        """Return whether there may be room for the clauses of constraints."""
        if self.most is None:
            return True
        regions = self._of_regions if isinstance(constraints[0], Region) else 0
        return max(self.of_rules, regions) <= self.most

    def _holds(self, cell: int, value: int) -> int:
        return cell * self.n + value

    def _of_rule(self, part: Part) -> Sequence[Sequence[int]]:
        statement = part.statement
        assert statement is not None
        left = tuple([self.left[cell] for cell in part.cells] if self.left else ())
        too_large = _TOO_LARGE.setdefault(statement, set())
        if (left, self.most) in too_large or not self._is_room(statement.constraints):
            self.is_whole = False
            return ()
        of_kind: dict[type[Constraint], list[Constraint]] = defaultdict(list)
        for constraint in statement.constraints:
            of_kind[type(constraint)].append(constraint)
        layout = self.parts.layout
        everything = (all_values(self.n),) * len(layout)
        lowered = lowered_form(layout, Simplified(of_kind, everything))
        maker = Clauses(lowered, top=self.top, candidates=self.left)
        clauses: list[tuple[int, ...]] = []  # the garbage collector does not keep their ints
        try:
            clauses += map(tuple, islice(maker, self.most))
            if maker.top > MOST_VARIABLES:
                raise UnsupportedError(
                    f"cores: the rules take more than {MOST_VARIABLES:,} variables; "
                    "they are not sought"
                )
        except UnsupportedError:
            if self.most is None:
                raise
            self.is_whole = False
            return ()
        if len(clauses) == self.most:
            if len(too_large) < _MOST_REMEMBERED:
                too_large.add((left, self.most))
            self.is_whole = False
            return ()
        self.top = maker.top
        self.of_rules += len(clauses)
        return clauses


def _clauses_of_region(constraint: Constraint, n: int) -> int:
    """Return about how many clauses a region takes, which has a step for each of its cells.

    None for others, whose number is known when they are made.
    """
    if not isinstance(constraint, Region):
        return 0
    size = len(constraint.cells)
    return 13 * size * (min(constraint.high, size) - 1 + n * bool(constraint.others))


def _single(layout: Layout, constraints: Sequence[object]) -> list[int]:
    """Return the candidates that constraints of single cells leave each cell."""
    left = [all_values(layout.n)] * len(layout)
    for constraint in constraints:
        cells, masks = constraint.cells, constraint.masks  # type: ignore[attr-defined]  # Sets
        for cell in cells:
            left[cell] &= sum(masks)
    return left


class CoreFinder:
    """A live solver with the clauses of a layout's parts.

    Args:
        layout: an expanded layout.
        backend: a source of cores, such as ``sat`` or ``clingo``.
        tick: called while the clauses are made; may raise.
        candidates: what is left of each cell, if only that is asked about; others are then gone by
            clauses that the caller adds.
        most: the number of clauses after which rules are left out.

    Raises:
        UnsupportedError: the backend is no source of cores, or there are too many variables.
    """

    def __init__(
        self,
        layout: Layout,
        backend: BackendLike = "sat",
        tick: Callable[[], None] = lambda: None,
        candidates: Sequence[int] = (),
        most: int | None = None,
    ) -> None:
        """Make the clauses and give them to the solver."""
        solver = backend if isinstance(backend, Solver) else load(backend)
        if not solver.spec.capabilities.cores:
            raise UnsupportedError(f"{solver.label} names no cores; use sat or clingo")
        self.live: Cores = cast(GivesCores, solver.backend).cores()
        self.model = SelectedClauses.of(layout, self.live.add, tick, candidates, most)
        self._givens: set[tuple[int, ...]] = set()

    def core(
        self,
        chosen: PartSet,
        assumptions: Sequence[int] = (),
        conflicts: int | None = None,
        order: Sequence[int] = (),
    ) -> PartSet | Stop | None:
        """Return parts among some that contradict each other and further literals.

        Args:
            chosen: the parts.
            assumptions: the literals.
            conflicts: the number of conflicts after which it stays undecided; by default none.
            order: the numbers of the parts in the order in which they are assumed; a solver names
                early ones before late ones.

        Returns:
            The parts; None if there is no contradiction; `Stop.NODES` if that was not decided
            within so many conflicts.
        """
        selectors: Core = self.live.core(
            [*assumptions, *self.model.selectors(chosen, order)], conflicts
        )
        return self.model.chosen(selectors) if isinstance(selectors, tuple) else selectors

    def take_givens(self, board: Board) -> None:
        """Add the givens of a board as what their parts say; one board a finder."""
        for clause in self.model.given(board):
            self.live.add(clause)


def smallest_core(board: Board, tick: Callable[[], None] = lambda: None) -> tuple[Part, ...]:
    """Return parts of a board without solutions, givens too, that contradict each other.

    They are shrunk until none can be left out, as far as that is decided at once; empty if no
    contradiction is found. Cost: some tenths of a second on boards of 81 cells.

    Raises:
        UnsupportedError: there are too many variables.
    """
    board = expanded(board)
    finder = CoreFinder(board.layout, "sat", tick)
    finder.take_givens(board)
    parts = finder.model.parts
    chosen = finder.core((1 << len(parts.all)) - 1, conflicts=_TO_REFUTE)
    if not isinstance(chosen, int):
        return ()
    weights = parts.weights(board.candidates)
    for size in _PIECES:
        order = sorted(bits_of(chosen), key=weights.__getitem__, reverse=True)
        for start in range(0, len(order), size):
            tick()
            piece = sum(1 << number for number in order[start : start + size])
            if chosen & piece:
                smaller = finder.core(chosen & ~piece, conflicts=_TO_SHRINK)
                chosen = smaller if isinstance(smaller, int) else chosen
    return parts.chosen(chosen)
