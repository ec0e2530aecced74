"""How it is shown that a cell must or cannot hold a value: directly, or after steps by logic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec

from unidoku.analysis.core_reasons import QUICK, CoreReasons, Effort, core_reasons
from unidoku.analysis.cores import smallest_core
from unidoku.backends.toolkit.models import Models
from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.cells import CellLike
from unidoku.core.hidden import expanded
from unidoku.core.layout import Layout
from unidoku.core.propagation.contradiction import conflict, explanation, part_in_words
from unidoku.errors import InputError, TimeLimitError, UnsupportedError
from unidoku.logic import State, Step, Technique, chosen, steps_from
from unidoku.logic.reasons.parts import Part
from unidoku.logic.reasons.propagation import Propagation
from unidoku.logic.reasons.reasoning import MOST_PARTS, by_cases, contradiction, why_not
from unidoku.logic.reasons.words import parts_in_words
from unidoku.support.deadline import Deadline, EndOfWork
from unidoku.support.language import language, listing, message, quantity, series
from unidoku.support.notation import notation

NO_REASON = "every way to fill the rest fails, but no chain of single steps shows it"

_PATIENCE = 1.0
"""The most seconds for a conflict of rules where no chain of single steps shows one."""

_MOST_TICKS = 5_000
"""The work of a board's walkthrough, in calls of the clock: some seconds."""

_EASY, _ALL = "..naked pair", "..swordfish"
"""The techniques whose steps are taken before a question is asked again, and those whose steps are
taken at all: what is harder takes longer to find than parts that show it by cases."""

_SELDOM = 8
"""A question is asked again after one step in so many of those before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What shows that a cell must or cannot hold a value.

    Args:
        state: the board on which the reason is drawn.
        reason: the reason in words.
        parts: what it consists of, each in words.
        step: the reason as a step; None if nothing shows it.
        before: the steps by logic that come first.
    """

    state: State
    reason: str
    parts: tuple[str, ...] = ()
    step: Step | None = None
    before: tuple[Step, ...] = ()


class _Walk:
    """The walkthrough of a board, as far as questions needed it."""

    def __init__(self, start: State) -> None:
        self.states, self.steps = [start], list[Step]()
        self.ticks, self.is_over = 0, False
        self._easy, self._all = chosen(_EASY), chosen(_ALL)

    def goes_on(self, tick: Callable[[], None]) -> bool:
        """Go on for some steps, to where the easy techniques end; return whether there is one."""
        before = len(self.steps)
        while not self.is_over and len(self.steps) <= before + before // _SELDOM:
            last = len(self.steps)
            while self._extend(self._easy, tick):
                pass
            if len(self.steps) == last:
                self.is_over = not self._extend(self._all, tick)
        return len(self.steps) > before

    def _extend(self, rows: Sequence[Technique], tick: Callable[[], None]) -> bool:
        """Go one step on; return whether there is one."""

        def counted() -> None:
            tick()
            self.ticks += 1
            if self.ticks > _MOST_TICKS:
                raise EndOfWork

        try:
            following = next(steps_from(replace(self.states[-1], tick=counted), rows), None)
        except EndOfWork:
            following = None
        if following is not None:
            self.steps.append(following[0])
            self.states.append(following[1])
        return following is not None


_WALKS: Models[_Walk] = Models()


