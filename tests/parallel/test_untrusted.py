"""Calls on text, labels and options that come from somebody else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.helpers.python_process import run_python
from tests.helpers.volume import thorough
from unidoku.backends import BUILT_IN
from unidoku.backends.reach import refuse_beyond_catalogue
from unidoku.errors import (
    BackendError,
    Cancelled,
    FormatError,
    InputError,
    MemoryLimitError,
    OptionError,
    TimeLimitError,
    UnknownBackendError,
    UnsupportedError,
)
from unidoku.logic import Step
from unidoku.parallel.killable import in_process
from unidoku.support import memory_limit
from unidoku.support.deadline import Deadline
from unidoku.support.language import in_language
from unidoku.support.notation import named_by

PROPER = "1... ..2. .3.. ...4"

CALLS: dict[str, Callable[..., Any]] = {
    "solve": lambda **options: unidoku.solve(PROPER, solutions=2, **options),
    "count": lambda **options: unidoku.count(PROPER, **options),
    "check": lambda **options: unidoku.check(PROPER, **options).proper,
    "true_candidates": lambda **options: unidoku.true_candidates(PROPER, **options),
    "backbone": lambda **options: unidoku.backbone(PROPER, **options),
    "estimate_count": lambda **options: unidoku.estimate_count(PROPER, **options),
    "solve_many": lambda **options: unidoku.solve_many([PROPER], **options).texts(),
    "hint": lambda **options: str(unidoku.hint(PROPER, **options)),
    "explain": lambda **options: str(unidoku.explain(PROPER, **options)),
    "rate": lambda **options: unidoku.rate(PROPER, **options),
    "why": lambda **options: str(unidoku.why(PROPER, "A2", 2, **options)),
}
"""Calls that take untrusted input, with the answer that is compared."""

OF_BACKENDS = [name for name in CALLS if name not in ("hint", "explain", "rate")]


@pytest.mark.parametrize(
    "name",
    ["check", *thorough(*(name for name in CALLS if name != "check"))],
)
def test_a_call_answers_the_same_in_its_process(name: str) -> None:
    answer, plain = (
        CALLS[name](**options) for options in ({"untrusted": True, "time_limit": 60}, {})
    )
    if isinstance(plain, unidoku.Result):
        answer, plain = ((item.count, item.solutions, item.puzzle) for item in (answer, plain))
    assert answer == plain


@pytest.mark.parametrize("name", OF_BACKENDS)
@pytest.mark.parametrize(
    "label",
    [
        "os:system",
        "function:os:system",
        "program[language=dimacs,command=id]",
        "cadical",
        "auto[then=cadical]",
        'auto[then="auto[then=os:system]"]',
    ],
)
def test_only_backends_that_come_with_unidoku_are_named(name: str, label: str) -> None:
    with pytest.raises(UnknownBackendError, match="untrusted: expected a backend that comes with"):
        CALLS[name](untrusted=True, backend=label)


@pytest.mark.parametrize("name", OF_BACKENDS)
def test_no_option_names_a_file(name: str) -> None:
    for options in (
        {"backend": "sat[proof=x.drat]"},
        {"backend": "sat", "proof": "x.drat"},
        {"backend": 'auto[then="sat[proof=x.drat]"]'},
        {"backend": unidoku.load("sat[proof=x.drat]")},
    ):
        with pytest.raises(OptionError, match=r"no option with a file"):
            CALLS[name](untrusted=True, **options)


def test_cells_and_texts_are_named_there_as_here() -> None:
    with named_by("r1c1"), in_language("de"):
        step = unidoku.hint(PROPER, untrusted=True)
        assert isinstance(step, Step)
        assert step.sentence == str(unidoku.hint(PROPER))
        assert step.sentence == "versteckter Single: 2 in Block 1 → r1c2 ist 2"


def test_load_refuses_the_same() -> None:
    for name in BUILT_IN:
        refuse_beyond_catalogue(name)
    assert unidoku.load("norvig", untrusted=True).label == "norvig"
    with pytest.raises(OptionError):
        unidoku.load("sat", untrusted=True, proof="x.drat")
    with pytest.raises(UnknownBackendError, match="did you mean 'norvig'"):
        unidoku.load("norvik", untrusted=True)


def test_the_backend_of_the_environment_is_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIDOKU_BACKEND", "os:system")
    with pytest.raises(UnknownBackendError, match="'os:system'"):
        unidoku.solve(PROPER, untrusted=True)


def test_all_of_the_call_is_within_the_limit_of_time() -> None:
    begun = time.perf_counter()
    with pytest.raises(TimeLimitError, match=r"time limit of 0\.01 s reached"):
        unidoku.solve(PROPER, untrusted=True, time_limit=0.01)
    assert time.perf_counter() - begun < 10


@pytest.mark.soak
def test_what_was_found_before_the_limit_of_time_is_returned() -> None:
    result = unidoku.count("." * 81, untrusted=True, backend="norvig", time_limit=3)
    assert result.stop is unidoku.Stop.TIME


@pytest.mark.skipif(not memory_limit.KEEPS_MEMORY_LIMITS, reason="this system keeps no limit")
def test_memory_is_limited() -> None:
    with pytest.raises(MemoryLimitError, match="memory limit of 32 MiB reached"):
        unidoku.solve(
            "." * 625,
            solutions=None,
            untrusted=True,
            backend="norvig",
            memory_limit=32,
            time_limit=200,
        )


def test_a_system_without_limits_of_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limit, "KEEPS_MEMORY_LIMITS", False)
    with pytest.raises(UnsupportedError, match="memory_limit"):
        unidoku.solve(PROPER, untrusted=True)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"memory_limit": 5}, "memory_limit=5 needs untrusted=True"),
        ({"untrusted": True, "memory_limit": 0}, "expected mebibytes above 0, got 0"),
        ({"untrusted": True, "time_limit": float("inf")}, "expected seconds"),
        ({"untrusted": True, "time_limit": -1}, "expected seconds above 0, got -1"),
    ],
)
def test_limits_that_are_none_are_refused(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        unidoku.solve(PROPER, **limits)


def test_an_error_of_the_call_is_raised_as_it_is() -> None:
    with pytest.raises(FormatError, match="got 8 symbols"):
        unidoku.count("nonsense", untrusted=True, time_limit=60)


def test_a_cancelled_call_ends_its_process() -> None:
    cancel = unidoku.Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        unidoku.solve(PROPER, untrusted=True, cancel=cancel)


def test_a_process_that_ends_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "unidoku.parallel.killable.interpreter",
        lambda _: [sys.executable, "-c", "raise SystemExit(3)"],
    )
    with pytest.raises(BackendError, match="a process exited with code 3"):
        unidoku.solve(PROPER, untrusted=True, time_limit=60)


def test_a_process_is_killed_at_its_deadline() -> None:
    with pytest.raises(TimeLimitError, match="was killed"):
        in_process(time.sleep, 1000, deadline=Deadline(0.4))


def test_a_process_that_never_reads_its_call_is_killed_too(
    monkeypatch: pytest.MonkeyPatch, temporary: Path
) -> None:
    program = "import os, time; open(os.environ['TMPDIR'] + '/left', 'w'); time.sleep(1000)"
    hanging = [sys.executable, "-S", "-c", program]
    monkeypatch.setattr("unidoku.parallel.killable.interpreter", lambda _: hanging)
    with pytest.raises(TimeLimitError):
        in_process(len, b"x" * (1 << 20), deadline=Deadline(0.4))  # longer than a pipe holds
    assert not list(temporary.iterdir())


def test_a_script_without_a_guard_may_make_such_calls(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import unidoku\nprint(unidoku.count({PROPER!r}, untrusted=True, time_limit=60).count)\n",
        encoding="utf-8",
    )
    ran = run_python(script, check=True)
    assert ran.stdout == "1\n"
