"""A puzzle on the way, the oracle that looks for a second solution, and what can be taken away."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unidoku.backends.base import Request, Stop
from unidoku.backends.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import Rule
from unidoku.core.rules.pairs import PairRule
from unidoku.deadline import Deadline
from unidoku.errors import WrongAnswerError

__all__ = ["DraftOracle", "PuzzleDraft", "UndecidedError", "apart", "reduced", "superfluous"]


@dataclass(frozen=True, slots=True)
class PuzzleDraft:
    """A full grid, rules that it keeps, and the cells whose values are given.

    Args:
        base: the layout, with the rules that stay whatever is taken away.
        grid: the values of all cells, 1 to n.
        laid: rules that the grid keeps, each of which can be taken away.
        given: the cells whose values are given.
    """

    base: Layout
    grid: Grid
    laid: tuple[Rule, ...] = ()
    given: frozenset[int] = frozenset()

    def board(self) -> Board:
        """Return the puzzle."""
        layout = replace(self.base, rules=(*self.base.rules, *_joined(self.laid)))
        values = [value if cell in self.given else 0 for cell, value in enumerate(self.grid)]
        return Board.from_values(layout, values)


_SECONDS = 1.0
"""The limit of a question to a backend that has a time limit and no node limit."""


class UndecidedError(Exception):
    """The node limit came before an answer."""


@dataclass(frozen=True, slots=True)
class DraftOracle:
    """Decides whether a draft has a solution besides its grid.

    Args:
        solver: an exact backend.
        deadline: the moment after which no further question is asked.
        nodes: node limit of each question, so that answers do not depend on the machine's load.
    """

    solver: Solver
    deadline: Deadline
    nodes: int

    def others(self, draft: PuzzleDraft, most: int = 1) -> list[Grid]:
        """Return solutions that are not the grid, so many at most; none if the draft is unique.

        Raises:
            UndecidedError: the node limit came first.
            TimeLimitError: the deadline has passed.
            WrongAnswerError: the backend does not find the grid.
        """
        self.deadline.check("generate")
        board = draft.board()
        request = replace(self._limits, solutions=most + 1, keep=most + 1)
        result = self.solver.search(board, request)
        found = [grid for grid in result.solutions if grid != draft.grid]
        if not found and result.stop is not Stop.EXHAUSTED:
            raise UndecidedError
        if not result.solutions:
            raise WrongAnswerError(
                f"{self.solver.label} finds no solution of a puzzle that was made from a solution: "
                f"{board.text('line')}, digest {board.digest}"
            )
        return found[:most]

    @property
    def _limits(self) -> Request:
        """The limit of a question: nodes, or seconds where the backend does not count nodes."""
        honours = self.solver.spec.capabilities.honours
        if "node_limit" in honours:
            return Request(node_limit=self.nodes)
        return Request(time_limit=_SECONDS if "time_limit" in honours else None)

    def unique(self, draft: PuzzleDraft) -> bool:
        """Return whether the grid is proved to be the only solution; False if undecided.

        Raises:
            TimeLimitError, WrongAnswerError: as `others`.
        """
        try:
            return not self.others(draft)
        except UndecidedError:
            return False


def apart(grid: Grid, others: Iterable[Grid]) -> list[int]:
    """Return the cells in which a grid differs from one of others."""
    held = [{value} for value in grid]
    for other in others:
        for values, value in zip(held, other, strict=True):
            values.add(value)
    return [cell for cell, values in enumerate(held) if len(values) > 1]


def reduced(
    draft: PuzzleDraft,
    oracle: DraftOracle,
    rng: random.Random,
    orbits: Sequence[tuple[int, ...]],
    fewest: int,
    *,
    goes: Callable[[Rule], bool],
) -> PuzzleDraft:
    """Take givens away, and then rules, as long as the grid stays the only solution.

    Each is tried once, in random order: what is needed now is needed with fewer others too.

    Args:
        draft: one that is unique.
        oracle: decides; what it leaves undecided stays.
        rng: where chance comes from.
        orbits: the cells in groups whose givens go together.
        fewest: the least number of givens.
        goes: tells whether a laid rule is taken away if it can be.

    Raises:
        TimeLimitError, WrongAnswerError: as `DraftOracle.others`.
    """
    for orbit in rng.sample(list(orbits), len(orbits)):
        left = draft.given - set(orbit)
        if len(left) < fewest or len(left) == len(draft.given):
            continue
        trial = replace(draft, given=left)
        if oracle.unique(trial):
            draft = trial
    for rule in rng.sample(draft.laid, len(draft.laid)):
        if goes(rule) and oracle.unique(trial := _without(draft, rule)):
            draft = trial
    return draft


def superfluous(draft: PuzzleDraft, oracle: DraftOracle) -> bool | None:
    """Return whether a given or a laid rule can go alone; None if that is not decided of one.

    Raises:
        TimeLimitError, WrongAnswerError: as `DraftOracle.others`.
    """
    decided = True
    for trial in _lesser(draft):
        try:
            if not oracle.others(trial):
                return True
        except UndecidedError:
            decided = False
    return False if decided else None


def _lesser(draft: PuzzleDraft) -> Iterator[PuzzleDraft]:
    for cell in sorted(draft.given):
        yield replace(draft, given=draft.given - {cell})
    for rule in draft.laid:
        yield _without(draft, rule)


def _without(draft: PuzzleDraft, rule: Rule) -> PuzzleDraft:
    at = draft.laid.index(rule)
    return replace(draft, laid=draft.laid[:at] + draft.laid[at + 1 :])


def _joined(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules, those of pairs that say the same as one."""
    pairs: dict[PairRule, list[tuple[int, int]]] = {}
    for rule in rules:
        if isinstance(rule, PairRule):
            pairs.setdefault(replace(rule, pairs=()), []).extend(rule.pairs)
        else:
            yield rule
    for rule, held in pairs.items():
        yield replace(rule, pairs=tuple(sorted(held)))
