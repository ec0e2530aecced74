"""Short reasons: where no technique has a name for it, the few things that show a candidate false.

A reason consists of parts: a cell with its candidates, a value with its places in a full unit, a
rule. None can be left out, and together they cost the least that is found: a person has to hold
few of them in mind. Source: Espasa and others, *Using small MUSes to explain how to solve pen and
paper puzzles*, 2021.
"""

from __future__ import annotations

from collections.abc import Iterator

from unidoku.core.bits import bit, bits_of
from unidoku.logic.reasons.parts import LOOK, Part, parts_of
from unidoku.logic.reasons.propagation import Deduction, Propagation
from unidoku.logic.reasons.search import Reason, cheapest
from unidoku.logic.reasons.words import chain, parts_in_words
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.text import plural

MOST_PARTS = 12
"""The largest number of parts of a short reason."""

_BASE, _EACH, _HARDEST = 4.5, 0.5, 9.9
"""The rating of a reason that costs nothing, the addition for each thing to look at, and the
highest rating."""

_LIKEWISE = "; the others contradict the same parts"
"""What a chain about the first of several candidates ends with."""

_LISTED = 2
"""The largest number of parts that are only listed; what follows from more is told as a chain."""


def short_reason(state: State) -> Iterator[Step]:
    """Find the cheapest reason of at most twelve parts, and all candidates that it removes.

    Cost: some hundredths of a second on boards of 81 cells without rules, up to some seconds with
        rules where nothing is found.
    """
    using = Propagation(parts_of(state.layout), state.candidates, state.tick)
    reason = cheapest(state, using)
    if reason is not None and reason.parts.bit_count() <= MOST_PARTS:
        yield step_of(state, using, reason)


def step_of(state: State, using: Propagation, reason: Reason) -> Step:
    """Return a reason as a step."""
    parts = [using.parts.all[number] for number in bits_of(reason.parts)]
    return Step(
        layout=state.layout,
        reason=f"of {plural(len(parts), 'part')}, {in_words(using, reason)}",
        eliminations=reason.removed,
        units=tuple(dict.fromkeys(part.unit for part in parts if part.unit is not None)),
        pattern=tuple(_pattern(state, parts)),
        rules=tuple(dict.fromkeys(part.statement.basis for part in parts if part.statement)),
        rating=round(min(_BASE + _EACH * reason.cost / LOOK, _HARDEST), 1),
    )


def in_words(using: Propagation, reason: Reason) -> str:
    """Return the parts of a reason, or, if there are more than two, what follows from them."""
    parts = [using.parts.all[number] for number in bits_of(reason.parts)]
    if len(parts) <= _LISTED or not reason.by_chain:
        return parts_in_words(using, parts)
    cell, value = reason.removed[0]
    deductions: list[Deduction] = []
    using.refuted([(cell, bit(value), 0)], allowed=reason.parts, trace=deductions)
    layout = using.parts.layout
    links = chain(using, f"{layout.names[cell]} is {layout.shown[value]}", deductions)
    return f"{links}{'' if len(reason.removed) == 1 else _LIKEWISE}"


def _pattern(state: State, parts: list[Part]) -> Iterator[Candidate]:
    """Yield the candidates that looks are about."""
    for part in parts:
        if part.kind == "cell":
            yield from state.all_in(part.cells)
        elif part.kind == "place":
            yield from ((cell, part.value) for cell in part.cells if state.has(cell, part.value))
