"""A report for setters: rules that conflict, rules to leave out, numbers of solutions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from unidoku.analysis.check import Check, check
from unidoku.analysis.estimate import CountEstimate, estimate_count
from unidoku.analysis.rule_cores import RuleCores
from unidoku.api import COUNTED, solver_and_limits, true_candidates
from unidoku.backends.base import Limits, Request, Stop
from unidoku.backends.solving.solver import BackendLike, Solver
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.propagation.contradiction import Part, assembled, part_in_words, parts_of
from unidoku.core.rules.base import Rule
from unidoku.core.rules.doubler import Doubler
from unidoku.core.rules.valued import as_stated
from unidoku.core.variants import layout as layout_of
from unidoku.errors import LayoutError, TimeLimitError, UnsupportedError
from unidoku.support.arguments import named_arguments
from unidoku.support.cancel import Cancel, cancellable
from unidoku.support.ddmin import ddmin
from unidoku.support.deadline import Deadline
from unidoku.support.text import listed

_TIME = 60.0
"""Default time limit of a survey, in seconds."""

_COUNTING = 3.0
"""The most seconds for counting as rules are added: `unidoku count --estimate` takes longer."""

_KNOWN = {
    ("classic", 6): 28_200_960,
    ("classic", 8): 29_136_487_207_403_520,
    ("classic", 9): 6_670_903_752_021_072_936_960,
    ("latin", 6): 812_851_200,
    ("latin", 7): 61_479_419_904_000,
    ("latin", 8): 108_776_032_459_082_956_800,
    ("latin", 9): 5_524_751_496_156_892_842_531_225_600,
}
"""Numbers of grids: Felgenhauer and Jarvis, Mathematics of Sudoku I, 2006, and OEIS A107739 for
the boxes of 2 rows; McKay and Wanless, On the number of Latin squares, 2005."""

_SHARES = {"check": 0.2, "conflict": 0.9, "spare": 0.5, "common": 0.3}
"""Share of the remaining time for each search; the counts take the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A report on a puzzle for its setter.

    Args:
        check: whether it is proper.
        conflict: an irreducible set of rules and givens that have no solution together, each in
            words: without any one of them there is a solution. "the units" if these alone have
            none; empty if there are solutions, or if the time was over before.
        spare: rules and givens of a puzzle with one solution, each of which can be left out alone.
        untried: number of rules and givens that were not tried in time.
        sufficient: rules and givens that make the puzzle unique without the others, and of which
            none can be left out; empty if all are needed, or if they were not found in time.
        solutions: number of solutions.
        common: the candidates that occur in some solution; None if not known in time.
        falls: number of solutions with the units alone, then with each further rule, and at last
            with the givens; each in words.
    """

    check: Check
    conflict: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
    untried: int = 0
    sufficient: tuple[str, ...] = ()
    solutions: CountEstimate
    common: Board | None = None
    falls: tuple[tuple[str, CountEstimate], ...] = field(default=())

    def __str__(self) -> str:
        """Return the report in words, one line for each fact."""
        return "\n  ".join([str(self.check), *self._lines()])

    def _lines(self) -> Iterator[str]:
        if self.conflict:
            yield f"one of these must be removed: {'; '.join(self.conflict)}"
        if self.check.proper:
            late = f" ({self.untried} not tried in time)" if self.untried else ""
            if self.spare or self.untried:
                yield f"not needed, any one of them: {'; '.join(self.spare) or 'nothing'}{late}"
            else:
                yield "every rule and every given is needed"
            if self.sufficient:
                yield f"these alone make it unique: {'; '.join(self.sufficient)}"
        elif self.check.result.count:
            yield f"solutions: {self.solutions}"
            if self.common is not None:
                yield from self._commonness(self.common)
        if self.falls:
            yield "solutions as rules are added:"
            width = max(len(name) for name, _ in self.falls)
            yield from (f"  {name:{width}}  {count}" for name, count in self.falls)

    def _commonness(self, common: Board) -> Iterator[str]:
        """Yield the cells that are the same in all solutions."""
        layout = common.layout
        puzzle = self.check.result.puzzle
        given = {cell for cell, value in enumerate(puzzle.givens if puzzle else ()) if value}
        shared = [
            f"{layout.names[cell]} is {layout.shown[common.values(cell)[0]]}"
            for cell in layout.cells
            if len(common.values(cell)) == 1 and cell not in given
        ]
        yield f"in all of them: {listed(shared) if shared else 'no cell beyond the givens'}"

    def record(self) -> dict[str, Any]:
        """Return the report as a table for JSON."""
        return {
            "conflict": list(self.conflict),
            "spare": list(self.spare),
            "untried": self.untried,
            "sufficient": list(self.sufficient),
            "solutions": _record(self.solutions),
            "common": None if self.common is None else self.common.to_dict(),
            "falls": [{"with": name, **_record(count)} for name, count in self.falls],
        }


def _record(count: CountEstimate) -> dict[str, Any]:
    high = None if math.isinf(count.high) else count.high
    return {"estimate": count.estimate, "low": count.low, "high": high, "probes": count.probes}


@named_arguments
@cancellable
def survey(
    board: BoardLike,
    /,
    *,
    backend: BackendLike | None = None,
    variant: str | Layout | None = None,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    **options: object,
) -> Survey:
    """Return a report for the setter of a puzzle: conflicts, spare rules, numbers of solutions.

    >>> import unidoku
    >>> print(unidoku.survey("1... ..2. .3.. ...4"))
    proper: exactly 1 solution
      every rule and every given is needed
      solutions as rules are added:
        the units   288
        the givens  1

    Args:
        board: a board or its text.
        backend: label of an exact backend, or a solver.
        variant: layout of a text.
        time_limit: seconds for all searches together; 60 by default. Results
            that are not known by then are left out.
        cancel: a token that ends the call, as in `unidoku.solve`.
        options: options of the backend.
    """
    given = {"time_limit": time_limit, **options}
    solver, limits = solver_and_limits(backend, given, fixed=COUNTED)
    Request.of(**limits)  # refuses 0 seconds, which would be the default
    deadline = Deadline(limits.pop("time_limit", None) or _TIME)
    puzzle = as_board(board, variant)
    surveyor = _Surveyor(puzzle, solver, deadline, limits)
    checked = check(puzzle, backend=solver, time_limit=surveyor.share("check"))
    spare = surveyor.spare(checked.result.solutions[0]) if checked.proper else Spare()
    nothing = checked.result.count == 0 and checked.proper is False
    solutions = surveyor.solutions(checked)
    return Survey(
        check=checked,
        conflict=surveyor.conflict() if nothing else (),
        spare=spare.parts,
        untried=spare.untried,
        sufficient=spare.sufficient,
        common=surveyor.common() if checked.result.count > 1 else None,
        solutions=solutions,
        falls=() if nothing else surveyor.falls(solutions),
    )


@dataclass(frozen=True, slots=True)
class Spare:
    """The rules and givens without which a puzzle still has one solution.

    Args:
        parts: in words, those of which each alone can be left out.
        untried: number of rules and givens that were not tried, because time was up.
        sufficient: in words, rules and givens that are enough for one solution together.
    """

    parts: tuple[str, ...] = ()
    untried: int = 0
    sufficient: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Surveyor:
    puzzle: Board
    solver: Solver
    deadline: Deadline
    limits: Limits

    def share(self, answer: str) -> float:
        """Return the seconds for the next search."""
        return (self.deadline.limit or _TIME) * _SHARES[answer]

    @property
    def _parts(self) -> tuple[list[Part], list[Part]]:
        """The parts that stay, and the rules and givens, which can go.

        The units stay, and doublers that sums count.
        """
        counts = any(as_stated(rule) != rule for rule in self.puzzle.layout.rules)
        kinds = (Unit, Doubler) if counts else (Unit,)
        parts = [*parts_of(self.puzzle)]
        stay: list[Part] = [part for part in parts if isinstance(part, kinds)]
        return stay, [part for part in parts if not isinstance(part, kinds)]

    def _solutions(self, parts: Sequence[Part], most: int, deadline: Deadline) -> int | None:
        """Count the solutions of parts up to so many; None if that is undecided in time."""
        board = assembled(self.puzzle.layout, parts)
        limits = self.limits | Limits(solutions=most, keep=0, time_limit=deadline.limit)
        result = self.solver.solve(board, **limits)
        return result.count if result.stop.answered else None

    def conflict(self) -> tuple[str, ...]:
        """Return an irreducible set of rules and givens without a solution, in words."""
        deadline = Deadline(self.share("conflict"))
        parts = conflicting_parts(
            self.puzzle, backend=self.solver, deadline=deadline, limits=self.limits
        )
        if parts is None:
            return ()
        layout = self.puzzle.layout
        return tuple(part_in_words(layout, part) for part in parts) or ("the units",)

    def spare(self, solution: Grid) -> Spare:
        """Return what can be left out alone, and rules and givens that suffice."""
        units, rest = self._parts
        deadline = Deadline(self.share("spare"))

        def leaves_one(indices: Iterable[int]) -> bool:
            chosen = [rest[index] for index in sorted(indices)]
            return self._solutions([*units, *chosen], 2, deadline) == 1

        every = frozenset(range(len(rest)))
        cores, core = None, every
        with suppress(TimeLimitError, UnsupportedError):
            cores = RuleCores(self.puzzle, lambda: deadline.check("spare"))
            cores.demand_another(solution)
            needed = cores.core(every, another=True)
            core = needed if isinstance(needed, frozenset) else every
        spare, tried = set(every - core), len(every - core)
        with suppress(TimeLimitError):
            for index in sorted(core):
                deadline.check("spare")
                others = every - {index}
                answer = Stop.NODES if cores is None else cores.core(others, another=True)
                if isinstance(answer, frozenset) or (answer is Stop.NODES and leaves_one(others)):
                    spare.add(index)
                tried += 1
        sufficient: Iterable[int] = ()
        if cores is not None and spare:
            with suppress(TimeLimitError):
                sufficient = sorted(cores.irreducible(core, leaves_one, another=True))
        words = [part_in_words(self.puzzle.layout, part) for part in rest]
        return Spare(
            tuple(words[index] for index in sorted(spare)),
            len(rest) - tried,
            tuple(words[index] for index in sufficient),
        )

    def common(self) -> Board | None:
        """Return the true candidates."""
        with suppress(TimeLimitError):
            return true_candidates(
                self.puzzle, backend=self.solver, time_limit=self.share("common")
            )
        return None

    def count(self, board: Board, share: float) -> CountEstimate:
        """Count or estimate the solutions of a board in a share of the time that is left."""
        limit = (self.deadline.limit or _TIME) * share
        return estimate_count(board, backend=self.solver, time_limit=limit)

    def solutions(self, checked: Check) -> CountEstimate:
        """Return how many solutions the puzzle has, which a check may have settled."""
        if checked.result.stop is Stop.EXHAUSTED:
            return CountEstimate(*(checked.result.count,) * 3)
        return self.count(self.puzzle, 0.5)

    def falls(self, solutions: CountEstimate) -> tuple[tuple[str, CountEstimate], ...]:
        """Return the number of solutions as rules and givens are added; the last is that of all."""
        layout = self.puzzle.layout
        units: list[Part] = [*layout.units]
        rules = sorted(layout.rules, key=lambda rule: not isinstance(rule, Doubler))
        stages: list[tuple[str, list[Part]]] = [("the units", units)]
        for at, rule in enumerate(rules, start=1):
            stages.append((rule.words(layout.names_in_words), [*units, *rules[:at]]))
        if any(not isinstance(part, Rule) for part in self._parts[1]):
            stages.append(("the givens", []))
        if len(stages) == 1:
            return ()
        clock = Deadline(min(_COUNTING, self.deadline.limit or _TIME))
        counts: list[tuple[str, CountEstimate]] = []
        for left, (name, parts) in zip(range(len(stages) - 1, 0, -1), stages[-2::-1], strict=True):
            board = assembled(layout, parts)
            if (grids := _known(board)) is not None:
                counts.append((name, CountEstimate(*(grids,) * 3)))
            elif not clock.passed:
                limit = (clock.limit or _COUNTING) / left
                counts.append((name, estimate_count(board, backend=self.solver, time_limit=limit)))
        return (*reversed(counts), (stages[-1][0], solutions))


def _known(board: Board) -> int | None:
    """Return the number of grids of an empty board without rules, if it is in the literature."""
    layout = board.layout
    if layout.rules or any(board.givens):
        return None
    with suppress(LayoutError):  # hidden cells that no unit has are free
        layout = replace(layout, hidden=())
    for (variant, n), count in _KNOWN.items():
        if n == layout.n and layout == layout_of(variant, n):
            return count
    return None


def conflicting_parts(
    board: Board,
    *,
    backend: Solver,
    deadline: Deadline,
    limits: Limits | None = None,
) -> tuple[Part, ...] | None:
    """Return rules and givens that have no solution together: without any one of them there is one.

    Empty if the units alone have none; None if the board has solutions, or if the time is over
    before the set is found.

    Args:
        board: the board.
        backend: an exact solver.
        deadline: deadline of all searches together.
        limits: further limits of each search.
    """
    units: list[Part] = [part for part in parts_of(board) if isinstance(part, Unit)]
    rest = [part for part in parts_of(board) if not isinstance(part, Unit)]

    def shows(parts: Sequence[Part]) -> bool:
        if deadline.passed:
            return False
        keywords = (limits or Limits()) | Limits(solutions=1, keep=0, time_limit=deadline.limit)
        result = backend.solve(assembled(board.layout, [*units, *parts]), **keywords)
        return result.stop.answered and not result.count

    with suppress(TimeLimitError, UnsupportedError):
        cores = RuleCores(board, lambda: deadline.check("conflicts"))
        core = cores.core(cores.every)
        if isinstance(core, frozenset):
            core = cores.irreducible(core, lambda few: shows([rest[index] for index in few]))
            return tuple(rest[index] for index in sorted(core))
    if not shows(rest):
        return None
    conflicting = ddmin(rest, shows)
    return None if deadline.passed or not shows(conflicting) else tuple(conflicting)
