"""Why a cell must or cannot hold a value: a solver decides, the smallest reason shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from unidoku.analysis.core_reasons import LONG, QUICK
from unidoku.analysis.showing import cell_named, contradicting, shown, value_named
from unidoku.api import COUNTED, catalogue_only, solver_and_limits
from unidoku.backends.base import Limits, Result, Stop
from unidoku.backends.solving.policy import undecided
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.backends.toolkit.models import Models
from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.cells import CellLike
from unidoku.core.layout import Grid, Layout
from unidoku.errors import TimeLimitError, UnidokuError, UnsupportedError
from unidoku.logic import State, Step
from unidoku.parallel.killable import confinable
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel
from unidoku.support.deadline import Deadline
from unidoku.support.language import message
from unidoku.support.text import Word

_FEW, _MORE = 3_000, 8_000
"""The nodes of a first search for all solutions of a board, which decides nearly all boards, and
those of searches with some values in a cell before a longer search for all solutions."""

_PATIENCE = 3.0
"""The most seconds for all solutions where that does not suffice: later questions then need none.
"""

_SEVERAL = 2
"""The number of solutions that are looked for."""


class Verdict(Word):
    """What holds for a cell and a value in all solutions of a board."""

    MUST = "must be"
    CANNOT = "cannot be"
    EITHER = "can be, and need not be"
    NO_SOLUTIONS = "no solutions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Whether a cell holds a value, and why.

    Args:
        board: the puzzle.
        cell: the cell.
        value: the value, from 1.
        verdict: what holds in all solutions.
        step: the reason as a step that can be drawn; None without one.
        state: the board with the candidates that the givens and the steps before leave, on which
            the step is drawn.
        before: the steps of `unidoku.explain` that come first; none if the givens suffice, all that
            are known if there is no reason.
        parts: what the reason consists of, each in words.
        reason: the reason in words; empty if the verdict is `Verdict.EITHER`.
        solutions: for `Verdict.EITHER`, a solution with the value in the cell and one without.
    """

    board: Board
    cell: int
    value: int
    verdict: Verdict
    step: Step | None = None
    state: State
    before: tuple[Step, ...] = ()
    parts: tuple[str, ...] = ()
    reason: str = ""
    solutions: tuple[Grid, ...] = ()

    def __str__(self) -> str:
        """Return the verdict and the reason in one sentence."""
        if self.verdict is Verdict.NO_SOLUTIONS:
            return message("no solutions: {reason}", reason=self.reason)
        layout = self.board.layout
        name, symbols = layout.names[self.cell], layout.shown
        if self.verdict is Verdict.EITHER:
            return message(
                "{cell} can be {value}, and need not be: in another solution it is {other}",
                cell=name,
                value=symbols[self.value],
                other=symbols[self.solutions[1][self.cell]],
            )
        is_must = self.verdict is Verdict.MUST
        text = "{cell} must be {value}" if is_must else "{cell} cannot be {value}"
        fact = message(text, cell=name, value=symbols[self.value])
        return message("{fact}: {reason}", fact=fact, reason=self.reason)

    def record(self, name: str = "") -> dict[str, Any]:
        """Return the answer as a table for JSON."""
        layout = self.board.layout
        return {
            **self.board.record(name),
            "cell": layout.names[self.cell],
            "value": layout.number(self.value),
            "verdict": self.verdict.value,
            "sentence": str(self),
            "reason": self.reason or None,
            "parts": list(self.parts),
            "before": [step.sentence for step in self.before],
            "solutions": [[*map(layout.number, grid)] for grid in self.solutions],
        }


