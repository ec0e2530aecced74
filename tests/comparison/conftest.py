from __future__ import annotations

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave spawned workers to `make test-thorough`, where forked ones do the same.

    That spawned ones do it too is proved by `test_pool`, and by `test_elsewhere` where there are no
    others.
    """
    call = getattr(item, "callspec", None)
    if call is not None and "spawn" in call.params.values():
        item.add_marker("thorough")
