"""The neutral form of puzzles: one JSON object on each line, cells as numbers, all facts explicit.

Collections of puzzles of many kinds use it. A line is read only if all of its facts and rules are
known to this version; unknown ones are named, and nothing is left out silently.

A kind of rule with its own class becomes that rule. Other kinds about two cells become `Pairs`
under their names; a rule that cells differ becomes a unit, and a rule about one cell a domain.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import MAX_FIRST, Unit
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats import meanings
from unidoku.formats.draft import Draft
from unidoku.formats.frame import Frame
from unidoku.formats.meanings import Automaton, Domain, Meaning, UnknownRuleError
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.toml.table import SHAPE
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
    several,
    shown,
    whole,
)


@dataclass(frozen=True, slots=True)
class Unread:
    """A puzzle that cannot be read.

    Args:
        name: its name in the file.
        line: the line where it begins, from 1.
        reasons: the parts that this version does not know, each in a few words.
    """

    name: str
    line: int
    reasons: tuple[str, ...]

    @property
    def message(self) -> str:
        """The name of the puzzle, and the reasons why it is not read."""
        return f"{self.name}: not read: {', '.join(self.reasons)}"


CELLS = listed_of(WHOLE)
LISTS = listed_of(Kind("a list of whole numbers", CELLS.holds, "lists of whole numbers"))
_TWO = Kind(
    "a list of two whole numbers",
    several(WHOLE, 2),
    "lists of two whole numbers",
)
_TWOS = listed_of(_TWO)

_STEPS = listed_of(
    Kind(
        "a state, a value and a state",
        lambda v: (
            isinstance(v, list) and len(v) == 3 and CELLS.holds([0 if x == "|" else x for x in v])
        ),
        "lists of a state, a value and a state",
    )
)

_ANY = Kind("anything", lambda _: True)

_KEYS: Mapping[str, Kind] = {
    "name": LINE,
    "source": TEXT,
    "family": TEXT,
    "origin": _ANY,
    "note": _ANY,
    "n": whole(1, bits=8),
    "values": _TWO,
    "shape": SHAPE,
    "hidden": whole(0),
    "blocked": CELLS,
    "units": LISTS,
    "regions": or_null(LISTS),
    "givens": TEXT,
    "candidates": TABLE,
    "rules": listed_of(TABLE),
    "count": or_null(whole(0)),
    "at_least": whole(0),
    "solution": or_null(TEXT),
    "verified": _ANY,
    "features": _ANY,
}
_NEEDED = ("name", "n", "values", "shape", "units", "givens", "rules")

_EMPTY = "."

_MOST_CELLS = 100_000
"""More cells than any puzzle has, as a guard against a mistyped shape."""


def puzzle_from_neutral(table: Mapping[str, Any]) -> Puzzle | Unread:
    """Return the puzzle in a table of the neutral form.

    Raises:
        FormatError: the text is not valid.
    """
    if wrong := misfit(table, _KEYS, _NEEDED):
        raise FormatError(f"expected a puzzle in the neutral form: {wrong}", 1)
    name = table["name"]
    try:
        return _puzzle(table)
    except _UnreadError as error:
        return Unread(name, 1, error.args)
    except (InputError, LookupError, TypeError, ValueError) as error:
        raise FormatError(f"{name}: expected a puzzle in the neutral form: {error}", 1) from error


def read_neutral(text: str, *, guess: bool = False) -> Iterator[Puzzle | Unread]:
    """Yield the puzzle on a line, or an `Unread` if it cannot be read.

    Raises:
        FormatError: the line is not a puzzle in this form.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected a puzzle in JSON: {error}", 1) from error
    if not isinstance(table, dict):
        raise FormatError(f"expected a puzzle, got {shown(table)}", 1)
    yield puzzle_from_neutral(table)


class _UnreadError(Exception):
    """The reasons why a puzzle is not read."""


