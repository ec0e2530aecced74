"""What is logged below ``unidoku``: who took over, what was compiled or waited for, and ignored."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import unidoku
from tests.backends.native.boards import HARD, in_a_process
from unidoku.backends import auto
from unidoku.backends.native.compiler import object_cache
from unidoku.support import logs
from unidoku.support.lock import lock_of, locked


@pytest.fixture(autouse=True)
def _all_levels(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "unidoku")


def logged(caplog: pytest.LogCaptureFixture, level: str) -> list[str]:
    """Return the messages of a level, each after the module that logged it."""
    records = (record for record in caplog.records if record.levelname == level)
    return [f"{record.name}: {record.getMessage()}" for record in records]


def test_an_easy_search_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    unidoku.load("native").prepare(unidoku.layout("classic", 4))
    caplog.clear()
    for backend in ("auto", "native", "norvig"):
        assert unidoku.solve("1... ..2. .3.. ...4", backend=backend).count == 1
    assert caplog.records == []


def test_auto_names_who_searches_too(caplog: pytest.LogCaptureFixture) -> None:
    unidoku.load("auto[budget=1]").solve(HARD[1], solutions=2)
    (message,) = [text for text in logged(caplog, "INFO") if "auto" in text]
    assert message.startswith("unidoku.backends.auto: sat searches too, native has not decided in ")


def test_too_little_time_to_load_a_backend_is_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auto, "LOADING", 100.0)
    monkeypatch.setattr(auto, "_in_memory", set())
    unidoku.load("auto[budget=1]").solve(HARD[1], solutions=2, time_limit=60)
    assert any(": sat is not loaded: " in message for message in logged(caplog, "DEBUG"))


def test_what_is_compiled_read_and_waited_for_is_logged(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    path = tmp_path / "cache" / "a.o"
    for _ in range(2):
        assert object_cache.load_or_make(path, lambda: b"code") == b"code"
    (compiled,) = logged(caplog, "INFO")
    assert compiled.startswith(
        "unidoku.backends.native.compiler.object_cache: machine code was compiled in 0."
    )
    assert compiled.endswith(f" s: {path}")
    assert logged(caplog, "DEBUG") == [
        f"unidoku.backends.native.compiler.object_cache: machine code is read from {path}"
    ]


def test_a_wait_for_another_that_compiles_is_logged(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    path = tmp_path / "a.o"
    with ThreadPoolExecutor(1) as executor:
        with locked(path):
            waiting = executor.submit(object_cache.load_or_make, path, lambda: b"mine")
            threading.Event().wait(0.2)
            object_cache.write(path, b"theirs")
        assert waiting.result() == b"theirs"
    assert not lock_of(path).exists()
    assert f"s for the process that compiled {path}" in "".join(logged(caplog, "INFO"))


def test_settings_that_nobody_trusts_are_logged(
    caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unidoku.toml").write_text('backend = "elsewhere:Solver"')
    monkeypatch.chdir(tmp_path)
    with pytest.warns(UserWarning, match="is not trusted"):
        assert unidoku.configured().label == "auto"
    (message,) = logged(caplog, "INFO")
    assert message.startswith("unidoku.settings: ignored: ")
    assert "module elsewhere:Solver" in message


def test_a_warning_that_is_told_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    logs.tell_once.cache_clear()
    with pytest.warns(UserWarning, match="without it"):
        logs.tell_once("unidoku.any", "without it")
    logs.tell_once("unidoku.any", "without it")
    assert logged(caplog, "WARNING") == ["unidoku.any: without it"]


UNHEARD = f"""
import unidoku
print(unidoku.load("auto[budget=1,then=norvig]").solve("{HARD[1]}", solutions=2).answered_by)
"""


def test_nobody_sees_what_nobody_asked_for() -> None:
    assert in_a_process(UNHEARD) == "norvig\n"
