"""The kinds of rules of the neutral form that automata, tables and sums of lines say: `LINES`.

A kind without a rule of its own becomes a `Line` under its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from types import MappingProxyType

from unidoku.core.rules import (
    Between,
    Contains,
    Indexed,
    Line,
    LinesDiffer,
    Lockout,
    NonogramLine,
    NoThreeEqual,
    SameSum,
    Sandwich,
    Skyscraper,
    XSum,
)
from unidoku.formats.neutral_told import (
    Domain,
    Frame,
    Meaning,
    Reading,
    Told,
    UnknownRuleError,
    one_rule,
)

__all__ = ["LINES"]


def _lines_differ(told: Told, frame: Frame) -> Meaning:
    for one, other in combinations(told["lines"], 2):
        yield LinesDiffer(one, other)


def _same_sums(told: Told, frame: Frame) -> Meaning:
    """Yield that segments of a line have one sum."""
    for one, other in combinations(told["segments"], 2):
        yield SameSum(one, other)


def _zipper(told: Told, frame: Frame) -> Meaning:
    """Yield that pairs around the centre have one sum, that of the centre if it is a cell."""
    cells = told["cells"]
    half = len(cells) // 2
    pairs = [(cells[at], cells[-1 - at]) for at in range(half)]
    groups = [cells[half : half + 1], *pairs] if len(cells) % 2 else pairs
    for other in groups[1:]:
        yield SameSum(groups[0], other)


def _sum_line(told: Told, frame: Frame) -> Meaning:
    """Yield a line that is cut into parts with one sum; a loop may be cut anywhere."""
    cells, total, values = told["cells"], told["sum"], range(frame.low, frame.high + 1)
    starts = range(total if told.get("loop") else 1)
    # A state is the sum with which a loop was entered, and that of the part so far.
    steps = [
        (total * start + before, value, total * start + (before + value) % total)
        for start in starts
        for before in range(total)
        for value in values
        if before + value <= total
    ]
    ends = [total * start + start for start in starts]
    yield Line(cells, tuple(ends), tuple(steps), tuple(ends), told["kind"])


def _automaton(told: Told, frame: Frame) -> Meaning:
    if told.get("segments"):
        raise UnknownRuleError("automaton with segments")
    steps = [tuple(step) for step in told["transitions"] if step[1] != _BREAK]
    yield Line(
        told["cells"], tuple(told["start"]), tuple(steps), tuple(told["accept"]), _name(told)
    )


_BREAK = "|"
"""What automata of the neutral form read between segments."""


def _name(told: Told) -> str:
    name: str = told.get("name", told["kind"])
    return name


def _look_and_say(told: Told, frame: Frame) -> Meaning:
    """Yield how often some values are held, each of them just so often."""
    for times, value in told["counts"]:
        if times:
            yield Contains(told["cells"], (value,) * times, exactly=True)
        else:
            others = [v for v in range(frame.low, frame.high + 1) if v != value]
            yield Domain(told["cells"], others)


def _hidden_skyscraper(told: Told, frame: Frame) -> Meaning:
    """Yield that the first tower which a higher one hides is of a height."""
    hidden, wanted = frame.low - 2, told["value"]

    def step(highest: int, value: int) -> int | None:
        if highest == hidden or value > highest:
            return max(highest, value) if highest != hidden else hidden
        return hidden if value == wanted else None

    yield Line(told["cells"], frame.low - 1, step, lambda highest: highest == hidden, told["kind"])


def _squares(told: Told, frame: Frame) -> Meaning:
    """Yield that each square holds a value of each class."""
    class_of = {value: k for k, values in enumerate(told["classes"]) for value in values}
    wanted = (1 << len(told["classes"])) - 1

    def step(held: int, value: int) -> int:
        return held | (1 << class_of[value] if value in class_of else 0)

    for cells in told["squares"]:
        yield Line(cells, 0, step, lambda held: held == wanted, _name(told))


def _counting_circles(told: Told, frame: Frame) -> Meaning:
    """Yield that each value in the cells is there as often as it says."""
    for wanted in range(frame.low, frame.high + 1):

        def step(times: int, value: int, wanted: int = wanted) -> int | None:
            times += value == wanted
            return times if times <= wanted else None

        def accept(times: int, wanted: int = wanted) -> bool:
            return times in (0, wanted)

        yield Line(told["cells"], 0, step, accept, told["kind"])


def _flatmates(told: Told, frame: Frame) -> Meaning:
    """Yield that beside each middle value one stands above it or another below."""
    middle, above, below = told["middle"], told["above"], told["below"]

    def step(state: str, value: int) -> str | None:
        match state:
            case "above":
                return "found" if value == above else "not found"
            case "not found" if value == middle:
                return "wanted below"
            case "wanted below":
                return "fine" if value == below else None
            case _:
                return "fine"

    for cell in range(frame.rows * frame.columns):
        around = (cell - frame.columns, cell, cell + frame.columns)
        cells = tuple(one for one in around if 0 <= one < frame.rows * frame.columns)
        start = "not found" if cells[0] == cell else "above"
        yield Line(cells, start, step, lambda state: state == "fine", told["kind"])


def _count_distinct(told: Told, frame: Frame) -> Meaning:
    """Yield that a cell holds how many different values others hold."""
    cells = told["cells"]

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        place, held = state
        if place < len(cells):
            return place + 1, held | 1 << value
        return (place + 1, 0) if place == len(cells) and held.bit_count() == value else None

    yield Line(
        (*cells, told["count"]), (0, 0), step, lambda state: state[0] > len(cells), told["kind"]
    )


LINES: Mapping[str, Reading] = MappingProxyType(
    {
        "double_arrow": one_rule(
            lambda told: SameSum((told["cells"][0], told["cells"][-1]), told["cells"][1:-1])
        ),
        "zipper": _zipper,
        "region_sum_line": _same_sums,
        "equal_sums": _same_sums,
        "sum_line": _sum_line,
        "between": one_rule(lambda told: Between(told["cells"])),
        "lockout": one_rule(lambda told: Lockout(told["cells"], told["difference"])),
        "quadruple": one_rule(lambda told: Contains(told["cells"], told["values"])),
        "contain_at_least": one_rule(lambda told: Contains(told["cells"], told["values"])),
        "contain_exactly": one_rule(
            lambda told: Contains(told["cells"], told["values"], exactly=True)
        ),
        "look_and_say": _look_and_say,
        "counting_circles": _counting_circles,
        "count_distinct": _count_distinct,
        "squares_hit_classes": _squares,
        "dutch_flatmates": _flatmates,
        "value_indexing": one_rule(
            lambda told: Indexed(told["cells"][1:2], told["cells"][:1], told["cells"][2:])
        ),
        "sandwich": one_rule(lambda told: Sandwich(told["cells"], told["sum"])),
        "x_sum": one_rule(lambda told: XSum(told["cells"], told["sum"])),
        "skyscraper": one_rule(lambda told: Skyscraper(told["cells"], told["value"])),
        "hidden_skyscraper": _hidden_skyscraper,
        "no_three_equal": one_rule(lambda told: NoThreeEqual(told["cells"])),
        "lines_differ": _lines_differ,
        "nonogram_line": one_rule(lambda told: NonogramLine(told["cells"], told["clue"])),
        "automaton": _automaton,
    }
)
"""How each of these kinds is read."""
