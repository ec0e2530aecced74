from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from unidoku.errors import OptionError, SettingsError
from unidoku.settings import read_settings

BOARD = unidoku.Board.parse("1... .... .... ...4")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder without settings."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_settings_there_are_defaults(folder: Path) -> None:
    settings = read_settings()
    assert (settings.backend.value, settings.backend.source) == ("auto", "default")
    assert settings.time_limit.value is None


def test_the_first_that_says_something_wins(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.unidoku]\nbackend = "cp-sat"\ntime_limit = 3\n[tool.unidoku.backends.cp-sat]\n'
        "num_workers = 2\nlinearization_level = 0\n"
    )
    assert read_settings().backend.value == "cp-sat"
    (folder / "unidoku.toml").write_text(
        'backend = "python-constraint"\n[backends.cp-sat]\nnum_workers = 1\n'
    )
    settings = read_settings()
    assert settings.backend.value == "python-constraint"
    assert settings.backend.source == str(folder / "unidoku.toml")
    assert settings.time_limit.value == 3
    assert settings.options_of("cp-sat") == {"num_workers": 1, "linearization_level": 0}
    monkeypatch.setenv("UNIDOKU_BACKEND", "cp-sat")
    assert read_settings().backend.source == "environment variable UNIDOKU_BACKEND"
    assert unidoku.configured("norvig").label == "norvig"
    assert unidoku.configured().label == "cp-sat[linearization_level=0,num_workers=1]"
    assert unidoku.configured("cp-sat[num_workers=4]").options["num_workers"] == 4
    assert unidoku.configured("cp-sat[num_workers=4]", num_workers=8).options["num_workers"] == 8


def test_the_users_own_settings_hold_where_a_folder_has_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "home" / "own.toml"
    path.parent.mkdir()
    path.write_text(
        'backend = "sat"\ntime_limit = 7\n[backends.sat]\nsolver = "cadical195"\n'
        "[backends.cp-sat]\nnum_workers = 3\n"
    )
    monkeypatch.setenv("UNIDOKU_SETTINGS", str(path))
    (folder / "pyproject.toml").write_text("[tool.unidoku]\ntime_limit = 5\n")
    (folder / "unidoku.toml").write_text('[backends.sat]\nsolver = "minisat22"\n')
    sources = {name: (each.value, each.source) for name, each in read_settings().rows()}
    assert sources == {
        "backend": ("sat", str(path)),
        "time_limit": (5, f"{folder / 'pyproject.toml'} [tool.unidoku]"),
        "names": ("A1", "default"),
        "language": ("en", "default"),
        "backends.sat.solver": ("minisat22", str(folder / "unidoku.toml")),
        "backends.cp-sat.num_workers": (3, str(path)),
    }
    monkeypatch.setenv("UNIDOKU_BACKEND", "norvig")
    assert read_settings().backend.source == "environment variable UNIDOKU_BACKEND"
    assert unidoku.configured("exact-cover").label == "exact-cover"
    path.write_text("bakend = 1\n")
    with pytest.raises(SettingsError, match=r"own\.toml: unknown key 'bakend'"):
        read_settings()
    path.unlink()
    with pytest.raises(SettingsError, match=r"own\.toml cannot be read"):
        read_settings()


def test_a_parent_folder_speaks_for_its_children(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "unidoku.toml").write_text('backend = "python-constraint[solver=recursive]"\n')
    child = folder / "a" / "b"
    child.mkdir(parents=True)
    monkeypatch.chdir(child)
    assert unidoku.configured().label == "python-constraint[solver=recursive]"
    (child / "unidoku.toml").write_text("time_limit = 1.0\n")
    assert unidoku.configured().label == "auto"


def test_an_option_that_a_file_misspells_is_an_error_that_names_the_file(folder: Path) -> None:
    (folder / "unidoku.toml").write_text('[backends.sat]\nsolvr = "minisat22"\n')
    with pytest.raises(OptionError, match=r"unidoku\.toml: sat has no option 'solvr'; did you"):
        unidoku.configured("sat")
    with pytest.raises(OptionError, match=r"^sat has no option 'solvr'"):
        unidoku.configured("sat[solvr=minisat22]")


def test_solve_uses_the_settings_only_if_asked(folder: Path) -> None:
    (folder / "unidoku.toml").write_text('backend = "cp-sat"\n')
    assert "workers" not in unidoku.solve(BOARD).statistics
    assert "workers" in unidoku.solve(BOARD, backend=unidoku.configured()).statistics


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('bakend = "norvig"', "unknown key 'bakend'; did you mean 'backend'"),
        ('backend = "norvik"', "did you mean 'norvig'"),
        ("backend = 1", "backend: expected a text, got 1"),
        ("time_limit = 0", "time_limit: expected seconds above 0"),
        ('time_limit = "1"', "time_limit: expected a number, got '1'"),
        ("time_limit = true", "time_limit: expected a number, got True"),
        ("[backends.cpsat]\n", "did you mean 'cp-sat'"),
        ("[backends]\ncp-sat = 1", "expected a table, got 1"),
        ("backends = 1", "backends: expected a table, got 1"),
        ("backend = ", "is not TOML"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_file(
    folder: Path, text: str, message: str
) -> None:
    path = folder / "unidoku.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=message) as caught:
        read_settings()
    assert str(path) in str(caught.value)


def test_an_option_in_a_file_is_checked_like_any_other(folder: Path) -> None:
    (folder / "unidoku.toml").write_text("[backends.cp-sat]\nnum_worker = 1\n")
    with pytest.raises(ValueError, match="did you mean 'num_workers'"):
        unidoku.configured("cp-sat")
    assert unidoku.configured().solve(BOARD).count == 1
