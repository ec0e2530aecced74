"""Workers and commands that are killed, stopped or paused at random moments lose nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.helpers.killing import COMMANDS
from tests.helpers.volume import SOAK

pytestmark = [pytest.mark.processes, pytest.mark.soak, pytest.mark.timeout(7200)]


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_lost_when_a_process_is_killed_or_stopped(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.helpers.killing", str(SOAK), name],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]