def _puzzle(table: Mapping[str, Any]) -> Puzzle:
    low, high = table["values"]
    fits = 0 <= low <= MAX_FIRST and high - low + 1 == table["n"]
    reasons = [] if fits else [f"values {low} to {high}"]
    if math.prod(table["shape"]) + table.get("hidden", 0) > _MOST_CELLS:
        raise _UnreadError(*reasons, f"more than {_MOST_CELLS:,} cells")
    draft = Draft(table["name"], *table["shape"], *table["values"])
    draft.hidden, draft.blocked = table.get("hidden", 0), set(table.get("blocked", ()))
    draft.units = table["units"]
    units = set(map(frozenset, draft.units))
    regions = dict.fromkeys(map(frozenset, table.get("regions") or ()))
    draft.regions = [[*region] for region in regions if region in units]
    draft.areas = [[*region] for region in regions if region not in units]
    for fact in table["rules"]:
        try:
            draft.add(*meanings_of(fact, draft))
        except UnknownRuleError as error:
            reasons.append(f"rule {error}")
    if reasons:
        raise _UnreadError(*dict.fromkeys(reasons))
    for cell, values in table.get("candidates", {}).items():
        draft.keep(int(cell), values)
    for cell, value in _values(table["givens"], draft):
        if value:
            draft.keep(cell, [value + draft.low - 1])
    try:
        board = draft.board()
    except LayoutError as error:
        raise _UnreadError(str(error)) from error
    solution = table.get("solution")
    return Puzzle(
        board,
        table["name"],
        1,
        solution=tuple(value for _, value in _values(solution, draft)) if solution else None,
        solutions=table.get("count"),
        at_least=table.get("at_least", 0),
    )


def _values(text: str, draft: Draft) -> Iterator[tuple[int, int]]:
    """Yield each cell that exists, and its value in the text, counted from 1; 0 if it is empty."""
    if len(text) != len(draft.cells):
        wanted = f"{len(draft.cells)} symbols, one for each cell"
        raise FormatError(f"expected {wanted}, got {len(text)}")
    for cell, symbol in zip(draft.cells, text, strict=True):
        if cell in draft.blocked:
            continue
        value = 0 if symbol == _EMPTY else int(symbol, 36) - draft.low + 1
        if symbol != _EMPTY and not 1 <= value <= len(draft.values):
            raise FormatError(f"expected values from {draft.low} to {draft.high}, got {symbol!r}")
        yield cell, value


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


def _one(make: Callable[..., Meaning], *keys: str, **fields: object) -> Reading:
    """Return the reader of a kind that is one rule, made from some fields and constants."""
    return lambda fact, frame: [make(*(fact[key] for key in keys), **fields)]


def _several(make: Callable[..., Iterable[Meaning]], *keys: str) -> Reading:
    """Return the reader of a kind that is any number of rules."""
    return lambda fact, frame: make(*(fact[key] for key in keys))


def _of_pairs(
    kind: type[rules.DiffersBy | rules.Ratio | rules.PairSum], *, never: bool = False
) -> Reading:
    return lambda fact, frame: [kind(_pairs(fact), fact["value"], never)]


def _name(fact: Fact) -> str:
    name: str = fact.get("name", fact["kind"])
    return name


def _pairs(fact: Fact) -> tuple[Pair, ...]:
    """Return the pairs that a rule lists, or its two cells."""
    return tuple((a, b) for a, b in fact.get("pairs", [fact.get("cells")]))


def _all_pairs(fact: Fact) -> Iterator[Pair]:
    return combinations(fact["cells"], 2)


