"""Processes of our own end with all that they started, where there are groups and where not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.helpers.engines import all_gone, marked, until
from unidoku.parallel.processes import end_group, kill_group, kill_tree, start

pytestmark = pytest.mark.processes

SLEEPS = "import subprocess; subprocess.run(['sleep', '600'], start_new_session={})"


def of_two(mark: str, *, own_group: bool) -> subprocess.Popen[bytes]:
    """Start a program that starts another, perhaps in a group of its own."""
    process = start([sys.executable, "-c", SLEEPS.format(own_group)])
    assert os.getpgid(process.pid) == process.pid
    assert until(lambda: len(marked(mark)) == 2)
    return process


@pytest.mark.parametrize(
    ("kill", "own_group", "groups"),
    [(kill_group, False, True), (kill_group, True, False), (kill_tree, True, True)],
    ids=["group", "no groups", "tree"],
)
def test_a_program_is_killed_with_what_it_started(
    kill: Callable[[int], None],
    own_group: bool,
    groups: bool,
    mark: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = of_two(mark, own_group=own_group)
    if not groups:
        monkeypatch.delattr(os, "killpg")
    kill(process.pid)
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
    process = of_two(mark, own_group=True)
    assert end_group(process, kill=True) == -signal.SIGKILL
    assert all_gone(mark)
