"""Former names of modules, which programs of others import."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from unidoku.support.moved import MOVED


@pytest.mark.parametrize("former", MOVED)
def test_a_former_name_is_the_same_module_with_a_warning(
    former: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, former, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{former} is now {MOVED[former]};"):
        found = importlib.import_module(former)
    assert found is importlib.import_module(MOVED[former])
    assert found.__spec__ is not None
    assert found.__name__ == found.__spec__.name == MOVED[former]


def test_names_are_imported_from_a_former_name_in_a_new_process() -> None:
    program = "from unidoku.deadline import look, looking; from unidoku.backends.solver import load"
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr.count("DeprecationWarning: unidoku.") == 2


def test_what_never_was_a_name_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"unidoku\.nonsense"):
        importlib.import_module("unidoku.nonsense")
