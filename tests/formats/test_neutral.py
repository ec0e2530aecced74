"""The neutral form: what is known becomes a board, what is not is named."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku import FormatError, Unit, is_solution, layout
from unidoku.core.layout import Grid
from unidoku.formats import Puzzle
from unidoku.formats.neutral import Unread, puzzles_from_neutral
from unidoku.formats.neutral_rules import RULES

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("UNIDOKU_DATA", ROOT.parent / "shared" / "data"))
CORPUS = DATA / "rules" / "visible.jsonl"


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


def read(told: dict[str, Any]) -> Puzzle | Unread:
    (found,) = puzzles_from_neutral([(7, json.dumps(told))])
    return found


def grids(told: dict[str, Any]) -> set[tuple[int, ...]]:
    """Return all solutions of a puzzle, as people see them, by brute force."""
    puzzle = read(told)
    assert isinstance(puzzle, Puzzle)
    values = [puzzle.board.values(cell) for cell in puzzle.board.layout.cells]
    right = (grid for grid in product(*values) if is_solution(puzzle.board, grid))
    return {tuple(map(puzzle.board.layout.number, grid)) for grid in right}


def rule(kind: str, *cells: int, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, **({"cells": list(cells)} if cells else {}), **fields}


def connected(cells: list[int]) -> bool:
    """Tell whether cells of two rows of three are connected side by side."""
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
    """Tell whether the machine accepts values of the segments 0 1, 2 and 4."""
    ways: set[int] = {0}
    for symbol in (g[0], g[1], "|", g[2], "|", g[4]):
        ways = {b for a, told, b in NEAR if a in ways and told == symbol}
    return 1 in ways


def subsets(values: Sequence[int]) -> set[int]:
    """Return the sums of one or several values."""
    sizes = range(1, len(values) + 1)
    return {sum(some) for size in sizes for some in combinations(values, size)}


def between(a: int, b: int, c: int) -> bool:
    return min(a, c) < b < max(a, c)


def seen(*towers: int) -> int:
    return sum(tower > max((0, *towers[:at])) for at, tower in enumerate(towers))


def inside(line: Sequence[int]) -> Sequence[int]:
    """Return the values between the least and the largest."""
    first, last = sorted((line.index(min(line)), line.index(max(line))))
    return line[first + 1 : last]


def cuts(line: Sequence[int], total: int) -> bool:
    """Tell whether a line is cut into parts of one sum."""
    if not line:
        return True
    sizes = range(1, len(line) + 1)
    return any(sum(line[:size]) == total and cuts(line[size:], total) for size in sizes)


def quad(g: Grid) -> bool:
    held = (g[0], g[1], g[3], g[4])
    return held.count(2) >= 2 and 3 in held


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
    (
        rule("sum_line", 0, 1, 2, 5, sum=4, loop=False),
        lambda g: cuts((*g[:3], g[5]), 4) or g[:3] + g[5:] == (0,) * 4,
    ),
    (
        rule("sum_line", 0, 1, 2, 5, 4, 3, sum=4, loop=True),
        lambda g: (
            not any(g)
            or any(cuts((line := (*g[:3], *g[:2:-1]))[at:] + line[:at], 4) for at in range(6))
        ),
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
    (
        rule("equality_cage", 0, 1, 2, 5),
        lambda g: sorted((*g[:3], g[5])) == [1, 2, 3, 4],
    ),
    (rule("equality_cage", 0, 1), lambda g: {*g[:2]} in ({1, 4}, {2, 3})),
]
"""Rules that speak of the least or the largest value."""


@pytest.mark.parametrize(("told", "keeps"), OF_THE_ENDS)
def test_a_rule_of_the_least_or_the_largest_value_has_its_solutions(
    told: dict[str, Any], keeps: Any
) -> None:
    assert grids(table(told)) == {g for g in product(range(1, 5), repeat=6) if keeps(g)}


@pytest.mark.parametrize("low", [1, 0, 2])
@pytest.mark.parametrize(("told", "keeps"), MEANINGS, ids=[str(told)[:60] for told, _ in MEANINGS])
def test_a_rule_has_the_solutions_of_its_definition(
    told: dict[str, Any], keeps: Any, low: int
) -> None:
    values = range(low, low + 4)
    right = {g for g in product(values, repeat=6) if keeps(g)}
    assert grids(table(told, values=[low, low + 3])) == right


RANKED = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 0), (3, 2), (2, 0), (3, 1)]
"""The lines of a square of two by two, read from either end."""


@pytest.mark.parametrize("low", [0, 1])
@pytest.mark.parametrize("ties", ["none", "only-unclued", "any"])
def test_full_ranks_are_places_among_all_lines(ties: str, low: int) -> None:
    clues = [{"line": [0, 1], "rank": 3}, {"line": [3, 1], "rank": 5}]
    told = table(
        rule("full_rank", clues=clues, ties=ties),
        shape=[2, 2],
        givens="....",
        values=[low, low + 3],
    )

    def keeps(g: Grid) -> bool:
        numbers = [(g[a], g[b]) for a, b in RANKED]
        clued = [((g[0], g[1]), 3), ((g[3], g[1]), 5)]
        if any(sum(other < one for other in numbers) != rank - 1 for one, rank in clued):
            return False
        told_apart = {"none": numbers, "only-unclued": [one for one, _ in clued], "any": []}[ties]
        return all(numbers.count(one) == 1 for one in told_apart)

    right = {g for g in product(range(low, low + 4), repeat=4) if keeps(g)}
    assert right
    assert grids(told) == right
    found = read(told)
    assert isinstance(found, Puzzle)
    assert unidoku.count(found.board, backend="sat").count == len(right)


def test_of_lines_of_two_lengths_the_shorter_are_less() -> None:
    clues: list[dict[str, Any]] = [{"line": [2, 5], "rank": 4}, {"line": [5, 4, 3], "rank": 8}]
    told = table(rule("full_rank", clues=clues, ties="any"), n=2, values=[1, 2], count=None)
    rows = [(0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5)]
    lines = [*rows, *[line[::-1] for line in rows]]

    def number(g: Grid, line: Sequence[int]) -> int:
        return int("".join(str(g[cell]) for cell in line))

    right = {
        g
        for g in product((1, 2), repeat=6)
        if all(
            1 + sum(number(g, other) < number(g, clue["line"]) for other in lines) == clue["rank"]
            for clue in clues
        )
    }
    assert right
    assert grids(told) == right


def test_hidden_cells_are_read_and_are_no_part_of_a_grid() -> None:
    told = table(
        rule("arrow", 0, 1, circle=[6]),
        rule("equal", 6, 5),
        rule("odd", 7),
        hidden=2,
        units=[[0, 1, 7]],
        candidates={"7": [1, 2]},
    )
    found = read(told)
    assert isinstance(found, Puzzle)
    one = found.board.layout
    assert (len(one), one.hidden, one.units) == (6, (0b1111, 0b0001), (Unit((0, 1, 7)),))
    right = {
        g
        for g in product(range(1, 5), repeat=6)
        if g[0] + g[1] == g[5] and g[0] != g[1] and 1 not in g[:2]
    }
    assert {*unidoku.solve(found.board, solutions=None).solutions} == right


def test_regions_that_are_no_units_are_areas() -> None:
    found = read(table(units=[[0, 1]], regions=[[0, 1], [2, 5, 4, 3, 0]]))
    assert isinstance(found, Puzzle)
    assert found.board.layout.units == (Unit((0, 1), "region"),)
    assert found.board.layout.areas == ((0, 2, 3, 4, 5),)


def test_later_digits_of_a_number_have_one_place() -> None:
    told = table(
        rule("arrow", 2, 3, 4, 5, circle=[0, 1]),
        n=12,
        values=[1, 12],
        givens="..9999",
    )
    found = read(told)
    assert isinstance(found, Puzzle)
    assert unidoku.solve(found.board, solutions=None).solutions == ((3, 6, 9, 9, 9, 9),)


def test_every_kind_that_is_read_is_tested() -> None:
    tested = {told["kind"] for told, _ in (*MEANINGS, *OF_THE_ENDS)}
    assert tested | {"full_rank", "chaos_construction"} == set(RULES)


def test_the_regions_of_a_chaos_construction_are_hidden_cells_that_other_rules_name() -> None:
    chaos = rule("chaos_construction", region_cells=[*range(6, 12)], size=3)
    run = rule("chaos_run", count=0, arms=[[6, 7, 8]])
    found = read(table(chaos, run, n=3, values=[1, 3], hidden=6, givens="." * 6))
    assert isinstance(found, Puzzle)
    regions = [{0, 1, 2}, {0, 1, 3}, {0, 3, 4}]  # with the first cell, of two rows of three
    right = {
        g
        for g in product((1, 2, 3), repeat=6)
        for one in regions
        if len({g[k] for k in one}) == len({g[k] for k in set(range(6)) - one}) == 3
        if g[0] == 1 + (1 in one) + ({1, 2} <= one)
    }
    for backend in ("native", "sat"):
        shown = unidoku.solve(found.board, solutions=None, backend=backend).solutions
        assert set(shown) == right


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (table(rule("maze", 0)), "rule maze"),
        (table(rule("chaos_run", count=0, arms=[[1, 2], [2]])), "rule chaos_run of arms"),
        (table(rule("chaos_count", 1, 2, count=0, offset=2)), "rule chaos_count: "),
        (table(rule("sum", 0, 1, sum=1, op="<")), "rule sum with <"),
        (table(rule("cage_op", 0, 1, 2, op="-", target=4)), "rule cage_op - of 3 cells"),
        (table(rule("thermo", 0, 1, soft=True)), "rule thermo: unknown field 'soft'"),
        (table(values=[-1, 2]), "values -1 to 2"),
        (table(hidden=10**6), "more than 100,000 cells"),
        (table(rule("full_rank", clues=[], ties="some")), "rule full_rank with ties some"),
        (
            table(rule("full_rank", clues=[], ties="any"), values=[0, 3]),
            "rule full_rank of lines of two lengths",
        ),
        (table(units=[[0, 1, 2, 3, 4]]), "5 cells cannot differ with only 4 values"),
    ],
)
def test_what_is_not_known_is_named(told: dict[str, Any], reason: str) -> None:
    found = read(told)
    assert isinstance(found, Unread)
    assert (found.name, found.line) == ("small", 7)
    assert len(found.reasons) == 1
    assert reason in found.reasons[0]


def test_all_reasons_are_told() -> None:
    found = read(table(rule("a"), rule("b"), rule("a"), values=[-1, 2]))
    assert isinstance(found, Unread)
    assert found.reasons == ("values -1 to 2", "rule a", "rule b")


def test_holes_candidates_givens_and_what_is_known_are_read() -> None:
    told = table(
        rule("thermo", 5, 3),
        blocked=[1],
        units=[[0, 3], [3, 4, 5]],
        regions=[[0, 3]],
        givens="2....3",
        candidates={"3": [1, 4], "4": [0, 2, 9]},
        solution="2#1423",
        count=1,
        at_least=2,
    )
    found = read(told)
    assert isinstance(found, Puzzle)
    one = found.board.layout
    assert one.positions == ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2))
    assert one.units == (Unit((0, 2), "region"), Unit((2, 3, 4), "row"))
    assert found.board.to_dict() == {
        "A1": (2,),
        "A3": (1, 2, 3, 4),
        "B1": (1, 4),
        "B2": (2,),
        "B3": (3,),
    }
    assert found.solution == (2, 1, 4, 2, 3)
    assert (found.solutions, found.at_least) == (1, 2)
    assert is_solution(found.board, found.solution)


def test_a_named_layout_is_shared() -> None:
    square = layout("classic", 4)
    told = table(shape=[4, 4], givens="." * 16, units=[list(u.cells) for u in square.units])
    found = read(told)
    assert isinstance(found, Puzzle)
    assert found.board.layout is square


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 7: expected a puzzle in JSON"),
        ("[]", "expected a puzzle, got []"),
        ('{"kind": "run"}', "neutral form: unknown field 'kind'"),
        ('{"name": "a"}', "neutral form: field 'n': expected a whole number"),
        (json.dumps(table(shape=[9, 10**9])), "field 'shape': expected a list of rows and columns"),
        (json.dumps(table(givens="A!....")), "small: expected a puzzle in the neutral form"),
        (json.dumps(table(rule("thermo", 0, 99))), "small: expected a puzzle in the neutral form"),
        (json.dumps(table(rule("thermo"))), "small: expected a puzzle in the neutral form"),
        (
            json.dumps(table(rule("odd", 1), blocked=[1], givens=".#....")),
            "expected values of cells",
        ),
        (json.dumps(table(givens="9.....")), "small: expected a puzzle in the neutral form"),
        (json.dumps(table(solution="123")), "small: expected a puzzle in the neutral form"),
    ],
)
def test_what_is_no_puzzle_is_told(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(puzzles_from_neutral([(7, text)]))
    assert message in str(caught.value)


def test_a_file_without_puzzles_is_told() -> None:
    with pytest.raises(FormatError, match="expected a puzzle, got a file without any"):
        list(puzzles_from_neutral([]))


@pytest.mark.thorough
@pytest.mark.skipif(not CORPUS.exists(), reason=f"not there: {CORPUS}")
def test_known_solutions_of_the_collection_keep_the_rules() -> None:
    lines = enumerate(CORPUS.read_text(encoding="utf-8").splitlines(), start=1)
    found = list(puzzles_from_neutral(lines))
    read_ = [puzzle for puzzle in found if isinstance(puzzle, Puzzle)]
    assert len(read_) >= 149
    for puzzle in read_:
        if puzzle.solution is not None:
            assert unidoku.verify(puzzle.board, puzzle.solution) == [], puzzle.name


def test_a_puzzle_of_the_neutral_form_is_counted_as_any_other() -> None:
    found = read(table(rule("thermo", 0, 1)))
    assert isinstance(found, Puzzle)
    assert unidoku.count(found.board).count == 6 * 4**4
