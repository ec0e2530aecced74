"""The kinds of rules of the neutral form, and what each means: one table, `RULES`.

A kind with its own rule class becomes that rule. Other kinds about two cells become `Pairs` under
their names; a rule that cells differ becomes a unit, and a rule about one cell becomes a domain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Any, TypeAlias

from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Unit
from unidoku.core.rules import (
    Between,
    ChaosConstruction,
    Connected,
    Contains,
    CountDistinct,
    CountingCircles,
    DiffersBy,
    DifferWhere,
    EqualityCage,
    Greater,
    HiddenSkyscraper,
    Killer,
    LinesDiffer,
    Lockout,
    Lunchbox,
    NonogramLine,
    NoThreeEqual,
    PairSum,
    Palindrome,
    Product,
    Ratio,
    RegionCount,
    Rellik,
    Renban,
    Sandwich,
    Skyscraper,
    SumLine,
    SumOfCells,
    Thermo,
    Whispers,
    XSum,
)
from unidoku.formats import meanings
from unidoku.formats.frame import Frame
from unidoku.formats.meanings import Automaton, Domain, Meaning, UnknownRuleError
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

Fact: TypeAlias = Mapping[str, Any]
Reading: TypeAlias = Callable[[Fact, Frame], Iterable[Meaning]]

BREAK = "|"
"""The mark that automata read between segments."""


def meanings_of(fact: Fact, frame: Frame) -> list[Meaning]:
    """Return what a rule means.

    Raises:
        UnknownRuleError: this version does not know the kind, or one of its fields.
        InputError, LookupError, TypeError, ValueError: the rule is not valid.
    """
    kind = fact.get("kind")
    if not isinstance(kind, str) or kind not in RULES:
        raise UnknownRuleError(str(kind) if LINE.holds(kind) else shown(kind))
    if wrong := misfit(fact, FIELDS):
        raise UnknownRuleError(f"{kind}: {wrong}")
    return [*RULES[kind](fact, frame)]


def _rule(make: Callable[[Fact], Meaning]) -> Reading:
    """Return the reader of a kind that is one rule."""
    return lambda fact, frame: [make(fact)]


def _name(fact: Fact) -> str:
    name: str = fact.get("name", fact["kind"])
    return name


def _pairs(fact: Fact) -> tuple[Pair, ...]:
    """Return the pairs that a rule lists, or its two cells."""
    return tuple((a, b) for a, b in fact.get("pairs", [fact.get("cells")]))


def _sum(fact: Fact) -> Meaning:
    sign = fact.get("op", "==").replace("==", "=")
    return meanings.weighted_sum(fact["cells"], fact["sum"], fact.get("coeffs"), sign)


def _cage(fact: Fact) -> Meaning:
    """Return a cage of KenKen, in which values may repeat."""
    cells, target, operator = fact["cells"], fact["target"], fact["op"]
    if len(cells) == 1:
        return Domain(cells, [target])
    if operator in ("+", "="):
        return SumOfCells(cells, target)
    if operator == "-" and len(cells) == 2:
        return DiffersBy(_pairs(fact), target)
    if operator == "/" and len(cells) == 2:
        return Ratio(_pairs(fact), target)
    if operator == "*":
        return Product(cells, target)
    raise UnknownRuleError(f"cage_op {operator} of {len(cells)} cells")


def _units_of_two(fact: Fact, frame: Frame) -> Iterator[Unit]:
    name = fact.get("name", "different")
    return (Unit((min(pair), max(pair)), name) for pair in fact["pairs"])


def _lines_differ(fact: Fact, frame: Frame) -> Iterator[LinesDiffer]:
    return (LinesDiffer(a, b) for a, b in combinations(fact["lines"], 2))


def _extreme(fact: Fact) -> Meaning:
    return meanings.extreme(fact["cell"], fact["neighbours"], least=fact["kind"] == "minimum")


def _parity(fact: Fact, frame: Frame) -> list[Meaning]:
    return [meanings.parity(fact["cells"], frame, odd=fact["kind"] == "odd")]


def _index(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    return meanings.index(fact["selector"], fact["cells"], fact["value"], frame, fact["kind"])


def _flatmates(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    return meanings.flatmates(frame, fact["middle"], fact["above"], fact["below"])


def _full_ranks(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    clues = ((clue["line"], clue["rank"]) for clue in fact["clues"])
    return meanings.full_ranks(clues, fact["ties"], frame)


def _automaton(fact: Fact) -> Meaning:
    steps = [(a, value, b) for a, value, b in fact["transitions"] if value != BREAK]
    marks = defaultdict(set)
    for state, value, target in fact["transitions"]:
        if value == BREAK:
            marks[state].add(target)
    machine = Automaton(fact["start"], fact["accept"], steps, marks, _name(fact))
    return meanings.line_of(machine, fact.get("segments") or [fact["cells"]])


def _chaos(fact: Fact, frame: Frame) -> list[Meaning]:
    cells = tuple(frame.cells)
    return [ChaosConstruction(cells, fact["region_cells"], frame.columns, fact["size"])]


def _leaves_out_first(fact: Fact) -> bool:
    return bool(fact.get("offset", 0) == 1)


def _either(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    try:
        branches = [
            [meaning for inner in branch for meaning in meanings_of(inner, frame)]
            for branch in fact["rules"]
        ]
    except UnknownRuleError as error:
        raise UnknownRuleError(f"or with {error}") from error
    return meanings.either(branches)


RULES: Mapping[str, Reading] = MappingProxyType(
    {
        "killer": _rule(lambda fact: Killer(fact["cells"], fact.get("sum") or None)),
        "sum": _rule(_sum),
        "little_killer": _rule(_sum),
        "cage_op": _rule(_cage),
        "arrow": lambda fact, frame: meanings.arrow(fact["circle"], fact["cells"], frame),
        "thermo": _rule(lambda fact: Thermo(fact["cells"])),
        "slow_thermo": _rule(lambda fact: Thermo(fact["cells"], slow=True)),
        "whisper": _rule(lambda fact: Whispers(fact["cells"], fact["difference"])),
        "palindrome": _rule(lambda fact: Palindrome(fact["cells"])),
        "renban": _rule(lambda fact: Renban(fact["cells"])),
        "nabner": lambda fact, frame: meanings.nabner(fact["cells"], _name(fact)),
        "modular": lambda fact, frame: meanings.modular(fact["cells"], fact["mod"], _name(fact)),
        "entropic": lambda fact, frame: meanings.entropic(
            fact["cells"], fact["classes"], _name(fact)
        ),
        "double_arrow": _rule(lambda fact: meanings.double_arrow(fact["cells"])),
        "zipper": lambda fact, frame: meanings.zipper(fact["cells"]),
        "region_sum_line": lambda fact, frame: meanings.same_sums(fact["segments"]),
        "equal_sums": lambda fact, frame: meanings.same_sums(fact["segments"]),
        "sum_line": _rule(
            lambda fact: SumLine(fact["cells"], fact["sum"], fact.get("loop", False))
        ),
        "between": _rule(lambda fact: Between(fact["cells"])),
        "lockout": _rule(lambda fact: Lockout(fact["cells"], fact["difference"])),
        "difference": _rule(lambda fact: DiffersBy(_pairs(fact), fact["value"])),
        "ratio": _rule(lambda fact: Ratio(_pairs(fact), fact["value"])),
        "pair_sum": _rule(lambda fact: PairSum(_pairs(fact), fact["value"])),
        "greater": _rule(lambda fact: Greater(_pairs(fact))),
        "not_difference": _rule(lambda fact: DiffersBy(_pairs(fact), fact["value"], never=True)),
        "not_ratio": _rule(lambda fact: Ratio(_pairs(fact), fact["value"], never=True)),
        "not_sum": _rule(lambda fact: PairSum(_pairs(fact), fact["value"], never=True)),
        "equal": lambda fact, frame: meanings.equal(combinations(fact["cells"], 2), _name(fact)),
        "clone": lambda fact, frame: meanings.equal(_pairs(fact), _name(fact)),
        "relation": lambda fact, frame: meanings.in_table(_pairs(fact), fact["table"], _name(fact)),
        "pairwise": lambda fact, frame: meanings.in_table(
            combinations(fact["cells"], 2), fact["table"], _name(fact)
        ),
        "different": _rule(
            lambda fact: meanings.different(fact["cells"], fact.get("name", "different"))
        ),
        "different_pairs": _units_of_two,
        "minimum": _rule(_extreme),
        "maximum": _rule(_extreme),
        "odd": _parity,
        "even": _parity,
        "given": _rule(lambda fact: Domain([fact["cell"]], fact["values"])),
        "index": _index,
        "numbered_room": _index,
        "value_indexing": _rule(lambda fact: meanings.value_indexing(fact["cells"])),
        "anti_taxicab": lambda fact, frame: meanings.anti_taxicab(frame, fact["kind"]),
        "same_multiset": lambda fact, frame: meanings.same_values(fact["sets"]),
        "quadruple": _rule(lambda fact: Contains(fact["cells"], fact["values"])),
        "contain_at_least": _rule(lambda fact: Contains(fact["cells"], fact["values"])),
        "contain_exactly": _rule(
            lambda fact: Contains(fact["cells"], fact["values"], exactly=True)
        ),
        "look_and_say": lambda fact, frame: meanings.look_and_say(
            fact["cells"], fact["counts"], frame
        ),
        "counting_circles": _rule(lambda fact: CountingCircles(fact["cells"])),
        "count_distinct": _rule(lambda fact: CountDistinct((fact["count"],), fact["cells"])),
        "equality_cage": _rule(lambda fact: EqualityCage(fact["cells"])),
        "rellik": _rule(lambda fact: Rellik(fact["cells"], fact["sum"])),
        "lunchbox": _rule(lambda fact: Lunchbox(fact["cells"], fact["sum"])),
        "doppelganger_zero": _rule(lambda fact: DifferWhere((fact["cell"],), 0, fact["cells"])),
        "squares_hit_classes": lambda fact, frame: meanings.squares_hit(
            fact["squares"], fact["classes"]
        ),
        "dutch_flatmates": _flatmates,
        "sandwich": _rule(lambda fact: Sandwich(fact["cells"], fact["sum"])),
        "x_sum": _rule(lambda fact: XSum(fact["cells"], fact["sum"])),
        "skyscraper": _rule(lambda fact: Skyscraper(fact["cells"], fact["value"])),
        "hidden_skyscraper": _rule(lambda fact: HiddenSkyscraper(fact["cells"], fact["value"])),
        "no_three_equal": _rule(lambda fact: NoThreeEqual(fact["cells"])),
        "lines_differ": _lines_differ,
        "nonogram_line": _rule(lambda fact: NonogramLine(fact["cells"], fact["clue"])),
        "full_rank": _full_ranks,
        "automaton": _rule(_automaton),
        "connected": _rule(
            lambda fact: Connected(fact["cells"], fact["values"], fact["cols"], fact.get("size"))
        ),
        "chaos_construction": _chaos,
        "chaos_run": _rule(
            lambda fact: meanings.region_run(
                fact["count"], fact["arms"], without_first=_leaves_out_first(fact)
            )
        ),
        "chaos_count": _rule(
            lambda fact: RegionCount((fact["count"],), fact["cells"], _leaves_out_first(fact))
        ),
        "or": _either,
    }
)
"""The reader of each kind; a kind that is missing here is rejected by its name."""
