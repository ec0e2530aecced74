"""A reason in words: the parts that a person looks at, and what follows from them step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from unidoku.core.bits import all_values, bit, value_of, values_of
from unidoku.core.layout import Unit
from unidoku.logic.facts import cannot_hold, holds, holds_none_of, holds_one_of
from unidoku.logic.reasons.parts import Part
from unidoku.logic.reasons.propagation import Deduction, Propagation
from unidoku.logic.step import Candidate
from unidoku.support.language import Message, listing, message, quantity, series

_MOST_CELLS = 3
"""The number of cells, about, that a chain names of those from which a rule removes candidates."""

_MOST_RULES = 4
"""The number of rules that are named of a reason of too many parts."""


def part_in_words(using: Propagation, part: Part) -> str:
    """Return a part at some candidates in words: ``row A has 5 only in A2 or A4``."""
    match part.kind:
        case "cell":
            return _cell_in_words(using, part.cells[0], using.candidates)
        case "given":
            return _cell_in_words(using, part.cells[0], using.givens)
        case "place":
            return _unit_has(_unit_in_words(using, part.unit), [_place_in_words(using, part)])
        case "rule":
            assert part.statement is not None
            return part.statement.words


def parts_in_words(using: Propagation, parts: Iterable[Part]) -> tuple[str, ...]:
    """Return parts in words; values of one unit, and rules that say the same, are joined."""
    texts: list[str] = []
    for unit, members in groupby(parts, key=lambda part: part.unit):
        group = [*members]
        if unit is None:
            texts += [part_in_words(using, part) for part in group]
            continue
        places = [_place_in_words(using, part) for part in group]
        texts.append(_unit_has(_unit_in_words(using, unit), places))
    return tuple(dict.fromkeys(texts))


def extent_in_words(using: Propagation, parts: Sequence[Part]) -> str:
    """Return what too many parts are about: units, the number of cells, and the first few rules."""
    units = [str(_unit_in_words(using, part.unit)) for part in parts if part.unit is not None]
    rules = [part for part in parts if part.statement is not None]
    cells = len(parts) - len(units) - len(rules)
    looks = [*dict.fromkeys(units), *([quantity(cells, "cell")] if cells else [])]
    texts = [*([listing(looks)] if looks else []), *parts_in_words(using, rules[:_MOST_RULES])]
    if (further := len(rules) - _MOST_RULES) > 0:
        texts.append(message("{count} more", count=quantity(further, "rule")))
    return message("by cases, from {facts}", facts=series(texts))


def _unit_has(unit: Message, places: Iterable[str]) -> str:
    return message("{unit} has {places}", unit=unit, places=listing(places))


def _unit_in_words(using: Propagation, unit: Unit | None) -> Message:
    """Return the name of a unit, or its kind with its first and last cell: ``region A4-C6``."""
    assert unit is not None
    return unit.named(using.parts.layout).words


def _cell_in_words(using: Propagation, cell: int, candidates: Sequence[int]) -> str:
    layout, mask = using.parts.layout, candidates[cell]
    if mask == all_values(layout.n):
        return message("{cell} has a value", cell=layout.names[cell])
    return holds_one_of(layout, cell, values_of(mask))


def _place_in_words(using: Propagation, part: Part) -> str:
    """Return where a value can be: ``5 only in A2 or A4``."""
    layout = using.parts.layout
    here = [cell for cell in part.cells if using.candidates[cell] & bit(part.value)]
    if len(here) == len(part.cells):
        return message("a place for {value}", value=layout.shown[part.value])
    places = listing((layout.names[cell] for cell in here), "or")
    return message("{value} only in {cells}", value=layout.shown[part.value], cells=places)


def chain(using: Propagation, assumed: str, deductions: Sequence[Deduction]) -> str:
    """Return what follows from an assumption: ``if D8 is 1, then A8 is 2 (row A), and …``."""
    *earlier, last = deductions
    links: list[str] = []
    for part, group in groupby(earlier, lambda deduction: deduction.part):
        link = _link(using, part, [*group])
        if not any(f"{known} ".startswith(f"{link} ") for known in links):
            links.append(link)
    text = "if {given}, then {facts}, and {end}" if links else "if {given}, {end}"
    end = _end(using, earlier, last)
    return message(text, given=assumed, facts=", ".join(links), end=end)


def _link(using: Propagation, part: int, group: Sequence[Deduction]) -> str:
    """Return what follows from one part."""
    layout = using.parts.layout
    cell, value = group[0].candidate
    look = using.parts.all[part]
    if look.kind == "cell":
        return holds(layout, cell, value)
    if look.kind == "place":
        return f"{holds(layout, cell, value)} ({_unit_in_words(using, look.unit)})"
    removed = _removed(using, [deduction.candidate for deduction in group])
    return f"{removed} ({part_in_words(using, look)})"


def _removed(using: Propagation, removed: Sequence[Candidate]) -> str:
    """Return what a rule removes: ``A2 is not 3 or 4``; of many cells the first few."""
    layout = using.parts.layout
    texts = []
    for cell, members in groupby(sorted(removed), key=lambda candidate: candidate[0]):
        gone = [value for _, value in members]
        rest = using.candidates[cell] & ~sum(map(bit, gone))
        if value := value_of(rest):
            texts.append(holds(layout, cell, value))
        else:
            texts.append(holds_none_of(layout, cell, gone))
    further = len(texts) - _MOST_CELLS
    if further > 1:
        first = ", ".join(texts[:_MOST_CELLS])
        return message("{facts}, and so on for {count} more cells", facts=first, count=further)
    return listing(texts)


def _end(using: Propagation, earlier: Sequence[Deduction], last: Deduction) -> str:
    """Return the contradiction."""
    layout = using.parts.layout
    names, signs = layout.names, layout.shown
    cell, value = last.candidate
    if last.part < 0:
        twice = [
            names[other]
            for other, same in (deduction.candidate for deduction in earlier)
            if same == value and using.sees[cell] >> other & 1
        ]
        if twice:
            cells = {"cell": twice[-1], "other": names[cell]}
            return message("{cell} and {other} cannot both be {value}", value=signs[value], **cells)
        return cannot_hold(layout, cell, value)
    look = using.parts.all[last.part]
    if look.kind == "cell":
        return message("nothing is left for {cell}", cell=names[cell])
    if look.kind == "place":
        unit = _unit_in_words(using, look.unit)
        return message("{unit} has no place for {value}", unit=unit, value=signs[value])
    return message("this rule fails: {rule}", rule=part_in_words(using, look))
