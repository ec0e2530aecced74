"""Programs as backends: described in a few words, run within limits, and never believed."""

from __future__ import annotations

import contextlib
import errno
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.backends.test_limits import hears_ctrl_c
from tests.helpers.boards import HARDER
from tests.helpers.comparing import compared
from tests.helpers.engines import all_gone
from tests.helpers.programs import needs
from tests.helpers.wrong.programs import FAULTS, SOUND, write_program
from unidoku import Board, Solver, Status, Stop
from unidoku.backends import every_row, find
from unidoku.backends.languages import LANGUAGES
from unidoku.backends.programs.adapter import effort_of
from unidoku.backends.programs.command import PACKAGE
from unidoku.backends.programs.rows import known_programs
from unidoku.backends.programs.spec import ProgramSpec
from unidoku.backends.toolkit import process
from unidoku.errors import (
    BackendError,
    BackendNotInstalledError,
    OptionError,
    SettingsError,
    UnknownBackendError,
    UnsupportedError,
    WrongAnswerError,
)
from unidoku.parallel import processes
from unidoku.settings import programs_in_force, read_settings
from unidoku.support.naming import naming
from unidoku.support.trust import add
from unidoku.testing import CHECKS, NotClaimed

THREE = Board.parse("1... ..2. .3.. ....")
ONE = Board.parse("1... ..2. .3.. ...4")


def marks_of(name: str, program: str) -> list[pytest.MarkDecorator]:
    """Return what a program needs; the one that starts two seconds is run later."""
    marks = [] if program.startswith(PACKAGE) else [needs(program)]
    return [*marks, pytest.mark.thorough] if name == "ace" else marks


LISTED = [
    pytest.param(name, marks=marks_of(name, program))
    for name in known_programs()
    if name != "program" and (program := known_programs()[name].command.split()[0])
]
"""The rows of programs, each with what it needs."""


