"""The suite itself: what it skips, and what it says of that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.helpers import budget
from tests.helpers.programs import PACKAGES, VARIABLE, closing_line, named_in, require
from tests.helpers.wrong import ignores_options
from tests.helpers.wrong.answers import FakeBackend, honest
from unidoku import Capabilities
from unidoku.backends import BackendSpec
from unidoku.backends.solving.solver import Solver
from unidoku.testing import CHECKS, NotClaimed, conformance, limits
from unidoku.testing.limits import (
    honours_its_options,
    honours_the_seed,
    honours_threads,
    without_effect,
)


def sound_solver(**capabilities: object) -> Solver:
    """Return a sound backend that claims so much."""
    spec = BackendSpec(
        name="modest",
        target="",
        summary="a fake",
        capabilities=Capabilities(**capabilities),  # type: ignore[arg-type]  # of one test
    )
    return Solver(spec, FakeBackend(honest))


def test_a_check_of_what_is_not_claimed_is_skipped_with_what_that_is() -> None:
    skipped = conformance(sound_solver(max_values=9))
    assert skipped == {
        "solves_large_boards": "modest supports up to 9 values, the board has 10",
        "honours_threads": "modest does not claim to honour threads",
        "honours_the_seed": "modest does not claim to honour seed",
        "honours_the_time_limit": "modest does not claim to honour time_limit",
        "stops_when_cancelled": "modest does not claim to honour time_limit",
        "honours_the_node_limit": "modest does not claim to honour node_limit",
        "honours_its_options": "modest has no target that declares its options",
        "supports_declared_relations": (
            "modest does not support relations, needed by 'non-consecutive'"
        ),
        "supports_declared_sums": ("modest does not support sets of values, needed by 'killer'"),
        "supports_declared_numbers": "modest does not support sums, needed by 'constraints'",
        "supports_declared_automata": "modest does not support automata, needed by 'constraints'",
        "supports_declared_tables": "modest does not support tables, needed by 'constraints'",
        "supports_declared_same_values": (
            "modest does not support same values, needed by 'constraints'"
        ),
        "supports_declared_regions": (
            "modest does not support connected regions, needed by 'constraints'"
        ),
        "supports_declared_alternatives": (
            "modest does not support alternatives, needed by 'constraints'; "
            "does not support automata, needed by 'constraints'; "
            "does not support sums, needed by 'constraints'"
        ),
    }
    assert skipped.keys() < {check.__name__ for check in CHECKS}


def test_what_an_option_takes_back_is_not_claimed() -> None:
    import unidoku

    for check in (honours_threads, honours_the_seed):
        with pytest.raises(NotClaimed, match=r"num_workers=2.*(;|race)"):
            check(unidoku.load("cp-sat[num_workers=2]"))


def deaf_one(name: str, *honours: str, **options: object) -> Solver:
    spec = ignores_options.row(name, *honours)
    return Solver(spec, spec.create(options), options)


def test_an_option_that_is_ignored_is_seen_and_named() -> None:
    assert list(without_effect(deaf_one("OneOption"))) == [("ignored", "fast")]
    with pytest.raises(AssertionError, match="OneOption: ignored: expected an effect"):
        honours_its_options(deaf_one("OneOption"))


@pytest.mark.parametrize("name", ["OnlyTold", "Refusing"])
def test_an_option_has_an_effect_if_it_is_a_parameter_or_refused(name: str) -> None:
    honours_its_options(deaf_one(name))


@pytest.mark.parametrize("name", ["Limits", "SomeThreads"])
def test_threads_that_are_ignored_are_seen(name: str) -> None:
    with pytest.raises(AssertionError, match="solutions=None: neither parameters nor statistics"):
        honours_threads(deaf_one(name, "threads"))


def test_threads_that_are_claimed_and_always_refused_are_no_honour() -> None:
    with pytest.raises(AssertionError, match="claims to honour threads, and refuses them"):
        honours_threads(deaf_one("NoThreads", "threads"))


def test_a_seed_that_is_ignored_is_seen() -> None:
    with pytest.raises(AssertionError, match="different seeds: neither answers, statistics nor"):
        honours_the_seed(deaf_one("Limits", "seed"))


@pytest.mark.parametrize(("share", "factor"), [(1, 1), (0.5, 2), (0.01, 4)])
def test_a_busy_machine_is_allowed_for_but_no_more_than_fourfold(
    share: float, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = count(0.0, 0.01)
    clock = SimpleNamespace(thread_time=lambda: next(work))
    clock.perf_counter = lambda: next(work) / share
    monkeypatch.setattr(limits, "time", clock)
    assert limits.slowdown() == pytest.approx(factor, rel=0.3)


def test_without_its_program_a_test_is_skipped_or_fails_where_it_is_required(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv(VARIABLE, raising=False)
    require([])
    with pytest.raises(pytest.skip.Exception, match="not installed: minizinc"):
        require(["minizinc"])
    monkeypatch.setenv(VARIABLE, "required")
    with pytest.raises(pytest.fail.Exception, match="not installed: minizinc chromium"):
        require(["minizinc", "chromium"])


def test_the_closing_line_counts_the_tests_and_says_what_to_type() -> None:
    assert closing_line(Counter({"too early": 3})) == ""
    assert closing_line(Counter({"not installed: gcc": 1})) == (
        "1 test was skipped: gcc is not installed; to run them: apt install gcc"
    )
    reasons = {"not installed: chromium": 11, "not installed: minizinc": 7, "too early": 3}
    assert closing_line(Counter(reasons)) == (
        "18 tests were skipped: minizinc and chromium are not installed; "
        "to run them: apt install minizinc chromium"
    )


def test_the_programs_that_a_text_names_are_found_as_words() -> None:
    assert named_in("minizinc           modelling language") == ["minizinc"]
    assert named_in("cp-sat, minizinc_unidoku") == []
    assert set(named_in(" ".join(PACKAGES))) == set(PACKAGES)


@pytest.mark.parametrize("seconds", [budget.BUDGET / 3, budget.BUDGET / 2])
def test_the_most_expensive_files_are_named_once_all_tests_cost_too_much(seconds: float) -> None:
    reports = [
        SimpleNamespace(nodeid=f"tests/{name}.py::test", user_properties=[(budget.COST, cost)])
        for name, cost in (("a", 1.0), ("b", seconds), ("b", seconds), ("c", 2.0))
    ]
    line = budget.files_to_look_at(reports)  # type: ignore[arg-type]  # all that is read of them
    named = f"tests/b.py {2 * seconds:.0f}, tests/c.py 2, tests/a.py 1"
    assert line.partition("files: ")[2] == (named if 2 * seconds + 3 > budget.BUDGET else "")


PROPERTIES = """
import time
from pathlib import Path
from hypothesis import given, strategies as st

