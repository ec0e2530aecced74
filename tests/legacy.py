"""Guards the job that runs the suite on python-constraint 1.4.0: it must be that one."""

from __future__ import annotations

from importlib import metadata

import unidoku


def test_this_is_the_old_distribution() -> None:
    assert metadata.version("python-constraint") == "1.4.0"
    assert unidoku.catalogue()["python-constraint"].version == "python-constraint 1.4.0"
