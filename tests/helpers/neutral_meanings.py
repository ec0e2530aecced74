"""Rules of the neutral form, each with its definition on grids of two rows of three cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from unidoku.core.layout import Grid


def table(*rules: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a puzzle of two rows of three cells and four values, without units."""
    plain = {
        "name": "small",
        "source": "here",
        "n": 4,
        "values": [1, 4],
        "shape": [2, 3],
        "units": [],
        "regions": [],
        "givens": "......",
        "rules": list(rules),
        "count": None,
        "solution": None,
        "verified": [],
        "features": [],
    }
    return plain | changes


def latin(name: str, *rules: dict[str, Any], **changes: Any) -> str:
    """Return a Latin square of three values, as a line of the neutral form."""
    rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    units = [*rows, *map(list, zip(*rows, strict=True))]
    square = {"name": name, "n": 3, "values": [1, 3], "shape": [3, 3], "givens": "." * 9}
    return json.dumps(table(*rules, **square, units=units, **changes))


def rule(kind: str, *cells: int, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, **({"cells": list(cells)} if cells else {}), **fields}


def connected(cells: list[int]) -> bool:
    """Return whether cells of two rows of three are orthogonally connected."""
    reached = set(cells[:1])
    for _ in cells:
        reached |= {
            a for a in cells for b in reached if abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1
        }
    return len(reached) == len(cells)


CLASS = {1: "low", 2: "low", 3: "high", 4: "high"}