values = st.lists(st.integers(0, 10**6), min_size=20)

@given(values)
def test_asks(values):
    with Path("asked.txt").open("a") as file:
        print(values, file=file)

@given(values)
def test_fails(values):  # it takes minutes to find the smallest list
    time.sleep(0.03)
    assert sum(values) < 5 * 10**6

@given(values)
def test_hangs(values):
    time.sleep(30)
"""

HANGING = """
import time

def test_goes_on_after_its_time_limit():
    try:
        time.sleep(30)
    finally:
        time.sleep(30)

def test_ends():
    pass
"""

LOCKED = """
import os
import time

def test_a_fork_holds_the_pipe_of_a_process_that_is_gone():
    if os.fork():
        os._exit(1)
    time.sleep(60)
    os._exit(0)
"""


def run_tests(root: Path, folder: Path, text: str, *options: str) -> str:
    """Run a file of tests that have two seconds each, and return what that prints."""
    (folder / "test_planted.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-c", str(root / "pyproject.toml"), "--rootdir"]
    command += [str(folder), "-p", "tests.conftest", "--timeout", "2", "test_planted.py", *options]
    with (folder / "printed.txt").open("w+") as printed:  # what a test leaves may hold a pipe
        subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(root), "UNIDOKU_SOAK": ""},
            stdout=printed,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )
        printed.seek(0)
        return printed.read()


@pytest.mark.processes
def test_properties_ask_the_same_in_every_run_and_end_in_time(root: Path, tmp_path: Path) -> None:
    report = run_tests(root, tmp_path, PROPERTIES)
    assert "FAILED test_planted.py::test_fails - assert" in report
    assert "FAILED test_planted.py::test_hangs - tests.helpers.deadlines.OutOfTime" in report
    assert "2 failed, 1 passed" in report
    first = (tmp_path / "asked.txt").read_text()
    (tmp_path / "asked.txt").unlink()
    run_tests(root, tmp_path, PROPERTIES, "-k", "asks")
    assert (tmp_path / "asked.txt").read_text() == first


@pytest.mark.processes
def test_a_test_that_hangs_past_its_time_limit_fails_and_the_others_go_on(
    root: Path, tmp_path: Path
) -> None:
    report = run_tests(root, tmp_path, HANGING, "-n", "1", "--dist", "worksteal")
    assert ", line 8 in test_goes_on_after_its_time_limit" in report
    assert "crashed while running 'test_planted.py::test_goes_on_after_its_time_limit'" in report
    assert "1 failed, 1 passed" in report


@pytest.mark.processes
@pytest.mark.thorough
def test_all_tests_end_once_the_process_that_shares_them_out_waits_in_vain(
    root: Path, tmp_path: Path
) -> None:
    report = run_tests(root, tmp_path, LOCKED, "-n", "1")
    assert "as they hang: test_planted.py::test_a_fork_holds_the_pipe" in report
    assert "KeyboardInterrupt" in report
