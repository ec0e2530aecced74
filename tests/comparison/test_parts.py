"""Plan, cases and config of a comparison."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unidoku import Board
from unidoku.comparison import read_plan
from unidoku.comparison.cases import Case, PuzzleSource, read_cases
from unidoku.comparison.config import ComparisonPlan
from unidoku.comparison.order import schedule
from unidoku.errors import FormatError, InputError, SettingsError
from unidoku.formats import Puzzle

CASES = [
    Case(board=Board.parse(text), name=f"case {k}", source="test")
    for k, text in enumerate(["1...............", ".1..............", "..1............."])
]


@given(st.integers(1, 4), st.integers(0, 1000))
def test_every_round_runs_every_case_by_every_backend_once(repeats: int, seed: int) -> None:
    runs = list(schedule(CASES, ["a", "b"], repeats, seed))
    counted = Counter((run.round, run.case.id, run.backend) for run in runs)
    assert len(counted) == len(runs) == repeats * len(CASES) * 2
    assert [run.round for run in runs] == sorted(run.round for run in runs)
    for first, other in zip(runs[::2], runs[1::2], strict=True):
        assert first.case is other.case
        assert {first.backend, other.backend} == {"a", "b"}
    assert runs == list(schedule(CASES, ["a", "b"], repeats, seed))


def test_the_order_is_shuffled() -> None:
    orders = {
        tuple((r.case.id, r.backend) for r in schedule(CASES, ["a", "b"], 1, s)) for s in range(9)
    }
    assert len(orders) > 5


@given(st.integers(0, 3))
def test_every_image_is_a_block_of_its_own(images: int) -> None:
    runs = list(schedule(CASES, ["a", "b"], 2, 7, images))
    counted = Counter((run.round, run.case.id, run.image, run.backend) for run in runs)
    assert len(counted) == len(runs) == 2 * len(CASES) * (images + 1) * 2
    assert len({run.key for run in runs}) == len(runs)
    for first, other in zip(runs[::2], runs[1::2], strict=True):
        assert (first.case, first.round, first.image) == (other.case, other.round, other.image)


CONFIG = """
backends = ["norvig", "python-constraint[encoding=reduced]"]
repeats = 2
time_limit = 1
seed = 5

[[puzzles]]
examples = ["x"]

[[puzzles]]
files = ["more/*.txt"]
variant = "latin"
solutions = 2
"""


def test_a_config_names_examples_files_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "one.txt").write_text("....\n")
    (tmp_path / "compare.toml").write_text(CONFIG)
    comparison = read_plan(tmp_path / "compare.toml")
    assert list(comparison.solvers()) == ["norvig", "python-constraint[encoding=reduced]"]
    assert (comparison.repeats, comparison.time_limit, comparison.seed) == (2, 1, 5)
    cases = comparison.cases()
    assert [case.source for case in cases[:2]] == ["x", "x"]
    assert (cases[2].name, cases[2].solutions) == ("one:1", 2)


def test_a_board_that_appears_twice_is_one_case() -> None:
    assert len(read_cases([PuzzleSource(examples=("three-spellings",))], Path())) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("repeats = 2", "repeat = 2"), "unknown key 'repeat'; did you mean 'repeats'"),
        (
            ("repeats = 2", "repeats = true"),
            "repeats: expected a whole number from 1 to .*, got True",
        ),
        (
            ("repeats = 2", "repeats = 0"),
            r"repeats: expected a whole number from 1 to 2\^31 - 1, got 0",
        ),
        (("repeats = 2", "symmetries = -1"), "symmetries: expected a whole number from 0"),
        (("repeats = 2", "self_test = 1"), "self_test: expected true or false, got 1"),
        (("time_limit = 1", 'time_limit = "1"'), "time_limit: expected a finite number"),
        (("time_limit = 1", "time_limit = 0"), "time_limit: expected a finite number above 0"),
        (("time_limit = 1", "time_limit = inf"), "time_limit: expected a finite number above 0"),
        (('variant = "latin"', 'varient = "latin"'), "puzzles: unknown key 'varient'"),
        (('backends = ["norvig", ', "backends = [1, "), "backends: expected a list of texts, got"),
        (("[[puzzles]]", "[[puzzle]]"), "unknown key 'puzzle'"),
        (
            ('examples = ["x"]', 'examples = "x"'),
            "puzzles: examples: expected a list of texts, got 'x'",
        ),
    ],
)
def test_a_config_is_checked_key_by_key(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "compare.toml"
    path.write_text(CONFIG.replace(*change))
    with pytest.raises(SettingsError, match=message) as caught:
        read_plan(path)
    assert str(path) in str(caught.value)


def test_files_that_do_not_match_or_hold_no_boards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing matches"):
        read_cases([PuzzleSource(files=("*.txt",))], tmp_path)
    (tmp_path / "bad.txt").write_text("12345")
    with pytest.raises(FormatError, match=r"bad\.txt, line 1: expected the cells"):
        read_cases([PuzzleSource(files=("*.txt",))], tmp_path)
    with pytest.raises(InputError, match="expected puzzles to compare on"):
        read_cases([], tmp_path)


def test_a_backend_may_stand_twice_with_other_options_only() -> None:
    puzzles = (PuzzleSource(examples=("x",)),)
    twice = ComparisonPlan(backends=("cp-sat", "cp-sat[num_workers=2]"), puzzles=puzzles)
    assert len(twice.solvers()) == 2
    with pytest.raises(SettingsError, match="'norvig' is listed twice"):
        ComparisonPlan(backends=("norvig", "norvig"), puzzles=puzzles).solvers()


def test_a_self_test_enters_the_first_backend_twice() -> None:
    puzzles = (PuzzleSource(examples=("x",)),)
    comparison = ComparisonPlan(backends=("norvig", "sat"), puzzles=puzzles, self_test=True)
    solvers = comparison.solvers()
    assert list(solvers) == ["norvig", "sat", "norvig (again)"]
    assert comparison.plan_table(list(solvers), ())["twin"] == ["norvig", "norvig (again)"]


def test_numbers_of_boards_come_from_puzzle_files_and_from_columns(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        'version = 1\ngivens = "1... ..2. .3.. ...4"\nnumbers = { holes = 12, share = 0.75 }\n'
    )
    (tmp_path / "b.csv").write_text("puzzle,holes,by\n1...............,15,Ada\n")
    first, other = read_cases([PuzzleSource(files=("a.toml", "b.csv"))], tmp_path)
    assert first.numbers == {"holes": 12, "share": 0.75}
    assert other.numbers == {"holes": 15}
    assert hash(first) != hash(other)


def test_numbers_that_a_journal_cannot_hold_are_refused() -> None:
    puzzle = Puzzle(CASES[0].board, "odd", 1, numbers={"share": float("nan")})
    with pytest.raises(InputError, match="odd: numbers: expected a table of finite numbers, got"):
        read_cases([PuzzleSource(boards=(puzzle,))], Path())
