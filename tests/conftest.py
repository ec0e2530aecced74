"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from unidoku.backends import catalogue

ROOT = Path(__file__).parent.parent

COMPLETE = {"logic": 'logic[search=true,techniques="eliminate, only choice, naked twins"]'}
"""How backends that may give up are asked to go on."""

# Timing belongs in benchmarks: the machine may be busy, so hypothesis sets no deadline.
settings.register_profile("unidoku", deadline=None, print_blob=True)
settings.load_profile("unidoku")


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the settings of whoever runs the tests out of them."""
    monkeypatch.delenv("UNIDOKU_BACKEND", raising=False)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes ``backend_name`` on every row of the catalogue, logic with search.

    Where UNIDOKU_TEST_BACKENDS names backends (comma-separated), on those rows only: so the
    suite can run where not all of them are installed.
    """
    if "backend_name" in metafunc.fixturenames:
        names = os.environ.get("UNIDOKU_TEST_BACKENDS")
        labels = names.split(",") if names else list(catalogue())
        complete = [COMPLETE.get(label, label) for label in labels]
        metafunc.parametrize("backend_name", complete, ids=labels)
