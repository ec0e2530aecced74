"""Memory that runs out anywhere: a command answers wholly or says so, a call can be made again."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.helpers.failing import CALLS
from tests.helpers.python_process import run_python
from tests.helpers.starving import BOARD, COMMANDS
from tests.helpers.starving import run as starve
from tests.helpers.volume import SOAK
from unidoku import errors
from unidoku.backends import catalogue

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="a limit of addresses is Linux's"),
]

POINTS = 10 * SOAK or 3

BACKENDS = [row.name for row in catalogue().values() if row.name != "program"]
BACKENDS += ["native[engine=lanes]", "native[engine=single]"]


def run(program: str, *arguments: str) -> None:
    ran = run_python("-m", f"tests.helpers.{program}", *arguments)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]


def test_a_command_without_memory_answers_wholly_or_says_so() -> None:
    run("starving", str(POINTS), "draw")


def test_a_library_that_would_end_the_process_is_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text(f"{BOARD}\n")
    end = starve(COMMANDS["solve file"], 100 << 20, tmp_path / "out", tmp_path)
    assert end == (2, b"", f"unidoku: {errors.OUT_OF_MEMORY}\n".encode(), {})


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_without_memory_answers_wholly_or_says_so(name: str) -> None:
    run("starving", str(POINTS), name)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_without_memory_answers_or_says_so(backend: str) -> None:
    if catalogue()[backend.partition("[")[0]].missing:
        pytest.skip("not installed")
    run("starving", str(POINTS), f"solve:{backend}")


@pytest.mark.skipif(find_spec("_testcapi") is None, reason="this Python has no _testcapi")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "norvig killer" else pytest.mark.soak)
        for name in CALLS
    ],
)
def test_a_call_in_which_an_allocation_failed_can_be_made_again(name: str) -> None:
    run("failing", str(10 * SOAK or 60), name)


def test_what_came_from_a_lack_of_memory_is_recognised() -> None:
    wrapped = errors.BackendError("auto")
    wrapped.__cause__ = MemoryError()
    unmapped = ImportError("_random.so: failed to map segment from shared object")
    lost = SystemError("<built-in function compile> returned NULL without setting an exception")
    for error in (wrapped, unmapped, lost, OSError(12, "Cannot allocate memory"), MemoryError()):
        assert errors.is_out_of_memory(error)
    wrapped.__cause__ = None
    for other in (wrapped, ImportError("no module"), OSError(2, "no such file"), None):
        assert not errors.is_out_of_memory(other)
