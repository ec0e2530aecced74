from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session")
def stats() -> Any:
    """`scipy.stats`: to import it takes a second, which collecting the tests need not."""
    from scipy import stats

    return stats