@named_arguments
@confinable(catalogue_only)
def why(
    board: BoardLike,
    cell: CellLike,
    value: str | int,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    untrusted: bool = False,
    memory_limit: int | None = None,
    longer: bool = False,
    **options: object,
) -> Why:
    """Return whether a cell must or cannot hold a value, and the smallest reason that is found.

    A backend decides. The reason is what a person has to look at, with the candidates that the
    givens leave: cells, values in full units, and rules, none of which can be left out. Where no
    chain of single steps shows it from there, it begins after as few steps of `unidoku.explain` as
    it needs; where the easy ones end, a SAT solver names parts that show it by cases. Where neither
    is found, the reason says why. Questions about one board share the steps. If both happen, there
    are two solutions to compare.

    >>> import unidoku
    >>> print(unidoku.why("1... ..2. .3.. ...4", "A2", 2))
    A2 must be 2: if A2 is not 2, box 1 has no place for 2
    >>> print(unidoku.why("12.. .... .... 21..", "A3", 3))
    A3 can be 3, and need not be: in another solution it is 4

    Args:
        board: the puzzle.
        cell: the name of a cell, such as ``A4``, its row and column, or its number in reading
            order, all from 0.
        value: the value, as people see it: a number, or its symbol.
        backend: the backend that decides, as for `unidoku.solve`.
        variant: layout of a text, as for `unidoku.solve`.
        time_limit: seconds for everything; by default there is none.
        cancel: a token that ends the call, as in `unidoku.solve`.
        untrusted: whether the call is made in a confined process, as in `unidoku.solve`.
        memory_limit: its memory limit.
        longer: whether to look some seconds for parts that show it by cases, not some hundredths of
            one; they are fewer then.
        options: options of the backend.

    Raises:
        InputError: there is no such cell or value.
        TimeLimitError: it was not decided in time.
        UnsupportedError: the backend is not complete.
    """
    given = {"time_limit": time_limit, **options}
    solver, limits = solver_and_limits(backend, given, fixed=COUNTED)
    clock = Deadline(limits.pop("time_limit", None))
    puzzle = as_board(board, variant)
    at, number = cell_named(puzzle.layout, cell), value_named(puzzle.layout, value)
    state = State.start(puzzle, lambda: clock.check("why"))

    search = _Search(puzzle, at, solver, limits, clock)
    verdict, solutions, nodes = _decided(number, search)
    answer = partial(Why, board=puzzle, cell=at, value=number, verdict=verdict)
    if verdict is Verdict.EITHER:
        return answer(state=state, solutions=solutions)
    if verdict is Verdict.NO_SOLUTIONS:
        reason, parts = contradicting(puzzle, state.tick)
        return answer(state=state, parts=parts, reason=reason)
    effort, is_placed = LONG if longer else QUICK, verdict is Verdict.MUST
    evidence = shown(state, at, number, is_placed=is_placed, nodes=nodes, effort=effort)
    return answer(
        state=evidence.state,
        step=evidence.step,
        before=evidence.before,
        parts=evidence.parts,
        reason=evidence.reason,
    )


@dataclass(frozen=True, slots=True)
class _Search:
    """Searches of a board, with all values of a cell or with some."""

    board: Board
    cell: int
    solver: Solver
    limits: Limits
    clock: Deadline

    @property
    def counts_nodes(self) -> bool:
        """Whether a search may end after some nodes; not if the caller limits them otherwise."""
        honours = self.solver.spec.capabilities.honours
        return "node_limit" in honours and "node_limit" not in self.limits

    def __call__(self, limits: Limits, values: int = -1) -> Result:
        """Look for solutions in which the cell has one of some values."""
        board, cell = self.board, self.cell
        masks = board.candidates
        if values != -1:
            board = Board(board.layout, (*masks[:cell], values, *masks[cell + 1 :]))
        ends = limits.get("time_limit"), self.clock.limit
        seconds = min([end for end in ends if end is not None], default=None)
        return self.solver.solve(board, **self.limits | limits | Limits(time_limit=seconds))


