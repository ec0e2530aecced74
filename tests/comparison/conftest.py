from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session")
def stats() -> Any:
    """`scipy.stats`: to import it takes a second, which collecting the tests need not."""
    from scipy import stats

    return stats


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave spawned workers to `make test-thorough`, where forked ones do the same.

    That spawned ones do it too is proved by `test_pool`, and by `test_elsewhere` where there are no
    others.
    """
    call = getattr(item, "callspec", None)
    if call is not None and "spawn" in call.params.values():
        item.add_marker("thorough")
