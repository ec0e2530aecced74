"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, is_hypothesis_test, settings

from tests.helpers import deadlines
from tests.helpers.budget import COST, files_to_look_at, spent
from tests.helpers.programs import closing_line, find_programs_of_pip, needs, require
from tests.helpers.volume import SOAK, volume
from unidoku.backends import catalogue
from unidoku.testing import NotClaimed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# The tests start hundreds of processes, each of which would compile the whole package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
find_programs_of_pip()

ROOT = Path(__file__).parents[1]

BEGUN = pytest.StashKey[float]()
"""The processor time at which a test began."""

COMPLETE = {"logic": 'logic[search=true,techniques="eliminate, only choice, naked twins"]'}
"""How backends that may give up are asked to go on."""

SLOW = {"cpmpy", "highs", "minizinc", "pumpkin", "z3"}
"""Backends that take most of the time of tests of all of them; the others are tested quickly."""


def rounds(backend_name: str, number: int) -> int:
    """Return how many random examples a backend is asked: a slow one a third of them."""
    return volume(number) // (3 if backend_name in SLOW else 1)


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that programs of tests hear it


# Timing belongs in benchmarks: the machine may be busy, so hypothesis sets no deadline.
settings.register_profile("soak", deadline=None, print_blob=True, max_examples=volume(15))
# The same examples in every run. They are not made smaller, which can take minutes.
settings.register_profile(
    "test",
    settings.get_profile("soak"),
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.target),
)
settings.load_profile("soak" if SOAK else "test")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser that pages are tested in.

    It ends with its module: while it runs, this thread has an event loop, and can have no other.
    """
    from tests.helpers.browsing import chromium  # the other tests run without playwright

    require(["chromium"])
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def stats() -> Any:
    """`scipy.stats`: to import it takes a second, which collecting the tests need not."""
    from scipy import stats

    return stats


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """Mark all processes that the test begins."""
    from tests.helpers.engines import MARK  # most tests need no pool

    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    return value


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files of this process, and of those that it begins."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture(scope="session")
def sudoku(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that solves Sudokus, compiled from `tests/helpers/sudoku.c`."""
    require(["gcc"])
    program = tmp_path_factory.mktemp("programs") / "sudoku"
    subprocess.run(["gcc", "-O2", ROOT / "tests/helpers/sudoku.c", "-o", program], check=True)
    return program


@pytest.fixture
def studying(root: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """What returns a module of the study by its name."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    return lambda name: import_module(f"studying.{name}")


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's own settings out of the tests."""
    monkeypatch.delenv("UNIDOKU_BACKEND", raising=False)
    monkeypatch.setenv("UNIDOKU_SETTINGS", "")
    monkeypatch.setenv("UNIDOKU_TRUSTED", "")


def pytest_configure(config: pytest.Config) -> None:
    """End tests that hang."""
    config.pluginmanager.register(deadlines)


def backend_labels() -> dict[str, str]:
    """Return the rows of the catalogue and their labels, which of logic is one with search.

    Where UNIDOKU_TEST_BACKENDS names backends (comma-separated), those rows only: so the suite
    can run where not all of them are installed.
    """
    names = os.environ.get("UNIDOKU_TEST_BACKENDS")
    return {name: COMPLETE.get(name, name) for name in (names.split(",") if names else catalogue())}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes ``backend_name`` on every row of the catalogue."""
    marks = metafunc.definition.iter_markers("parametrize")
    chosen = any("backend_name" in mark.args[0] for mark in marks)
    if "backend_name" in metafunc.fixturenames and not chosen:
        labels = backend_labels()
        metafunc.parametrize("backend_name", labels.values(), ids=labels.keys())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep the garbage collector off what collecting makes, which stays until the end.

    It looks less often at the rest too: as it is set, it takes a tenth of the time of all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(100_000, 20, 20)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they take: a browser, a program, a slow backend, random examples.

    Those that are for ``make soak`` only are left out of all other runs.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            item.add_marker(needs("chromium"))
        call = getattr(item, "callspec", None)
        labels = [value for value in call.params.values() if isinstance(value, str)] if call else []
        names = {label.partition("[")[0] for label in labels}
        if "minizinc" in names:
            item.add_marker(needs("minizinc"))
        if names & SLOW:
            item.add_marker("slow")
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("volume")
        if item.get_closest_marker("soak"):
            item.add_marker("volume")
    if not SOAK:
        config.hook.pytest_deselected(items=[i for i in items if i.get_closest_marker("soak")])
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose programs are not installed."""
    for mark in item.iter_markers("needs"):
        require(mark.args)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Iterator[None]:
    """Report a check of what a backend does not claim as skipped."""
    try:
        return (yield)
    except NotClaimed as reason:
        pytest.skip(f"not claimed: {reason}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note when a test begins; give Ctrl-C back after it, which the command line keeps."""
    item.stash[BEGUN] = spent()
    hears = signal.getsignal(signal.SIGINT)
    try:
        return (yield)
    finally:
        signal.signal(signal.SIGINT, hears)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say in the last report of a test what it cost."""
    report = yield
    if call.when == "teardown":
        report.user_properties.append((COST, spent() - item.stash[BEGUN]))
    return report


def pytest_report_header() -> str:
    """Say that proofs by volume run long."""
    return f"soak: {SOAK} times the volume of make test" if SOAK else ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests were skipped, why, and how to run them."""
    reasons = Counter[str]()
    for report in terminalreporter.stats.get("skipped", ()):
        reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
    claims = sum(number for reason, number in reasons.items() if reason.startswith("not claimed: "))
    if claims:
        terminalreporter.line(f"{claims} checks were skipped: their backends do not claim it")
    absent = sum(number for reason, number in reasons.items() if reason.startswith("not there: "))
    if absent:
        terminalreporter.line(
            f"{absent} tests were skipped: they need collections of boards, in UNIDOKU_DATA"
        )
    for reason, number in sorted(reasons.items()):
        if not reason.startswith(("not claimed: ", "not there: ", "not installed: ")):
            terminalreporter.line(f"{number} skipped: {reason}")
    ended = terminalreporter.stats.get("", ())  # what ran and had nothing to say, such as teardown
    for line in (closing_line(reasons), files_to_look_at(ended)):
        if line:
            terminalreporter.line(line)
