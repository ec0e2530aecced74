"""A reason in words: the parts that a person looks at, and what follows from them step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from unidoku.core.bits import all_values, bit, is_single, value_of, values_of
from unidoku.core.layout import Unit
from unidoku.logic.facts import cannot_hold, holds, holds_none_of, holds_one_of
from unidoku.logic.geometry import cells_of, geometry
from unidoku.logic.reasons.failures import failure
from unidoku.logic.reasons.parts import Part
from unidoku.logic.reasons.propagation import Deduction, Propagation
from unidoku.logic.ruled.statement import Statement
from unidoku.logic.step import Candidate
from unidoku.support.language import Message, listing, message, quantity, series

_MOST_CELLS = 3
"""The number of cells, about, that a chain names of those from which a rule removes candidates."""

_LONG = 40
"""The number of letters of a rule from which on it is said only once in a chain."""

_MOST_RULES = 4
"""The number of rules that are named of a reason of too many parts."""


def parts_in_words(propagation: Propagation, parts: Iterable[Part]) -> tuple[str, ...]:
    """Return parts at some candidates in words: ``row A has 5 only in A2 or A4``.

    Values of one unit, and rules that say the same, are joined.
    """
    texts: list[str] = []
    for unit, members in groupby(parts, key=lambda part: part.unit):
        if unit is None:
            texts += [_cell_or_rule_in_words(propagation, part) for part in members]
            continue
        places = listing(_place_in_words(propagation, part) for part in members)
        name = _unit_in_words(propagation, unit)
        texts.append(message("{unit} has {places}", unit=name, places=places))
    return tuple(dict.fromkeys(texts))


def _cell_or_rule_in_words(propagation: Propagation, part: Part) -> str:
    if part.statement is not None:
        return part.statement.words
    (cell,), layout = part.cells, propagation.parts.layout
    mask = (propagation.givens if part.kind == "given" else propagation.candidates)[cell]
    if mask == all_values(layout.n):
        return message("{cell} has a value", cell=layout.names[cell])
    return holds_one_of(layout, cell, values_of(mask))


def extent_in_words(propagation: Propagation, parts: Sequence[Part]) -> str:
    """Return what too many parts are about: units, the number of cells, and the first few rules."""
    places = [part.unit for part in parts if part.unit is not None]
    rules = [part for part in parts if part.statement is not None]
    cells = len(parts) - len(places) - len(rules)
    looks = [*_units_in_words(propagation, places), *([quantity(cells, "cell")] if cells else [])]
    texts = [
        *([listing(looks)] if looks else []),
        *parts_in_words(propagation, rules[:_MOST_RULES]),
    ]
    if (further := len(rules) - _MOST_RULES) > 0:
        texts.append(message("{count} more", count=quantity(further, "rule")))
    return message("by cases, from {facts}", facts=series(texts))


def _units_in_words(propagation: Propagation, units: Iterable[Unit]) -> Iterator[Message]:
    """Yield the names of units, each once; all of a common kind as ``every row``."""
    every = {"row": "every row", "column": "every column", "box": "every box"}
    numbers = Counter(members.unit.kind for members in geometry(propagation.parts.layout).full)
    for kind, group in groupby(dict.fromkeys(units), key=lambda unit: unit.kind):
        members = [*group]
        if kind in every and len(members) == numbers[kind]:
            yield Message(every[kind])
        else:
            yield from (_unit_in_words(propagation, unit) for unit in members)


def _unit_in_words(propagation: Propagation, unit: Unit | None) -> Message:
    """Return the name of a unit, or its kind with its first and last cell: ``region A4-C6``."""
    assert unit is not None
    return unit.named(propagation.parts.layout).words


def _place_in_words(propagation: Propagation, part: Part) -> str:
    """Return where a value can be: ``5 only in A2 or A4``."""
    layout = propagation.parts.layout
    cells = [cell for cell in part.cells if propagation.candidates[cell] & bit(part.value)]
    if len(cells) == len(part.cells):
        return message("a place for {value}", value=layout.shown[part.value])
    places = listing((layout.names[cell] for cell in cells), "or")
    return message("{value} only in {cells}", value=layout.shown[part.value], cells=places)


def chain(
    propagation: Propagation, cell: int, mask: int, assumed: str, deductions: Sequence[Deduction]
) -> str:
    """Return what follows from an assumption: ``if D8 is 1, then A8 is 2 (row A), and …``.

    Args:
        propagation: what the deductions begin from.
        cell: the cell that the assumption is about.
        mask: the values that it leaves the cell.
        assumed: the assumption in words.
        deductions: what follows, up to a contradiction.
    """
    *earlier, last = deductions
    groups = [(part, [*group]) for part, group in groupby(earlier, lambda each: each.part)]
    quotes = _Quotes(propagation, [*(part for part, _ in groups), last.part])
    links: list[str] = []
    for part, group in groups:
        link = _link(propagation, part, group, quotes)
        if not any(f"{earlier_link} ".startswith(f"{link} ") for earlier_link in links):
            links.append(link)
    text = "if {given}, then {facts}, and {end}" if links else "if {given}, {end}"
    end = _end(propagation, cell, mask, earlier, last, quotes)
    return message(text, given=assumed, facts=", ".join(links), end=end)


class _Quotes:
    """The words of rules in a chain; a long one that comes again is numbered, and said once.

    Args:
        propagation: what the chain begins from.
        parts: the numbers of the parts of the chain in order.
    """

    def __init__(self, propagation: Propagation, parts: Iterable[int]) -> None:
        looks = [propagation.parts.all[part].statement for part in parts if part >= 0]
        self._words = {id(look): look.words for look in looks if look is not None}
        counts = Counter(self._words[id(look)] for look in looks if look is not None)
        again = [words for words, count in counts.items() if count > 1 and len(words) > _LONG]
        self._numbers = {words: number for number, words in enumerate(again, start=1)}
        self._quoted: set[str] = set()

    def of(self, statement: Statement) -> tuple[Message | None, str]:
        """Return the number of a rule, if it has one, and its words unless they were said."""
        words = self._words[id(statement)]
        if (number := self._numbers.get(words)) is None:
            return None, words
        is_quoted = words in self._quoted
        self._quoted.add(words)
        return Message("rule {number}", number=number), "" if is_quoted else words


def _link(propagation: Propagation, part: int, group: Sequence[Deduction], quotes: _Quotes) -> str:
    """Return what follows from one part."""
    layout = propagation.parts.layout
    cell, value = group[0].candidate
    look = propagation.parts.all[part]
    if look.statement is None:
        where = f" ({_unit_in_words(propagation, look.unit)})" if look.kind == "place" else ""
        return f"{holds(layout, cell, value)}{where}"
    removed = _removed(propagation, [deduction.candidate for deduction in group])
    number, words = quotes.of(look.statement)
    return f"{removed} ({_with_words(number, words)})"


def _with_words(fact: object, words: str) -> str:
    """Return a number or a fact with the words of its rule, of which either may be missing."""
    if fact is None or not words:
        return words or str(fact)
    return message("{fact}: {reason}", fact=fact, reason=words)


def _removed(propagation: Propagation, removed: Sequence[Candidate]) -> str:
    """Return what a rule removes: ``A2 is not 3 or 4``; of many cells the first few."""
    layout = propagation.parts.layout
    texts = []
    for cell, members in groupby(sorted(removed), key=lambda candidate: candidate[0]):
        gone = [value for _, value in members]
        rest = propagation.candidates[cell] & ~sum(map(bit, gone))
        if value := value_of(rest):
            texts.append(holds(layout, cell, value))
        else:
            texts.append(holds_none_of(layout, cell, gone))
    further = len(texts) - _MOST_CELLS
    if further > 1:
        first = ", ".join(texts[:_MOST_CELLS])
        return message("{facts}, and so on for {count} more cells", facts=first, count=further)
    return listing(texts)


def _end(
    propagation: Propagation,
    assumed: int,
    mask: int,
    earlier: Sequence[Deduction],
    last: Deduction,
    quotes: _Quotes,
) -> str:
    """Return the contradiction that deductions lead to from the values left of a cell."""
    layout = propagation.parts.layout
    names, signs = layout.names, layout.shown
    cell, value = last.candidate
    if last.part < 0:
        twice = [
            names[other]
            for other, same in (deduction.candidate for deduction in earlier)
            if same == value and propagation.sees[cell] >> other & 1
        ]
        if twice:
            cells = {"cell": twice[-1], "other": names[cell]}
            return message("{cell} and {other} cannot both be {value}", value=signs[value], **cells)
        return cannot_hold(layout, cell, value)
    look = propagation.parts.all[last.part]
    if look.kind == "cell":
        return message("nothing is left for {cell}", cell=names[cell])
    if look.kind == "place":
        unit = _unit_in_words(propagation, look.unit)
        return message("{unit} has no place for {value}", unit=unit, value=signs[value])
    assert look.statement is not None
    left = _left(propagation, assumed, mask, earlier)
    number, words = quotes.of(look.statement)
    rule = number or Message("this rule")
    fails = failure(look.statement, propagation.candidates, left, assumed, rule)
    return _with_words(fails, words)


def _left(
    propagation: Propagation, assumed: int, mask: int, deductions: Sequence[Deduction]
) -> list[int]:
    """Return the candidates that deductions leave from the values left of a cell."""
    left = [*propagation.candidates]
    left[assumed] &= mask
    placed = [(assumed, value_of(mask))] if is_single(mask) else []
    for deduction in deductions:
        cell, value = deduction.candidate
        if deduction.event == "is":
            placed.append((cell, value))
        else:
            left[cell] &= ~bit(value)
    for cell, value in placed:
        left[cell] &= bit(value)
        for other in cells_of(propagation.sees[cell]):
            left[other] &= ~bit(value)
    return left
