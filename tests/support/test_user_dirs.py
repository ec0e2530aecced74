"""Where a user's files are, on each system."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from unidoku.support import user_dirs


@pytest.fixture(autouse=True)
def _none_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have the places looked up in each test."""
    monkeypatch.delenv("UNIDOKU_SETTINGS", raising=False)
    monkeypatch.delenv("UNIDOKU_CACHE", raising=False)
    user_dirs._of_this_user.cache_clear()
    yield
    user_dirs._of_this_user.cache_clear()


def settings_at(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('backend = "norvig"\n')
    return file


def test_on_linux_the_cache_stays_where_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert user_dirs.cache_folder() == tmp_path / ".cache" / "unidoku"
    user_dirs._of_this_user.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert user_dirs.cache_folder() == Path("/somewhere/unidoku")


@pytest.mark.parametrize(
    ("module", "name", "settings", "cache"),
    [
        ("unix", "Unix", ".config/unidoku", ".cache/unidoku"),
        ("macos", "MacOS", "Library/Application Support/unidoku", "Library/Caches/unidoku"),
        ("windows", "Windows", "AppData/Local/unidoku", "AppData/Local/unidoku/Cache"),
    ],
)
def test_each_system_has_its_own_places(
    module: str,
    name: str,
    settings: str,
    cache: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    system = importlib.import_module(f"platformdirs.{module}")
    if name == "Windows":
        local = str(tmp_path / "AppData" / "Local")
        monkeypatch.setattr(system, "get_win_folder", lambda _: local)
        monkeypatch.setattr(system.os.path, "normpath", lambda path: path.replace("\\", "/"))
    monkeypatch.setattr(platformdirs, "PlatformDirs", getattr(system, name))
    assert user_dirs.settings_file() is None
    file = settings_at(tmp_path / settings / "unidoku.toml")
    assert user_dirs.settings_file() == file
    assert user_dirs.cache_folder() == tmp_path / cache


def test_the_environment_names_other_places_or_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("UNIDOKU_SETTINGS", str(tmp_path / "mine.toml"))
    monkeypatch.setenv("UNIDOKU_CACHE", str(tmp_path))
    assert user_dirs.settings_file() == tmp_path / "mine.toml"
    assert user_dirs.cache_folder() == tmp_path
    monkeypatch.setenv("UNIDOKU_SETTINGS", "")
    monkeypatch.setenv("UNIDOKU_CACHE", "")
    assert user_dirs.settings_file() is None
    assert user_dirs.cache_folder() is None
