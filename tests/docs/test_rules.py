"""The pages of puzzle files and of the kinds of rules are as the code is."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.helpers.pages import PAGES
from unidoku import Board
from unidoku.core.hidden import expanded
from unidoku.core.rules.base import KINDS, OF_VARIANTS
from unidoku.files.source import files_in
from unidoku.formats.neutral import RULES
from unidoku.formats.toml.file import read_toml
from unidoku.formats.toml.table import PUZZLE

pytestmark = pytest.mark.docs

(PAGE,) = [page for page in PAGES if page.name == "docs/puzzle-files.md"]


def test_the_page_of_the_kinds_is_what_its_program_makes(make_rules: Any, root: Path) -> None:
    assert (root / "docs" / "rules.md").read_text(encoding="utf-8") == make_rules.page()


def test_every_kind_and_every_field_is_explained(make_rules: Any) -> None:
    page = make_rules.page()
    for name, kind in KINDS.items():
        assert f"\n| `{name}` | `{kind.__name__}` | " in page
        for field in make_rules.fields(kind):
            assert make_rules.meaning(kind, field.name), f"{name}: {field.name}"


def test_the_page_of_puzzle_files_names_every_key_and_every_kind_of_the_neutral_form() -> None:
    for name in (*PUZZLE, *RULES):
        assert f"`{name}`" in PAGE.text


def test_the_puzzle_files_on_the_page_are_read_and_have_solutions() -> None:
    files = PAGE.blocks("toml")
    assert len(files) >= 4
    for text in files:
        for puzzle in read_toml(text):
            result = unidoku.solve(puzzle.board, solutions=2)
            assert result.count
            if puzzle.solution is not None:
                assert result.solutions == (puzzle.solution,)


def test_there_is_an_example_of_every_kind_and_each_has_its_one_solution(root: Path) -> None:
    paths, _ = files_in(root / "examples" / "rules")
    kinds = set()
    for path in paths:
        (puzzle,) = unidoku.read(path)
        assert puzzle.solution is not None
        assert puzzle.solutions == 1
        kinds |= {rule.kind for rule in puzzle.board.layout.rules}
        for backend in ("native", "sat", "cp-sat"):
            solved = unidoku.solve(puzzle.board, solutions=2, backend=backend)
            assert solved.solutions == (puzzle.solution,), (path.name, backend)
    assert kinds == {*KINDS, *OF_VARIANTS}


@pytest.mark.thorough  # the definitions are those of `test_definitions`
def test_plain_search_by_the_definitions_alone_finds_the_solutions_of_the_examples(
    root: Path,
) -> None:
    """No shape and no backend has a part in it: only units, and the definitions of the rules."""
    for path in (root / "examples" / "rules").glob("*.toml"):
        (puzzle,) = unidoku.read(path)
        layout = puzzle.board.layout
        whole = expanded(puzzle.board) if layout.hidden else puzzle.board
        grids = {grid[: len(layout)] for grid in searched(whole)}
        assert grids == {puzzle.solution}, path.name


def searched(board: Board) -> Iterator[tuple[int, ...]]:
    """Yield all solutions, by trying the cell with the fewest values that break nothing."""
    layout = board.layout
    rules = [[rule for rule in layout.rules if cell in set(rule.cells)] for cell in layout.cells]
    values = [0] * len(layout)

    def is_possible(cell: int, value: int) -> bool:
        if any(values[peer] == value for peer in layout.peers[cell]):
            return False
        values[cell] = value
        broken = any(True for rule in rules[cell] for _ in rule.broken(values, layout.first_value))
        values[cell] = 0
        return not broken

    near = [
        layout.peers[cell].union(*[rule.cells for rule in rules[cell]]) - {cell}
        for cell in layout.cells
    ]

    def search(choices: dict[int, list[int]]) -> Iterator[tuple[int, ...]]:
        if not choices:
            yield tuple(values)
            return
        cell = min(choices, key=lambda cell: len(choices[cell]))
        for value in choices[cell]:
            values[cell] = value
            # What a cell may hold changes only where it shares a unit or a rule with this one.
            left = {
                other: [v for v in contained if is_possible(other, v)]
                if other in near[cell]
                else contained
                for other, contained in choices.items()
                if other != cell
            }
            if all(left.values()):
                yield from search(left)
        values[cell] = 0

    yield from search(
        {cell: [v for v in board.values(cell) if is_possible(cell, v)] for cell in layout.cells}
    )


def test_the_examples_say_what_they_are_in_their_first_line(root: Path) -> None:
    for path in (root / "examples" / "rules").glob("*.toml"):
        assert path.read_text(encoding="utf-8").startswith("# ")


def test_the_table_of_layouts_calls_every_kind_by_its_own_arguments(root: Path) -> None:
    page = (root / "docs" / "layouts.md").read_text(encoding="utf-8")
    calls = dict(re.findall(r"`([A-Z]\w+)\(([\w, ]*)\)`", page))
    for name, written in calls.items():
        arguments = [*filter(None, written.split(", "))]
        known = [*inspect.signature(getattr(unidoku, name)).parameters]
        assert arguments == known[: len(arguments)], name
    kinds = {kind.__name__ for kind in KINDS.values()}
    assert kinds - calls.keys() == {"Line", "Pairs"}, "these have a section of their own"
