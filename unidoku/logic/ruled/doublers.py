"""Why doublers cannot hold large digits, in words: they and the other cells count too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unidoku.core.bits import bit, values_of
from unidoku.core.rules.cages import Killer, SumOfCells
from unidoku.core.rules.valued import Valued
from unidoku.logic.geometry import union
from unidoku.logic.local_problem import Remaining
from unidoku.logic.state import State
from unidoku.logic.statement import Statement
from unidoku.support.language import message


def doublers_in_words(
    state: State, statement: Statement, cells: Sequence[int], remaining: Remaining
) -> str:
    """Return why a total leaves no doublers with some digits; empty if that takes more words.

    Such as ``as a doubler with 3 counts 6 and the others at least 7``.

    Args:
        state: the state before.
        statement: the rule that removes candidates.
        cells: its cells, in some order.
        remaining: the candidates that it leaves to each of them.
    """
    rule = statement.rule
    if not isinstance(rule, Valued) or rule.factor < 2 or remaining is None:
        return ""
    gone = [*_gone(state, cells, remaining)]
    if not gone or any(cell not in rule.adding or value == 1 for cell, value in gone):
        return ""
    first = state.layout.first_value - 1
    counts = [
        (
            rule.factor * (value + first),
            _least_of_others(state, rule.rule, rule.adding[cell], value),
        )
        for cell, value in gone
    ]
    total = getattr(rule.rule, "total", None)
    if total is None or any(least is None or count + least <= total for count, least in counts):
        return ""
    count, least = min((count, least or 0) for count, least in counts)
    text = "a {noun} with {value} counts {count} and the others at least {least}"
    if len({*rule.rule.cells}) == 2:
        text = "a {noun} with {value} counts {count} and the other cell at least {least}"
    value = count // rule.factor
    why = message(text, noun=message(rule.noun), value=value, count=count, least=least)
    return f", {message('as {facts}', facts=why)}"


def _gone(
    state: State, cells: Sequence[int], remaining: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the candidates of open cells that are removed."""
    for cell, left in zip(cells, remaining, strict=True):
        if state.empty >> cell & 1:
            yield from ((cell, value) for value in values_of(state.candidates[cell] & ~left))


def _least_of_others(state: State, rule: object, cell: int, value: int) -> int | None:
    """Return the least sum of the other cells of a total if one holds a value; None if unknown."""
    match rule:
        case Killer(cage=cells):
            masks = [state.candidates[c] & ~bit(value) for c in dict.fromkeys(cells) if c != cell]
            smallest = values_of(union(masks))[: len(masks)]
            least = max(sum(smallest), sum(map(_smallest, masks)))
        case SumOfCells(summed=cells):
            masks = [state.candidates[c] for c in cells if c != cell]
            least = sum(map(_smallest, masks))
        case _:
            return None
    return least + (state.layout.first_value - 1) * len(masks) if all(masks) else None


def _smallest(mask: int) -> int:
    return (mask & -mask).bit_length()
