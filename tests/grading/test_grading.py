"""Grading: a class of ten made-up students, each of which gets what it deserves."""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import pytest

from tests.helpers.boards import WIKIPEDIA
from unidoku import Board, Request
from unidoku.backends.failure import summarize_exception
from unidoku.cli import main
from unidoku.cli.codes import ERROR, INTERRUPTED
from unidoku.errors import InputError
from unidoku.grading import Assignment, Grade, Grades, Status, grade, read_assignment
from unidoku.grading.pages import page_names, teacher_page, write_pages
from unidoku.grading.student import StudentBackend

SMALL = ("1... ..2. .3.. ...4", "12.. .... .... 21..")
HONEST = (
    "import unidoku\ndef right(puzzle): return unidoku.solve(puzzle, backend='norvig').text()\n"
)
STUDENTS = {
    "anna": f"{HONEST}solve = right\n",
    "ben": "from unidoku import Board, load\n"
    "class solve:\n"
    "    def search(self, board, request): return load('norvig').search(board, request)\n",
    "liar": "def solve(puzzle): return None\n",
    "hang": "import time\ndef solve(puzzle):\n    while True: time.sleep(0.1)\n",
    "crash": "import os\ndef solve(puzzle): os.abort()\n",
    "syntax": "def solve(puzzle: return puzzle\n",
    "noise": f"{HONEST}import sys\ndef solve(puzzle):\n"
    "    print('searching', puzzle * 1000)\n    print('...' * 1000, file=sys.stderr)\n"
    "    return right(puzzle)\n",
    "slow": f"{HONEST}import time\ndef solve(puzzle):\n"
    "    if len(puzzle) > 20: time.sleep(60)\n    return right(puzzle)\n",
    "small": f"{HONEST}def solve(puzzle):\n"
    "    return right(puzzle) if len(puzzle) < 20 else '123456789' * 9\n",
    "copycat": "def solve(puzzle): return puzzle\n",
}
DESERVED = {
    "anna": (6, "correct correct correct"),
    "ben": (6, "correct correct correct"),
    "copycat": (0, "wrong wrong wrong"),
    "crash": (0, "crashed crashed crashed"),
    "hang": (1, "late late late"),
    "liar": (0, "wrong wrong wrong"),
    "noise": (6, "correct correct correct"),
    "slow": (2.5, "correct correct late"),
    "small": (2, "correct correct wrong"),
    "syntax": (0, "not importable not importable not importable"),
}
ASSIGNMENT = f"""title = "Backtracking & more"
boards = {list(SMALL)}
time_limit = 3
[[board]]
boards = "large.txt"
points = 2
[points]
late = 0.25
all_correct = 2
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    (folder / "students").mkdir()
    for name, code in STUDENTS.items():
        (folder / "students" / f"{name}.py").write_text(code)
    (folder / "students" / "notes.txt").write_text("no student")
    (folder / "large.txt").write_text(f"{WIKIPEDIA}\n")
    (folder / "it.toml").write_text(ASSIGNMENT)
    return folder


@pytest.fixture(scope="module")
def grades(folder: Path) -> Grades:
    return grade(folder / "students", read_assignment(folder / "it.toml"))


@pytest.mark.timeout(300)
def test_each_of_ten_students_gets_what_it_deserves(grades: Grades) -> None:
    points = {
        each.student: (each.points, " ".join(answer.status for answer in each.answers))
        for each in grades.grades
    }
    assert points == DESERVED
    assert grades.missing == ()
    assert grades.assignment.most == 6


def by_name(grades: Grades) -> dict[str, Grade]:
    return {each.student: each for each in grades.grades}


def test_a_wrong_solver_is_refuted_by_the_smallest_board_that_is_as_proper(grades: Grades) -> None:
    students = by_name(grades)
    assert {name for name, each in students.items() if each.refutation} == {
        *("liar", "small", "copycat")
    }
    for name, n, most in (("liar", 4, 4), ("copycat", 4, 4), ("small", 9, 29)):
        refutation = students[name].refutation
        assert refutation is not None
        assert refutation.board.layout.n == n
        assert sum(map(bool, refutation.board.givens)) <= most
        assert refutation.reason
    liar, copycat = students["liar"].refutation, students["copycat"].refutation
    assert liar is not None
    assert copycat is not None
    assert liar.reason == "found no solution, there is 1 solution"
    assert "some cells have no value" in copycat.reason


def test_reasons_say_what_happened(grades: Grades) -> None:
    students = by_name(grades)
    assert students["syntax"].words.startswith("SyntaxError")
    assert "its process was ended by SIGABRT" in students["crash"].words
    assert "did not stop at its limit of 3 s" in students["hang"].words
    assert students["anna"].words == ""
    assert students["small"].words == f"A1: 1 is not among its candidates, in {'123456789' * 9}"
    names = [answer.board.case.name for answer in students["anna"].answers]
    assert names == ["board 1", "board 2", "large:1"]


def test_pages_and_tables_have_all_grades(grades: Grades, tmp_path: Path) -> None:
    write_pages(grades, tmp_path)
    with (tmp_path / "grades.csv").open(newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["slow"]["points"] == "2.5"
    assert rows["small"]["wrong"] == "1"
    with (tmp_path / "answers.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 30
    index = (tmp_path / "index.html").read_text()
    assert "Backtracking &amp; more" in index
    for name in STUDENTS:
        assert f'href="{name}.html"' in index
        page = (tmp_path / f"{name}.html").read_text()
        others = [other for other in ("copycat", "syntax", "liar") if other != name]
        assert not any(other in page for other in others)
    assert "<svg" in (tmp_path / "liar.html").read_text()


def assignment(folder: Path, text: str) -> Assignment:
    path = folder / "assignment.toml"
    path.write_text(text)
    return read_assignment(path)


def test_a_puzzle_file_gives_a_point_a_board(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("\n".join([*SMALL, ""]))
    assignment = read_assignment(tmp_path / "boards.txt")
    assert (assignment.title, assignment.most, assignment.solutions) == ("boards", 2, 1)


@pytest.mark.skipif(os.name == "nt", reason="programs are marked by their mode")
def test_folders_and_programs_are_graded(tmp_path: Path) -> None:
    students = tmp_path / "students"
    (students / "carl").mkdir(parents=True)
    (students / "carl" / "helper.py").write_text(HONEST)
    (students / "carl" / "solve.py").write_text("from helper import right as solve\n")
    (students / "dora").mkdir()
    (students / "dora" / "main.py").write_text("import no_such_module\n")
    (students / "empty").mkdir()
    program = students / "emil"
    program.write_text(
        f"#!{sys.executable}\nimport sys, unidoku\n"
        "for line in sys.stdin:\n"
        "    print(unidoku.solve(line, backend='norvig').text('line'), flush=True)\n"
    )
    program.chmod(0o755)
    grades = grade(students, assignment(tmp_path, f"boards = {list(SMALL)}\ntime_limit = 20"))
    points = {each.student: each.points for each in grades.grades}
    assert points == {"carl": 2, "dora": 0, "emil": 2}
    assert "No module named 'no_such_module'" in by_name(grades)["dora"].words


def test_what_a_solver_does_not_take_has_no_answer(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "one.py").write_text(f"{HONEST}solve = right\n")
    (tmp_path / "s" / "all.py").write_text(
        "import unidoku\nfrom unidoku import Board\ndef solve(board: Board):\n"
        "    for grid in unidoku.solve(board, solutions=None).solutions: yield grid\n"
    )
    (tmp_path / "s" / "broken.py").write_text("import sys\nsys.exit('usage: broken')\n")
    grades = by_name(
        grade(tmp_path / "s", assignment(tmp_path, f"boards = {[*SMALL]}\nsolutions=2"))
    )
    assert grades["one"].answers[0].status is Status.NO_ANSWER
    assert "at most 1 solution" in grades["one"].words
    assert grades["all"].points == 2
    assert grades["broken"].answers[0].status is Status.NOT_IMPORTABLE


def test_the_words_for_programs_and_exits_need_no_knowledge_of_backends(tmp_path: Path) -> None:
    students = tmp_path / "students"
    students.mkdir()
    (students / "exits.py").write_text("import sys\ndef solve(puzzle):\n    sys.exit(3)\n")
    (students / "paints.py").write_text(r"def solve(puzzle): raise ValueError('\x1b[2Jred')")
    loops = "#!/bin/sh\nwhile read -r line; do echo"
    for name, code in {
        "chatters": f"{loops} hello; done\n",
        "denies": f"{loops} -; done\n",
        "ends": "#!/bin/sh\nexit 1\n",
        "sleeps": "#!/bin/sh\nexec sleep 60\n",
    }.items():
        (students / name).write_text(code)
        (students / name).chmod(0o755)
    board = "1... ..2. .3.. ...4"
    grades = grade(students, assignment(tmp_path, f"boards = [{board!r}]\ntime_limit = 0.5"))
    assert {each.student: (each.answers[0].status, each.words) for each in grades.grades} == {
        "chatters": (
            Status.CRASHED,
            "its answer cannot be read: expected a line with a grid, or -, got 'hello': "
            "line 1: expected the 16 cells of classic, got 5 symbols",
        ),
        "denies": (Status.WRONG, "found no solution, there is 1 solution"),
        "ends": (
            Status.CRASHED,
            "ends exited with code 1 without an answer to a line and said nothing",
        ),
        "exits": (Status.CRASHED, "SystemExit: 3 (exits.py, line 3)"),
        "paints": (Status.CRASHED, "ValueError: ?[2Jred (paints.py, line 1)"),
        "sleeps": (Status.LATE, "no answer within 0.5 s, its start included"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boards = []", "expected files or texts of boards, got none"),
        ("bords = ['1...']", "did you mean 'boards'"),
        ("boards = ['none.txt']", "nothing matches"),
        ("boards = ['12x']", "expected"),
        ("boards = ['1...............']\ntime_limit = 0", "time_limit: expected"),
        ("boards = ['1...............']\n[points]\nright = 1", "unknown key 'right'"),
        ("boards = ['1...............']\n[points]\nlate = 'x'", "late: expected"),
        ("[[board]]\npoints = 2", "expected the key 'boards'"),
        ("boards = 3", "boards: expected"),
        ("variant = 'nothing'\nboards = ['1...............']", "nothing"),
        ("boards = [", "is not TOML"),
    ],
)
def test_an_assignment_that_is_not_understood_is_one_error(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "a.py").write_text("def solve(puzzle): return None\n")
    (tmp_path / "it.toml").write_text(text)
    code = main(["grade", str(tmp_path / "s"), "--assignment", str(tmp_path / "it.toml")])
    error = capsys.readouterr().err
    assert code == ERROR
    assert error.count("\n") == 1
    assert message in error


def test_a_folder_without_submissions_is_an_error(tmp_path: Path) -> None:
    wanted = assignment(tmp_path, f"boards = {[*SMALL]}")
    (tmp_path / "s").mkdir()
    with pytest.raises(InputError, match="expected a module"):
        grade(tmp_path / "s", wanted)
    with pytest.raises(InputError, match="expected a folder"):
        grade(tmp_path / "t", wanted)
    (tmp_path / "s" / "a.py").write_text("")
    (tmp_path / "s" / "a").mkdir()
    (tmp_path / "s" / "a" / "a.py").write_text("")
    with pytest.raises(InputError, match="several of 'a'"):
        grade(tmp_path / "s", wanted)
    with pytest.raises(InputError, match="cannot be read"):
        read_assignment(tmp_path / "none.toml")


def test_ctrl_c_keeps_the_grades_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s").mkdir()
    for name in ("a", "b", "index"):
        (tmp_path / "s" / f"{name}.py").write_text("def solve(puzzle): return None\n")

    def graded(folder: Path, wanted: Assignment, **_: object) -> Grades:
        def watch(_: Grade) -> None:
            raise KeyboardInterrupt

        return grade(folder, wanted, watch=watch, shrinking=0)

    monkeypatch.setattr("unidoku.grading.grade", graded)
    (tmp_path / "boards.txt").write_text(f"{SMALL[0]}\n")
    command = ["grade", str(tmp_path / "s"), "--assignment", str(tmp_path / "boards.txt")]
    assert main([*command, "--output", str(tmp_path / "out")]) == INTERRUPTED
    assert "not graded: b, index" in capsys.readouterr().err
    index = (tmp_path / "out" / "index.html").read_text()
    assert "Interrupted: not graded are b, index." in index
    assert (tmp_path / "out" / "a.html").is_file()
    assert main([*command, "--output", str(tmp_path / "out")]) == ERROR
    assert "exists" in capsys.readouterr().err


def test_names_of_students_are_no_markup_and_no_paths() -> None:
    wanted = Assignment(title="<b>", boards=())
    names = ("index", "../a", "<i>", "A b", "a_b")
    grades = Grades(
        assignment=wanted,
        grades=tuple(Grade(student=name, source="", answers=(), points=0) for name in names),
    )
    files = list(page_names(grades).values())
    assert files == ["index-2.html", ".._a.html", "_i_.html", "A_b.html", "a_b-2.html"]
    assert "<i>" not in teacher_page(grades)
    assert "<b>" not in teacher_page(grades)


def test_the_message_of_an_exception_may_be_long_or_fail() -> None:
    class SilentError(RuntimeError):
        def __str__(self) -> str:
            raise RuntimeError("no message")

    assert summarize_exception(SilentError()) == "SilentError: <exception str() failed>"
    long = summarize_exception(ValueError("x" * 10**6))
    assert len(long) < 5000
    assert long.endswith("x…")


def test_the_place_of_an_exception_is_in_the_students_file(tmp_path: Path) -> None:
    module = tmp_path / "raising.py"
    module.write_text("def solve(puzzle):\n    raise ValueError(puzzle)\n")
    student = StudentBackend(path=str(module), function="solve", variant="classic")
    with pytest.raises(ValueError, match=r"1\.{5}2") as caught:
        student.search(Board.parse("1.....2..3.....4"), Request())
    error = caught.value.with_traceback(caught.tb.tb_next)  # without the frame of this test
    assert summarize_exception(error).endswith("(raising.py, line 2)")
