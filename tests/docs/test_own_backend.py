"""The page "Write your own backend": its code is installed, and everything that it says is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.backends.test_limits import hears_ctrl_c
from tests.helpers.command_lines import ONE_AFTER_THE_OTHER, of_each
from tests.helpers.pages import steady
from tests.helpers.wrong.programs import SOUND, write_program
from unidoku import trace
from unidoku.backends.visit import NodeEnd
from unidoku.testing import CHECKS

pytestmark = pytest.mark.docs

PAGE = (Path(__file__).parents[2] / "docs" / "own-backend.md").read_text(encoding="utf-8")
FUNCTION, FIRST, TEST, TRACE, BATCH, SECOND = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(PROGRAM, PROJECT) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
CONSOLE = "".join(re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL))
COMMANDS = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", CONSOLE, re.MULTILINE)
(RACE, HUNT) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
REFUSALS = 6
TRUSTING = "unidoku trust . | tail -1"
NEEDS_MORE = re.compile("[|;<>$&]|unidoku (compare|fuzz|trust)")
"""What a line has that needs a shell, or runs in another process."""

WRONG = """
import unidoku
board = unidoku.Board.parse("1... ..2. .3.. ...4")
import depth_first_unidoku
from unidoku.backends.base import Result
def search(self, board, request):
    return Result(count=1, solutions=((1,) * 16,), stop=unidoku.Stop.SOLUTIONS)
def fail(self, board, request):
    raise ZeroDivisionError("mine")
for method in (search, fail):
    depth_first_unidoku.DepthFirst.search = method
    try:
        unidoku.load("depth-first").solve(board)
    except unidoku.UnidokuError as error:
        print(type(error).__name__, type(error.__cause__).__name__)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed both distributions of the page."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    of_second = PROJECT.replace("depth-first", "minisat").replace("depth_first", "minisat")
    folders = []
    for name, code, project in (
        ("depth_first_unidoku.py", FIRST, PROJECT),
        ("minisat_unidoku.py", SECOND, of_second),
    ):
        assert code.startswith(f'"""{name}"""')
        folder = tmp_path_factory.mktemp("project")
        (folder / "pyproject.toml").write_text(project)
        (folder / name).write_text(code)
        folders.append(str(folder))
    subprocess.run([*pip, "--target", str(target), *folders], check=True, timeout=100)
    return target


def environment(installed: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(
            [str(installed), *filter(None, [os.environ.get("PYTHONPATH")])]
        ),
        "PYTHONIOENCODING": "utf-8",
        "UNIDOKU_TRUSTED": str(installed / "trusted.json"),
    }


def run(program: list[str], installed: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        program,
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(installed),
        check=False,
        timeout=100,
    )


def prepare(folder: Path, root: Path) -> None:
    """Write what the commands of the page name."""
    shutil.copytree(root / "examples", folder / "examples")
    (folder / "mysolver.py").write_text(FUNCTION)
    (folder / "unidoku.toml").write_text(PROGRAM)
    write_program(folder, SOUND)


