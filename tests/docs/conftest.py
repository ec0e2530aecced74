from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


def program(name: str) -> Any:
    """Return a fixture: the module of a program that makes a page of the documentation."""

    @pytest.fixture(name=name)
    def imported(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
        monkeypatch.syspath_prepend(str(root / "docs"))
        return import_module(name)

    return imported


make_backends = program("make_backends")
make_explanations = program("make_explanations")
make_gallery = program("make_gallery")
make_images = program("make_images")
make_layers = program("make_layers")
make_man = program("make_man")
make_rules = program("make_rules")
make_techniques = program("make_techniques")
