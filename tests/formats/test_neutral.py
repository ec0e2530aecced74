"""The neutral form: what is known becomes a board, what is not is named."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unidoku
from tests.helpers.neutral_meanings import MEANINGS, OF_THE_ENDS, rule, table
from tests.helpers.volume import thorough
from unidoku import FormatError, Index, Unit, is_solution, layout
from unidoku.core.layout import Grid
from unidoku.core.verify.arrays import wrong_grids
from unidoku.formats import Puzzle
from unidoku.formats.neutral import RULES, Unread, read_neutral

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("UNIDOKU_DATA", ROOT.parent / "shared" / "data"))
CORPUS = DATA / "rules" / "visible.jsonl"


def read(document: dict[str, Any]) -> Puzzle | Unread:
    (puzzle,) = read_neutral(json.dumps(document))
    return puzzle


def grids(document: dict[str, Any]) -> set[tuple[int, ...]]:
    """Return all solutions of a puzzle, as people see them, by brute force."""
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    layout = puzzle.board.layout
    every = np.array([*product(*map(puzzle.board.values, layout.cells))], np.uint8)
    right = np.delete(every, wrong_grids(layout, np.zeros_like(every), every), 0)
    return {tuple(map(layout.number, grid)) for grid in right.tolist()}


@pytest.mark.parametrize(("document", "keeps"), OF_THE_ENDS)
def test_a_rule_of_the_least_or_the_largest_value_has_its_solutions(
    document: dict[str, Any], keeps: Any
) -> None:
    assert grids(table(document)) == {g for g in product(range(1, 5), repeat=6) if keeps(g)}


@pytest.mark.parametrize("low", [1, 0, *thorough(2)])
@pytest.mark.parametrize(
    ("document", "keeps"), MEANINGS, ids=[str(document)[:60] for document, _ in MEANINGS]
)
def test_a_rule_has_the_solutions_of_its_definition(
    document: dict[str, Any], keeps: Any, low: int
) -> None:
    values = range(low, low + 4)
    right = {g for g in product(values, repeat=6) if keeps(g)}
    assert grids(table(document, values=[low, low + 3])) == right


RANKED = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 0), (3, 2), (2, 0), (3, 1)]
"""The lines of a square of two by two, read from either end."""


@pytest.mark.parametrize("low", [0, 1])
@pytest.mark.parametrize("ties", ["none", "only-unclued", "any"])
def test_full_ranks_are_places_among_all_lines(ties: str, low: int) -> None:
    clues = [{"line": [0, 1], "rank": 3}, {"line": [3, 1], "rank": 5}]
    document = table(
        rule("full_rank", clues=clues, ties=ties),
        shape=[2, 2],
        givens="....",
        values=[low, low + 3],
    )

    def keeps(g: Grid) -> bool:
        numbers = [(g[a], g[b]) for a, b in RANKED]
        clued = [((g[0], g[1]), 3), ((g[3], g[1]), 5)]
        if any(sum(other < item for other in numbers) != rank - 1 for item, rank in clued):
            return False
        told_apart = {"none": numbers, "only-unclued": [item for item, _ in clued], "any": []}[ties]
        return all(numbers.count(item) == 1 for item in told_apart)

    right = {g for g in product(range(low, low + 4), repeat=4) if keeps(g)}
    assert right
    assert grids(document) == right
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    assert unidoku.count(puzzle.board, backend="sat").count == len(right)


def test_of_lines_of_two_lengths_the_shorter_are_less() -> None:
    clues: list[dict[str, Any]] = [{"line": [2, 5], "rank": 4}, {"line": [5, 4, 3], "rank": 8}]
    document = table(rule("full_rank", clues=clues, ties="any"), n=2, values=[1, 2], count=None)
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
    assert grids(document) == right


def test_indexes_of_any_cells_are_rules_of_that_name() -> None:
    indexes = (
        rule("index", 0, 1, 2, selector=3, value=2),
        rule("index", 2, 0, 1, selector=4, value=2),
    )
    document = table(*indexes)
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    assert {*puzzle.board.layout.rules} == {
        Index((3,), "", (0, 1, 2), (2,)),
        Index((4,), "", (2, 0, 1), (2,)),
    }
    right = {
        g
        for g in product(range(1, 5), repeat=6)
        if 4 not in g[3:5] and g[g[3] - 1] == 2 == (g[2], g[0], g[1])[g[4] - 1]
    }
    assert grids(document) == right


def test_hidden_cells_are_read_and_are_no_part_of_a_grid() -> None:
    document = table(
        rule("arrow", 0, 1, circle=[6]),
        rule("equal", 6, 5),
        rule("odd", 7),
        hidden=2,
        units=[[0, 1, 7]],
        candidates={"7": [1, 2]},
    )
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    small = puzzle.board.layout
    assert (len(small), small.hidden, small.units) == (6, (0b1111, 0b0001), (Unit((0, 1, 7)),))
    right = {
        g
        for g in product(range(1, 5), repeat=6)
        if g[0] + g[1] == g[5] and g[0] != g[1] and 1 not in g[:2]
    }
    assert {*unidoku.solve(puzzle.board, solutions=None).solutions} == right


def test_regions_that_are_no_units_are_areas() -> None:
    puzzle = read(table(units=[[0, 1]], regions=[[0, 1], [2, 5, 4, 3, 0]]))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.board.layout.units == (Unit((0, 1), "region"),)
    assert puzzle.board.layout.areas == ((0, 2, 3, 4, 5),)


def test_later_digits_of_a_number_have_one_place() -> None:
    document = table(
        rule("arrow", 2, 3, 4, 5, circle=[0, 1]), n=12, values=[1, 12], givens="..9999"
    )
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    assert unidoku.solve(puzzle.board, solutions=None).solutions == ((3, 6, 9, 9, 9, 9),)


def test_every_kind_that_is_read_is_tested() -> None:
    tested = {rows["kind"] for rows, _ in (*MEANINGS, *OF_THE_ENDS)}
    assert tested | {"full_rank", "chaos_construction"} == set(RULES)


def test_the_regions_of_a_chaos_construction_are_hidden_cells_that_other_rules_name() -> None:
    chaos = rule("chaos_construction", region_cells=[*range(6, 12)], size=3)
    run = rule("chaos_run", count=0, arms=[[6, 7, 8]])
    puzzle = read(table(chaos, run, n=3, values=[1, 3], hidden=6, givens="." * 6))
    assert isinstance(puzzle, Puzzle)
    regions = [{0, 1, 2}, {0, 1, 3}, {0, 3, 4}]  # with the first cell, of two rows of three
    right = {
        g
        for g in product((1, 2, 3), repeat=6)
        for item in regions
        if len({g[k] for k in item}) == len({g[k] for k in set(range(6)) - item}) == 3
        if g[0] == 1 + (1 in item) + ({1, 2} <= item)
    }
    for backend in ("native", "sat"):
        shown = unidoku.solve(puzzle.board, solutions=None, backend=backend).solutions
        assert set(shown) == right


@pytest.mark.parametrize(
    ("document", "reason"),
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
def test_what_is_not_known_is_named(document: dict[str, Any], reason: str) -> None:
    puzzle = read(document)
    assert isinstance(puzzle, Unread)
    assert (puzzle.name, puzzle.line) == ("small", 1)
    assert len(puzzle.reasons) == 1
    assert reason in puzzle.reasons[0]


def test_all_reasons_are_told() -> None:
    puzzle = read(table(rule("a"), rule("b"), rule("a"), values=[-1, 2]))
    assert isinstance(puzzle, Unread)
    assert puzzle.reasons == ("values -1 to 2", "rule a", "rule b")


def test_holes_candidates_givens_and_what_is_known_are_read() -> None:
    document = table(
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
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    small = puzzle.board.layout
    assert small.positions == ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2))
    assert small.units == (Unit((0, 2), "region"), Unit((2, 3, 4), "row"))
    assert puzzle.board.to_dict() == {
        "A1": (2,),
        "A3": (1, 2, 3, 4),
        "B1": (1, 4),
        "B2": (2,),
        "B3": (3,),
    }
    assert puzzle.solution == (2, 1, 4, 2, 3)
    assert (puzzle.solutions, puzzle.at_least) == (1, 2)
    assert is_solution(puzzle.board, puzzle.solution)


def test_a_named_layout_is_shared() -> None:
    square = layout("classic", 4)
    document = table(shape=[4, 4], givens="." * 16, units=[list(u.cells) for u in square.units])
    puzzle = read(document)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.board.layout is square


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: expected a puzzle in JSON"),
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
        list(read_neutral(text))
    assert message in str(caught.value)


def test_a_file_without_puzzles_is_told(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text("\n\n")
    with pytest.raises(FormatError, match="expected a puzzle, got a file without any"):
        unidoku.read(path, format="neutral")


def test_lines_are_counted_from_the_beginning_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(f"\n{json.dumps(table())}\n\n{{\n")
    with pytest.raises(FormatError, match="line 4: expected a puzzle in JSON"):
        unidoku.read(path, format="neutral")
    path.write_text(f"\n{json.dumps(table())}\n")
    assert [puzzle.line for puzzle in unidoku.read(path, format="neutral")] == [2]


@pytest.mark.thorough
@pytest.mark.skipif(not CORPUS.exists(), reason=f"not there: {CORPUS}")
def test_known_solutions_of_the_collection_keep_the_rules() -> None:
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    puzzles = [puzzle for line in lines for puzzle in read_neutral(line)]
    read_ = [puzzle for puzzle in puzzles if isinstance(puzzle, Puzzle)]
    assert len(read_) >= 149
    for puzzle in read_:
        if puzzle.solution is not None:
            assert unidoku.verify(puzzle.board, puzzle.solution) == [], puzzle.name
