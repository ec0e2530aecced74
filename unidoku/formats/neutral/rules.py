"""The kinds of rules of the neutral form, and our rule for each: one table, `RULES`.

A kind with its own rule class becomes that rule. Other kinds about two cells become `Pairs` under
their names; a rule that cells differ becomes a unit, and a rule about one cell becomes a domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, TypeAlias

from unidoku.core.constraints.primitives import Pair
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
    Fact,
    Frame,
    Meaning,
    Reading,
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
    pairs: Callable[[Fact], Iterable[Sequence[int]]], related: Callable[[Fact], Related]
) -> Reading:
    """Return the reader of a kind that relates the two cells of each pair."""

    def read(fact: Fact, frame: Frame) -> Meaning:
        held = [(a, b) for a, b in pairs(fact) if a != b]
        if held:
            yield Pairs(tuple(held), related(fact), fact.get("name", fact["kind"]))

    return read


def _of(fact: Fact) -> tuple[Pair, ...]:
    """Return the pairs that a rule lists, or its two cells."""
    return tuple((a, b) for a, b in fact.get("pairs", [fact.get("cells")]))


def _two(fact: Fact) -> Iterable[Pair]:
    return combinations(fact["cells"], 2)


def _near(fact: Fact) -> Iterable[Pair]:
    """Return the pairs of cells on a line with fewer steps between them than there are classes."""
    cells, apart = fact["cells"], fact.get("mod") or len(fact["classes"])
    return ((a, b) for k, a in enumerate(cells) for b in cells[k + 1 : k + apart])


def _classes(fact: Fact) -> Related:
    class_of = {value: k for k, values in enumerate(fact["classes"]) for value in values}
    return lambda a, b: class_of.get(a, -1 - a) != class_of.get(b, -1 - b)


def _table(fact: Fact) -> Related:
    allowed = {(a, b) for a, b in fact["table"]}
    return lambda a, b: (a, b) in allowed


def _never(fact: Fact, key: str = "value") -> Mapping[str, Any]:
    return {"pairs": _of(fact), key: fact["value"], "never": True}


def _sum(fact: Fact, frame: Frame) -> Meaning:
    cells, total, sign = fact["cells"], fact["sum"], fact.get("op", "==").replace("==", "=")
    weights = tuple(fact.get("coeffs") or [1] * len(cells))
    if sign not in SIGNS:
        raise UnknownRuleError(f"sum with {sign}")
    if sign == "=" and set(weights) == {1}:
        yield SumOfCells(cells, total)
    else:
        yield WeightedSum(cells, weights, total, sign)


def _arrow(fact: Fact, frame: Frame) -> Meaning:
    """Yield an arrow; the digits after the first of a number in its circle are below 10."""
    yield Arrow(fact["circle"], fact["cells"])
    if frame.high > _NINE:
        yield Domain(fact["circle"][1:], range(frame.low, _NINE + 1))


_NINE = 9
"""The largest digit of a number."""


def _cage(fact: Fact, frame: Frame) -> Meaning:
    """Yield a cage of KenKen, in which values may repeat."""
    cells, target, operator = fact["cells"], fact["target"], fact["op"]
    if len(cells) == 1:
        yield Domain(cells, [target])
    elif operator in ("+", "="):
        yield SumOfCells(cells, target)
    elif operator == "-" and len(cells) == 2:
        yield DiffersBy(_of(fact), target)
    elif operator == "/" and len(cells) == 2:
        yield Ratio(_of(fact), target)
    elif operator == "*":
        yield Product(cells, target)
    else:
        raise UnknownRuleError(f"cage_op {operator} of {len(cells)} cells")


def _unit(fact: Fact, frame: Frame) -> Meaning:
    yield Unit(tuple(sorted(set(fact["cells"]))), fact.get("name", "different"))


def _units_of_two(fact: Fact, frame: Frame) -> Meaning:
    for a, b in fact["pairs"]:
        yield Unit((min(a, b), max(a, b)), fact.get("name", "different"))


def _extreme(fact: Fact, frame: Frame) -> Meaning:
    cell, minimum = fact["cell"], fact["kind"] == "minimum"
    pairs = [(other, cell) if minimum else (cell, other) for other in fact["neighbours"]]
    yield Greater(tuple(pairs))


def _parity(fact: Fact, frame: Frame) -> Meaning:
    odd = fact["kind"] == "odd"
    yield Domain(fact["cells"], [v for v in range(frame.low, frame.high + 1) if v % 2 == odd])


def _given(fact: Fact, frame: Frame) -> Meaning:
    yield Domain([fact["cell"]], fact["values"])


def _index(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that the cell at the place in the selector has a value."""
    selector, cells, value = fact["selector"], fact["cells"], fact["value"]
    if selector == cells[0]:
        yield NumberedRoom(cells, value)
        return
    places = [place for place in range(max(frame.low, 1), frame.high + 1) if place <= len(cells)]
    yield Domain([selector], [p for p in places if cells[p - 1] != selector or p == value])
    for place in places:
        if (cell := cells[place - 1]) != selector:
            # The place is bound here, because the rule is tabulated later, when its layout is made.
            holds = lambda a, b, place=place: a != place or b == value  # noqa: E731
            yield Pairs(((selector, cell),), holds, fact["kind"])


