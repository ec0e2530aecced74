"""What the tests of the comparison share."""

from __future__ import annotations

import uuid

import pytest

from tests.comparison.engines import MARK


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> str:
    """Mark all processes that the test begins."""
    value = uuid.uuid4().hex
    monkeypatch.setenv(MARK, value)
    return value
