"""The kinds of rules of the neutral form, and our rule for each: one table, `RULES`.

A kind with its own rule class becomes that rule. Other kinds about two cells become `Pairs` under
their names; a rule that cells differ becomes a unit, and a rule about one cell becomes a domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, TypeAlias

from unidoku.core.constraints.shapes import Pair
from unidoku.core.layout import Unit
from unidoku.core.rules import (
    AnyOf,
    Arrow,
    DiffersBy,
    Greater,
    Holds,
    Killer,
    Lunchbox,
    NumberedRoom,
    Pairs,
    PairSum,
    Palindrome,
    Product,
    Ratio,
    Renban,
    Rule,
    SameMultiset,
    SumOfCells,
    Thermo,
    WeightedSum,
    Whispers,
)
from unidoku.core.rules.cages import SIGNS
from unidoku.formats.neutral.lines import LINES
from unidoku.formats.neutral.types import (
    Domain,
    Frame,
    Meaning,
    Reading,
    Told,
    UnknownRuleError,
    one_rule,
)
from unidoku.support.schema import (
    LINE,
    PLAIN,
    TABLE,
    TEXT,
    WHOLE,
    YES_NO,
    Kind,
    listed_of,
    misfit,
    or_null,
    shown,
    whole,
)

CELLS = listed_of(WHOLE)
LISTS = listed_of(Kind("a list of whole numbers", CELLS.holds, "lists of whole numbers"))
_TWOS = listed_of(
    Kind("two numbers", lambda v: CELLS.holds(v) and len(v) == 2, "lists of two whole numbers")  # type: ignore[arg-type]  # it is a list
)

_STEPS = listed_of(
    Kind(
        "a state, a value and a state",
        lambda v: (
            isinstance(v, list) and len(v) == 3 and CELLS.holds([0 if x == "|" else x for x in v])
        ),
        "lists of a state, a value and a state",
    )
)

FIELDS: Mapping[str, Kind] = {
    "kind": LINE,
    "name": LINE,
    "cells": CELLS,
    "circle": CELLS,
    "neighbours": CELLS,
    "pairs": _TWOS,
    "table": _TWOS,
    **dict.fromkeys(("classes", "lines", "segments", "squares"), LISTS),
    "sets": LISTS,
    "rules": Kind(
        "a list of lists of rules",
        lambda v: PLAIN.holds(v) and listed_of(listed_of(TABLE)).holds(v),
    ),
    "counts": _TWOS,
    "region_cells": CELLS,
    "arms": LISTS,
    "size": or_null(whole(1)),
    "cols": whole(1),
    "offset": Kind("0 or 1", lambda v: v in (0, 1)),
    "clues": listed_of(TABLE),
    "ties": LINE,
    "clue": CELLS,
    "start": CELLS,
    "accept": CELLS,
    "transitions": _STEPS,
    "count": WHOLE,
    "values": CELLS,
    "coeffs": or_null(CELLS),
    "sum": or_null(WHOLE),
    "op": LINE,
    **dict.fromkeys(
        ("cell", "selector", "value", "difference", "target", "middle", "above", "below"), WHOLE
    ),
    "mod": whole(1),
    "states": WHOLE,
    "regex": TEXT,
    "loop": YES_NO,
}
"""The possible fields of the rules in `RULES`."""

Related: TypeAlias = Callable[[int, int], object]


def _each(
    pairs: Callable[[Told], Iterable[Sequence[int]]], related: Callable[[Told], Related]
) -> Reading:
    """Return the reader of a kind that relates the two cells of each pair."""

    def read(told: Told, frame: Frame) -> Meaning:
        held = [(a, b) for a, b in pairs(told) if a != b]
        if held:
            yield Pairs(tuple(held), related(told), told.get("name", told["kind"]))

    return read


def _of(told: Told) -> tuple[Pair, ...]:
    """Return the pairs that a rule lists, or its two cells."""
    return tuple((a, b) for a, b in told.get("pairs", [told.get("cells")]))


def _two(told: Told) -> Iterable[Pair]:
    return combinations(told["cells"], 2)


def _near(told: Told) -> Iterable[Pair]:
    """Return the pairs of cells on a line with fewer steps between them than there are classes."""
    cells, apart = told["cells"], told.get("mod") or len(told["classes"])
    return ((a, b) for k, a in enumerate(cells) for b in cells[k + 1 : k + apart])


def _classes(told: Told) -> Related:
    class_of = {value: k for k, values in enumerate(told["classes"]) for value in values}
    return lambda a, b: class_of.get(a, -1 - a) != class_of.get(b, -1 - b)


def _table(told: Told) -> Related:
    allowed = {(a, b) for a, b in told["table"]}
    return lambda a, b: (a, b) in allowed


def _never(told: Told, key: str = "value") -> Mapping[str, Any]:
    return {"pairs": _of(told), key: told["value"], "never": True}


def _sum(told: Told, frame: Frame) -> Meaning:
    cells, total, sign = told["cells"], told["sum"], told.get("op", "==").replace("==", "=")
    weights = tuple(told.get("coeffs") or [1] * len(cells))
    if sign not in SIGNS:
        raise UnknownRuleError(f"sum with {sign}")
    if sign == "=" and set(weights) == {1}:
        yield SumOfCells(cells, total)
    else:
        yield WeightedSum(cells, weights, total, sign)


def _arrow(told: Told, frame: Frame) -> Meaning:
    """Yield an arrow; the digits after the first of a number in its circle are below 10."""
    yield Arrow(told["circle"], told["cells"])
    if frame.high > _NINE:
        yield Domain(told["circle"][1:], range(frame.low, _NINE + 1))


_NINE = 9
"""The largest digit of a number."""


def _cage(told: Told, frame: Frame) -> Meaning:
    """Yield a cage of KenKen, in which values may repeat."""
    cells, target, operator = told["cells"], told["target"], told["op"]
    if len(cells) == 1:
        yield Domain(cells, [target])
    elif operator in ("+", "="):
        yield SumOfCells(cells, target)
    elif operator == "-" and len(cells) == 2:
        yield DiffersBy(_of(told), target)
    elif operator == "/" and len(cells) == 2:
        yield Ratio(_of(told), target)
    elif operator == "*":
        yield Product(cells, target)
    else:
        raise UnknownRuleError(f"cage_op {operator} of {len(cells)} cells")


def _unit(told: Told, frame: Frame) -> Meaning:
    yield Unit(tuple(sorted(set(told["cells"]))), told.get("name", "different"))


def _units_of_two(told: Told, frame: Frame) -> Meaning:
    for a, b in told["pairs"]:
        yield Unit((min(a, b), max(a, b)), told.get("name", "different"))


def _extreme(told: Told, frame: Frame) -> Meaning:
    cell, minimum = told["cell"], told["kind"] == "minimum"
    pairs = [(other, cell) if minimum else (cell, other) for other in told["neighbours"]]
    yield Greater(tuple(pairs))


def _parity(told: Told, frame: Frame) -> Meaning:
    odd = told["kind"] == "odd"
    yield Domain(told["cells"], [v for v in range(frame.low, frame.high + 1) if v % 2 == odd])


def _given(told: Told, frame: Frame) -> Meaning:
    yield Domain([told["cell"]], told["values"])


def _index(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that the cell at the place in the selector has a value."""
    selector, cells, value = told["selector"], told["cells"], told["value"]
    if selector == cells[0]:
        yield NumberedRoom(cells, value)
        return
    places = [place for place in range(max(frame.low, 1), frame.high + 1) if place <= len(cells)]
    yield Domain([selector], [p for p in places if cells[p - 1] != selector or p == value])
    for place in places:
        if (cell := cells[place - 1]) != selector:
            # The place is bound here, because the rule is tabulated later, when its layout is made.
            holds = lambda a, b, place=place: a != place or b == value  # noqa: E731
            yield Pairs(((selector, cell),), holds, told["kind"])


