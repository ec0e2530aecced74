"""Windows and macOS, as far as Linux can show them, by `tests/helpers/elsewhere/`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.helpers.command_lines import ONE_AFTER_THE_OTHER, of_each
from tests.helpers.engines import all_gone
from tests.helpers.programs import needs
from tests.helpers.python_process import run_python
from tests.helpers.volume import thorough

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[2]
SYSTEMS = ["win32", "darwin"]
PRACTICE = str(ROOT / "examples" / "practice.txt")

Python: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(params=["win32", *thorough("darwin")])
def system(request: pytest.FixtureRequest) -> str:
    """The system that is shown: what macOS lacks, Windows lacks too."""
    return str(request.param)


@pytest.fixture
def python(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Python:
    """Return a function that runs Python as on the system."""
    path = os.pathsep.join(map(str, (ROOT / "tests" / "helpers" / "elsewhere", ROOT)))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("UNIDOKU_TEST_SYSTEM", system)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_python(*arguments, cwd=tmp_path)

    return run


def fine(done: subprocess.CompletedProcess[str]) -> str:
    """Return what a program printed that ended well."""
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def commands(python: Python, *lines: str) -> list[tuple[str, str, int]]:
    """Run command lines; of each, what it printed, what it said, and its exit code."""
    return of_each(python("-c", ONE_AFTER_THE_OTHER, *(f"unidoku {line}" for line in lines)))


IMPORTS = """
import importlib, pkgutil, os, sys
import unidoku
import unidoku.comparison.run.start as start
assert hasattr(start.os, "fork") == (sys.argv[1] != "win32") and hasattr(os, "fork")
assert start.sys.platform == sys.argv[1]
names = [module.name for module in pkgutil.walk_packages(unidoku.__path__, "unidoku.")]
for name in names:
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names))
"""


def test_every_module_is_imported_on_every_system(python: Python, system: str) -> None:
    assert int(fine(python("-c", IMPORTS, system))) > 150


def test_boards_are_solved_counted_and_made_on_every_system(python: Python, tmp_path: Path) -> None:
    solved, counted, *others = commands(
        python,
        f"solve {PRACTICE}",
        f"count {PRACTICE}",
        f"solve {PRACTICE} -o solved.txt",
        "generate --size 4 --count 2 --seed 1",
        "fuzz --boards 4 --workers 1 --backends norvig",
    )
    assert len(solved[0].splitlines()) == 5
    assert [line.split()[0] for line in counted[0].splitlines()] == ["1"] * 5
    assert len((tmp_path / "solved.txt").read_text().splitlines()) == 5
    assert {code for _, _, code in (solved, counted, *others)} == {0}


@pytest.mark.parametrize(
    "label", [pytest.param("minizinc", marks=needs("minizinc")), *thorough("cpmpy[solver=z3]")]
)
def test_backends_in_processes_of_their_own_keep_their_limits_on_every_system(
    python: Python, label: str
) -> None:
    ask = f"count --backend {label}"
    for seconds in (1, 10):  # in which a process starts, also on a busy machine
        endless = f"{ask} {'.' * 81} --time-limit {seconds} --limit 1000000"
        exact, late = commands(python, f"{ask} '12.. .... .... ....' --variant x", endless)
        assert exact[0].strip() == "4"
        if "at least" in late[0]:
            break
    assert "at least" in late[0], late


def test_a_comparison_spawns_its_workers_and_says_what_does_not_hold(
    python: Python, system: str, tmp_path: Path, mark: str
) -> None:
    ask = f"compare {PRACTICE} --backends norvig,sat --repeats 1 --sample-ms 0"
    compared, refused = commands(python, f"{ask} --output runs.jsonl", f"{ask} --memory-limit 100")
    assert "No disagreement: 5 of 5 cases" in compared[0]
    assert (compared[2], refused[2]) == (0, 2)
    assert refused[1].strip() == (
        f"unidoku: memory_limit: expected 0, no limit, as {system} cannot keep one, got 100 MiB"
    )
    header = json.loads((tmp_path / "runs.jsonl").read_text().partition("\n")[0])
    assert header["plan"]["memory_limit"] == 0
    assert header["environment"]["memory_limit_by"] == "nothing"
    key = json.loads((tmp_path / "runs.jsonl").read_text().splitlines()[-2])["key"]
    header["plan"]["memory_limit"] = 2048
    rest = (tmp_path / "runs.jsonl").read_text().partition("\n")[2]
    (tmp_path / "linux.jsonl").write_text(json.dumps(header) + "\n" + rest)
    replayed = python("-m", "unidoku", "replay", key, "linux.jsonl")
    assert "The same answer." in fine(replayed)
    assert f"linux.jsonl has a memory limit, which {system} cannot enforce" in replayed.stderr
    assert all_gone(mark)


def test_workers_are_forked_where_that_is_asked_and_possible(
    python: Python, system: str, mark: str
) -> None:
    ask = f"compare {PRACTICE} --backends norvig,sat --repeats 1 --sample-ms 0 --engine pool"
    done = python("-m", "unidoku", *ask.split())
    if system == "win32":
        assert done.returncode == 2
        message = "unidoku: engine: 'pool' forks its workers, which win32 cannot; use 'spawn'"
        assert done.stderr.strip() == message
    else:
        assert "No disagreement: 5 of 5 cases" in fine(done)
    assert all_gone(mark)


FACTS = """
import json
from unidoku import Request
from unidoku.comparison.environment import environment
from unidoku.comparison.run.start import starter
told = environment({}, Request(), 1)
names = ("memory_limit_by", "peak_memory_of", "cores_pinned")
print(json.dumps([starter(None).__name__.lower(), *(told[name] for name in names)]))
"""


@pytest.mark.parametrize("system", ["linux", *SYSTEMS], indirect=True)
def test_the_page_says_what_holds_where_as_the_program_does(python: Python, system: str) -> None:
    workers, limit, peak, pinned = json.loads(fine(python("-c", FACTS)))
    page = (
        (ROOT / "docs" / "comparison.md")
        .read_text("utf-8")
        .partition("## Differences between systems")[2]
        .partition("\n## ")[0]
    )
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    column = 1 + ["linux", *SYSTEMS[::-1]].index(system)
    table = {row[0].strip("| "): row[column].strip("| ") for row in rows}
    assert table["workers"].startswith(workers)
    assert table["memory limit"].startswith(limit.partition(" and ")[0])
    assert table["peak memory of"].startswith(peak)
    assert table["cores of a worker"] == ("pinned" if pinned else "not pinned")


def test_the_peak_of_memory_is_told_on_every_system(python: Python) -> None:
    ask = "from unidoku.parallel.processes import peak_bytes; x = b'1' * 50_000_000; "
    assert int(fine(python("-c", ask + "print(peak_bytes())"))) > 50_000


FAULTS = """
from tests.helpers.engines import CASES, label, measuring, solvers_of
from unidoku.comparison.order import schedule
from unidoku.comparison.run import open_runner
from unidoku.comparison.run.measure import Inline
solvers = solvers_of("Sound", "SegFaults", "HangsInPython", "ForksAChild")
runs = list(schedule(CASES, list(solvers), 1, 1))
print(*(record.outcome for record in Inline(solvers, measuring()).run(runs[:1])))
with open_runner(solvers, measuring()) as runner:
    print(type(runner._start).__name__)
    print(*sorted(record.outcome for record in runner.run(runs)))
"""


def test_a_worker_that_crashes_or_hangs_costs_its_run_on_every_system(
    python: Python, mark: str
) -> None:
    assert fine(python("-c", FAULTS)).splitlines()[1:] == [
        "Spawned",
        "crashed " + "solved " * 9 + "timeout timeout",
    ]
    assert all_gone(mark)
