"""Temporary files of processes and programs: in a folder of ours, which is removed after them.

A process that is killed at a limit removes no file, and some programs never do: GNU Prolog leaves
one for each that it reads. So what we start has such a folder as its own for temporary files.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from tempfile import TemporaryDirectory
from threading import current_thread, main_thread

_VARIABLES = ("TMPDIR", "TEMP", "TMP")
"""Environment variables that name the folder for temporary files: on POSIX the first, on Windows
one of the others."""

_FATAL = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def new_folder() -> TemporaryDirectory[str]:
    """Make a temporary folder of ours, whose `cleanup` removes it with all that is in it."""
    return TemporaryDirectory(prefix="unidoku-", ignore_cleanup_errors=True)


def variables_for(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Return the environment variables that have a process put its temporary files in a folder."""
    return dict.fromkeys(_VARIABLES, os.fspath(folder))


@contextmanager
def temporary_variables() -> Iterator[dict[str, str]]:
    """Yield `variables_for` a new folder, which is removed after the ``with``; none on a full disk.

    It is removed before a signal ends this process too, as by `cleaning_up_at_signals`.
    """
    with cleaning_up_at_signals(), ExitStack() as stack:
        variables: dict[str, str] = {}
        with suppress(OSError):
            variables = variables_for(stack.enter_context(new_folder()))
        yield variables


class _EndedError(BaseException):
    """A signal ends this process; raised in the body that has to be left before."""


@contextmanager
def cleaning_up_at_signals() -> Iterator[None]:
    """Have signals that would end this process at once first leave the body, by an exception.

    These are SIGTERM and SIGHUP (kill, timeout, a closed terminal): those for which the caller has
    no handler of its own, and in the main thread only.
    """
    if current_thread() is not main_thread():
        yield
        return
    got: list[int] = []

    def leave(number: int, _: object) -> None:
        if not got:
            got.append(number)
            raise _EndedError

    ours = [number for number in _FATAL if signal.getsignal(number) is signal.SIG_DFL]
    try:
        for number in ours:
            signal.signal(number, leave)
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
        if got:
            signal.raise_signal(got[0])
