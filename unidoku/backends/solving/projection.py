"""Searches of layouts with hidden cells: solutions are distinguished by the visible cells alone.

A backend searches the expanded layout, where hidden cells are ordinary cells, and its answers are
checked there. If the visible cells determine the hidden ones, one search is enough. If the backend
may find a grid again with other hidden values, it is asked for grids not found yet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from unidoku.backends.base import Capabilities, Request, Result, Stop
from unidoku.backends.solving.policy import refusal, refusals_of_layout, wrong_answers
from unidoku.backends.toolkit.checked import checking
from unidoku.backends.turns import Turns
from unidoku.core.board import Board
from unidoku.core.constraints.automaton import MOST_STATES, machine_of
from unidoku.core.constraints.primitives import Automaton, Constraint
from unidoku.core.hidden import expanded
from unidoku.core.layout import Grid
from unidoku.core.rules.base import Facts, Rule
from unidoku.core.rules.fields import Cells
from unidoku.errors import LayoutError, UnsupportedError, WrongAnswerError
from unidoku.support.deadline import Deadline

_CHUNK = 100_000
"""Grids requested at once if all are wanted: each is kept so that it is recognized again."""


Search: TypeAlias = Callable[[Board, Request], Result]


def search_expanded(
    label: str, ask: Search, capabilities: Capabilities, board: Board, request: Request
) -> Result:
    """Search the expanded board until the requested number of grids is found, or no more exist.

    Solutions that differ in hidden cells only count as one, and do not show these.

    Args:
        label: the backend, for messages.
        ask: the search of expanded boards.
        capabilities: what the backend supports.
        board: the board with hidden cells.
        request: its limits.
    """
    deadline = Deadline(request.time_limit)
    try:
        whole = expanded(board, capabilities.whole_rules)
    except LayoutError as error:
        raise refusal(label, refusals_of_layout(capabilities, board.layout)) from error
    grids: dict[Grid, None] = {}
    effort: defaultdict[str, float] = defaultdict(float)
    nodes, stop = request.node_limit, Stop.SOLUTIONS
    returned = Result(count=0, solutions=(), stop=stop)
    while stop is Stop.SOLUTIONS and len(grids) != request.solutions:
        left = _CHUNK if request.solutions is None else request.solutions - len(grids)
        part = replace(
            request,
            solutions=min(left, capabilities.max_solutions or left),
            keep=None,
            time_limit=deadline.limit,
            node_limit=nodes,
        )
        question = _without(whole, len(board.layout), list(grids))
        with checking(question) as checked:
            returned = ask(question, part)
        if wrong := wrong_answers(capabilities, question, part, returned, checked):
            raise WrongAnswerError(wrong[0])
        grids |= dict.fromkeys(grid[: len(board.layout)] for grid in returned.solutions)
        for name, figure in returned.statistics.items():
            effort[name] += figure
        stop = returned.stop
        if nodes is not None:
            nodes -= int(returned.statistics.get("nodes", 0))
            if nodes < 1 and stop is Stop.SOLUTIONS and len(grids) != request.solutions:
                stop = Stop.NODES
    candidates = returned.candidates
    return replace(
        returned,
        count=len(grids),
        solutions=tuple(grids)[: request.keep],
        stop=stop,
        statistics=dict(effort),
        candidates=candidates and candidates[: len(board.layout)],
        puzzle=None,
    )


def shown_part(turns: Turns, puzzle: Board, whole: Board) -> Turns:
    """Return the turns of a search without the hidden cells, which the visible ones determine.

    Args:
        turns: the search of the expanded board.
        puzzle: the board.
        whole: the expanded board.
    """
    try:
        while True:
            try:
                with checking(whole):  # in each turn, as the search may begin in any
                    work = next(turns)
            except StopIteration as end:
                result: Result = end.value
                break
            yield work
    finally:
        turns.close()
    cells, candidates = len(puzzle.layout), result.candidates
    return replace(
        result,
        solutions=tuple([grid[:cells] for grid in result.solutions]),
        candidates=candidates and candidates[:cells],
        puzzle=puzzle,
    )


def _without(board: Board, cells: int, grids: Sequence[Grid]) -> Board:
    """Return the board with a rule that its first cells hold none of some grids."""
    if not grids:
        return board
    if cells * len(grids) > MOST_STATES:
        raise UnsupportedError(
            f"more than {len(grids)} solutions, which differ in hidden cells as well; "
            "ask for fewer: --limit 2"
        )
    rule = _NoneOf(tuple(range(cells)), tuple(grids))
    layout = replace(board.layout, rules=(*board.layout.rules, rule))
    return Board(layout, board.candidates)


@dataclass(frozen=True)
class _NoneOf(Rule):
    """Cells hold none of some grids.

    Args:
        line: the cells.
        grids: the grids that they do not hold, in the values of boards.
    """

    kind: ClassVar[str] = "none-of"
    line: Cells
    grids: tuple[Grid, ...]

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the cells if they hold one of the grids."""
        if tuple(values[cell] for cell in self.line) in self.grids:
            yield self.line

    def constraints(self, facts: Facts) -> Iterator[Constraint]:
        """Yield an automaton of the prefixes of the grids."""
        number: dict[Grid, int] = {}
        steps = []
        last = len(self.line)
        for grid in self.grids:
            for length in range(last):
                number.setdefault(grid[:length], len(number) + 1)
        for start, state in number.items():
            for value in range(1, facts.n + 1):
                after = (*start, value)
                if len(after) < last or after not in self.grids:
                    steps.append((state, value, number.get(after, 0)))
        steps += [(0, value, 0) for value in range(1, facts.n + 1)]
        yield Automaton(self.line, machine_of(facts.n, [1], [0], steps))

    def words(self, names: Sequence[str]) -> str:
        """Return the number of grids in words."""
        return f"none of {len(self.grids)} grids"