def _sum(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    sign = fact.get("op", "==").replace("==", "=")
    yield meanings.weighted_sum(fact["cells"], fact["sum"], fact.get("coeffs"), sign)


def _cage(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    """Yield a cage of KenKen, in which values may repeat."""
    cells, target, operator = fact["cells"], fact["target"], fact["op"]
    if len(cells) == 1:
        yield Domain(cells, [target])
    elif operator in ("+", "="):
        yield rules.SumOfCells(cells, target)
    elif operator == "-" and len(cells) == 2:
        yield rules.DiffersBy(_pairs(fact), target)
    elif operator == "/" and len(cells) == 2:
        yield rules.Ratio(_pairs(fact), target)
    elif operator == "*":
        yield rules.Product(cells, target)
    else:
        raise UnknownRuleError(f"cage_op {operator} of {len(cells)} cells")


def _units_of_two(fact: Fact, frame: Frame) -> Iterator[Unit]:
    name = fact.get("name", "different")
    return (Unit((min(pair), max(pair)), name) for pair in fact["pairs"])


def _full_ranks(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    clues = ((clue["line"], clue["rank"]) for clue in fact["clues"])
    return meanings.full_ranks(clues, fact["ties"], frame)


def _automaton(fact: Fact, frame: Frame) -> Iterator[rules.Line]:
    steps = [(a, value, b) for a, value, b in fact["transitions"] if value != BREAK]
    marks = defaultdict(set)
    for state, value, target in fact["transitions"]:
        if value == BREAK:
            marks[state].add(target)
    machine = Automaton(fact["start"], fact["accept"], steps, marks, _name(fact))
    yield meanings.line_of(machine, fact.get("segments") or [fact["cells"]])


def _chaos(fact: Fact, frame: Frame) -> Iterator[rules.ChaosConstruction]:
    cells = tuple(frame.cells)
    yield rules.ChaosConstruction(cells, fact["region_cells"], frame.columns, fact["size"])


def _chaos_run(fact: Fact, frame: Frame) -> Iterator[rules.RegionRun]:
    without_first = fact.get("offset", 0) == 1
    yield meanings.region_run(fact["count"], fact["arms"], without_first=without_first)


def _chaos_count(fact: Fact, frame: Frame) -> Iterator[rules.RegionCount]:
    yield rules.RegionCount((fact["count"],), fact["cells"], fact.get("offset", 0) == 1)


def _either(fact: Fact, frame: Frame) -> Iterator[Meaning]:
    try:
        branches = [
            [meaning for inner in branch for meaning in meanings_of(inner, frame)]
            for branch in fact["rules"]
        ]
    except UnknownRuleError as error:
        raise UnknownRuleError(f"or with {error}") from error
    return meanings.either(branches)


RULES: Mapping[str, Reading] = {
    "killer": lambda fact, frame: [rules.Killer(fact["cells"], fact.get("sum") or None)],
    "sum": _sum,
    "little_killer": _sum,
    "cage_op": _cage,
    "arrow": lambda fact, frame: meanings.arrow(fact["circle"], fact["cells"], frame),
    "thermo": _one(rules.Thermo, "cells"),
    "slow_thermo": _one(rules.SlowThermo, "cells"),
    "whisper": _one(rules.Whispers, "cells", "difference"),
    "palindrome": _one(rules.Palindrome, "cells"),
    "renban": _one(rules.Renban, "cells"),
    "nabner": _several(meanings.nabner, "cells"),
    "modular": _several(meanings.modular, "cells", "mod"),
    "entropic": _several(meanings.entropic, "cells", "classes"),
    "double_arrow": _one(rules.DoubleArrow, "cells"),
    "zipper": _one(rules.Zipper, "cells"),
    "region_sum_line": _several(meanings.region_sum, "segments"),
    "equal_sums": _several(meanings.same_sums, "segments"),
    "sum_line": lambda fact, frame: [
        rules.SumLine(fact["cells"], fact["sum"], fact.get("loop", False))
    ],
    "between": _one(rules.Between, "cells"),
    "lockout": _one(rules.Lockout, "cells", "difference"),
    "difference": _of_pairs(rules.DiffersBy),
    "ratio": _of_pairs(rules.Ratio),
    "pair_sum": _of_pairs(rules.PairSum),
    "greater": lambda fact, frame: [rules.Greater(_pairs(fact))],
    "not_difference": _of_pairs(rules.DiffersBy, never=True),
    "not_ratio": _of_pairs(rules.Ratio, never=True),
    "not_sum": _of_pairs(rules.PairSum, never=True),
    "equal": lambda fact, frame: meanings.equal(_all_pairs(fact), _name(fact)),
    "clone": lambda fact, frame: [rules.Clone(*zip(*_pairs(fact), strict=True))],
    "relation": lambda fact, frame: meanings.in_table(_pairs(fact), fact["table"], _name(fact)),
    "pairwise": lambda fact, frame: meanings.in_table(_all_pairs(fact), fact["table"], _name(fact)),
    "different": lambda fact, frame: [
        meanings.different(fact["cells"], fact.get("name", "different"))
    ],
    "different_pairs": _units_of_two,
    "minimum": _one(meanings.extreme, "cell", "neighbours", least=True),
    "maximum": _one(meanings.extreme, "cell", "neighbours", least=False),
    "odd": lambda fact, frame: [meanings.parity(fact["cells"], frame, odd=True)],
    "even": lambda fact, frame: [meanings.parity(fact["cells"], frame, odd=False)],
    "given": lambda fact, frame: [Domain([fact["cell"]], fact["values"])],
    **dict.fromkeys(("index", "numbered_room"), _one(meanings.index, "selector", "cells", "value")),
    "value_indexing": _one(meanings.value_indexing, "cells"),
    "anti_taxicab": lambda fact, frame: [rules.Taxicab(tuple(frame.cells), frame.columns)],
    "same_multiset": _several(meanings.same_values, "sets"),
    "quadruple": _one(rules.Contains, "cells", "values"),
    "contain_at_least": _one(rules.Contains, "cells", "values"),
    "contain_exactly": _one(rules.Contains, "cells", "values", exactly=True),
    "look_and_say": lambda fact, frame: meanings.look_and_say(fact["cells"], fact["counts"], frame),
    "counting_circles": _one(rules.CountingCircles, "cells"),
    "count_distinct": lambda fact, frame: [rules.CountDistinct((fact["count"],), fact["cells"])],
    "equality_cage": _one(rules.EqualityCage, "cells"),
    "rellik": _one(rules.Rellik, "cells", "sum"),
    "lunchbox": _one(rules.Lunchbox, "cells", "sum"),
    "doppelganger_zero": lambda fact, frame: [rules.DifferWhere((fact["cell"],), 0, fact["cells"])],
    "squares_hit_classes": _several(meanings.squares_hit, "squares", "classes"),
    "dutch_flatmates": lambda fact, frame: meanings.flatmates(
        frame, fact["middle"], fact["above"], fact["below"]
    ),
    "sandwich": _one(rules.Sandwich, "cells", "sum"),
    "x_sum": _one(rules.XSum, "cells", "sum"),
    "skyscraper": _one(rules.Skyscraper, "cells", "value"),
    "hidden_skyscraper": _one(rules.HiddenSkyscraper, "cells", "value"),
    "no_three_equal": _one(rules.NoThreeEqual, "cells"),
    "lines_differ": lambda fact, frame: (
        rules.LinesDiffer(a, b) for a, b in combinations(fact["lines"], 2)
    ),
    "nonogram_line": _one(rules.NonogramLine, "cells", "clue"),
    "full_rank": _full_ranks,
    "automaton": _automaton,
    "connected": lambda fact, frame: [
        rules.Connected(fact["cells"], fact["values"], fact["cols"], fact.get("size"))
    ],
    "chaos_construction": _chaos,
    "chaos_run": _chaos_run,
    "chaos_count": _chaos_count,
    "or": _either,
}
"""The reader of each kind; a kind that is missing here is rejected by its name."""
