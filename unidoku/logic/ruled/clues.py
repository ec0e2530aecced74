"""What a clue outside the grid or a doubler excludes, in words: ``9 cannot be first``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

from unidoku.core.bits import bit, mask_of, set_of, values_of
from unidoku.core.layout import Layout
from unidoku.core.rules import Battlefield, Sandwich, Skyscraper, XSum
from unidoku.core.rules.base import cell_names
from unidoku.core.rules.cages import Killer, SumOfCells
from unidoku.core.rules.valued import Valued
from unidoku.logic.facts import in_runs
from unidoku.logic.geometry import geometry, union
from unidoku.logic.ruled.local_problem import Remaining
from unidoku.logic.ruled.statement import Statement
from unidoku.logic.state import State
from unidoku.support.language import Message, listing, message, quantity

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")

_MOST_FILLINGS = 4
"""The largest number of sums between the ends of a sandwich in a sentence."""

_LONGEST = 12
"""The largest number of cells of a sandwich whose fillings are listed."""


def clue_in_words(statement: Statement, before: Sequence[int], remaining: Remaining) -> str:
    """Return what a clue excludes, and on which line; empty for other rules.

    That is which values cannot stand where on the line, or what a sandwich may hold.

    Args:
        statement: the statement.
        before: the candidates of its cells.
        remaining: those that are left of them.
    """
    rule, layout = statement.rule, statement.layout
    match rule:
        case Skyscraper(line=line, seen=seen):
            text = "where {count} is visible" if seen == 1 else "where {count} are visible"
            where = message(text, count=seen)
            words = _excluded(statement, line, before, remaining)
        case Battlefield(line=line, total=total):
            where = message("where the first X and the last Y leave {total}", total=total)
            words = _excluded(statement, line, before, remaining)
        case XSum(line=line, total=total):
            where = message("where the first X sum to {total}", total=total)
            words = _excluded(statement, line, before, remaining)
            why = _limits(statement, rule, before, remaining) if words else ""
            if why and _differ(layout, line):
                where = message("{facts}, as {why}", facts=where, why=why)
        case Sandwich(line=line):
            where = ""
            words = _fillings(statement, rule, before)
            return f", {words} ({statement.words})" if words else ""
        case _:
            return ""
    if not words:
        return ""
    cells = cell_names(line, layout.names)
    text = "{facts} {where} (along {cells})"
    return f", {message(text, facts=words, where=where, cells=cells)}"


def _excluded(
    statement: Statement, line: Sequence[int], before: Sequence[int], remaining: Remaining
) -> str:
    """Return which values cannot stand where: ``4 or 5 cannot be first, 5 not second``."""
    if remaining is None or len(line) > len(ORDINALS):
        return ""
    gone = []
    for ordinal, cell in zip(ORDINALS, line, strict=False):
        if cell not in statement.cells:
            continue
        index = statement.cells.index(cell)
        if values := values_of(before[index] & ~remaining[index]):
            gone.append((values, ordinal))
    texts = [
        message(
            "{values} not {places}" if index else "{values} cannot be {places}",
            values=in_runs(statement.layout, values, "or"),
            places=listing((Message(ordinal) for _, ordinal in group), "or"),
        )
        for index, (values, group) in enumerate(groupby(gone, key=lambda item: item[0]))
    ]
    return ", ".join(texts)


def _limits(statement: Statement, rule: XSum, before: Sequence[int], remaining: Remaining) -> str:
    """Return which sums of the first X cells are too small or too large for an X-sum."""
    assert remaining is not None
    layout, first = statement.layout, statement.cells.index(rule.line[0])
    numbers = range(layout.first_value, layout.first_value + layout.n)
    gone = [numbers[value - 1] for value in values_of(before[first] & ~remaining[first])]
    few, many = [], []
    for size in gone:
        if not 1 <= size <= len(rule.line):
            continue
        others = [number for number in numbers if number != size]
        if (most := size + sum(others[len(others) - size + 1 :])) < rule.total:
            few.append((size, most))
        if (least := size + sum(others[: size - 1])) > rule.total:
            many.append((size, least))
    if len(few) + len(many) < len(gone):
        return ""
    texts = [
        message("the sum of {cells} is at most {total}", cells=quantity(size, "cell"), total=most)
        for size, most in few[-1:]
    ]
    texts += [
        message("the sum of {cells} is at least {total}", cells=quantity(size, "cell"), total=least)
        for size, least in many[:1]
    ]
    return listing(texts)


def _differ(layout: Layout, cells: Sequence[int]) -> bool:
    """Return whether all of some cells see each other."""
    sees, every = geometry(layout).sees, set_of(cells)
    return not any(every & ~sees[cell] & ~(1 << cell) for cell in cells)


def _fillings(statement: Statement, rule: Sandwich, before: Sequence[int]) -> str:
    """Return what may stand between the ends of a sandwich, and so how many cells that are.

    Such as ``11 is 2+4+5, so 3 cells are between 1 and 6``.
    """
    shown = statement.layout.shown
    ends = {"low": shown[1], "high": rule.high}
    if rule.total == 0:
        return message("nothing is between {low} and {high}", **ends)
    fillings = [*_possible(statement, rule, before)]
    if not 0 < len(fillings) <= _MOST_FILLINGS:
        return ""
    sums = ["+".join(shown[value] for value in values) for values in fillings]
    if sums == [str(rule.total)]:
        return message("only {total} is between {low} and {high}", total=rule.total, **ends)
    words = message("{total} is {sums}", total=rule.total, sums=listing(sums, "or"))
    if len(sizes := {*map(len, fillings)}) > 1:
        return words
    (size,) = sizes
    text = (
        "{count} is between {low} and {high}"
        if size == 1
        else "{count} are between {low} and {high}"
    )
    why = message(text, count=quantity(size, "cell"), **ends)
    return message("{facts}, so {why}", facts=words, why=why)


def _possible(
    statement: Statement, rule: Sandwich, before: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield the sets of different values that a sandwich may hold at some candidates."""
    if len(rule.line) > _LONGEST:
        return
    layout = statement.layout
    masks = [before[statement.cells.index(cell)] for cell in rule.line]
    ends = bit(1) | bit((rule.high or 0) - layout.first_value + 1)
    inside = [value for value in range(1, layout.n + 1) if not bit(value) & ends]
    offset = layout.first_value - 1
    for size in range(1, len(masks) - 1):
        spans = [
            masks[at + 1 : at + 1 + size]
            for at in range(len(masks) - size - 1)
            if masks[at] & ends and masks[at + size + 1] & ends
        ]
        for values in combinations(inside, size):
            chosen = mask_of(values)
            fits = sum(values) + offset * size == rule.total and any(
                all(mask & chosen for mask in span) and not chosen & ~union(span) for span in spans
            )
            if fits:
                yield values


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