def _anti_taxicab(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that equal values are not this many steps apart."""
    places = [(cell, divmod(cell, frame.columns)) for cell in range(frame.rows * frame.columns)]
    far: dict[int, list[Pair]] = {}
    for (a, (row, column)), (b, (below, beside)) in combinations(places, 2):
        far.setdefault(abs(row - below) + abs(column - beside), []).append((a, b))
    for steps, pairs in far.items():
        if steps <= frame.high:
            holds = lambda a, b, steps=steps: not a == b == steps  # noqa: E731
            yield Pairs(tuple(pairs), holds, fact["kind"])


def _or(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that one branch holds; an empty branch always holds."""
    branches = []
    for inside in fact["rules"]:
        branch = [rule for inner in inside for rule in _in_branch(inner, frame)]
        if not branch:
            return
        branches.append(tuple(branch))
    yield AnyOf(tuple(branches))


def _in_branch(fact: Fact, frame: Frame) -> Iterator[Rule]:
    """Yield the rules for one rule of a branch."""
    kind = fact.get("kind")
    if not isinstance(kind, str) or kind not in RULES:
        raise UnknownRuleError(f"or with {kind if LINE.holds(kind) else shown(kind)}")
    if wrong := misfit(fact, FIELDS):
        raise UnknownRuleError(f"or with {kind}: {wrong}")
    for meaning in RULES[kind](fact, frame):
        match meaning:
            case Unit(cells):
                yield Killer(cells)
            case Domain(cells, values):
                yield Holds(tuple(cells), tuple(values))
            case _:
                yield meaning


def _same_multiset(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that all groups contain the same values as the first."""
    first, *others = fact["sets"]
    for other in others:
        yield SameMultiset(first, other)


def _thermo(fact: Fact) -> Rule:
    return Thermo(fact["cells"], slow=fact["kind"] == "slow_thermo")


def _killer(fact: Fact) -> Rule:
    return Killer(fact["cells"], fact.get("sum") or None)


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
        "whisper": one_rule(lambda fact: Whispers(fact["cells"], fact["difference"])),
        "palindrome": one_rule(lambda fact: Palindrome(fact["cells"])),
        "renban": one_rule(lambda fact: Renban(fact["cells"])),
        "nabner": _each(_two, lambda fact: lambda a, b: abs(a - b) > 1),
        "modular": _each(_near, lambda fact: lambda a, b: (a - b) % fact["mod"] != 0),
        "entropic": _each(_near, _classes),
        "difference": one_rule(lambda fact: DiffersBy(_of(fact), fact["value"])),
        "ratio": one_rule(lambda fact: Ratio(_of(fact), fact["value"])),
        "pair_sum": one_rule(lambda fact: PairSum(_of(fact), fact["value"])),
        "same_multiset": _same_multiset,
        "lunchbox": one_rule(lambda fact: Lunchbox(fact["cells"], fact["sum"])),
        "or": _or,
        "greater": one_rule(lambda fact: Greater(_of(fact))),
        "not_difference": one_rule(lambda fact: DiffersBy(**_never(fact, "by"))),
        "not_ratio": one_rule(lambda fact: Ratio(**_never(fact, "times"))),
        "not_sum": one_rule(lambda fact: PairSum(**_never(fact, "total"))),
        "equal": _each(_two, lambda fact: lambda a, b: a == b),
        "clone": _each(_of, lambda fact: lambda a, b: a == b),
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
