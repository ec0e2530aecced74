"""Unfinished puzzles, the oracle that looks for second solutions, and removal of clues."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from unidoku.backends.base import Request, Stop
from unidoku.backends.solving.solver import Solver
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import Rule
from unidoku.core.rules.pairs import PairRule
from unidoku.errors import WrongAnswerError
from unidoku.generation.oracle import limits_of
from unidoku.support.deadline import Deadline


@dataclass(frozen=True, slots=True)
class PuzzleDraft:
    """A full grid, rules that it obeys, and the cells whose values are given.

    Args:
        base: the layout, with the rules that are never removed.
        grid: the values of all cells, 1 to n.
        rules: rules that the grid obeys, each of which can be removed.
        given: the cells whose values are given.
    """

    base: Layout
    grid: Grid
    rules: tuple[Rule, ...] = ()
    given: frozenset[int] = frozenset()

    def board(self) -> Board:
        """Return the puzzle."""
        layout = replace(self.base, rules=(*self.base.rules, *_joined(self.rules)))
        values = [value if cell in self.given else 0 for cell, value in enumerate(self.grid)]
        return Board.from_values(layout, values)


_SECONDS = 1.0
"""The time limit of a question, for a backend without a node limit."""


class UndecidedError(Exception):
    """The node limit was reached before an answer was found."""


@dataclass(frozen=True, slots=True)
class DraftOracle:
    """Decides whether a draft has a solution other than its grid.

    Args:
        solver: an exact backend.
        deadline: the moment after which no further question is asked.
        nodes: node limit of each question, so that answers do not depend on the load of the
            machine.
    """

    solver: Solver
    deadline: Deadline
    nodes: int

    def others(self, draft: PuzzleDraft, most: int = 1) -> list[Grid]:
        """Return solutions other than the grid, up to a number; none if the draft is unique.

        Raises:
            UndecidedError: the node limit was reached first.
            TimeLimitError: the deadline has passed.
            WrongAnswerError: the backend does not find the grid.
        """
        self.deadline.check("generate")
        board = draft.board()
        limits = limits_of(self.solver, self.nodes, _SECONDS)
        request = Request(solutions=most + 1, keep=most + 1, **limits)
        result = self.solver.search(board, request)
        others = [grid for grid in result.solutions if grid != draft.grid]
        if not others and result.stop is not Stop.EXHAUSTED:
            raise UndecidedError
        if not result.solutions:
            raise WrongAnswerError(
                f"{self.solver.label} finds no solution of a puzzle that was made from a solution: "
                f"{board.text('line')}, digest {board.digest}"
            )
        return others[:most]

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
    """Return the cells in which a grid differs from at least one of the others."""
    values_of = [{value} for value in grid]
    for other in others:
        for values, value in zip(values_of, other, strict=True):
            values.add(value)
    return [cell for cell, values in enumerate(values_of) if len(values) > 1]


def reduced(
    draft: PuzzleDraft,
    oracle: DraftOracle,
    rng: random.Random,
    orbits: Sequence[tuple[int, ...]],
    fewest: int,
    *,
    is_removable: Callable[[Rule], bool],
) -> PuzzleDraft:
    """Remove givens, and then rules, as long as the grid stays the only solution.

    Each is tried once, in random order: a clue that is needed now is needed with fewer clues too.

    Args:
        draft: a draft with one solution.
        oracle: checks uniqueness; clues that it cannot decide stay.
        rng: source of random numbers.
        orbits: the cells, in groups whose givens are removed together.
        fewest: the smallest number of givens.
        is_removable: returns whether a rule may be removed.

    Raises:
        TimeLimitError, WrongAnswerError: as `DraftOracle.others`.
    """
    for orbit in rng.sample(list(orbits), len(orbits)):
        remaining = draft.given - set(orbit)
        if len(remaining) < fewest or len(remaining) == len(draft.given):
            continue
        trial = replace(draft, given=remaining)
        if oracle.unique(trial):
            draft = trial
    for rule in rng.sample(draft.rules, len(draft.rules)):
        if is_removable(rule) and oracle.unique(trial := _without(draft, rule)):
            draft = trial
    return draft


def superfluous(draft: PuzzleDraft, oracle: DraftOracle) -> bool | None:
    """Return whether a given or a rule can be removed alone; None if one question is undecided.

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
    for rule in draft.rules:
        yield _without(draft, rule)


def _without(draft: PuzzleDraft, rule: Rule) -> PuzzleDraft:
    index = draft.rules.index(rule)
    return replace(draft, rules=draft.rules[:index] + draft.rules[index + 1 :])


def _joined(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules, and join those that state the same about different pairs into one rule."""
    pairs: dict[PairRule, list[tuple[int, int]]] = {}
    for rule in rules:
        if isinstance(rule, PairRule):
            pairs.setdefault(replace(rule, pairs=()), []).extend(rule.pairs)
        else:
            yield rule
    for rule, pairs_of_rule in pairs.items():
        yield replace(rule, pairs=tuple(sorted(pairs_of_rule)))
