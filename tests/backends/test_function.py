"""Functions as backends: what they get, what they may return, what is said of anything else."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.helpers.python_process import run_python
from unidoku import Board, Request, Stop
from unidoku.backends import find
from unidoku.backends.function import FunctionBackend
from unidoku.errors import (
    BackendError,
    LayoutError,
    OptionError,
    UnknownBackendError,
    UnsupportedError,
    WrongAnswerError,
)
from unidoku.testing.conformance import conformance

PUZZLE = "1... ..2. .3.. ...4"
SOLUTION = "1243342143122134"
ROWS = [[1, 2, 4, 3], [3, 4, 2, 1], [4, 3, 1, 2], [2, 1, 3, 4]]
CODE = f"""
from collections.abc import Iterator
import numpy as np
from unidoku import Board

SEEN = []
SOLUTION, ROWS = {SOLUTION!r}, {ROWS!r}

def plain(puzzle): SEEN.append(puzzle); return SOLUTION
def annotated(rows: list[list[int]]): SEEN.append(rows); return ROWS
def of_text(puzzle: str) -> str: SEEN.append(puzzle); return SOLUTION
def of_board(puzzle: Board) -> str: SEEN.append(puzzle); return SOLUTION
def of_unknown(puzzle: "NoSuchName"): SEEN.append(puzzle); return SOLUTION
def in_place(rows: list) -> bool: rows[:] = ROWS; return True
def framed(puzzle): return "1 2 | 4 3\\n3 4 | 2 1\\n----+----\\n4 3 | 1 2\\n2 1 | 3 4"
def tuples(puzzle): return tuple(map(tuple, ROWS))
def flat(puzzle): return sum(ROWS, [])
def array(puzzle): return np.array(ROWS)
def flat_array(puzzle): return np.array(ROWS, np.uint8).reshape(-1)
def none(puzzle): return None
def false(puzzle): return False
def two(puzzle):
    yield SOLUTION
    yield [ROWS[1], ROWS[0], *ROWS[2:]]
def iterates(puzzle) -> Iterator[str]: return iter([SOLUTION])
def empty_iterator(puzzle): return; yield
def short(puzzle): return SOLUTION[:-1]
def number(puzzle): return 7
def true(puzzle): return True
def arrays(puzzle): return [np.array(ROWS)] * 2
def unsolved(puzzle): return puzzle
def letters(puzzle): return "abcd" * 4
def lie(puzzle): return "1" * 16
def binary(puzzle): return SOLUTION.encode()
def superscript(puzzle): return "\\u00b2" * 16
def strings(puzzle): return ["1243", "3421", "4312", "2134"]
def ragged(puzzle): return ["1243", "342", "14312", "2134"]
NOT_CALLABLE = 3
class Holder:
    @staticmethod
    def solve(puzzle): return SOLUTION
class Backend:
    def search(self, board, request):
        from unidoku import load
        return load("norvig").search(board, request)
def honest(puzzle: Board):
    from unidoku import load
    return load("norvig").solve(puzzle).board
def inner():
    def solve(puzzle): return SOLUTION
    return solve
"""


@pytest.fixture(scope="module", autouse=True)
def own_functions(tmp_path_factory: pytest.TempPathFactory) -> object:
    """A module of functions, in the current folder."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own_functions.py").write_text(CODE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(folder)
        importlib.import_module("own_functions")
        yield
        sys.modules.pop("own_functions", None)


def solver(name: str) -> unidoku.Solver:
    return unidoku.load(f"function:own_functions:{name}")


def seen() -> object:
    return sys.modules["own_functions"].SEEN.pop()


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("plain", "1.....2..3.....4"),
        ("of_text", "1.....2..3.....4"),
        ("of_unknown", "1.....2..3.....4"),
        ("plain[empty=0]", "1000002003000004"),
        ("annotated", [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]),
        ("plain[board=rows]", [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]),
        ("annotated[board=text]", "1.....2..3.....4"),
        ("of_board", Board.parse(PUZZLE)),
    ],
)
def test_a_function_gets_the_board_as_its_parameter_says(name: str, got: object) -> None:
    result = solver(name).solve(PUZZLE)
    assert result.solutions == (tuple(map(int, SOLUTION)),)
    assert (result.count, result.stop) == (1, Stop.SOLUTIONS)
    assert seen() == got


