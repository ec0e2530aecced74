"""The commands, run in this process as the command line runs them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.boards import MANY, NORVIG
from tests.helpers.command_runner import Runner
from tests.helpers.programs import needs
from tests.helpers.python_process import run_python
from tests.helpers.volume import thorough
from unidoku.backends import BackendSpec, auto, every_row
from unidoku.backends.native import library
from unidoku.cli import codes

pytestmark = pytest.mark.usefixtures("elsewhere")

SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
SMALL = "1... ..2. .3.. ...4"
SEVERAL = "12.. .... .... 21.."
CLASH = "11.. .... .... ...."


def test_solve_prints_the_solution_and_says_how_it_went(run: Runner, backend_name: str) -> None:
    ran = run("solve", NORVIG, "--backend", backend_name, "--format", "line")
    assert (ran.code, ran.out) == (0, SOLVED + "\n")
    who = "auto: native" if backend_name == "auto" else backend_name
    assert ran.err.startswith(f"1 solution found, {who}, ")


def test_solve_frames_a_single_board(run: Runner) -> None:
    ran = run("solve", SMALL)
    assert ran.out == "1 2 | 4 3\n3 4 | 2 1\n----+----\n4 3 | 1 2\n2 1 | 3 4\n"


def test_solve_reads_standard_input_and_files(run: Runner, tmp_path: Path) -> None:
    assert run("solve", "--format", "line", stdin=NORVIG).out == SOLVED + "\n"
    path = tmp_path / "puzzle.txt"
    path.write_text(f"# two of them\n\n{NORVIG}  first\n{NORVIG}\n")
    ran = run("solve", str(path))
    assert ran.out == f"{SOLVED}\n{SOLVED}\n"
    assert [line.split(",")[0] for line in ran.err.splitlines()] == [
        "first: 1 solution found",
        "2: 1 solution found",
    ]


def test_solve_finds_as_many_as_asked(run: Runner) -> None:
    ran = run("solve", SEVERAL, "--solutions", "2", "--format", "line")
    assert len(ran.out.split()) == 2
    ran = run("solve", SEVERAL, "--solutions", "all", "--format", "line")
    assert ran.err.startswith("exactly 8 solutions")
    assert len(set(ran.out.split())) == 8


def test_solve_shows_the_clash_of_a_board_without_solutions(run: Runner) -> None:
    ran = run("solve", CLASH)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[0] == "  row A: A1 and A2 are both 1"
    assert ran.err.splitlines()[1].startswith("no solutions")


def test_solve_shows_the_backends_own_figures(run: Runner) -> None:
    assert "nodes=1 " in run("solve", SMALL, "--stats").err


def test_solve_takes_variants(run: Runner) -> None:
    ran = run("solve", "..24.....1......", "--variant", "x", "--format", "line", "--solutions", "2")
    assert (ran.code, ran.out) == (0, "1324423131422413\n")
    assert run("solve", "1.", "--variant", "latin").code == 2


def test_count_counts(run: Runner) -> None:
    assert run("count", "." * 16).out == "288\n"
    assert run("count", "." * 16, "--limit", "100").out == "at least 100\n"
    assert run("count", CLASH).out == "0\n"
    ran = run("count", MANY, "--time-limit", "0.1")
    assert ran.code == 1
    assert ran.out.endswith("(time limit)\n")


def test_check_says_why_a_board_is_not_proper(run: Runner) -> None:
    ran = run("check", SMALL)
    assert (ran.code, ran.out) == (0, "proper: exactly 1 solution\n")
    ran = run("check", CLASH)
    assert (ran.code, ran.out) == (
        1,
        "not proper: no solutions\n  row A: A1 and A2 are both 1\n",
    )
    ran = run("check", SEVERAL)
    assert ran.code == 1
    assert ran.out.startswith("not proper: 2 solutions found\n  two solutions differ in ")
    ran = run("check", f"{36 * '.'} 111222111224333442333444555666555666", "--variant", "jigsaw")
    assert "C6 sees all cells that may hold its value, B6: region 2 against row A, B" in ran.out
    ran = run("check", "12.. 3.4. .... ....")
    assert (
        "  these cannot all be true: no value is twice in row B and box 1; "
        "A1 is 1, A2 is 2 and B3 is 4\n" in ran.out
    )
    late = run("check", MANY, "--backend", "norvig", "--time-limit", "0.05")
    assert late.out == "not decided: undecided (time limit)\n"


def test_candidates_are_drawn_as_in_norvigs_display(run: Runner) -> None:
    ran = run("candidates", NORVIG)
    assert ran.out.splitlines()[0].split() == [
        *["4", "1679", "12679", "|", "139", "2369", "269", "|", "8", "1239", "5"],
    ]
    assert run("candidates", stdin=ran.out).out == ran.out
    true = run("candidates", NORVIG, "--true", "--backend", "cp-sat")
    assert true.out.replace(" ", "").replace("|", "").split()[0] == SOLVED[:9]


def test_candidates_of_a_contradiction_are_none(run: Runner) -> None:
    ran = run("candidates", CLASH)
    assert (ran.code, ran.out) == (
        1,
        "# a contradiction: no solutions (row A: A1 and A2 are both 1)\n",
    )
    assert run("candidates", CLASH, "--true").code == 1


def test_backends_shows_versions_and_how_to_install(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = run("backends").out.splitlines()
    assert lines[0].split()[:2] == ["backend", "installed"]
    assert [line.split()[0] for line in lines[1:]] == [row.name for row in every_row()]
    row = next(line for line in lines if line.startswith("cp-sat"))
    for part in ("lazy clause generation", "Apache-2.0", "seed, threads, time_limit", "ortools 9."):
        assert part in row
    monkeypatch.setattr(BackendSpec, "missing", ("ortools",))
    row = next(line for line in run("backends").out.splitlines() if line.startswith("cp-sat"))
    assert re.split(" {2,}", row)[1] == "pip install 'unidoku[cp-sat]'"
    refuses = {line.split()[0]: re.split(" {2,}", line)[5:] for line in lines[1:]}
    assert refuses["exact-cover"] == ["alternatives, connected regions, more than 64 values"]
    assert refuses["native"] == ["more than 64 values, sums above 1,152,921,504,606,846,976"]


def test_backends_shows_what_is_in_force_in_one(run: Runner) -> None:
    words = [line.split() for line in run("backends", "cp-sat[num_workers=2]").out.splitlines()]
    for line in (["encoding", "boolean"], ["num_workers", "2"], ["cp_model_presolve", "false"]):
        assert line in words
    assert "--solutions 1" in run.refused("backends", "cp-sat[num_workers=2]", "--solutions", "2")
    assert run("backends", "cpsat").code == 2


def test_config_shows_how_long_native_is_alone_and_who_follows(run: Runner, tmp_path: Path) -> None:
    *_, heading, row = run("config").out.splitlines()
    assert heading.split("  ")[0] == "native alone for"
    assert (row.split("  ")[0], row.split()[-1]) == (f"{auto.BUDGET:,} propagations", "sat")
    (tmp_path / "unidoku.toml").write_text("[backends.auto]\nbudget = 7\nthen = 'exact-cover'\n")
    *_, row = run("config").out.splitlines()
    assert (row.split("  ")[0], row.split()[-1]) == ("7 propagations", "exact-cover")
    (tmp_path / "unidoku.toml").write_text('backend = "norvig"')
    assert "alone" not in run("config").out


def test_config_shows_values_and_their_sources(run: Runner, tmp_path: Path) -> None:
    assert "default of the commands" in run("config").out
    path = tmp_path / "unidoku.toml"
    path.write_text('backend = "cp-sat"\ntime_limit = 5\n[backends.cp-sat]\nnum_workers = 1\n')
    out = run("config").out
    assert str(path) in out
    assert "backends.cp-sat.num_workers" in out
    assert run("solve", SMALL).err.startswith("1 solution found, cp-sat[num_workers=1]")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "nofile.txt"], "expected a file or the text of a board, got 'nofile.txt'"),
        (["solve", "12345"], "line 1: expected the cells of a classic board"),
        (["solve", SMALL, "--backend", "cpsat"], "did you mean 'cp-sat'"),
        (["solve", SMALL, "--backend", "norvig[x=1]"], "norvig has no option 'x'"),
        (["solve", SMALL, "--backend", "cp-sat", "--node-limit", "5"], "cannot honour node_limit"),
        (["solve", SMALL, "--variant", "y"], "expected a variant, got 'y'"),
        (["solve", SMALL, "--time-limit", "soon"], "expected seconds or 'none', got 'soon'"),
        (["solve", SMALL, "--time-limit", "0"], "expected seconds above 0"),
        (["solve", SMALL, "--solutions", "few"], "expected a number or 'all', got 'few'"),
        (["solve", SMALL, "--json", "-o", "out.txt"], "because JSON goes to standard output"),
        (["count", SMALL, "--json", "-o", "out.txt"], "because JSON goes to standard output"),
        (["check", "123", "--json"], "line 1: expected the cells of a classic board"),
        (["count", SMALL, "--limit", "0"], "solutions: expected an int of at least 1"),
        (["solve", SMALL, "--nonsense"], "No such option"),
        (["nonsense"], "expected a command, got 'nonsense'; known: backends, "),
        (["slove"], "expected a command, got 'slove'; did you mean 'solve'?"),
        (["compare", "none.toml"], "none.toml cannot be read: No such file or directory\n"),
        (["compare", "none.txt"], "nothing matches"),
        (["compare", "--backends", ""], "backends: expected at least one"),
        (["explain", SMALL, "--techniques", "pointin"], "did you mean 'pointing'"),
        (["explain", SMALL, "--time-limit", "soon"], "expected seconds or 'none'"),
        (["explain", SMALL, "--parts", "0"], "--parts: expected a number from 1, or any, got '0'"),
        (["explain", SMALL, "--parts", "9" * 5000], "--parts: expected a number from 1, or any"),
        (["explain", SMALL, "--html", "no/folder.html"], "no/folder.html cannot be written"),
        (["rate", SMALL, "--backends", "nothing"], "nothing"),
        (["rate", SMALL, "--backends", "pumpkin"], "a backend that reports nodes, got 'pumpkin'"),
        (["rate", SMALL, "--isomorphs", "1"], "isomorphs"),
        (["rate", SMALL, "--confidence", "1"], "confidence"),
        (
            ["rate", SMALL, "--techniques", "magic"],
            "got 'magic'; unidoku hint --techniques list prints",
        ),
        (
            ["rate", SMALL, "--scale", "explainer", "--techniques", "all"],
            "--techniques is for --scale unidoku",
        ),
        (["rate", SMALL, "--scale", "explainer"], "a classic board of 9x9 cells, which"),
        (["rate", SMALL, "--time-limit", "0"], "time_limit: expected seconds above 0, got 0.0"),
    ],
)
def test_bad_input_is_one_message_and_code_2(
    run: Runner, arguments: list[str], message: str
) -> None:
    assert message in run.refused(*arguments)


def test_a_working_folder_that_is_gone_is_named(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run.refused("check", SMALL) == "unidoku: the working folder: No such file or directory\n"


def test_time_limit_none_is_no_limit(run: Runner) -> None:
    assert run("solve", SMALL, "--time-limit", "none").code == 0


@pytest.mark.processes
@pytest.mark.parametrize(
    "backend_name",  # in Python, in a library and in a program: `test_limits` asks all of them
    ["norvig", *thorough("native", "cp-sat"), pytest.param("minizinc", marks=needs("minizinc"))],
)
def test_ctrl_c_ends_a_command_with_code_130(backend_name: str, tmp_path: Path) -> None:
    path = tmp_path / "one_and_many.txt"
    path.write_text(f"{NORVIG}\n{MANY}\n")
    command = [sys.executable, "-m", "unidoku", "count", str(path), "--backend", backend_name]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "1\n"
        time.sleep(0.2)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().strip() == "unidoku: interrupted"
        assert process.wait(timeout=20) == 130
        assert time.perf_counter() - started < 10, "it does not hang"


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["solve", SMALL], ["check", NORVIG], ["backends", "norvig"], ["config"]],
)
def test_commands_import_no_solver_that_they_do_not_use(arguments: list[str]) -> None:
    program = (
        "import sys\nfrom unidoku.cli import main\nassert main(sys.argv[1:]) == 0\n"
        "print(sorted({'ortools', 'numpy', 'llvmlite', 'constraint'} & set(sys.modules)))"
    )
    ran = run_python("-c", program, *arguments, check=True)
    needed = [] if library.level() else ["llvmlite"]  # which then compiles the search of boards
    assert ran.stdout.splitlines()[-1] in ("[]", str(needed))


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(f"{NORVIG}\n" * 300)
    command = f"{sys.executable} -m unidoku count {path} | head -1"
    ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert ran.stdout == "1\n"
    assert ran.stderr == ""


def test_compare_py_is_the_same_program(root: Path) -> None:
    ran = run_python(root / "compare.py", "--help", env=dict(os.environ), check=True)
    assert "Compare backends on puzzles" in ran.stdout


def test_code_for_a_layout_is_compiled_or_the_command_says_why_not(run: Runner) -> None:
    ran = run("warm", "classic", "x", "--size", "4")
    assert ran.code == 0
    ready = [line.split(" is ready after ")[0] for line in ran.out.splitlines()]
    assert ready == [
        "classic 4x4: single",
        "classic 4x4: lanes",
        "x 4x4: single",
        "x 4x4: lanes",
    ]
    ran = run("warm", "classic", "--size", "80")
    assert ran.code == 1
    assert "supports up to 64 values, the board has 80" in ran.out
    assert run("warm", "nonsense").code == 2


def test_check_tells_the_numbers_of_a_setting_in_lines_and_in_json(run: Runner) -> None:
    ran = run("check", "--setting", "12.. .... .... 21..")
    assert ran.code == 1
    assert "solutions: 8" in ran.out
    assert ran.out.endswith("    the units   288\n    the givens  8\n")
    result = json.loads(run("check", "--setting", "--json", "1... ..2. .3.. ...4").out)
    assert result["falls"][0] == {
        "with": "the units",
        "estimate": 288,
        "low": 288,
        "high": 288,
        "probes": 0,
    }


TAKUZU = """
version = 1
size = 2
first_value = 0
shape = [2, 4]
givens = '''
01..
...0'''
rules = [
    { kind = "sum", summed = "A1-A4", total = 2 },
    { kind = "sum", summed = "B1-B4", total = 2 },
]
candidates = { B1 = [0] }
"""


def test_zeros_and_ones_come_in_and_out_of_every_command(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "takuzu.toml"
    path.write_text(TAKUZU)
    text = "".join(run("solve", str(path)).out.split())
    assert text in ("01010110", "01100110")
    record = json.loads(run("solve", str(path), "--json").out)
    assert {*record["solutions"][0]} == {0, 1}
    assert record["first_value"] == 0
    assert "A3 (0 or 1)" in run("check", str(path)).out + run("check", str(path)).err


@needs("cadical")
def test_the_absence_of_a_second_solution_is_proved_and_the_proof_checked(
    run: Runner, root: Path, tmp_path: Path
) -> None:
    puzzle = str(root / "examples" / "setting.toml")
    clauses, proof, answer = (tmp_path / name for name in ("it.cnf", "it.drat", "answer.txt"))
    run("export", puzzle, "--to", "dimacs", "--not-the-solution", "-o", str(clauses))
    command = ["cadical", "--no-binary", str(clauses), str(proof)]
    answer.write_bytes(subprocess.run(command, capture_output=True, check=False).stdout)
    read = ["read-answer", puzzle, "--answer", str(answer), "--language", "dimacs"]
    ran = run(*read, "--proof", str(proof), "--not-the-solution")
    assert (ran.code, ran.out) == (codes.YES, "no solution, and the proof of that is valid\n")
    ran = run(*read, "--proof", str(proof), "--not-the-solution", "--json")
    assert json.loads(ran.out)["proved"] is True
    ran = run(*read, "--proof", str(proof))
    assert ran.code == codes.NO
    assert ran.out.startswith("the proof does not hold: ")
    proof.write_bytes(b"a\x02\x94\x00")
    error = run.refused(*read, "--proof", str(proof))
    assert "expected a proof as text, got bytes; have the solver write text, as cad" in error
    ran = run(*read)
    assert (ran.code, ran.out) == (
        codes.NO,
        "the solver states that there is no solution; this was not checked\n",
    )
    error = run.refused(*read[:1], "1... ..2. .3.. ...4", *read[2:], "--not-the-solution")
    assert "expected a file with the solution of its puzzle" in error
