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
    Frame,
    Meaning,
    Reading,
    Told,
    UnknownRuleError,
    one_rule,
)


def _lines_differ(told: Told, frame: Frame) -> Meaning:
    for one, other in combinations(told["lines"], 2):
        yield LinesDiffer(one, other)


def _same_sums(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that all segments of a line have the same sum."""
    for one, other in combinations(told["segments"], 2):
        yield SameSum(one, other)


def _zipper(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that pairs around the centre have one sum: the centre, if it is a cell."""
    cells = told["cells"]
    half = len(cells) // 2
    pairs = [(cells[at], cells[-1 - at]) for at in range(half)]
    groups = [cells[half : half + 1], *pairs] if len(cells) % 2 else pairs
    for other in groups[1:]:
        yield SameSum(groups[0], other)


def _automaton(told: Told, frame: Frame) -> Meaning:
    """Yield an automaton; between segments it reads a mark, which is not a cell."""
    segments: list[list[int]] = told.get("segments") or [told["cells"]]
    steps = [tuple(step) for step in told["transitions"] if step[1] != _BREAK]
    starts, ends, name = tuple(told["start"]), tuple(told["accept"]), _name(told)
    cells = [cell for segment in segments for cell in segment]
    if len(segments) == 1:
        yield Line(tuple(cells), starts, tuple(steps), ends, name)
        return
    marks = defaultdict(set)
    for state, symbol, target in told["transitions"]:
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
        starts = tuple({after for one in starts for after in marks[one]})
    ends = tuple(len(cells) * size + state for state in ends)
    yield Line(tuple(cells), starts, tuple(placed), ends, name)


_BREAK = "|"
"""The mark that automata of the neutral form read between segments."""


def _name(told: Told) -> str:
    name: str = told.get("name", told["kind"])
    return name


def _look_and_say(told: Told, frame: Frame) -> Meaning:
    """Yield a rule that some values occur exactly a given number of times each."""
    for times, value in told["counts"]:
        if times:
            yield Contains(told["cells"], (value,) * times, exactly=True)
        else:
            others = [v for v in range(frame.low, frame.high + 1) if v != value]
            yield Domain(told["cells"], others)


def _squares(told: Told, frame: Frame) -> Meaning:
    for cells in told["squares"]:
        yield Hits(cells, told["classes"])


def _flatmates(told: Told, frame: Frame) -> Meaning:
    values = told["middle"], told["above"], told["below"]
    for column in range(frame.columns):
        yield Flatmates(tuple(range(column, frame.rows * frame.columns, frame.columns)), *values)


def _full_rank(told: Told, frame: Frame) -> Meaning:
    """Yield the ranks of some lines among all rows and columns, read from either end.

    If lines have two lengths, the shorter ones are smaller, provided that no value is 0.
    """
    if told["ties"] not in ("none", "only-unclued", "any"):
        raise UnknownRuleError(f"full_rank with ties {told['ties']}")
    if frame.rows != frame.columns and not frame.low:
        raise UnknownRuleError("full_rank of lines of two lengths, with zeros")
    columns = frame.columns
    rows = [tuple(range(row * columns, (row + 1) * columns)) for row in range(frame.rows)]
    lines = [*rows, *zip(*rows, strict=True)]
    lines += [line[::-1] for line in lines]
    for clue in told["clues"]:
        own = tuple(clue["line"])
        others = [line for line in lines if line != own and len(line) == len(own)]
        rank = clue["rank"] - sum(len(line) < len(own) for line in lines)
        yield FullRank(own, rank, tuple(chain.from_iterable(others)), ties=told["ties"] == "any")
    if told["ties"] == "none":
        for one, other in combinations(lines, 2):
            if len(one) == len(other):
                yield LinesDiffer(one, other)


def _chaos(told: Told, frame: Frame) -> Meaning:
    cells = tuple(range(frame.rows * frame.columns))
    yield ChaosConstruction(cells, told["region_cells"], frame.columns, told["size"])


def _chaos_run(told: Told, frame: Frame) -> Meaning:
    """Yield a run; each of its arms begins with the first cell and does not come back to it."""
    arms = told["arms"]
    if (
        not arms
        or not all(arms)
        or any(arm[:1] != arms[0][:1] or arm.count(arm[0]) != 1 for arm in arms)
    ):
        raise UnknownRuleError("chaos_run of arms that do not begin with the same cell")
    yield RegionRun((told["count"],), tuple(chain(*arms)), told.get("offset", 0) == 1)


LINES: Mapping[str, Reading] = MappingProxyType(
    {
        "double_arrow": one_rule(
            lambda told: SameSum((told["cells"][0], told["cells"][-1]), told["cells"][1:-1])
        ),
        "zipper": _zipper,
        "region_sum_line": _same_sums,
        "equal_sums": _same_sums,
        "sum_line": one_rule(
            lambda told: SumLine(told["cells"], told["sum"], told.get("loop", False))
        ),
        "between": one_rule(lambda told: Between(told["cells"])),
        "lockout": one_rule(lambda told: Lockout(told["cells"], told["difference"])),
        "quadruple": one_rule(lambda told: Contains(told["cells"], told["values"])),
        "contain_at_least": one_rule(lambda told: Contains(told["cells"], told["values"])),
        "contain_exactly": one_rule(
            lambda told: Contains(told["cells"], told["values"], exactly=True)
        ),
        "look_and_say": _look_and_say,
        "counting_circles": one_rule(lambda told: CountingCircles(told["cells"])),
        "count_distinct": one_rule(lambda told: CountDistinct((told["count"],), told["cells"])),
        "equality_cage": one_rule(lambda told: EqualityCage(told["cells"])),
        "rellik": one_rule(lambda told: Rellik(told["cells"], told["sum"])),
        "doppelganger_zero": one_rule(lambda told: DifferWhere((told["cell"],), 0, told["cells"])),
        "squares_hit_classes": _squares,
        "dutch_flatmates": _flatmates,
        "value_indexing": one_rule(
            lambda told: Indexed(told["cells"][1:2], told["cells"][:1], told["cells"][2:])
        ),
        "sandwich": one_rule(lambda told: Sandwich(told["cells"], told["sum"])),
        "x_sum": one_rule(lambda told: XSum(told["cells"], told["sum"])),
        "skyscraper": one_rule(lambda told: Skyscraper(told["cells"], told["value"])),
        "hidden_skyscraper": one_rule(lambda told: HiddenSkyscraper(told["cells"], told["value"])),
        "no_three_equal": one_rule(lambda told: NoThreeEqual(told["cells"])),
        "lines_differ": _lines_differ,
        "nonogram_line": one_rule(lambda told: NonogramLine(told["cells"], told["clue"])),
        "full_rank": _full_rank,
        "automaton": _automaton,
        "connected": one_rule(
            lambda told: Connected(told["cells"], told["values"], told["cols"], told.get("size"))
        ),
        "chaos_construction": _chaos,
        "chaos_run": _chaos_run,
        "chaos_count": one_rule(
            lambda told: RegionCount((told["count"],), told["cells"], told.get("offset", 0) == 1)
        ),
    }
)
"""The reader of each of these kinds."""
