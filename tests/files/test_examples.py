from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from tests.helpers.python_process import run_python
from unidoku.errors import InputError
from unidoku.files.examples import Example, examples, find_example


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_every_example_has_its_known_number_of_solutions(example: Example) -> None:
    puzzles = example.puzzles()
    assert puzzles
    for puzzle in puzzles:
        result = unidoku.solve(puzzle.board, backend="cp-sat", solutions=2)
        if example.solutions == 1:
            assert result.unique is True
        else:
            assert result.count == min(example.solutions or 0, 2)


def test_every_file_of_puzzles_is_in_the_index(root: Path) -> None:
    files = {path.stem for path in (root / "examples").glob("*.txt")}
    assert files == {example.name for example in examples()}


def test_the_three_spellings_are_one_board() -> None:
    assert len({puzzle.board for puzzle in find_example("three-spellings").puzzles()}) == 1


def test_nested_lists_are_the_board_of_the_line(root: Path) -> None:
    ran = run_python(root / "examples" / "nested_lists.py", check=True)
    (puzzle,) = find_example("hardest").puzzles()
    solved = unidoku.solve(puzzle.board, backend="norvig").solutions[0]
    assert ran.stdout == f"exactly one solution: True\n{puzzle.board.fill(solved)}\n"


def test_an_unknown_example_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'samurai'"):
        find_example("samuray")


@pytest.mark.parametrize("name", ["killer-thermo", "own-line-skyline", "kenken-jigsaw"])
def test_puzzles_to_publish_become_links_with_nothing_lost(root: Path, name: str) -> None:
    (puzzle,) = unidoku.read(root / "examples" / f"published-{name}.toml")
    result = unidoku.solve(puzzle.board, solutions=2)
    assert result.unique is True
    assert result.solutions == (puzzle.solution,)
    written = unidoku.write(puzzle, "sudokupad")
    assert not written.losses
    (back,) = unidoku.read(written.text)
    assert (back.board, back.solution) == (puzzle.board, puzzle.solution)