@pytest.fixture(scope="module")
def trusted(installed: Path, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trusted folder, in which the commands of the page run one after the other."""
    folder = tmp_path_factory.mktemp("trusted")
    prepare(folder, root)
    run(["unidoku", "trust", "."], installed, folder)
    return folder


@pytest.fixture(scope="module")
def printed(installed: Path, trusted: Path) -> dict[str, tuple[str, str, int]]:
    """What the lines print that need no shell, run in one process."""
    lines = [command for command, _ in COMMANDS if not NEEDS_MORE.search(command)]
    done = run([sys.executable, "-c", ONE_AFTER_THE_OTHER, *lines], installed, trusted)
    return dict(zip(lines, of_each(done), strict=True))


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        pytest.param(
            command,
            shown,
            id=command,
            marks=[pytest.mark.thorough] * bool(re.search("unidoku (compare|fuzz)", command)),
        )
        for command, shown in COMMANDS
    ],
)
def test_every_command_prints_what_the_page_shows(
    command: str,
    shown: str,
    printed: dict[str, tuple[str, str, int]],
    installed: Path,
    root: Path,
    trusted: Path,
    tmp_path: Path,
) -> None:
    if command in printed:
        out, errors, code = printed[command]
    else:
        folder = trusted
        if command == TRUSTING:
            folder = tmp_path
            prepare(folder, root)
        ran = run(["bash", "-c", command], installed, folder)
        out, errors, code = ran.stdout, ran.stderr, ran.returncode
    assert steady(out + errors) == steady(shown)
    assert code == (2 if shown.startswith("unidoku: ") else 0)


def test_the_page_shows_what_is_refused() -> None:
    assert sum(shown.startswith("unidoku: ") for _, shown in COMMANDS) == REFUSALS


@pytest.mark.parametrize(
    ("name", "unclaimed"),
    [("depth-first", 10), pytest.param("minisat", 11, marks=pytest.mark.thorough)],
)
def test_both_backends_of_the_page_pass_the_conformance_suite(
    name: str, unclaimed: int, installed: Path, tmp_path: Path
) -> None:
    """Not claimed: shapes, threads, seed; of one relations, of the other node limit and options."""
    (tmp_path / "test_it.py").write_text(TEST.replace('"depth-first"', f'"{name}"'))
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    ran = run(pytest_run, installed, tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert f"{len(CHECKS) - unclaimed} passed, {unclaimed} skipped" in ran.stdout


def test_the_hunt_of_the_page_takes_the_row_by_its_place_and_finds_nothing(
    installed: Path, tmp_path: Path
) -> None:
    ran = run(["bash", "-c", HUNT], installed, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "findings: 0" in ran.stdout


@pytest.mark.thorough
def test_the_function_of_the_page_is_compared_with_others(
    installed: Path, root: Path, tmp_path: Path
) -> None:
    shutil.copytree(root / "examples", tmp_path / "examples")
    (tmp_path / "mysolver.py").write_text(FUNCTION)
    ran = run(["bash", "-c", RACE], installed, tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert "function:mysolver:solve" in ran.stdout
    assert "No disagreement" in ran.stdout


@pytest.mark.parametrize("name", ["depth-first", "minisat"])
def test_ctrl_c_stops_both(name: str, installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(installed))
    hears_ctrl_c(name)


def test_the_second_backend_refuses_what_its_row_says(installed: Path, tmp_path: Path) -> None:
    empty = "unidoku.Board.empty(unidoku.layout('latin', 17))"
    program = f"import unidoku; unidoku.load('minisat').solve({empty})"
    ran = run([sys.executable, "-c", program], installed, tmp_path)
    assert "minisat supports up to 16 values, the board has 17" in ran.stderr


def test_wrong_answers_and_exceptions_are_what_the_page_says(
    installed: Path, tmp_path: Path
) -> None:
    ran = run([sys.executable, "-c", WRONG], installed, tmp_path)
    assert ran.stdout.splitlines() == [
        "WrongAnswerError NoneType",
        "BackendError ZeroDivisionError",
    ]


def test_equal_boards_of_a_batch_are_searched_once(installed: Path, tmp_path: Path) -> None:
    program = (
        BATCH
        + """
import depth_first_unidoku
import unidoku

boards = ["1... ..2. .3.. ...4", "11.. .... .... ....", "1... ..2. .3.. ...4", "." * 16]
solver = unidoku.load("depth-first")
one_by_one = solver.solve_many(boards, solutions=2)
depth_first_unidoku.DepthFirst.search_many = search_many
at_once = solver.solve_many(boards, solutions=2)
assert at_once.counts.tolist() == one_by_one.counts.tolist() == [1, 0, 1, 2]
assert (at_once.grids == one_by_one.grids).all() and (at_once.stops == one_by_one.stops).all()
assert at_once.statistics["nodes"] < one_by_one.statistics["nodes"]
"""
    )
    ran = run([sys.executable, "-c", program], installed, tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_tools_that_the_page_names_are_there() -> None:
    names = re.findall(r"^\| `([a-z][\w.]+)\.(\w+)` \|", PAGE, re.MULTILINE)
    assert len(names) == 12
    for module, name in names:
        is_whole = module.startswith("unidoku.")
        assert hasattr(import_module(module if is_whole else f"unidoku.backends.{module}"), name)


def test_a_class_that_tells_its_search_has_a_tree() -> None:
    namespace: dict[str, Any] = {}
    exec(TRACE, namespace)
    backend = type("Mine", (), {"search": None, "trace": namespace["trace"]})
    backend.search = lambda *_: None  # type: ignore[attr-defined]  # made above
    tree = trace(".2.. ..2. .3.. ...4", backend=backend())
    assert [node.end for node in tree.root.children] == [NodeEnd.CONTRADICTION] * 4
    assert tree.root.children[1].where == "two cells of row A are 2"
