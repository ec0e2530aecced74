"""Short reasons: where no technique has a name for it, the few things that show a candidate false.

A reason consists of parts: a cell with its candidates, a value with its places in a full unit, a
rule. None can be left out, and together they cost the least that is found: a person has to hold
few of them in mind. Source: Espasa and others, *Using small MUSes to explain how to solve pen and
paper puzzles*, 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from unidoku.core.bits import bit
from unidoku.core.board import Board
from unidoku.core.hidden import expanded
from unidoku.core.layout import Unit
from unidoku.logic.facts import holds, holds_none_of
from unidoku.logic.reasons.parts import LOOK, Part, PartSet
from unidoku.logic.reasons.propagation import Assumption, Deduction, Propagation, Run
from unidoku.logic.reasons.search import BOUNDS, Reason, cheapest
from unidoku.logic.reasons.words import chain, extent_in_words, parts_in_words
from unidoku.logic.ruled.eliminations import regions_in_words
from unidoku.logic.ruled.statement import Statement
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.language import message, quantity, series

MOST_PARTS = 12
"""The largest number of parts of a short reason, unless more are asked for."""

_MOST_TOLD = 20
"""The largest number of parts that are told; of more, the size and the units and rules are said."""

Source: TypeAlias = Callable[[State], Reason | None]
"""Finds reasons that propagation does not find, such as the solvers of `unidoku.analysis`."""

_BASE, _EACH, _HARDEST = 4.5, 0.5, 9.9
"""The rating of a reason that costs nothing, the addition for each thing to look at, and the
highest rating."""

_LIKEWISE = "{reason}; the others contradict the same parts"
"""What a chain about the first of several candidates ends with."""

_TRIED = 8
"""The number of candidates of which the one with the shortest chain is told."""

_LISTED = 2
"""The largest number of parts that are only listed; what follows from more is told as a chain."""


def short_reason(
    state: State, source: Source | None = None, most: float = MOST_PARTS
) -> Iterator[Step]:
    """Find the cheapest reason of at most twelve parts, and all candidates that it removes.

    Cost: some hundredths of a second on boards of 81 cells without rules, up to some seconds with
        rules where nothing is found.

    Args:
        state: the state.
        source: asked where propagation finds no short reason.
        most: the largest number of parts, if it is another.
    """
    propagation = Propagation.of(state)
    reasons = [cheapest(state, propagation)]
    if reasons[0] is None or reasons[0].parts.bit_count() > MOST_PARTS:
        reasons.append(None if source is None else source(state))
    fitting = [each for each in reasons if each and each.parts.bit_count() <= most]
    if (reason := min(fitting, key=lambda each: each.cost, default=None)) is None:
        return
    size = reason.parts.bit_count()
    if size > _MOST_TOLD:
        words = extent_in_words(propagation, propagation.parts.chosen(reason.parts))
    elif size <= _LISTED or not reason.by_chain:
        words = series(parts_in_words(propagation, propagation.parts.chosen(reason.parts)))
    else:
        cell, value = reason.removed[0]
        words = _chain(propagation, [(cell, bit(value), 0)], reason.parts, cell, value)
        if len(reason.removed) > 1:
            words = message(_LIKEWISE, reason=words)
    words = series([words, *_known(state, propagation, reason)])
    words = message("of {parts}, {reason}", parts=quantity(size, "part"), reason=words)
    yield _step(state, propagation, reason.parts, words, reason.removed)


def _known(state: State, propagation: Propagation, reason: Reason) -> tuple[str, ...]:
    """Return which cells of a reason are known to be in the regions that it is about, in words."""
    left = list(state.candidates)
    for cell, value in reason.removed:
        left[cell] &= ~bit(value)
    chosen = propagation.parts.chosen(reason.parts)
    cells = sorted({cell for part in chosen for cell in part.cells}.union(dict(reason.removed)))
    return regions_in_words(state, cells, [left[cell] for cell in cells])


def shortest_chain(
    state: State,
    candidates: Sequence[Candidate],
    statements: Collection[Statement],
    unit: Unit | None,
    cells: Iterable[int],
) -> str:
    """Return what contradicts one of some candidates, told as the shortest chain of parts.

    Args:
        state: the state.
        candidates: the candidates; the first few are tried.
        statements: the rules that may be used.
        unit: the unit whose values have places.
        cells: the cells that have values.
    """
    propagation = Propagation.of(state)
    usable, inside = {*map(id, statements)}, set(cells)
    allowed = 0
    for number, part in enumerate(propagation.parts.all):
        is_used = (
            (part.kind == "cell" and part.cells[0] in inside)
            or (part.kind == "place" and part.unit == unit)
            or id(part.statement) in usable
        )
        allowed |= is_used << number
    chains = []
    for cell, value in candidates[:_TRIED]:
        assumption = [(cell, bit(value), 0)]
        if (refutation := propagation.refuted(assumption, allowed=allowed)) is not None:
            parts = propagation.smallest(assumption, refutation)
            if parts.bit_count() > 1:  # one part alone needs no chain
                chains.append(_chain(propagation, assumption, parts, cell, value))
    return min(chains, key=len, default="")


def why_not(
    state: State, cell: int, value: int, *, is_placed: bool
) -> tuple[Step | None, tuple[str, ...]]:
    """Return the step to a value that a cell must or cannot have, and its parts in words.

    The step is None if propagation does not show it. If the givens show it at once, they are parts.

    Args:
        state: the state in which only the givens are placed.
        cell: the cell.
        value: the value.
        is_placed: whether to show that the cell must have the value, otherwise that it cannot.
    """
    mask = state.candidates[cell]
    if mask == bit(value) if is_placed else not mask & bit(value):
        propagation = Propagation.from_givens(state.board, state.tick)
    else:
        propagation = Propagation.of(state)
    assumed = propagation.candidates[cell] & ~bit(value) if is_placed else bit(value)
    assumptions = [*propagation.given, (cell, assumed, 0)]
    refutation, run = None, Run(propagation, assumptions)
    for bound in BOUNDS:
        refutation = run.refuted(bound)
        if refutation is not None or propagation.is_exhausted:
            break
    if refutation is None:
        return None, ()
    parts = propagation.smallest(assumptions, refutation)
    listed_parts = parts_in_words(propagation, propagation.parts.chosen(parts))
    if parts == 1 << propagation.parts.first_given + cell:
        value_given = state.layout.shown[state.candidates[cell].bit_length()]
        words = message("it is given as {value}", value=value_given)
    elif propagation.givens:
        words = series(listed_parts)
    else:
        words = _chain(propagation, assumptions, parts, cell, value, is_placed=is_placed)
    words = _sized(parts, words)
    return _step(
        state, propagation, parts, words, ((cell, value),), is_placed=is_placed
    ), listed_parts


def by_cases(
    state: State, parts: PartSet, cell: int, value: int, *, is_placed: bool
) -> tuple[Step, tuple[str, ...]]:
    """Return the step to a value by parts that take a case distinction, and the parts in words."""
    propagation = Propagation.of(state)
    listed_parts = parts_in_words(propagation, propagation.parts.chosen(parts))
    if parts.bit_count() > _MOST_TOLD:
        words = extent_in_words(propagation, propagation.parts.chosen(parts))
    else:
        words = message("by cases, {facts}", facts=series(listed_parts))
    words = _sized(parts, words)
    return _step(
        state, propagation, parts, words, ((cell, value),), is_placed=is_placed
    ), listed_parts


def contradiction(
    board: Board, tick: Callable[[], None]
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Return parts of a board, givens too, that contradict each other, and the same in words.

    None can be left out. Empty if propagation finds no contradiction.
    """
    propagation = Propagation.from_givens(expanded(board), tick)
    refutation = propagation.refuted(propagation.given)
    if refutation is None:
        return (), ()
    smallest = propagation.smallest(propagation.given, refutation)
    parts = propagation.parts.chosen(smallest)
    return parts, parts_in_words(propagation, parts)


