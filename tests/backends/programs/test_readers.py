"""Programs that read boards: kept running, asked in lines, stopped in time, and never believed."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

import unidoku
from tests.helpers.boards import WIKIPEDIA
from tests.helpers.comparing import compared, records_of
from tests.helpers.engines import all_gone, marked
from tests.helpers.programs import needs
from unidoku import Board, Request, Solver, Status, Stop
from unidoku.backends.programs import session
from unidoku.comparison.record import Measure, Record
from unidoku.errors import (
    BackendError,
    BackendNotInstalledError,
    OptionError,
    SettingsError,
    UnsupportedError,
    WrongAnswerError,
)

ONE = Board.parse("1... ..2. .3.. ...4")
SOLUTION = "1243342143122134"

Declare: TypeAlias = Callable[..., Solver]


@pytest.fixture
def declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Declare:
    """Return a function that declares a program with the keys of its table, and loads it."""
    monkeypatch.chdir(tmp_path)

    def declared(command: str, **keys: str) -> Solver:
        lines = [f"{key} = {value}" for key, value in keys.items()]
        if "language" not in keys:
            lines.append('language = "line"')
        table = "\n".join(["[programs.mine]", f"command = {json.dumps(command)}", *lines])
        (tmp_path / "unidoku.toml").write_text(table)
        monkeypatch.setenv("UNIDOKU_SETTINGS", str(tmp_path / "unidoku.toml"))
        return unidoku.configured("mine")

    return declared


@pytest.fixture
def scripted(declare: Declare, tmp_path: Path) -> Declare:
    """Return a function that declares a program, by what it does with boards with an empty cell.

    It answers all other boards with themselves, and begins as ``first`` says.
    """

    def declared(words: str, *, first: str = "", **keys: str) -> Solver:
        path = tmp_path / "mine"
        case = f'case "$line" in *.*) {words};; *) echo "$line";; esac'
        path.write_text(f"#!/bin/sh\n{first}\nwhile read line; do {case}; done\n")
        path.chmod(0o755)
        return declare("./mine", **keys)

    return declared


# What a program of another language than Python does, at its pace


@needs("gcc")
def test_a_program_that_answers_grids_solves_boards(declare: Declare, sudoku: Path) -> None:
    solver = declare(str(sudoku))
    known = unidoku.solve(WIKIPEDIA)
    for _ in range(3):
        result = solver.solve(WIKIPEDIA)
        assert (result.stop, result.solutions) == (Stop.SOLUTIONS, known.solutions)
    assert solver.solve("55" + WIKIPEDIA[2:]).status is Status.UNSATISFIABLE
    assert pickle.loads(pickle.dumps(solver)).solve(WIKIPEDIA).solutions == known.solutions


@needs("gcc")
def test_a_grid_does_not_prove_that_it_is_the_only_one(declare: Declare, sudoku: Path) -> None:
    solver = declare(str(sudoku))
    with pytest.raises(UnsupportedError, match=r"finds at most 1 solution.*--solutions 1"):
        solver.solve(WIKIPEDIA, solutions=2)
    with pytest.raises(SettingsError, match="max_solutions: expected 1, because a grid is one"):
        declare(str(sudoku), max_solutions="2")


@needs("gcc")
@pytest.mark.parametrize(
    ("words", "answers", "grids"), [("count", "count", 0), ("both", "skip:count:grid", 1)]
)
def test_a_count_decides_how_many_there_are(
    words: str, answers: str, grids: int, declare: Declare, sudoku: Path
) -> None:
    solver = declare(f"{sudoku} {words} {{solutions}}", answers=repr(answers))
    result = solver.solve(WIKIPEDIA, solutions=2)
    assert (result.count, result.stop, len(result.solutions)) == (1, Stop.EXHAUSTED, grids)
    two = WIKIPEDIA.replace("5", ".").replace("3", ".")
    known = unidoku.solve(two, solutions=None, keep=0).count
    assert known > 2
    result = solver.solve(two, solutions=2)
    assert (result.count, result.stop, len(result.solutions)) == (2, Stop.SOLUTIONS, grids)
    result = solver.solve(two, solutions=None)
    assert (result.count, result.stop, len(result.solutions)) == (known, Stop.EXHAUSTED, grids)
    assert solver.solve("55" + WIKIPEDIA[2:], solutions=2).status is Status.UNSATISFIABLE


@needs("gcc")
def test_a_program_that_counts_up_to_a_number_is_asked_for_no_more(
    declare: Declare, sudoku: Path
) -> None:
    solver = declare(f"{sudoku} count 2", answers="'count'", max_solutions="2")
    result = solver.solve("." * 81, solutions=2)
    assert (result.count, result.stop) == (2, Stop.SOLUTIONS)
    with pytest.raises(UnsupportedError, match="finds at most 2 solutions, 3 are requested"):
        solver.solve(WIKIPEDIA, solutions=3)


@needs("gcc")
def test_a_program_may_run_on_a_file_for_each_board(declare: Declare, sudoku: Path) -> None:
    for form in ("text", "sdm"):
        solver = declare(f"{sudoku} file {{file}}", input=repr(form), sizes="[9]")
        assert solver.solve(WIKIPEDIA).solutions == unidoku.solve(WIKIPEDIA).solutions
        assert solver.solve("55" + WIKIPEDIA[2:]).status is Status.UNSATISFIABLE


@needs("gcc")
def test_a_comparison_checks_it_beside_others_with_its_start_apart_from_its_searches(
    declare: Declare, sudoku: Path
) -> None:
    label = declare(f"{sudoku} both {{solutions}}", answers="'skip:count:grid'")
    boards = [Board.parse(WIKIPEDIA), Board.parse("." + WIKIPEDIA[1:])]
    seen: list[Record] = []
    comparison = unidoku.compare(
        boards,
        ["native", label],
        repeats=2,
        engine="pool",
        watch=lambda _, record: seen.append(record),
    )
    assert not comparison.verdict().disagreements
    records = [record for record in seen if record.backend == "mine"]
    assert len(records) == 4
    assert all(record.outcome.value == "solved" for record in records)
    assert max(record.timing.loops for record in records) > 10
    assert any(record.timing.load_ns for record in records)
    assert comparison.results.environment["backends"]["mine"].startswith("sudoku unknown, sha256 ")


@pytest.mark.processes
@pytest.mark.parametrize("measure", ["first", "warm"])
def test_the_start_of_a_program_is_not_in_the_time_of_a_search(
    measure: Literal["first", "warm"], scripted: Declare, mark: str
) -> None:
    boards = ["11.. .... .... ....", "22.. .... .... ...."]
    # Nothing else holds the solver, whose process ends with it.
    solvers = [scripted("echo -", first="sleep 2")]
    seen = records_of(boards, solvers, measure=measure, solutions=1, time_limit=30)
    solvers.clear()
    assert [(record.outcome.value, record.measure) for record in seen] == [
        ("solved", Measure(measure))
    ] * 2
    assert max(record.timing.wall_ns for record in seen) < 2e9
    assert all_gone(mark)


def test_one_process_answers_all_searches_and_ends_with_its_solver(
    scripted: Declare, tmp_path: Path
) -> None:
    solver = scripted(f"echo $$ >> {tmp_path}/pids; echo {SOLUTION}")
    for _ in range(5):
        assert str(solver.solve(ONE)) == "1 solution found"
    (pid,) = {int(line) for line in (tmp_path / "pids").read_text().split()}
    os.kill(pid, 0)
    solver.backend.close()  # type: ignore[attr-defined]  # a backend need not have it
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert solver.solve(ONE).count == 1


@pytest.mark.processes
def test_a_solver_that_is_no_longer_used_leaves_no_process(scripted: Declare, mark: str) -> None:
    solver = scripted(f"echo {SOLUTION}")
    assert solver.solve(ONE).count == 1
    assert marked(mark)
    del solver
    assert all_gone(mark)


# What goes wrong


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("echo hello", "expected a line with a grid, or -, got 'hello'"),
        ("echo 1234", "its answer cannot be read: "),
        ('echo "$line"', "got '1.....2..3.....4': no value in A2"),
        ("echo help >&2; exit 3", "exited with code 3 without an answer to a line and said: help"),
        ("kill -SEGV $$", "was ended by SIGSEGV without an answer to a line"),
        ("exec >&-; sleep 600", "expected a line as an answer, got the end of its output"),
        ("yes | tr -d '\\n'", "got more than 1 MiB without the end of a line"),
        ("yes", "expected a line with a grid, or -, got 'y'"),
    ],
)
def test_an_invalid_answer_is_an_error_and_the_next_search_has_a_new_process(
    words: str, message: str, scripted: Declare, tmp_path: Path, mark: str
) -> None:
    fine = tmp_path / "fine"
    solver = scripted(f"if test -e {fine}; then echo {SOLUTION}; else {words}; fi")
    with pytest.raises(BackendError, match=message):
        solver.solve(ONE)
    fine.touch()
    assert solver.solve(ONE).count == 1
    solver.backend.close()  # type: ignore[attr-defined]  # a backend need not have it
    assert all_gone(mark)


def test_a_grid_that_is_no_solution_is_a_wrong_answer(scripted: Declare) -> None:
    solver = scripted(f"echo {SOLUTION.replace('1', '3')}")
    with pytest.raises(WrongAnswerError, match="is not among its candidates"):
        solver.solve(ONE)


def test_a_count_that_is_wrong_is_refuted_by_a_verified_solution(scripted: Declare) -> None:
    solver = scripted(f"case $line in 1*) echo 0;; *) echo {SOLUTION}; esac", answers="'count'")
    comparison = compared([ONE], [unidoku.load("native"), solver], relabel=False)
    (disagreement,) = comparison.verdict().disagreements
    assert (disagreement.backends, disagreement.kind) == (("mine", "native"), "unsatisfiable")


def test_more_lines_than_one_are_noticed(scripted: Declare) -> None:
    solver = scripted(f"echo '{SOLUTION}\nin 3 ms'")
    assert solver.solve(ONE).count == 1
    time.sleep(0.2)
    with pytest.raises(BackendError, match="expected one line for each board, got 'in 3 ms'"):
        solver.solve(ONE)


@pytest.mark.processes
def test_a_program_is_killed_at_the_time_limit_and_started_again(
    scripted: Declare, mark: str
) -> None:
    solver = scripted(f"case $line in 1*) sleep 600;; *) echo {SOLUTION}; esac")
    started = time.monotonic()
    result = solver.solve(ONE, time_limit=0.5)
    assert (result.count, result.stop) == (0, Stop.TIME)
    assert 0.4 < time.monotonic() - started < 60
    solved = solver.solve(Board.parse(f".{SOLUTION[1:]}"), time_limit=60)
    assert str(solved) == "1 solution found"
    solver.backend.close()  # type: ignore[attr-defined]  # a backend need not have it
    assert all_gone(mark)


def test_an_incomplete_program_proves_nothing_by_finding_nothing(scripted: Declare) -> None:
    solver = scripted("echo -", complete="false")
    assert solver.solve(ONE).stop is Stop.INCOMPLETE
    assert scripted("echo -").solve(ONE).stop is Stop.EXHAUSTED


@pytest.mark.processes
def test_a_program_that_keeps_its_output_in_a_buffer_is_told_what_to_do(
    declare: Declare, tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "START_SECONDS", 0.3)
    (tmp_path / "silent.py").write_text(
        "import sys\nout = open(1, 'w', buffering=65536)\n"
        "for line in sys.stdin: print(line, file=out)"
    )
    solver = declare(f"{sys.executable} silent.py")
    with pytest.raises(BackendError, match="must flush its output after each line"):
        solver.prepare(ONE.layout)
    with pytest.raises(BackendError, match="must flush its output after each line"):
        solver.solve(ONE, time_limit=0.1)
    assert all_gone(mark)


def test_a_program_that_prints_something_else_is_told_what(
    scripted: Declare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "SILENT_SECONDS", 0.3)
    solver = scripted("echo -", first="while read line; do echo none; done")
    with pytest.raises(BackendError, match=r"0\.3 s of another line, got 'none' and nothing of"):
        solver.prepare(ONE.layout)


def test_lines_before_the_first_answer_are_skipped(scripted: Declare) -> None:
    solver = scripted(f"echo {SOLUTION}", first="echo Solver 1.0; echo")
    for _ in range(2):
        assert solver.solve(ONE).count == 1


# What a table says


def test_a_board_that_it_cannot_read_is_refused(scripted: Declare) -> None:
    solver = scripted("echo -", sizes="[4]")
    with pytest.raises(UnsupportedError, match="takes boards of 4 values, the board has 2"):
        solver.solve(Board.parse("12 21", "latin"))
    with pytest.raises(UnsupportedError, match="reads text, which leaves out candidates of cells"):
        solver.solve(Board(ONE.layout, (7, *ONE.candidates[1:])))
    with pytest.raises(UnsupportedError, match="leaves out the layout x"):
        solver.solve(Board.parse("." * 16, "x"))
    assert solver.solve(ONE).status is Status.UNSATISFIABLE


def test_a_program_may_add_a_variant(scripted: Declare) -> None:
    solver = scripted("echo -", variant="'x'")
    assert solver.solve(Board.parse("." * 16, "x")).status is Status.UNSATISFIABLE
    with pytest.raises(UnsupportedError, match="takes boards of the variant x, the board is"):
        solver.solve(ONE)


def test_a_format_of_ours_has_what_a_line_of_symbols_lacks(
    declare: Declare, tmp_path: Path
) -> None:
    nonogram = unidoku.read("width 2\nheight 2\n\nrows\n2\n1\n\ncolumns\n1\n2\n")[0].board
    path = tmp_path / "mine"
    path.write_text('#!/bin/sh\ngrep -q "height 2" "$1" && printf "11\\n01\\n"\n')
    path.chmod(0o755)
    solver = declare("./mine {file}", input="'non'")
    assert solver.solve(nonogram).solutions == unidoku.solve(nonogram).solutions
    with pytest.raises(UnsupportedError, match=r"reads non: "):
        solver.solve(ONE)
    solver = declare("./mine", input="'non'")
    with pytest.raises(
        UnsupportedError, match=r"has several for a board; its command needs \{file\}"
    ):
        solver.solve(nonogram)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"answers": "'grids'"}, "answers: expected 'grid', 'count', or both"),
        ({"answers": "'skip'"}, "answers: expected 'grid', 'count', or both"),
        ({"answers": "'grid grid'"}, "answers: expected 'grid', 'count', or both"),
        ({"input": "'nonn'"}, "expected a format, got 'nonn'; did you mean 'non'"),
        ({"input": "'neutral'"}, "expected a format that is written, got 'neutral'"),
        ({"variant": "'y'"}, "'y'"),
        ({"sizes": "9"}, "sizes: expected a list of whole numbers"),
        ({"complete": "1"}, "complete: expected true or false, got 1"),
        ({"size": "9"}, "unknown key 'size'; did you mean 'sizes'"),
        ({"language": "'dimacs'", "answers": "'grid'"}, "answers: expected no such key with"),
        ({"language": "'lin'"}, "expected a language, got 'lin'; did you mean 'line'"),
    ],
)
def test_a_key_that_is_not_valid_is_named(
    keys: dict[str, str], message: str, declare: Declare
) -> None:
    with pytest.raises(SettingsError, match=message):
        declare("./mine", **keys)


def test_a_command_is_checked_and_has_no_options(declare: Declare, scripted: Declare) -> None:
    with pytest.raises(SettingsError, match="expected a program, got ''"):
        declare("")
    with pytest.raises(SettingsError, match=r"unknown placeholder '\{solution\}'; did you mean"):
        declare("./mine {solution}")
    with pytest.raises(BackendNotInstalledError, match="there is no file"):
        declare("./mine")
    scripted("echo -")
    assert unidoku.configured("mine").spec.options() == ()
    with pytest.raises(OptionError, match="mine has no option 'command'"):
        unidoku.configured("mine", command="./other")
    with pytest.raises(UnsupportedError, match="cannot honour seed=3"):
        unidoku.configured("mine").solve(ONE, seed=3)
    parameters = unidoku.configured("mine").parameters(Request(solutions=2))
    assert parameters == {"language": "line", "command": "./mine", "complete": True}


# Lines of JSON

JSON_PROGRAM = """
import json, sys
import unidoku
print("loading", flush=True)
print(json.dumps({"ready": "Other 1.0"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if isinstance(asked["puzzle"], str):
        board = unidoku.read(asked["puzzle"])[0].board
    else:
        board = unidoku.read(json.dumps(asked["puzzle"]))[0].board
    found = unidoku.solve(board, solutions=asked["solutions"], backend="norvig")
    told = {"count": found.count, "decided": True, "build": [0.5], "search": [0.25], "nodes": 7}
    told["grids"] = [list(grid) for grid in found.solutions]
    told |= json.loads(sys.argv[1])
    print(json.dumps({name: value for name, value in told.items() if value != "none"}), flush=True)
"""

KILLER = """
version = 1
size = 4
[[rules]]
kind = "killer"
cage = "A1 A2 A3"
total = 6
"""


@pytest.fixture
def answering(declare: Declare, tmp_path: Path) -> Declare:
    """Return a function that declares a program of language json, with changes to its answers."""
    (tmp_path / "other.py").write_text(JSON_PROGRAM)

    def declared(changes: str = '{"nodes": 7}', **keys: str) -> Solver:
        return declare(
            f"{sys.executable} other.py {shlex.quote(changes)}", language="'json'", **keys
        )

    return declared


@pytest.mark.parametrize("form", ["json", "toml", "iss"])
def test_a_program_may_read_rules_in_a_line_of_json(form: str, answering: Declare) -> None:
    board = unidoku.read(KILLER)[0].board
    solver = answering(input=repr(form))
    known = unidoku.solve(board, solutions=None)
    result = solver.solve(board, solutions=None)
    assert (result.count, result.stop, result.solutions) == (
        known.count,
        Stop.EXHAUSTED,
        known.solutions,
    )
    assert result.statistics["nodes"] == 7
    assert (result.statistics["init_time"], result.statistics["solve_time"]) == (0.5, 0.25)
    two = solver.solve(board, solutions=2, keep=1)
    assert (two.count, two.stop, len(two.solutions)) == (2, Stop.SOLUTIONS, 1)


def test_an_answer_in_json_may_be_a_count_alone(answering: Declare) -> None:
    without = '{"grids": "none", "build": "none"}'
    result = answering(without, answers="'count'").solve(ONE, solutions=2)
    assert (result.count, result.stop, result.solutions) == (1, Stop.EXHAUSTED, ())
    with pytest.raises(WrongAnswerError, match="reported 1 solutions and returned 0 grids"):
        answering(without).solve(ONE, solutions=2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ('{"count": "1"}', "field 'count': expected a whole number from 0"),
        ('{"counts": 1}', "unknown field 'counts'; did you mean 'count'"),
        ('{"decided": "none"}', "field 'decided': expected true or false, got nothing"),
        ('{"decided": false}', "did not decide the board, without a time limit"),
        ('{"grids": [3]}', "expected a grid as a text or a list of whole numbers, got 3"),
    ],
)
def test_an_invalid_answer_in_json_is_named(changes: str, message: str, answering: Declare) -> None:
    with pytest.raises(BackendError, match=message):
        answering(changes).solve(ONE, solutions=2)


def test_a_program_may_refuse_a_board_or_reach_its_time_limit(answering: Declare) -> None:
    refusing = answering('{"refused": "no givens", "count": 0}')
    with pytest.raises(UnsupportedError, match="mine refuses the board: no givens"):
        refusing.solve(ONE, solutions=2)
    late = answering('{"decided": false}')
    assert late.solve(ONE, solutions=2, time_limit=60).stop is Stop.TIME


def test_a_table_of_language_json_has_a_command_without_a_file(declare: Declare) -> None:
    with pytest.raises(SettingsError, match=r"json: expected a command without \{file\}"):
        declare("./mine {file}", language="'json'")
    with pytest.raises(SettingsError, match="answers = 'grid' or 'count'"):
        declare("./mine", language="'json'", answers="'skip:count'")


def test_a_program_that_is_kept_goes_on_between_the_runs_of_a_comparison(
    scripted: Declare, tmp_path: Path, mark: str
) -> None:
    label = scripted("echo -", first=f"echo start >> {tmp_path}/starts")
    boards = [f"{value}{value}.. .... .... ...." for value in (1, 2, 3, 4)]
    asked: Any = {"solutions": 1, "measure": "warm", "time_limit": 30.0, "engine": "pool"}
    seen = records_of(boards, [label], **asked)
    assert len(seen) == len(boards)
    assert not any("which were ended" in why for item in seen for why in item.usage.disturbed)
    assert (tmp_path / "starts").read_text().count("start") < len(boards)
    assert all_gone(mark)