@pytest.mark.parametrize(
    "name",
    ["in_place", "framed", "tuples", "flat", "strings", "array", "flat_array", "Holder.solve"],
)
def test_a_solution_may_be_text_rows_or_an_array(name: str) -> None:
    (grid,) = solver(name).solve(PUZZLE).solutions
    assert grid == tuple(map(int, SOLUTION))
    assert {type(value) for value in grid} == {int}


@pytest.mark.parametrize("name", ["none", "false", "empty_iterator"])
def test_none_says_that_there_is_no_solution(name: str) -> None:
    result = solver(name).solve("11.. .... .... ....")
    assert (result.count, result.stop) == (0, Stop.EXHAUSTED)


def test_a_function_that_yields_is_asked_for_several() -> None:
    board = "." * 16
    for asked, count, stop in ((1, 1, Stop.SOLUTIONS), (2, 2, Stop.SOLUTIONS)):
        result = solver("two").solve(board, solutions=asked)
        assert (result.count, len(result.solutions), result.stop) == (count, count, stop)
    result = solver("two").solve(board, solutions=3, keep=1)
    assert (result.count, len(result.solutions), result.stop) == (2, 1, Stop.EXHAUSTED)


def test_a_function_that_returns_an_iterator_may_say_so() -> None:
    result = solver("iterates").solve(PUZZLE, solutions=None)
    assert (result.count, result.stop) == (1, Stop.EXHAUSTED)


@pytest.mark.parametrize(("asked", "message"), [(2, "2 are"), (None, "all are")])
def test_a_function_that_returns_one_is_asked_for_no_more(asked: int | None, message: str) -> None:
    assert find("function:own_functions:plain").capabilities.max_solutions == 1
    reason = rf"finds at most 1 solution, {message} requested; .* for 1: --solutions 1\. "
    with pytest.raises(UnsupportedError, match=reason):
        solver("plain").solve(PUZZLE, solutions=asked)


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("short", "'124334214312213'"),
        ("number", "7"),
        ("true", "True"),
        ("unsolved", "'1.....2..3.....4': some cells have no value"),
        ("letters", "'abcdabcdabcdabcd'"),
        ("binary", "b'1243342143122134'"),
        ("superscript", "'²²²²²²²²²²²²²²²²'"),
        ("ragged", r"\['1243', '342', '14312', '2134'\]"),
        ("arrays", r"\[array\(\[\[1, 2, 4, 3\], .*\]: expected 4 rows, got 2$"),
    ],
)
def test_what_is_no_grid_is_shown_in_one_message(name: str, got: str) -> None:
    message = f"^function:own_functions:{name}: expected a solution of 16 values as text or rows"
    with pytest.raises(BackendError, match=f"{message}, or None for no solution, got {got}"):
        solver(name).solve(PUZZLE)


def test_a_grid_that_is_no_solution_is_a_wrong_answer() -> None:
    with pytest.raises(WrongAnswerError, match="1 is not among its candidates"):
        solver("lie").solve(PUZZLE)


def test_boards_that_a_text_cannot_say_are_refused() -> None:
    x = Board.parse("." * 16, "x")
    marked = Board.from_candidates(Board.parse(PUZZLE).layout, [{1, 2}] * 16)
    with pytest.raises(UnsupportedError, match=r"solves classic boards only .* got x, n = 4"):
        solver("plain").solve(x)
    with pytest.raises(UnsupportedError, match="as text: no pencil marks"):
        solver("plain").solve(marked)
    with pytest.raises(WrongAnswerError):  # asked, as its option says
        solver("plain[variant=x]").solve(x)
    with pytest.raises(WrongAnswerError):  # a Board says what it is
        solver("of_board").solve(x)


