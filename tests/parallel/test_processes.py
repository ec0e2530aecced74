"""Processes of our own end with all that they started, where there are groups and where not."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import pytest

from tests.helpers.engines import all_gone, marked, until
from unidoku.parallel.processes import end_group, kill_group, kill_tree, start

pytestmark = pytest.mark.processes

SLEEPS = "import subprocess; subprocess.run(['sleep', '600'], start_new_session={})"


def test_a_group_is_killed_with_its_leader(mark: str) -> None:
    process = start([sys.executable, "-c", SLEEPS.format(False)])
    assert os.getpgid(process.pid) == process.pid
    assert until(lambda: len(marked(mark)) == 2)
    kill_group(process.pid)
    process.wait()
    assert all_gone(mark)


def test_where_there_are_no_groups_what_a_process_started_is_killed_with_it(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start([sys.executable, "-c", SLEEPS.format(True)])
    assert until(lambda: len(marked(mark)) == 2)
    monkeypatch.delattr(os, "killpg")
    kill_group(process.pid)
    process.wait()
    assert all_gone(mark)


def test_a_tree_is_killed_with_programs_in_groups_of_their_own(mark: str) -> None:
    process = start([sys.executable, "-c", SLEEPS.format(True)])
    assert until(lambda: len(marked(mark)) == 2)
    kill_tree(process.pid)
    process.wait()
    assert all_gone(mark)


@pytest.mark.parametrize("kill", [kill_group, kill_tree])
@pytest.mark.parametrize("groups", [True, False])
def test_to_kill_what_has_ended_is_no_error(
    kill: Callable[[int], None], groups: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start([sys.executable, "-c", ""])
    if not groups:
        monkeypatch.delattr(os, "killpg")
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    kill(process.pid)
    assert process.wait() == 0
    kill(process.pid)


def test_a_program_is_ended_with_what_it_started_in_groups_of_their_own(mark: str) -> None:
    process = start([sys.executable, "-c", SLEEPS.format(True)])
    assert until(lambda: len(marked(mark)) == 2)
    assert end_group(process, kill=True) == -signal.SIGKILL
    assert all_gone(mark)