ENDLESS = {
    "lp_solve": (
        "proves_that_a_solution_is_the_only_one",
        "solves_large_boards",
        "honours_the_time_limit",
        "stops_when_cancelled",
    ),
    "ace": ("honours_the_time_limit",),
}
"""The checks with hard boards of nine values, and with 30 open cells of 16×16: lp_solve decides
neither in two minutes. One wants solutions within a second, in which Java starts."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def faulty(folder: Path, fault: str) -> Solver:
    """Return a solver made of a program that does wrong."""
    (solution,) = unidoku.solve(ONE).solutions
    grid = " ".join(str(cell * 4 + value) for cell, value in enumerate(solution))
    write_program(folder, FAULTS[fault].replace("{grid}", grid))
    command = "./newsat {file} {answer}" if "$2" in FAULTS[fault] else "./newsat {file}"
    return unidoku.load("program", language="dimacs", command=command)


@pytest.mark.parametrize("name", LISTED)
def test_a_program_finds_all_solutions_and_proves_that_there_are_no_more(name: str) -> None:
    solver = unidoku.load(name)
    board = Board.parse("12.. 34.. .... ....").assign("C1", 2).assign("C4", 3)
    known = unidoku.solve(board, backend="native", solutions=None)
    result = solver.solve(board, solutions=None)
    assert (result.stop, result.solutions) == (Stop.EXHAUSTED, known.solutions)
    at_once = "{solutions}" in known_programs()[name].command
    assert result.statistics["runs"] <= (2 if at_once else known.count + 1)
    item = solver.solve(board, solutions=1, keep=0)
    assert (item.count, item.stop, item.solutions) == (1, Stop.SOLUTIONS, ())
    assert solver.solve("11.. .... .... ....").status is Status.UNSATISFIABLE


@pytest.mark.soak
@pytest.mark.parametrize("name", LISTED)
def test_each_row_passes_the_conformance_suite(name: str) -> None:
    """What counts hundreds of grids takes a slow program minutes: a run for each."""
    solver, endless = unidoku.load(name), ENDLESS.get(name, ())
    for check in CHECKS:
        if check.__name__ not in endless:
            with contextlib.suppress(NotClaimed):
                check(solver)


def test_every_language_has_a_program_with_a_row() -> None:
    assert {row.language for row in known_programs().values() if row.language} == LANGUAGES.keys()


def test_rows_of_programs_are_listed_after_those_of_libraries_and_found_by_name() -> None:
    names = [row.name for row in every_row()]
    assert len(names) == len(set(names))
    assert names.index("cpmpy") < names.index("cadical") < names.index("program")
    assert find("cadical").paradigm == "program, dimacs"
    with pytest.raises(UnknownBackendError, match="did you mean 'cadical'"):
        find("cadicl")


@needs("clasp")
def test_the_version_of_a_program_is_what_it_prints() -> None:
    version = find("clasp").version
    assert version is not None
    assert version.startswith("clasp 3.")


def test_a_program_of_four_lines_of_toml_is_a_backend_like_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "tools").mkdir()
    write_program(folder / "tools", SOUND)
    (folder / "unidoku.toml").write_text(
        '[programs.newsat]\nlanguage = "dimacs"\ncommand = "tools/newsat {file}"\n'
        'version = "echo 7.1"\n'
    )
    monkeypatch.setenv("UNIDOKU_SETTINGS", str(folder / "unidoku.toml"))
    with naming(programs_in_force):
        assert find("newsat").version == "echo 7.1"
    table = dict(read_settings().rows())["programs.newsat.command"]
    assert (table.value, table.source) == ("tools/newsat {file}", str(folder / "unidoku.toml"))
    newsat = unidoku.configured("newsat")
    result = unidoku.solve(THREE, backend=newsat, solutions=None, keep=0)
    assert (result.count, result.unique) == (3, False)
    assert result.statistics["failures"] == 3 * 4
    below = folder / "below"
    below.mkdir()
    os.chdir(below)
    again = pickle.loads(pickle.dumps(newsat))
    assert again.solve(ONE, solutions=2).unique
    with pytest.raises(UnsupportedError, match="newsat cannot honour node_limit=5"):
        newsat.solve(ONE, node_limit=5)
    with pytest.raises(UnsupportedError, match="newsat cannot honour seed=5"):
        newsat.solve(ONE, seed=5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[programs.a]\ncommand = "a {file}"', "programs.a: expected the key 'language'"),
        ('[programs.a]\nlanguage = "dimcs"\ncommand = "a {file}"', "did you mean 'dimacs'"),
        ('[programs.a]\nlanguage = "opb"\ncommand = "a"', r"expected a program and \{file\}"),
        ('[programs.a]\nlanguage = "opb"\ncommand = "a {fil}"', r"did you mean '\{file\}'"),
        ('[programs.a]\nlanguage = "opb"\ncommand = "a \'{file}"', "No closing quotation"),
        ('[programs.a]\nlanguage = "opb"\ncommand = "a < {file}"', "'<' is for a shell"),
        (
            '[programs.a]\nlanguage = "opb"\ncommand = "a {file}"\nversion = "a \'"',
            "version: expected words",
        ),
        (
            '[programs.a]\nlanguage = "opb"\ncommand = "a {file} {solutions}"',
            r"expected no \{solutions\} with language 'opb'",
        ),
        ('[programs.a]\nlang = "opb"', "unknown key 'lang'; did you mean 'language'"),
        ('[programs."a b"]\nlanguage = "opb"\ncommand = "a {file}"', "expected a name of letters"),
        (
            '[programs.sat]\nlanguage = "opb"\ncommand = "a {file}"',
            "programs.sat: the name is taken",
        ),
        ("programs = 3", "programs: expected a table, got 3"),
    ],
)
def test_a_table_that_describes_no_program_is_refused(
    folder: Path, text: str, message: str
) -> None:
    (folder / "unidoku.toml").write_text(text)
    with pytest.raises(SettingsError, match=message):
        unidoku.configured()


@needs("cadical")
def test_a_label_can_describe_a_program(folder: Path) -> None:
    write_program(folder, SOUND)
    solver = unidoku.load('program[language=dimacs,command="./newsat {file} {seed} -t {threads}"]')
    assert unidoku.load(solver.label).solve(ONE, solutions=2, seed=3, threads=2).unique
    with pytest.raises(OptionError, match="expected the option 'command'"):
        unidoku.load("program[language=dimacs]")
    with pytest.raises(OptionError, match="reads dimacs"):
        unidoku.load("cadical", language="opb")
    plain = unidoku.load('program[language=dimacs,command="./newsat {file}"]')
    for limits, limit in (({"seed": 3}, "seed"), ({"threads": 2}, "threads")):
        with pytest.raises(UnsupportedError, match=rf"its command has no {{{limit}}}"):
            plain.solve(ONE, **limits)  # type: ignore[arg-type]  # one limit or the other


def test_places_without_a_value_are_left_out_with_their_options(folder: Path) -> None:
    write_program(folder, SOUND)
    command = "./newsat -s {seed} --time={time} {file} -p {threads}"
    solver = unidoku.load("program", language="dimacs", command=command)
    parameters = solver.parameters()
    assert parameters["command"] == "./newsat {file} -p 1"
    parameters = solver.parameters(unidoku.Request(seed=4, time_limit=2.5, threads=3))
    assert parameters["command"] == "./newsat -s 4 --time=4 {file} -p 3"


def test_a_program_that_is_not_there_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert find("gecode").missing == ("fzn-gecode", "minizinc")
    with pytest.raises(BackendNotInstalledError, match="apt install cadical"):
        unidoku.load("cadical")
    with pytest.raises(BackendNotInstalledError, match="needs nosuch, which is not on the PATH"):
        unidoku.load("program", language="dimacs", command="nosuch {file}")


def test_a_command_may_name_a_file_of_a_package_of_python(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools := folder / "tools").mkdir()
    (tools / "__init__.py").write_text("raise ImportError('it is not imported')")
    write_program(tools, SOUND)
    monkeypatch.syspath_prepend(folder)
    solver = unidoku.load("program", language="dimacs", command="package:tools/new* {file}")
    assert solver.solve(ONE, solutions=2).unique
    for word in ("package:tools/nosuch", "package:nosuch/it"):
        name = word.removeprefix("package:").partition("/")[0]
        with pytest.raises(BackendNotInstalledError, match=f"needs {name}, which is not installed"):
            unidoku.load("program", language="dimacs", command=f"{word} {{file}}")


def test_a_program_that_cannot_be_run_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNIDOKU_SETTINGS", str(folder / "unidoku.toml"))
    (folder / "newsat").write_text("")
    (folder / "unidoku.toml").write_text(
        '[programs.newsat]\nlanguage = "dimacs"\ncommand = "./newsat {file}"\n'
    )
    with pytest.raises(BackendNotInstalledError, match=r"is not executable; type: chmod \+x /.*"):
        unidoku.configured("newsat").solve(ONE)
    (folder / "newsat").chmod(0o755)
    with pytest.raises(BackendError, match="a script without a first line such as #!/bin/sh"):
        unidoku.configured("newsat").solve(ONE)
    write_program(folder, "#!/no/such/program\n")
    with pytest.raises(BackendError, match=r"the program that its first line \(#!\) names is not"):
        unidoku.configured("newsat").solve(ONE)
    (folder / "newsat").unlink()
    with pytest.raises(BackendNotInstalledError, match=r"there is no file /.*/newsat$"):
        unidoku.configured("newsat").solve(ONE)
    (folder / "newsat").mkdir()
    with pytest.raises(BackendNotInstalledError, match=r"/newsat is a folder$"):
        unidoku.configured("newsat").solve(ONE)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("yes", None),
        ("sleep 600", None),
        ("sh -c 'echo 7.1.2; sleep 600 & sleep 600'", "sh 7.1.2"),
        ("./nosuch", None),
    ],
)
def test_a_version_is_read_within_limits(
    version: str, message: str | None, folder: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.backends.program_version.SECONDS", 0.3)
    write_program(folder, SOUND)
    row = ProgramSpec.of("newsat", "dimacs", "./newsat {file}", version=version)
    assert row.version == message
    assert all_gone(mark)


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_ends_unidoku_ends_the_program_first(
    number: signal.Signals, folder: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (temporary := folder / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    write_program(folder, FAULTS["parent"])
    label = 'program[language=dimacs,command="./newsat {file}"]'
    command = [sys.executable, "-m", "unidoku", "solve", ONE.text("line"), "--backend", label]
    with subprocess.Popen(command) as process:
        while not list(temporary.glob("*/board.cnf")):
            time.sleep(0.01)
            assert process.poll() is None
        time.sleep(0.3)  # until the program runs
        process.send_signal(number)
    assert process.returncode == -number
    assert all_gone(mark)
    assert not list(temporary.iterdir())


@pytest.mark.processes
@pytest.mark.parametrize(
    ("fault", "error", "message"),
    [
        ("liar", WrongAnswerError, r"on board \w+: its answer is wrong: B3: 1 is not among its"),
        ("repeater", WrongAnswerError, "it found a grid that its file excludes"),
        ("half", BackendError, "its answer cannot be read: dimacs: expected a value for each cell"),
        ("twofold", BackendError, "A1: expected one value, got two"),
        (
            "garbage",
            BackendError,
            "exited with code 7 without an answer in dimacs and said: not a",
        ),
        ("mute", BackendError, "exited with code 0 without an answer in dimacs and said nothing"),
        (
            "crasher",
            BackendError,
            "was ended by SIGSEGV without an answer in dimacs and said: s UN",
        ),
        ("endless", BackendError, "printed more than 1 MiB, and was killed"),
        ("endless log", BackendError, "wrote more than 1 MiB, and was killed"),
        ("disk filler", BackendError, "wrote more than 1 MiB, and was killed"),
        ("deep filler", BackendError, "wrote more than 1 MiB, and was killed"),
        ("file maker", BackendError, "wrote more than 1 MiB, and was killed"),
        ("blank", BackendError, "exited with code 0 without an answer in dimacs and said nothing"),
        ("painter", BackendError, r"and said: no \?]0;title\?$"),
        ("folder", BackendError, r"expected a plain file as its \{answer\}, got another"),
        ("pipe", BackendError, r"expected a plain file as its \{answer\}, got another"),
        ("endless link", BackendError, r"expected a plain file as its \{answer\}, got another"),
    ],
)
def test_each_fault_of_a_program_is_named_in_one_line(
    folder: Path,
    fault: str,
    error: type[Exception],
    message: str,
    mark: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "MOST", 1 << 20)
    temporary = folder / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with pytest.raises(error, match=message) as raised:
        faulty(folder, fault).solve(ONE, solutions=2)
    assert len(str(raised.value).splitlines()) == 1
    assert all_gone(mark)
    assert not list(temporary.iterdir())


def test_a_full_disk_is_named_before_the_program_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    solver = faulty(folder, "denier")
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BackendError, match=r"cannot write its .*board.cnf: No space left on dev"):
        solver.solve(ONE)


def several(folder: Path, end: str) -> Solver:
    """Return a solver made of a program that prints the solution of a board twice."""
    (solution,) = unidoku.solve(ONE).solutions
    lines = ["#!/bin/sh", f"echo $2 >> {folder}/log", *2 * [f"echo 'x = {[*solution]};'"], end]
    write_program(folder, "\n".join([*lines, ""]))
    command = "./newsat {file} {solutions}"
    return unidoku.load("program", language="minizinc", command=command)


def test_a_program_is_told_how_many_solutions_to_print(folder: Path) -> None:
    solver = several(folder, "echo ==========")
    result = solver.solve(ONE, solutions=5)
    assert (result.count, result.stop, result.statistics["runs"]) == (1, Stop.EXHAUSTED, 1)
    solver.solve(ONE, solutions=None)
    assert (folder / "log").read_text().split() == ["5", "10000"]


def test_a_program_that_does_not_say_that_it_is_done_is_asked_for_the_rest(folder: Path) -> None:
    solver = several(folder, "")
    with pytest.raises(WrongAnswerError, match="it found a grid that its file excludes"):
        solver.solve(ONE, solutions=5)
    assert (folder / "log").read_text().split() == ["5", "4"]


@pytest.mark.processes
def test_solutions_that_a_program_has_printed_at_the_time_limit_count(
    folder: Path, mark: str
) -> None:
    result = several(folder, "sleep 600").solve(ONE, solutions=5, time_limit=3)
    assert (result.count, result.stop) == (1, Stop.TIME)
    assert all_gone(mark)


@pytest.mark.processes
@pytest.mark.parametrize("fault", ["hanger", "parent"])
def test_a_program_that_hangs_is_killed_with_its_children_at_the_limit(
    folder: Path, fault: str, mark: str, temporary: Path
) -> None:
    result = faulty(folder, fault).solve(ONE, time_limit=0.3)
    assert (result.count, result.stop) == (0, Stop.TIME)
    assert all_gone(mark)
    assert not list(temporary.iterdir())


@needs("cadical")
@pytest.mark.processes
def test_ctrl_c_ends_a_program_and_its_search(mark: str) -> None:
    hears_ctrl_c("cadical")
    assert all_gone(mark)


@pytest.mark.processes
def test_ctrl_c_in_the_moment_in_which_a_program_starts_ends_it(
    folder: Path, mark: str, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*arguments: Any, **settings: Any) -> subprocess.Popen[bytes]:
        begun = processes.start(*arguments, **settings)
        signal.raise_signal(signal.SIGINT)
        return begun

    monkeypatch.setattr(process, "start", start)
    with pytest.raises(KeyboardInterrupt):
        faulty(folder, "hanger").solve(ONE)
    assert all_gone(mark)
    assert not list(temporary.iterdir())


@pytest.mark.processes
def test_what_a_program_leaves_behind_is_killed_when_it_has_ended(folder: Path, mark: str) -> None:
    result = faulty(folder, "left behind").solve(ONE)
    assert result.status is Status.UNSATISFIABLE
    assert all_gone(mark)


def test_a_program_that_denies_a_solution_is_found_by_comparing_it(folder: Path) -> None:
    solver = faulty(folder, "denier")
    comparison = compared([ONE], [unidoku.load("native"), solver])
    assert "program" in str(comparison.verdict().disagreements)


def test_a_wrong_grid_is_a_wrong_answer_in_a_comparison_too(folder: Path) -> None:
    comparison = compared([ONE], [faulty(folder, "liar")])
    assert "wrong" in str(comparison)
    assert "1 is not among its candidates" in str(comparison.verdict().disagreements)


def test_a_comparison_may_bring_its_programs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(folder, SOUND)
    (folder / "boards.txt").write_text(f"{HARDER}\n")
    (folder / "it.toml").write_text(
        'backends = ["native", "newsat"]\nrepeats = 1\n[programs.newsat]\nlanguage = "dimacs"\n'
        'command = "./newsat {file}"\n[[puzzles]]\nfiles = ["boards.txt"]\n'
    )
    from unidoku.comparison.config import read_plan, solver_of

    monkeypatch.setenv("UNIDOKU_TRUSTED", str(folder / "trusted.json"))
    plan = read_plan(folder / "it.toml")
    add(folder, plan.starts)
    assert list(plan.solvers()) == ["native", "newsat"]
    table = plan.plan_table(["native", "newsat"], [])
    assert solver_of("newsat", table, folder / "runs.jsonl").solve(ONE, solutions=2).unique
    (folder / "it.toml").write_text('[programs.x]\ncommand = "x"\n')
    with pytest.raises(SettingsError, match=r"it.toml: programs.x: expected the key 'language'"):
        read_plan(folder / "it.toml")


@pytest.mark.parametrize(
    ("printed", "effort"),
    [
        ("c conflicts : 12  (3 /sec)\nc   decisions: 9", {"failures": 12, "nodes": 9}),
        ("%%%mzn-stat: nodes=4\n%%%mzn-stat: failures=2", {"nodes": 4, "failures": 2}),
        ("c 15 conflicts\nc 3 restarts", {"failures": 15, "restarts": 3}),
        ("Optimum: 0 in 3 backtracks and 7 nodes", {"failures": 3, "nodes": 7}),
        ("conflicts: 1\nconflicts: 2", {"failures": 2}),
        (f"conflicts: {'9' * 5000}", {}),
        ("\n" * 300_000 + "conflicts: 1", {"failures": 1}),
    ],
)
def test_the_last_figures_that_a_program_prints_are_its_effort(
    printed: str, effort: dict[str, int]
) -> None:
    assert effort_of(printed) == effort