@pytest.mark.parametrize(
    ("label", "error", "message"),
    [
        ("own_functions:plain", UnknownBackendError,
         "expected a class, got the function 'own_functions:plain': "
            "type function:own_functions:plain; "
         "see docs/own-backend.md"),
        ("function:own_functions:plan", UnknownBackendError, "did you mean 'plain'"),
        ("function:own_functions:NOT_CALLABLE", UnknownBackendError, "expected a function"),
        ("function:no_such_module:solve", UnknownBackendError, "No module named"),
        ("function:own_functions", UnknownBackendError, "expected"),
        ("function:", UnknownBackendError, "expected"),
        ("function:own_functions:plain[board=row]", OptionError, r"rows \| board, got 'row'"),
        ("function:own_functions:plain[bord=rows]", OptionError, "did you mean 'board'"),
        ("function:own_functions:plain[empty=xx]", OptionError, "expected one character, got 'xx'"),
        ("function:own_functions:plain[variant=zz]", LayoutError, "zz"),
    ],
)  # fmt: skip
def test_a_label_that_names_no_function_says_what_to_type(
    label: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        unidoku.load(label)


def test_the_options_of_a_function_are_declared() -> None:
    spec = find("function:own_functions:plain")
    assert [option.name for option in spec.options()] == ["board", "empty", "variant"]
    table = {option.name: option.default for option in spec.options()}
    assert isinstance(spec.create(table), FunctionBackend)
    assert spec.record()["options"][0]["choices"] == ["text", "rows", "board"]


def test_a_function_or_class_that_can_be_imported_stands_for_its_label() -> None:
    module = sys.modules["own_functions"]
    for backend, label in (
        (module.plain, "function:own_functions:plain"),
        (module.Holder.solve, "function:own_functions:Holder.solve"),
        (module.Backend, "own_functions:Backend"),
    ):
        assert unidoku.load(backend).label == label
        assert unidoku.solve(PUZZLE, backend=backend).text("line") == SOLUTION
    comparison = unidoku.compare([PUZZLE], [module.Backend, "norvig"], repeats=1, solutions=1)
    assert comparison.verdict().disagreements == ()
    assert str(comparison).count("own_functions:Backend") == 1
    report = unidoku.fuzz([module.Backend], boards=1, workers=1)
    assert (report.state.backends, report.findings) == (["own_functions:Backend"], ())


def test_what_is_no_backend_is_refused_as_one() -> None:
    wrong: Any = 3
    message = "expected a backend as a label or a Solver, got 3; .* such as 'module:Class' or "
    for call in (
        lambda: unidoku.load(wrong),
        lambda: unidoku.solve(PUZZLE, backend=wrong),
        lambda: unidoku.compare([PUZZLE], [wrong]),
        lambda: unidoku.fuzz([wrong], boards=1),
    ):
        with pytest.raises(OptionError, match=message):
            call()
    with pytest.raises(OptionError, match=r"such as 'own_functions:Backend'$"):
        unidoku.fuzz([sys.modules["own_functions"].Backend()], boards=1)  # its workers import it


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("inner()", "function:own_functions:inner.<locals>.solve"),
        ("Backend()", "own_functions:Backend"),
        ("(lambda puzzle: SOLUTION)", "function:own_functions:<lambda>"),
        ("Holder().solve", "function:own_functions:Holder.solve"),
    ],
)
def test_functions_and_objects_without_a_label_are_backends_as_they_are(
    name: str, label: str
) -> None:
    backend = eval(name, vars(sys.modules["own_functions"]))
    assert unidoku.load(backend).label == label
    assert unidoku.solve(PUZZLE, backend=backend).text("line") == SOLUTION
    if name != "Holder().solve":
        backends = {"mine": backend, "theirs": "norvig"}
        with pytest.warns(UserWarning, match="no other process can import this"):
            comparison = unidoku.compare(
                [PUZZLE], backends, repeats=1, solutions=1, relabel=False, sample_ms=0
            )
        assert comparison.verdict().disagreements == ()
        assert comparison.results.backends == ["mine", "theirs"]
        assert f"mine is {label}" in str(comparison)


def test_options_of_a_function_are_those_of_its_backend() -> None:
    def rows(board: object) -> object:
        return ROWS if board == [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]] else None

    assert unidoku.solve(PUZZLE, backend=rows, board="rows").count == 1
    with pytest.raises(OptionError, match="give 'board' to its class"):
        unidoku.solve(PUZZLE, backend=sys.modules["own_functions"].Backend(), board="rows")


