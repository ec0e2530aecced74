"""Rules of the neutral form that become automata, tables and sums of lines: `LINES`.

A kind without its own rule class becomes a `Line` under its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import accumulate, chain, combinations
from types import MappingProxyType

from unidoku.core.rules import (
    Between,
    ChaosConstruction,
    Connected,
    Contains,
    CountDistinct,
    CountingCircles,
    DifferWhere,
    EqualityCage,
    Flatmates,
    FullRank,
    HiddenSkyscraper,
    Hits,
    Indexed,
    Line,
    LinesDiffer,
    Lockout,
    NonogramLine,
    NoThreeEqual,
    RegionCount,
    RegionRun,
    Rellik,
    SameSum,
    Sandwich,
    Skyscraper,
    SumLine,
    XSum,
)
from unidoku.formats.neutral.types import (
    Domain,
    Fact,
    Frame,
    Meaning,
    Reading,
    UnknownRuleError,
    one_rule,
)


def _lines_differ(fact: Fact, frame: Frame) -> Meaning:
    for one, other in combinations(fact["lines"], 2):
        yield LinesDiffer(one, other)


def _same_sums(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that all segments of a line have the same sum."""
    for one, other in combinations(fact["segments"], 2):
        yield SameSum(one, other)


def _zipper(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that pairs around the centre have one sum: the centre, if it is a cell."""
    cells = fact["cells"]
    half = len(cells) // 2
    pairs = [(cells[at], cells[-1 - at]) for at in range(half)]
    groups = [cells[half : half + 1], *pairs] if len(cells) % 2 else pairs
    for other in groups[1:]:
        yield SameSum(groups[0], other)


def _automaton(fact: Fact, frame: Frame) -> Meaning:
    """Yield an automaton; between segments it reads a mark, which is not a cell."""
    segments: list[list[int]] = fact.get("segments") or [fact["cells"]]
    steps = [tuple(step) for step in fact["transitions"] if step[1] != _BREAK]
    starts, ends, name = tuple(fact["start"]), tuple(fact["accept"]), _name(fact)
    cells = [cell for segment in segments for cell in segment]
    if len(segments) == 1:
        yield Line(tuple(cells), starts, tuple(steps), ends, name)
        return
    marks = defaultdict(set)
    for state, symbol, target in fact["transitions"]:
        if symbol == _BREAK:
            marks[state].add(target)
    # Each place on the line has its own states, and the mark is read with the cell before it.
    size = 1 + max(map(max, [starts, ends, *[(a, b) for a, _, b in steps], *marks.values()]))
    lengths = list(accumulate(map(len, segments)))
    placed = []
    for place in range(len(cells)):
        for state, value, target in steps:
            reached = {target}
            for _ in range(lengths[:-1].count(place + 1)):
                reached = {after for one in reached for after in marks[one]}
            placed += [(place * size + state, value, (place + 1) * size + b) for b in reached]
    for _ in range(lengths[:-1].count(0)):
        starts = tuple({after for start in starts for after in marks[start]})
    ends = tuple(len(cells) * size + state for state in ends)
    yield Line(tuple(cells), starts, tuple(placed), ends, name)


_BREAK = "|"
"""The mark that automata of the neutral form read between segments."""


def _name(fact: Fact) -> str:
    name: str = fact.get("name", fact["kind"])
    return name


def _look_and_say(fact: Fact, frame: Frame) -> Meaning:
    """Yield a rule that some values occur exactly a given number of times each."""
    for times, value in fact["counts"]:
        if times:
            yield Contains(fact["cells"], (value,) * times, exactly=True)
        else:
            others = [v for v in range(frame.low, frame.high + 1) if v != value]
            yield Domain(fact["cells"], others)


def _squares(fact: Fact, frame: Frame) -> Meaning:
    for cells in fact["squares"]:
        yield Hits(cells, fact["classes"])


def _flatmates(fact: Fact, frame: Frame) -> Meaning:
    values = fact["middle"], fact["above"], fact["below"]
    for column in range(frame.columns):
        yield Flatmates(tuple(range(column, frame.rows * frame.columns, frame.columns)), *values)


def _full_rank(fact: Fact, frame: Frame) -> Meaning:
    """Yield the ranks of some lines among all rows and columns, read from either end.

    If lines have two lengths, the shorter ones are smaller, provided that no value is 0.
    """
    if fact["ties"] not in ("none", "only-unclued", "any"):
        raise UnknownRuleError(f"full_rank with ties {fact['ties']}")
    if frame.rows != frame.columns and not frame.low:
        raise UnknownRuleError("full_rank of lines of two lengths, with zeros")
    columns = frame.columns
    rows = [tuple(range(row * columns, (row + 1) * columns)) for row in range(frame.rows)]
    lines = [*rows, *zip(*rows, strict=True)]
    lines += [line[::-1] for line in lines]
    for clue in fact["clues"]:
        own = tuple(clue["line"])
        others = [line for line in lines if line != own and len(line) == len(own)]
        rank = clue["rank"] - sum(len(line) < len(own) for line in lines)
        yield FullRank(own, rank, tuple(chain.from_iterable(others)), ties=fact["ties"] == "any")
    if fact["ties"] == "none":
        for one, other in combinations(lines, 2):
            if len(one) == len(other):
                yield LinesDiffer(one, other)


def _chaos(fact: Fact, frame: Frame) -> Meaning:
    cells = tuple(range(frame.rows * frame.columns))
    yield ChaosConstruction(cells, fact["region_cells"], frame.columns, fact["size"])


def _chaos_run(fact: Fact, frame: Frame) -> Meaning:
    """Yield a run; each of its arms begins with the first cell and does not come back to it."""
    arms = fact["arms"]
    if (
        not arms
        or not all(arms)
        or any(arm[:1] != arms[0][:1] or arm.count(arm[0]) != 1 for arm in arms)
    ):
        raise UnknownRuleError("chaos_run of arms that do not begin with the same cell")
    yield RegionRun((fact["count"],), tuple(chain(*arms)), fact.get("offset", 0) == 1)


LINES: Mapping[str, Reading] = MappingProxyType(
    {
        "double_arrow": one_rule(
            lambda fact: SameSum((fact["cells"][0], fact["cells"][-1]), fact["cells"][1:-1])
        ),
        "zipper": _zipper,
        "region_sum_line": _same_sums,
        "equal_sums": _same_sums,
        "sum_line": one_rule(
            lambda fact: SumLine(fact["cells"], fact["sum"], fact.get("loop", False))
        ),
        "between": one_rule(lambda fact: Between(fact["cells"])),
        "lockout": one_rule(lambda fact: Lockout(fact["cells"], fact["difference"])),
        "quadruple": one_rule(lambda fact: Contains(fact["cells"], fact["values"])),
        "contain_at_least": one_rule(lambda fact: Contains(fact["cells"], fact["values"])),
        "contain_exactly": one_rule(
            lambda fact: Contains(fact["cells"], fact["values"], exactly=True)
        ),
        "look_and_say": _look_and_say,
        "counting_circles": one_rule(lambda fact: CountingCircles(fact["cells"])),
        "count_distinct": one_rule(lambda fact: CountDistinct((fact["count"],), fact["cells"])),
        "equality_cage": one_rule(lambda fact: EqualityCage(fact["cells"])),
        "rellik": one_rule(lambda fact: Rellik(fact["cells"], fact["sum"])),
        "doppelganger_zero": one_rule(lambda fact: DifferWhere((fact["cell"],), 0, fact["cells"])),
        "squares_hit_classes": _squares,
        "dutch_flatmates": _flatmates,
        "value_indexing": one_rule(
            lambda fact: Indexed(fact["cells"][1:2], fact["cells"][:1], fact["cells"][2:])
        ),
        "sandwich": one_rule(lambda fact: Sandwich(fact["cells"], fact["sum"])),
        "x_sum": one_rule(lambda fact: XSum(fact["cells"], fact["sum"])),
        "skyscraper": one_rule(lambda fact: Skyscraper(fact["cells"], fact["value"])),
        "hidden_skyscraper": one_rule(lambda fact: HiddenSkyscraper(fact["cells"], fact["value"])),
        "no_three_equal": one_rule(lambda fact: NoThreeEqual(fact["cells"])),
        "lines_differ": _lines_differ,
        "nonogram_line": one_rule(lambda fact: NonogramLine(fact["cells"], fact["clue"])),
        "full_rank": _full_rank,
        "automaton": _automaton,
        "connected": one_rule(
            lambda fact: Connected(fact["cells"], fact["values"], fact["cols"], fact.get("size"))
        ),
        "chaos_construction": _chaos,
        "chaos_run": _chaos_run,
        "chaos_count": one_rule(
            lambda fact: RegionCount((fact["count"],), fact["cells"], fact.get("offset", 0) == 1)
        ),
    }
)
"""The reader of each of these kinds."""
