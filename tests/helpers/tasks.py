"""Tasks for processes, which import this module and no other of the tests."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from typing import NoReturn

LARGE = 5_000_000
"""Bytes that no pipe holds."""


def is_first(marker: str) -> bool:
    """Return whether a task with this file runs for the first time."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


def killed_once(marker: str) -> int:
    """Kill this process the first time; return its number."""
    if is_first(marker):
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def stopped_once(marker: str) -> int:
    """Stop this process for good the first time; return its number."""
    if is_first(marker):
        os.kill(os.getpid(), signal.SIGSTOP)
    return os.getpid()


def killed_in_an_answer_once(marker: str) -> bytes:
    """Be killed while a large answer is sent the first time; return a large answer."""
    if not is_first(marker):
        return bytes(LARGE)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    return bytes(100 * LARGE)


def pid_after(seconds: float) -> int:
    """Return the number of this process after some time."""
    time.sleep(seconds)
    return os.getpid()


def temporary_file() -> str:
    """Leave a temporary file; return its path."""
    return tempfile.mkstemp()[1]


def leave(code: int) -> NoReturn:
    """End this process."""
    os._exit(code)


def variables(names: tuple[str, ...]) -> list[str | None]:
    """Return variables of the environment."""
    return [os.environ.get(name) for name in names]