def _anti_taxicab(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that equal values are not this many steps apart."""
    places = [(cell, divmod(cell, frame.columns)) for cell in range(frame.rows * frame.columns)]
    far: dict[int, list[Pair]] = {}
    for (a, (row, column)), (b, (below, beside)) in combinations(places, 2):
        far.setdefault(abs(row - below) + abs(column - beside), []).append((a, b))
    for steps, pairs in far.items():
        if steps <= frame.high:
            holds = lambda a, b, steps=steps: not a == b == steps  # noqa: E731
            yield Pairs(tuple(pairs), holds, told["kind"])


def _or(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that one branch holds; an empty branch always holds."""
    branches = []
    for inside in told["rules"]:
        branch = [rule for inner in inside for rule in _in_branch(inner, frame)]
        if not branch:
            return
        branches.append(tuple(branch))
    yield AnyOf(tuple(branches))


def _in_branch(told: Told, frame: Frame) -> Iterator[Rule]:
    """Yield the rules for one rule of a branch."""
    kind = told.get("kind")
    if not isinstance(kind, str) or kind not in RULES:
        raise UnknownRuleError(f"or with {kind if LINE.holds(kind) else shown(kind)}")
    if wrong := misfit(told, FIELDS):
        raise UnknownRuleError(f"or with {kind}: {wrong}")
    for meaning in RULES[kind](told, frame):
        match meaning:
            case Unit(cells):
                yield Killer(cells)
            case Domain(cells, values):
                yield Holds(tuple(cells), tuple(values))
            case _:
                yield meaning


def _same_multiset(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that all groups contain the same values as the first."""
    first, *others = told["sets"]
    for other in others:
        yield SameMultiset(first, other)


def _thermo(told: Told) -> Rule:
    return Thermo(told["cells"], slow=told["kind"] == "slow_thermo")


def _killer(told: Told) -> Rule:
    return Killer(told["cells"], told.get("sum") or None)


RULES: Mapping[str, Reading] = MappingProxyType(
    {
        **LINES,
        "killer": one_rule(_killer),
        "sum": _sum,
        "little_killer": _sum,
        "cage_op": _cage,
        "arrow": _arrow,
        "thermo": one_rule(_thermo),
        "slow_thermo": one_rule(_thermo),
        "whisper": one_rule(lambda told: Whispers(told["cells"], told["difference"])),
        "palindrome": one_rule(lambda told: Palindrome(told["cells"])),
        "renban": one_rule(lambda told: Renban(told["cells"])),
        "nabner": _each(_two, lambda told: lambda a, b: abs(a - b) > 1),
        "modular": _each(_near, lambda told: lambda a, b: (a - b) % told["mod"] != 0),
        "entropic": _each(_near, _classes),
        "difference": one_rule(lambda told: DiffersBy(_of(told), told["value"])),
        "ratio": one_rule(lambda told: Ratio(_of(told), told["value"])),
        "pair_sum": one_rule(lambda told: PairSum(_of(told), told["value"])),
        "same_multiset": _same_multiset,
        "lunchbox": one_rule(lambda told: Lunchbox(told["cells"], told["sum"])),
        "or": _or,
        "greater": one_rule(lambda told: Greater(_of(told))),
        "not_difference": one_rule(lambda told: DiffersBy(**_never(told, "by"))),
        "not_ratio": one_rule(lambda told: Ratio(**_never(told, "times"))),
        "not_sum": one_rule(lambda told: PairSum(**_never(told, "total"))),
        "equal": _each(_two, lambda told: lambda a, b: a == b),
        "clone": _each(_of, lambda told: lambda a, b: a == b),
        "relation": _each(_of, _table),
        "pairwise": _each(_two, _table),
        "different": _unit,
        "different_pairs": _units_of_two,
        "minimum": _extreme,
        "maximum": _extreme,
        "odd": _parity,
        "even": _parity,
        "given": _given,
        "index": _index,
        "numbered_room": _index,
        "anti_taxicab": _anti_taxicab,
    }
)
"""The reader of each kind; a kind that is missing here is rejected by its name."""