def test_a_function_of_the_program_is_measured_in_its_process(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import unidoku\n"
        f"def solve(puzzle): return {SOLUTION!r}\n"
        f"print(unidoku.solve({PUZZLE!r}, backend=solve).text('line'))\n"
        f"found = unidoku.compare([{PUZZLE!r}], [solve], repeats=1, solutions=1, "
        "relabel=False, sample_ms=0)\n"
        "print(found.results.column('count').tolist())\n"
        f"unidoku.compare([{PUZZLE!r}], [solve], repeats=1, solutions=1, engine='spawn')\n"
    )
    ran = run(tmp_path, "program.py")
    assert ran.stdout == f"{SOLUTION}\n[1]\n", ran.stderr
    assert "no other process can import this" in ran.stderr


def test_a_module_of_the_working_folder_comes_before_installed_ones(tmp_path: Path) -> None:
    work = tmp_path / "work"
    for folder, answer in ((tmp_path / "bin", "None"), (work, repr(SOLUTION))):
        folder.mkdir()
        (folder / "models.py").write_text(f"def solve(puzzle): return {answer}\n")
        (folder / "click.py").write_text("raise ImportError('not this one')\n")
    (work / "random.py").write_text("raise ImportError('nor this one')\n")
    (work / "mine.py").write_text("import random\nfrom models import solve\nrandom.random()\n")
    script = tmp_path / "bin" / "unidoku"
    script.write_text("import sys; from unidoku.cli import main; sys.exit(main())\n")
    for label in ("models", "mine"):
        ran = run(work, str(script), "solve", PUZZLE, "--backend", f"function:{label}:solve")
        assert "1 solution found" in ran.stdout + ran.stderr
    ran = run(work, str(script), "solve", PUZZLE, "--backend", "models:Z3")
    assert ran.returncode == 2
    assert f"which is not in '{work / 'models.py'}'; known: solve" in ran.stderr
    ran = run(work, str(script), "solve", PUZZLE, "--backend", "random:Z3")
    assert ran.returncode == 2
    assert "which is one of Python's standard library; rename it in" in ran.stderr


def test_the_folder_of_the_script_is_not_searched(tmp_path: Path) -> None:
    (tmp_path / "models.py").write_text("raise ImportError('a program of a package')\n")
    script = tmp_path / "unidoku"
    script.write_text("import sys; from unidoku.cli import main; sys.exit(main())\n")
    (tmp_path / "work").mkdir()
    ran = run(tmp_path / "work", str(script), "solve", PUZZLE, "--backend", "models:Solver")
    assert ran.returncode == 2
    assert "No module named 'models'" in ran.stderr


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return run_python(*command, cwd=folder)


def test_conformance_skips_what_a_function_with_one_solution_does_not_claim() -> None:
    skipped = conformance(solver("honest"))
    assert "finds at most 1 solution" in skipped["keeps_the_givens"]
    assert "finds at most 1 solution" in skipped["survives_pickling"]


def test_compare_says_what_to_type_when_a_function_is_asked_for_two(tmp_path: Path) -> None:
    backends = ["norvig", "function:own_functions:plain"]
    refused = unidoku.compare([PUZZLE], backends, repeats=1)
    assert "unsupported: function:own_functions:plain on" in str(refused)
    assert "2 are requested; solve and compare can ask for 1: --solutions 1" in str(refused)
    answered = unidoku.compare([PUZZLE], backends, repeats=1, solutions=1)
    assert "unsupported" not in str(answered)


def test_the_function_of_another_process_is_the_same(tmp_path: Path) -> None:
    spec = find("function:own_functions:plain")
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    backend = again.create({"board": "rows"})
    assert isinstance(backend, FunctionBackend)
    assert backend.search(Board.parse(PUZZLE), Request()).count == 1


def test_a_function_without_annotations_of_its_own_gets_a_text() -> None:
    backend = FunctionBackend("function:builtins:len", len)
    with pytest.raises(BackendError, match="got 16: "):
        backend.search(Board.parse(PUZZLE), Request())