def shown(
    state: State,
    cell: int,
    value: int,
    *,
    is_placed: bool,
    nodes: int = 0,
    effort: Effort = QUICK,
) -> Shown:
    """Return the smallest reason that is found, after as few steps by logic as it needs.

    Cost: some milliseconds on boards of 81 cells if it needs no steps, else those of a walkthrough,
        which further questions about the board share.

    Args:
        state: the state in which only the givens are placed; its clock ends the search.
        cell: the cell.
        value: a value that a solver proved.
        is_placed: whether to show that the cell must have the value, otherwise that it cannot.
        nodes: the size of the search that proved it, which is told where no reason is found; 0 if
            it is not known.
        effort: how long parts that take cases are looked for.
    """
    source = core_reasons(effort=effort)
    asked = _Asked(state.tick, cell, value, is_placed, source)
    why, last, before = message("a reason is not found in time"), state, list[Step]()
    with suppress(TimeLimitError):
        if answer := asked.at(state):
            return answer
        words = state.board, notation(), language()
        with _WALKS.lend(state.layout, words, lambda: _Walk(state)) as walk:
            with suppress(TimeLimitError):
                if answer := asked.after_steps(walk):
                    return answer
                why = asked.why_no_cases
            last, before = walk.states[-1], walk.steps
    text = "every way to fill the rest fails; {why}"
    if nodes:
        text = "every way to fill the rest fails, as a search of {nodes} shows; {why}"
    reason = message(text, nodes=quantity(nodes, "node"), why=why)
    return _following(before, Shown(state=last, reason=reason))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: the clock that ends it, the cell, the value, and whether it must be there.

    It has a source of cores of its own: what other questions taught one would change its answer.
    """

    tick: Callable[[], None]
    cell: int
    value: int
    is_placed: bool
    source: CoreReasons | None

    def at(self, state: State) -> Shown | None:
        """Return the reason from the candidates of a state; None if no chain shows it."""
        state = replace(state, tick=self.tick)
        step, parts = why_not(state, self.cell, self.value, is_placed=self.is_placed)
        return step and Shown(state=state, reason=step.reason, parts=parts, step=step)

    def is_settled(self, state: State) -> bool:
        """Return whether the cell must or cannot hold the value by the candidates of a state."""
        mask, single = state.candidates[self.cell], bit(self.value)
        return not mask & single or not mask & ~single

    def after_steps(self, walk: _Walk) -> Shown | None:
        """Return the reason after the fewest steps of a walkthrough with which it is found.

        None if a walkthrough ends before, and no parts that take cases are found there.
        """
        asked = settled = 0
        while not settled:
            states = walk.states
            settled = next((n for n in range(asked, len(states)) if self.is_settled(states[n])), 0)
            last = (settled or len(states)) - 1
            if last > asked and (answer := self.at(states[last])):
                return self._earliest(walk, asked + 1, last, answer)
            asked = last
            if not settled and not walk.goes_on(self.tick):
                return self._by_cases(walk)
        step = walk.steps[asked]
        answer = Shown(state=walk.states[asked], reason=step.sentence, step=step)
        return _following(walk.steps[:asked], answer)

    def _earliest(self, walk: _Walk, low: int, high: int, answer: Shown) -> Shown:
        """Return what is found after the fewest steps, if it is found after some."""
        while low < high:
            middle = (low + high) // 2
            if earlier := self.at(walk.states[middle]):
                answer, high = earlier, middle
            else:
                low = middle + 1
        return _following(walk.steps[:high], answer)

    def _by_cases(self, walk: _Walk) -> Shown | None:
        """Return what shows it by cases where a walkthrough ends."""
        state = replace(walk.states[-1], tick=self.tick)
        if self.source is None:
            return None
        parts = self.source.against(state, self.cell, self.value, is_placed=self.is_placed)
        if parts is None:
            return None
        step, listed = by_cases(state, parts, self.cell, self.value, is_placed=self.is_placed)
        answer = Shown(state=state, reason=step.reason, parts=listed, step=step)
        return _following(walk.steps, answer)

    @property
    def why_no_cases(self) -> str:
        """Why parts that take a case distinction are not found."""
        if self.source is None:
            return message(
                "no chain of single steps shows it; the extra sat, which finds cases, is missing"
            )
        text = "no reason by cases is found within {conflicts}"
        if not self.source.is_whole:
            text = (
                "no reason by cases is found without the largest rules, which take too many clauses"
            )
        return message(text, conflicts=quantity(self.source.conflicts, "conflict"))


def _following(steps: Sequence[Step], answer: Shown) -> Shown:
    """Return what is shown after steps of a walkthrough."""
    if not steps:
        return answer
    reason = message(
        "after {steps} of unidoku explain, {reason}",
        steps=quantity(len(steps), "step"),
        reason=answer.reason,
    )
    return replace(answer, reason=reason, before=tuple(steps))


def contradicting(board: Board, tick: Callable[[], None]) -> tuple[str, tuple[str, ...]]:
    """Return why a board has no solution, and the parts of the reason; both in words."""
    problems = board.problems()
    try:
        contradictory, parts = contradiction(board, tick)
        if not contradictory and not problems:
            if rules := conflict(board, Deadline(_PATIENCE)):
                words = tuple(part_in_words(board.layout, part) for part in rules)
                return explanation(board.layout, rules), words
            contradictory, parts = _contradicting_by_cases(board, tick)
    except TimeLimitError:
        return message(NO_REASON), ()
    if problems:
        return str(problems[0]), parts
    if len(contradictory) > MOST_PARTS:
        return _by_its_size(contradictory), parts
    if not parts:
        return message(NO_REASON), parts
    return message("these cannot all be true: {facts}", facts=series(parts)), parts


def _contradicting_by_cases(
    board: Board, tick: Callable[[], None]
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return parts that contradict each other by a core, shrunk, and the same in words."""
    if find_spec("pysat") is None:
        return (), ()
    with suppress(UnsupportedError):
        if contradictory := smallest_core(board, tick):
            propagation = Propagation.from_givens(expanded(board), tick)
            return contradictory, parts_in_words(propagation, contradictory)
    return (), ()


def _by_its_size(parts: Sequence[Part]) -> str:
    """Return a contradiction that is too large to be told, by its size and its units."""
    size = message(
        "the smallest contradiction found has {parts}, {count} of them given",
        parts=quantity(len(parts), "part"),
        count=sum(part.kind == "given" for part in parts),
    )
    units = dict.fromkeys(str(part.unit.words) for part in parts if part.unit is not None)
    return message("{size}; look at {units}", size=size, units=listing(units)) if units else size


def cell_named(layout: Layout, cell: CellLike) -> int:
    """Return the number of a cell that is shown; raise `InputError` for others."""
    if (number := layout.cell(cell)) < len(layout):
        return number
    ends = f"{layout.names[0]} to {layout.names[len(layout) - 1]}"
    raise InputError(f"expected a cell from {ends}, got {cell!r}")


def value_named(layout: Layout, value: str | int) -> int:
    """Return the number from 1 of a value as people see it."""
    for number in () if isinstance(value, bool) else range(1, layout.n + 1):
        if value in (layout.shown[number], layout.number(number)):
            return number
    ends = f"{layout.shown[1]} to {layout.shown[layout.n]}"
    raise InputError(f"expected a value from {ends}, got {value!r}")
