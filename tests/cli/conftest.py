from __future__ import annotations

import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.command_lines import make_files
from tests.helpers.command_runner import Runner
from unidoku.comparison.run import Runner as Runs
from unidoku.comparison.run import open_runner


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capfd, monkeypatch)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a new folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("every")
    make_files(result)
    return result


@pytest.fixture
def folder(_files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the files that the lines of `tests.helpers.command_lines` name."""
    shutil.copytree(_files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def _no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have commands that run backends in workers run them in this process."""

    def opened(*arguments: Any, **options: Any) -> AbstractContextManager[Runs]:
        return open_runner(*arguments, **{**options, "kind": "inline"})

    for room in ("comparison.run", "comparison.session", "fuzzing.run"):
        monkeypatch.setattr(f"unidoku.{room}.open_runner", opened)