class _Known:
    """The solutions of a board that questions found, and what has none."""

    def __init__(self) -> None:
        self.grids: list[Grid] = []
        self.refuted: dict[tuple[int, int], int] = {}
        """The nodes that showed that a cell has none of some values."""
        self.nodes: int | None = None
        """The nodes that showed that there are no further solutions."""
        self.left = _MORE
        self.is_begun = self.is_tried = False

    def decide(self, value: int, search: _Search) -> tuple[Verdict, tuple[Grid, ...], int]:
        """Return what holds for the cell of a search and a value.

        It is not always known then whether there are solutions at all: that only these values are
        possible holds for those that there may be.

        Returns:
            The verdict; for `Verdict.EITHER` a solution with the value and one without; the nodes
            of the search that proved it, 0 if they are not known.

        Raises:
            TimeLimitError: it was not decided in time.
            UnsupportedError: the backend is not complete.
        """
        mask = search.board.candidates[search.cell]
        sides = mask & bit(value), mask & ~bit(value)
        searches = self._searches(sides, search)
        while True:
            grids = tuple(grid for side in sides for grid in self._with(search.cell, side))
            false = [self._nodes_against(search.cell, side) for side in sides]
            match false:
                case [None, None] if len(grids) == len(sides):
                    return Verdict.EITHER, grids, 0
                case [int(nodes), int()]:
                    return Verdict.NO_SOLUTIONS, (), nodes
                case [int(nodes), None] if self.is_begun:
                    return Verdict.CANNOT, (), nodes
                case [None, int(nodes)] if self.is_begun:
                    return Verdict.MUST, (), nodes
            next(searches)

    def _with(self, cell: int, values: int) -> Iterator[Grid]:
        """Yield a known solution in which a cell has one of some values, if there is one."""
        yield from islice((grid for grid in self.grids if bit(grid[cell]) & values), 1)

    def _nodes_against(self, cell: int, values: int) -> int | None:
        """Return the nodes that showed that a cell has none of some values; None if unknown."""
        if any(self._with(cell, values)):
            return None
        return self.refuted.get((cell, values), self.nodes) if values else 0

    def _searches(self, sides: tuple[int, int], search: _Search) -> Iterator[None]:
        """Search longer and longer, and pause after each search."""
        if not self.is_begun:
            self.is_begun = True
            if search.counts_nodes:
                self._search_all(search, Limits(node_limit=_FEW))
                yield
        if search.counts_nodes:
            yield from self._search_sides(sides, search, few=True)
        if not self.is_tried:
            self.is_tried = True
            self._search_all(search, Limits(time_limit=_PATIENCE))
            yield
        yield from self._search_sides(sides, search, few=False)

    def _search_all(self, search: _Search, limits: Limits) -> None:
        """Look for two solutions: if there is only one, all questions are decided."""
        result = search(limits | Limits(solutions=_SEVERAL))
        self.grids += result.solutions
        if result.stop.answered and len(result.solutions) < _SEVERAL:
            self.nodes = _nodes(result)

    def _search_sides(
        self, sides: tuple[int, int], search: _Search, *, few: bool
    ) -> Iterator[None]:
        """Look for a solution with values of each kind that is not decided.

        Args:
            sides: the values of each kind.
            search: the search.
            few: whether to take only the few nodes that all questions about the board may take.

        Raises:
            TimeLimitError: it is not decided.
            UnsupportedError: the backend is not complete.
        """
        for values in sides:
            if any(self._with(search.cell, values)) or (few and self.left <= 0):
                continue
            limits = Limits(node_limit=self.left) if few else Limits()
            result = search(limits | Limits(solutions=1), values)
            self.left -= _nodes(result)
            self.grids += result.solutions
            if result.stop is Stop.EXHAUSTED and not result.solutions:
                self.refuted[search.cell, values] = _nodes(result)
            elif not result.solutions and not few:
                if result.stop is not Stop.INCOMPLETE:
                    raise TimeLimitError(f"why: not decided{result.stop.limit}")
                raise undecided(search.solver.label)
            yield


_KNOWN: Models[_Known] = Models()


def _decided(value: int, search: _Search) -> tuple[Verdict, tuple[Grid, ...], int]:
    """Return what holds for the cell of a search and a value, and keep what was found meanwhile.

    Raises:
        TimeLimitError, UnsupportedError: as for `_Known.decide`.
    """
    key = search.board.candidates, search.solver.label
    undecided_yet: UnidokuError
    with _KNOWN.lend(search.board.layout, key, _Known) as known:
        try:
            return known.decide(value, search)
        except (TimeLimitError, UnsupportedError) as error:  # raised outside, or it is forgotten
            undecided_yet = error
    raise undecided_yet


def _nodes(result: Result) -> int:
    """Return the nodes of a search, 0 if the backend reports none."""
    return int(result.statistics.get("nodes", 0))