def _sized(parts: PartSet, words: str) -> str:
    """Return the words of a reason, with its size if it is large."""
    size = parts.bit_count()
    if size <= MOST_PARTS:
        return words
    text = "the shortest reason found has {parts}: {reason}"
    return message(text, parts=quantity(size, "part"), reason=words)


def _chain(
    propagation: Propagation,
    assumptions: Sequence[Assumption],
    parts: PartSet,
    cell: int,
    value: int,
    *,
    is_placed: bool = False,
) -> str:
    """Return what follows from parts if a cell has a value, or, to place it, has it not.

    If propagation does not show it by these parts alone, they are listed.
    """
    deductions: list[Deduction] = []
    if propagation.refuted(assumptions, allowed=parts, trace=deductions) is None:
        return series(parts_in_words(propagation, propagation.parts.chosen(parts)))
    layout = propagation.parts.layout
    is_so = holds_none_of(layout, cell, [value]) if is_placed else holds(layout, cell, value)
    mask = propagation.candidates[cell] & ~bit(value) if is_placed else bit(value)
    return chain(propagation, cell, mask, is_so, deductions)


def _step(
    state: State,
    propagation: Propagation,
    parts: PartSet,
    words: str,
    candidates: tuple[Candidate, ...],
    *,
    is_placed: bool = False,
) -> Step:
    """Return a reason as a step that removes candidates, or places them."""
    chosen = propagation.parts.chosen(parts)
    return Step(
        layout=state.layout,
        reason=words,
        placements=candidates if is_placed else (),
        eliminations=() if is_placed else candidates,
        units=tuple(dict.fromkeys(unit for part in chosen for unit in part.units)),
        pattern=tuple(_pattern(state, chosen)),
        rules=tuple(dict.fromkeys(part.statement.basis for part in chosen if part.statement)),
        parts=parts.bit_count(),
        rating=round(min(_BASE + _EACH * propagation.cost(parts) / LOOK, _HARDEST), 1),
    )


def _pattern(state: State, parts: Sequence[Part]) -> Iterator[Candidate]:
    """Yield the candidates that looks are about."""
    for part in parts:
        if part.kind == "cell":
            yield from state.all_in(part.cells)
        elif part.kind == "place":
            yield from ((cell, part.value) for cell in part.cells if state.has(cell, part.value))