MEANINGS: list[tuple[dict[str, Any], Any]] = [
    (rule("killer", 0, 1, sum=5), lambda g: g[0] != g[1] and g[0] + g[1] == 5),
    (rule("killer", 0, 1, sum=None), lambda g: g[0] != g[1]),
    (rule("sum", 0, 1, 0, sum=7), lambda g: 2 * g[0] + g[1] == 7),
    (rule("little_killer", 0, 4, sum=6), lambda g: g[0] + g[4] == 6),
    (rule("cage_op", 0, 1, op="+", target=4), lambda g: g[0] + g[1] == 4),
    (rule("cage_op", 0, 1, op="-", target=2), lambda g: abs(g[0] - g[1]) == 2),
    (rule("cage_op", 0, 1, op="/", target=2), lambda g: g[0] == 2 * g[1] or g[1] == 2 * g[0]),
    (rule("cage_op", 0, 1, op="*", target=4), lambda g: g[0] * g[1] == 4),
    (rule("cage_op", 0, op="=", target=3), lambda g: g[0] == 3),
    (rule("cage_op", 0, 1, 2, op="*", target=6), lambda g: g[0] * g[1] * g[2] == 6),
    (rule("arrow", 1, 2, circle=[0]), lambda g: g[0] == g[1] + g[2]),
    (rule("thermo", 0, 1, 2), lambda g: g[0] < g[1] < g[2]),
    (rule("slow_thermo", 0, 1, 2), lambda g: g[0] <= g[1] <= g[2]),
    (rule("whisper", 0, 1, 2, difference=2), lambda g: min(abs(g[0] - g[1]), abs(g[1] - g[2])) > 1),
    (rule("palindrome", 0, 1, 2), lambda g: g[0] == g[2]),
    (rule("renban", 0, 1, 2), lambda g: len({*g[:3]}) == 3 and max(g[:3]) - min(g[:3]) == 2),
    (rule("nabner", 0, 1), lambda g: abs(g[0] - g[1]) > 1),
    (rule("modular", 0, 1, 2, 5, mod=2), lambda g: g[0] % 2 == g[2] % 2 != g[1] % 2 == g[5] % 2),
    (
        rule("entropic", 0, 1, 2, classes=[[1, 2], [3, 4]]),
        lambda g: all(CLASS.get(a, a) != CLASS.get(b, b) for a, b in (g[:2], g[1:3])),
    ),
    (rule("difference", 0, 1, value=1), lambda g: abs(g[0] - g[1]) == 1),
    (rule("ratio", 0, 1, value=3), lambda g: g[0] == 3 * g[1] or g[1] == 3 * g[0]),
    (rule("pair_sum", 0, 1, value=5), lambda g: g[0] + g[1] == 5),
    (rule("greater", 0, 1), lambda g: g[0] > g[1]),
    (rule("not_difference", value=1, pairs=[[0, 1]]), lambda g: abs(g[0] - g[1]) != 1),
    (rule("not_ratio", value=2, pairs=[[0, 1]]), lambda g: g[0] != 2 * g[1] and g[1] != 2 * g[0]),
    (rule("not_sum", value=5, pairs=[[0, 1], [0, 3]]), lambda g: 5 - g[0] not in (g[1], g[3])),
    (rule("equal", 0, 1, 2), lambda g: g[0] == g[1] == g[2]),
    (rule("clone", pairs=[[0, 3], [1, 1]]), lambda g: g[0] == g[3]),
    (rule("relation", pairs=[[0, 1]], table=[[1, 2]], name="x"), lambda g: g[:2] == (1, 2)),
    (rule("pairwise", 0, 1, 2, table=[[1, 2], [1, 1]]), lambda g: g[:3] in ((1, 1, 1), (1, 1, 2))),
    (rule("different", 2, 0, 1), lambda g: len(set(g[:3])) == 3),
    (rule("different_pairs", pairs=[[5, 0], [0, 1]], name="x"), lambda g: g[0] not in (g[5], g[1])),
    (rule("minimum", cell=0, neighbours=[1, 3]), lambda g: g[0] < min(g[1], g[3])),
    (rule("maximum", cell=0, neighbours=[1, 3]), lambda g: g[0] > max(g[1], g[3])),
    (rule("odd", 0, 1), lambda g: g[0] % 2 == g[1] % 2 == 1),
    (rule("even", 0), lambda g: g[0] % 2 == 0),
    (rule("given", cell=5, values=[2, 3]), lambda g: g[5] in (2, 3)),
    (rule("index", 0, 1, 2, selector=0, value=2), lambda g: 0 < g[0] < 4 and g[g[0] - 1] == 2),
    (
        rule("numbered_room", 3, 4, 5, selector=0, value=4),
        lambda g: 0 < g[0] < 4 and g[2 + g[0]] == 4,
    ),
    (
        rule("connected", *range(6), values=[1, 2], cols=3, size=None),
        lambda g: connected(at := [k for k in range(6) if g[k] in (1, 2)]) and len(at) > 0,
    ),
    (
        rule("connected", *range(6), values=[4], cols=3, size=3),
        lambda g: connected([k for k in range(6) if g[k] == 4]) and g.count(4) == 3,
    ),
    (
        rule("chaos_count", 1, 2, 4, count=0, offset=0),
        lambda g: g[0] == [*g[1:3], g[4]].count(g[1]),
    ),
    (rule("chaos_count", 1, 2, 4, count=0, offset=1), lambda g: g[0] == (g[2], g[4]).count(g[1])),
    (rule("chaos_run", count=0, arms=[[1, 2]], offset=0), lambda g: g[0] == 1 + (g[1] == g[2])),
    (
        rule("chaos_run", count=0, arms=[[1, 2], [1], [1, 4, 5]], offset=1),
        lambda g: g[0] == (g[1] == g[2]) + (g[1] == g[4]) * (1 + (g[1] == g[5])),
    ),
    (
        rule("anti_taxicab"),
        lambda g: (
            not any(
                g[a] == g[b] == abs(a // 3 - b // 3) + abs(a % 3 - b % 3)
                for a in range(6)
                for b in range(a)
            )
        ),
    ),
]


NEAR: list[list[Any]] = [[0, 1, 0], [0, 2, 1], [1, 2, 1], [1, "|", 0], [0, "|", 2], [2, 3, 1]]
"""Steps of a machine that reads a mark between segments."""


def near(g: Grid) -> bool:
    """Return whether the machine accepts values of the segments 0 1, 2 and 4."""
    ways: set[int] = {0}
    for symbol in (g[0], g[1], "|", g[2], "|", g[4]):
        ways = {b for a, step, b in NEAR if a in ways and step == symbol}
    return 1 in ways


def subsets(values: Sequence[int]) -> set[int]:
    """Return the sums of one or several values."""
    sizes = range(1, len(values) + 1)
    return {sum(subset) for size in sizes for subset in combinations(values, size)}


def between(a: int, b: int, c: int) -> bool:
    return min(a, c) < b < max(a, c)


def seen(*towers: int) -> int:
    return sum(tower > max((0, *towers[:at])) for at, tower in enumerate(towers))


def inside(line: Sequence[int]) -> Sequence[int]:
    """Return the values between the least and the largest."""
    first, last = sorted((line.index(min(line)), line.index(max(line))))
    return line[first + 1 : last]


def cuts(line: Sequence[int], total: int) -> bool:
    """Return whether a line consists of parts with equal sums."""
    if not line:
        return True
    sizes = range(1, len(line) + 1)
    return any(sum(line[:size]) == total and cuts(line[size:], total) for size in sizes)


def quad(g: Grid) -> bool:
    corners = (g[0], g[1], g[3], g[4])
    return corners.count(2) >= 2 and 3 in corners


def flat(g: Grid) -> bool:
    upper, lower = g[:3], g[3:]
    above = all(a != 2 or b == 3 for a, b in zip(upper, lower, strict=True))
    return above and all(b != 2 or a == 1 for a, b in zip(upper, lower, strict=True))


LINES = [[0, 1, 2], [3, 4, 5]]

MEANINGS += [
    (rule("sum", 0, 1, 2, sum=1, coeffs=[1, -1, 2]), lambda g: g[0] - g[1] + 2 * g[2] == 1),
    (rule("sum", 0, 1, sum=5, op="!="), lambda g: g[0] + g[1] != 5),
    (rule("sum", 0, 1, 2, sum=3, op="<=", coeffs=[1, 1, -1]), lambda g: g[0] + g[1] - g[2] <= 3),
    (rule("sum", 0, 1, 2, sum=9, op=">="), lambda g: sum(g[:3]) >= 9),
    (
        rule(
            "automaton",
            segments=[[0, 1], [2], [4]],
            start=[0],
            accept=[1],
            transitions=NEAR,
            states=3,
            name="x",
        ),
        near,
    ),
    (
        rule("rellik", 0, 1, 2, sum=4),
        lambda g: len({*g[:3]}) == 3 and 4 not in subsets(g[:3]),
    ),
    (
        rule("doppelganger_zero", 1, 2, 3, cell=0),
        lambda g: g[0] != 0 or len({*g[1:4]}) == 3,
    ),
    (rule("double_arrow", 0, 1, 2, 5), lambda g: g[0] + g[5] == g[1] + g[2]),
    (rule("zipper", 0, 1, 2), lambda g: g[0] + g[2] == g[1]),
    (rule("zipper", 0, 1, 2, 5), lambda g: g[0] + g[5] == g[1] + g[2]),
    (rule("region_sum_line", segments=[[0], [1, 2]]), lambda g: g[0] == g[1] + g[2]),
    (rule("equal_sums", segments=[[0], [1], [2]]), lambda g: g[0] == g[1] == g[2]),
    (rule("sum_line", 0, 1, 2, 5, sum=4, loop=False), lambda g: cuts((*g[:3], g[5]), 4)),
    (
        rule("sum_line", 0, 1, 2, 5, 4, 3, sum=4, loop=True),
        lambda g: any(cuts((line := (*g[:3], *g[:2:-1]))[at:] + line[:at], 4) for at in range(6)),
    ),
    (rule("between", 0, 1, 2), lambda g: between(*g[:3])),
    (
        rule("lockout", 0, 1, 2, difference=2),
        lambda g: abs(g[0] - g[2]) > 1 and not between(*g[:3]) and g[1] not in (g[0], g[2]),
    ),
    (rule("quadruple", 0, 1, 3, 4, values=[2, 2, 3]), quad),
    (rule("contain_at_least", 0, 1, values=[2, 3]), lambda g: sorted(g[:2]) == [2, 3]),
    (rule("contain_exactly", 0, 1, 2, values=[2]), lambda g: g[:3].count(2) == 1),
    (
        rule("look_and_say", 0, 1, 2, counts=[[1, 2], [0, 3]]),
        lambda g: g[:3].count(2) == 1 and 3 not in g[:3],
    ),
    (
        rule("counting_circles", 0, 1, 2),
        lambda g: all(g[:3].count(value) == value for value in g[:3]),
    ),
    (rule("count_distinct", 1, 2, count=0), lambda g: len({g[1], g[2]}) == g[0]),
    (
        rule("squares_hit_classes", squares=[[0, 1], [2, 5]], classes=[[1, 2], [3, 4]], name="x"),
        lambda g: all({1, 2} & two and {3, 4} & two for two in ({g[0], g[1]}, {g[2], g[5]})),
    ),
    (rule("dutch_flatmates", middle=2, above=1, below=3), flat),
    (rule("value_indexing", 0, 1, 2, 3), lambda g: 0 < g[1] < 3 and g[0] == g[1 + g[1]]),
    (rule("x_sum", 0, 1, 2, sum=5), lambda g: 0 < g[0] < 4 and sum(g[: g[0]]) == 5),
    (rule("skyscraper", 0, 1, 2, value=2), lambda g: seen(*g[:3]) == 2),
    (
        rule("hidden_skyscraper", 0, 1, 2, value=1),
        lambda g: [v for at, v in enumerate(g[:3]) if at and v <= max(g[:at])][:1] == [1],
    ),
    (rule("no_three_equal", 0, 1, 2, 5), lambda g: g[1] != g[2] or g[1] not in (g[0], g[5])),
    (rule("lines_differ", lines=LINES), lambda g: g[:3] != g[3:]),
    (
        rule(
            "automaton", 0, 1, start=[0], accept=[1], transitions=[[0, 1, 0], [0, 2, 1]], states=2
        ),
        lambda g: g[:2] == (1, 2),
    ),
    (
        rule("same_multiset", sets=[[0, 1], [2, 5], [1, 3]]),
        lambda g: sorted(g[:2]) == sorted((g[2], g[5])) == sorted((g[1], g[3])),
    ),
    (
        rule("lunchbox", 0, 1, 2, 5, sum=3),
        lambda g: len({*g[:3], g[5]}) == 4 and sum(inside((*g[:3], g[5]))) == 3,
    ),
    (
        rule(
            "or",
            rules=[
                [rule("given", cell=0, values=[1, 2]), rule("even", 1)],
                [rule("different", 2, 5), rule("or", rules=[[rule("thermo", 3, 4)]])],
            ],
        ),
        lambda g: (g[0] in (1, 2) and g[1] % 2 == 0) or (g[2] != g[5] and g[3] < g[4]),
    ),
    (rule("or", rules=[[rule("clone", pairs=[[1, 1]])], [rule("odd", 0)]]), lambda g: True),
    (
        rule("numbered_room", 0, 1, 2, selector=0, value=2),
        lambda g: 0 < g[0] < 4 and g[g[0] - 1] == 2,
    ),
]


OF_THE_ENDS: list[tuple[dict[str, Any], Any]] = [
    (
        rule("sandwich", 0, 1, 2, sum=3),
        lambda g: (g[0] in (1, 4)) and (g[2] in (1, 4)) and g[1] == 3,
    ),
    (rule("nonogram_line", 0, 1, 2, clue=[1, 1]), lambda g: g[0] == g[2] == 4 != g[1]),
    (rule("equality_cage", 0, 1, 2, 5), lambda g: sorted((*g[:3], g[5])) == [1, 2, 3, 4]),
    (rule("equality_cage", 0, 1), lambda g: {*g[:2]} in ({1, 4}, {2, 3})),
]
"""Rules that speak of the least or the largest value."""
