"""``unidoku generate``."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.command_runner import Runner
from unidoku import Board, layout, load, read, read_puzzles
from unidoku.comparison.cases import Case
from unidoku.comparison.journal import read_journal
from unidoku.generation import Generation

pytestmark = pytest.mark.usefixtures("elsewhere")

SMALL = ("--size", "4", "--seed", "1")
LARGE = ("--size", "65", "--filled", "2", "--variant", "latin")


@pytest.fixture
def ready(run: Runner) -> Runner:
    """A generator that has compiled what a time limit would not wait for."""
    for variant in ("classic", "x"):
        load("native[engine=lanes]").solve(Board.empty(layout(variant, 4)))
    return run


def test_one_puzzle_is_framed_and_checked_by_a_second_backend(run: Runner) -> None:
    ran = run("generate", "--seed", "1")
    assert ran.code == 0
    assert ran.out.count("\n") == 11
    assert ran.err.startswith("1 puzzle in ")
    [puzzle] = read_puzzles(ran.out)
    assert load("sat").solve(puzzle.board, solutions=2).unique


def test_a_seed_by_chance_is_told_and_repeats_the_puzzle(run: Runner) -> None:
    first = run("generate", "--size", "4", "--format", "line")
    seed = first.err.strip().rpartition("seed ")[2]
    assert run("generate", "--size", "4", "--format", "line", "--seed", seed).out == first.out


def test_all_constraints_together(run: Runner) -> None:
    ran = run(
        *("generate", "--size", "6", "--clues", "8-13", "--minimal"),
        *("--symmetry", "rotational", "--difficulty", "hidden single", "--count", "5"),
        *("--seed", "7"),
    )
    assert ran.code == 0, ran.err
    boards = [puzzle.board for puzzle in read_puzzles(ran.out, size=6)]
    assert len(boards) == 5
    assert all(8 <= sum(map(bool, board.givens)) <= 13 for board in boards)


def test_the_time_limit_ends_with_what_was_reached_and_says_what_was_refused(ready: Runner) -> None:
    arguments = ("--clues", "6", "--minimal", "--count", "1000000", "--time-limit", "1")
    ran = ready("generate", "--variant", "x", *SMALL, *arguments)
    assert ran.code == 1
    assert re.search(r" of 1,000,000 puzzles in [1-9][\d.]* s; refused: ", ran.err)
    assert "not 6 clues" in ran.err


def test_constraints_that_no_puzzle_met_are_named(run: Runner) -> None:
    ran = run("generate", *SMALL, "--clues", "14", "--minimal", "--time-limit", "0.5")
    assert (ran.code, ran.out) == (1, "")
    assert (
        "no puzzle met all constraints; relax one of --clues, --minimal, or allow more" in ran.err
    )


def test_what_was_reached_in_time_is_a_whole_file(ready: Runner) -> None:
    ran = ready("generate", *SMALL, "--count", "9999999", "--time-limit", "1", "-o", "out.txt")
    assert ran.code == 1
    lines = Path("out.txt").read_text(encoding="utf-8").splitlines()
    assert lines
    assert f"{len(lines):,} of 9,999,999 puzzles" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--clues", "17"), "from 3 to 16"),
        (("--clues", "many"), "--clues"),
        (("--difficulty", "magic"), "got 'magic'; levels: easy, medium, hard, unfair, extreme"),
        (("--rating", "hard"), "--rating: expected a number or a range such as 7.0-7.5"),
        (("--rating", "7"), "got classic with 4 values; ask for a diff"),
        (("--time-limit", "soon"), "--time-limit"),
        (("--time-limit", "-1"), "time_limit"),
        (("--format", "framed", "-o", "out.txt"), "--output"),
        (("--family", "kakura"), "did you mean 'kakuro'"),
        (("--rules", "thermo", "--walk"), "--walk is for boards without rules"),
        (("--rules", "thermo", "--format", "line"), "--format is for boards without rules"),
        (("--family", "kenken", "-o", "made.npy"), "expected a file that ends in"),
        (("--holes", "many"), "--holes: expected numbers of cells such as 168, or shares such as"),
        (("--holes", "3,,4"), "--holes: expected numbers of cells such as 168"),
        (("--holes", ""), "--holes: expected numbers of cells such as 168"),
        (("--holes", "101%"), "holes: expected a number of cells from 0 to 16"),
        (("--filled", "-3"), "--filled: expected numbers of cells"),
        (("--balanced",), "balanced: expected a number of holes"),
        (("--family", "kenken", "--holes", "3"), "family: expected a known one, got 'kenken'"),
        (("--holes", "3", "--clues", "20"), "--clues is for puzzles with one solution"),
        (("--holes", "3", "--minimal"), "--minimal is for puzzles with one solution"),
        (("--holes", "3", "--rules", "thermo"), "--rules is for puzzles with one solution"),
        (("--holes", "3", "--threads", "2"), "--threads is for puzzles with one solution"),
        (("--holes", "3", "--format", "line"), "--format is for puzzles with one solution"),
        (("--holes", "3", "-o", "boards.npy"), "expected a file that ends in"),
        (("--discriminate", "sat"), "expected two backends with a comma between them"),
        (("--discriminate", "sat,sat"), "got 'sat' twice"),
        (("--discriminate", "sat,nativ"), "did you mean 'native'"),
        (("--discriminate", "sat,native", "--count", "2"), "--count is for boards without"),
        (("--discriminate", "sat,native", "--minimal"), "does not keep minimal"),
        ((*LARGE, "--discriminate", "native,norvig"), "supports up to 64 values"),
        (("--budget", "5"), "--budget is for --discriminate"),
    ],
)
def test_requests_that_cannot_be_met_are_usage_errors(
    run: Runner, arguments: tuple[str, ...], message: str
) -> None:
    assert message in run.refused("generate", *SMALL, *arguments)
    assert not list(Path().iterdir())


def test_a_disagreement_names_the_board_and_both_backends(run: Runner) -> None:
    error = run.refused(
        "generate", "--size", "6", "--cross-check-backend", "tests.helpers.wrong.answers:CountsTwo"
    )
    assert "native" in error
    assert "CountsTwo" in error


@pytest.mark.parametrize("suffix", ["txt", "txt.gz", "csv", "npy"])
def test_files_of_puzzles_are_read_back_by_the_other_commands(run: Runner, suffix: str) -> None:
    name = f"out.{suffix}"
    assert run("generate", *SMALL, "--count", "50", "-o", name).code == 0
    assert not Path(f"{name}.part").exists()
    ran = run("count", "--size", "4", name, "-o", "counts.txt")
    assert ran.code == 0, ran.err
    assert Path("counts.txt").read_text(encoding="utf-8") == "1\n" * 50


def test_csv_holds_the_solutions_and_npy_the_givens(run: Runner) -> None:
    run("generate", *SMALL, "--count", "5", "-o", "out.csv")
    run("generate", *SMALL, "--count", "5", "-o", "out.npy")
    rows = np.load("out.npy")
    lines = Path("out.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert ["".join(map(str, row)) for row in rows.tolist()] == [line[:16] for line in lines]
    assert all("0" not in line[17:] for line in lines)


def test_jigsaws_come_with_their_maps(run: Runner) -> None:
    arguments = ("--variant", "jigsaw", "--size", "5", "--count", "3", "-o", "out.txt")
    assert run("generate", "--seed", "1", *arguments).code == 0
    ran = run("count", "--variant", "jigsaw", "out.txt")
    assert ran.out == "1\n" * 3


def test_a_walk_prints_a_puzzle_of_few_clues(run: Runner) -> None:
    ran = run("generate", "--size", "6", "--seed", "1", "--walk", "--clues", "9")
    assert ran.code == 0, ran.err
    [puzzle] = read_puzzles(ran.out)
    assert sum(map(bool, puzzle.board.givens)) == 9


def test_ctrl_c_leaves_what_was_made_under_its_other_name(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = Generation.__iter__

    def interrupted(self: Generation) -> object:
        yield from [next(iter(result(self)))]
        raise KeyboardInterrupt

    monkeypatch.setattr(Generation, "__iter__", interrupted)
    ran = run("generate", *SMALL, "--count", "100", "-o", "out.txt")
    assert ran.code == 130
    assert "out.txt.part" in ran.err
    assert "32 of 100 puzzles" in ran.err
    assert len(Path("out.txt.part").read_text(encoding="utf-8").splitlines()) == 32


def test_puzzles_with_rules_are_printed_as_a_puzzle_file_and_checked(run: Runner) -> None:
    ran = run("generate", "--family", "kenken", "--size", "4", "--seed", "1")
    assert ran.code == 0
    assert ran.err.startswith("1 puzzle in ")
    Path("kenken.toml").write_text(ran.out, encoding="utf-8")
    assert run("check", "kenken.toml").out == "proper: exactly 1 solution\n"


def test_rules_on_a_board_are_written_to_a_file_of_several_puzzles(run: Runner) -> None:
    arguments = ("--rules", "thermo,kropki", "--size", "6", "--seed", "1", "--count", "3")
    assert run("generate", *arguments, "-o", "made.toml").code == 0
    puzzles = [puzzle.board for puzzle in read("made.toml")]
    assert len(puzzles) == 3
    assert {rule.kind for board in puzzles for rule in board.layout.rules} >= {"thermo"}
    again = run("generate", *arguments, "-o", "made.toml")
    assert again.code == 2
    assert "made.toml exists" in again.err


def test_puzzles_with_rules_that_were_made_are_written_when_the_time_is_over(run: Runner) -> None:
    arguments = ("--family", "kenken", "--size", "4", "--count", "100000", "--time-limit", "1")
    ran = run("generate", *arguments, "-o", "made.json", "--seed", "1")
    assert ran.code == 1
    assert f"{len(read('made.json')):,} of 100,000 puzzles" in ran.err


def test_boards_for_experiments_are_a_puzzle_file_with_their_numbers(run: Runner) -> None:
    shares = ("--holes", "30%,0.5", "--size", "6", "--count", "2", "--seed", "7")
    ran = run("generate", "--family", "quasigroup", *shares, "-o", "boards.toml")
    assert (ran.code, ran.out) == (0, "")
    assert re.fullmatch(r"4 puzzles in \S+ s; seed 7\n", ran.err)
    puzzles = read("boards.toml")
    assert [puzzle.numbers["holes"] for puzzle in puzzles] == [11, 11, 18, 18]
    assert puzzles[0].name == "quasigroup 6, 11 holes, seed 7, attempt 0"
    compared = ("--backends", "norvig,sat", "--repeats", "1", "--output", "runs.jsonl")
    assert run("compare", "boards.toml", *compared).code == 0
    cases = [entry for entry in read_journal(Path("runs.jsonl")) if isinstance(entry, Case)]
    numbers = {case.name: case.numbers for case in cases}
    assert numbers == {puzzle.name: puzzle.numbers for puzzle in puzzles}


def test_the_number_of_solutions_is_proved_by_a_second_backend_unless_told_otherwise(
    run: Runner,
) -> None:
    arguments = ("--solutions", "1", "--count", "2", *SMALL)
    wrong = ("--cross-check-backend", "tests.helpers.wrong.answers:CountsTwo")
    assert "CountsTwo finds 2" in run.refused("generate", *arguments, *wrong)
    assert run("generate", *arguments, *wrong, "--no-cross-check").code == 0


def test_a_request_that_no_board_met_says_what_to_change(run: Runner) -> None:
    ran = run("generate", "--holes", "1", "--solutions", "2", *SMALL, "--time-limit", "0.3")
    assert (ran.code, ran.out) == (1, "")
    assert "with fewer solutions; seed 1" in ran.err
    assert "no board met the request; ask for another number of cells or solutions" in ran.err


TELLING = ("generate", "--discriminate", "norvig,native", "--seed", "1", "--size", "8")
HOLES = ("--family", "quasigroup", "--holes", "50%")


def test_a_board_that_tells_two_backends_apart_is_a_puzzle_file_with_both_figures(
    run: Runner,
) -> None:
    ran = run(*TELLING, *HOLES, "--budget", "12")
    assert ran.code == 0, ran.err
    [puzzle] = read(ran.out, format="toml")
    figures = re.fullmatch(
        r"norvig (\d+), native (\d+) failures: ratio .*, each plus 1; "
        r"12 of 12 boards measured; seed 1\n",
        ran.err,
    )
    assert figures is not None, ran.err
    first, second = map(int, figures.groups())
    assert puzzle.name == f"norvig {first}, native {second} failures"
    assert puzzle.numbers["ratio"] == pytest.approx((first + 1) / (second + 1))
    assert run(*TELLING, *HOLES, "--budget", "12").out == ran.out


def test_a_walk_that_is_interrupted_writes_the_best_board_so_far(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unidoku.generation.discriminate.exchanged", interrupted)
    ran = run(*TELLING, *HOLES, "--budget", "12", "-o", "best.toml")
    assert ran.code == 130
    assert "; 3 of 12 boards measured; seed 1\n" in ran.err
    assert len(read(Path("best.toml"))) == 1


def test_a_walk_that_the_time_limit_ends_has_no_full_answer(run: Runner) -> None:
    ran = run(*TELLING, *HOLES, "--budget", "1000000", "--time-limit", "1")
    assert ran.code == 1
    assert "of 1,000,000 boards measured" in ran.err
