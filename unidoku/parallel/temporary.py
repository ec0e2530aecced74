"""Temporary files of processes and programs: in a folder of ours, which is removed after them.

A process that is killed at a limit removes no file, and some programs never do: GNU Prolog leaves
one for each that it reads. So what we start has such a folder as its own for temporary files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from tempfile import TemporaryDirectory

from unidoku.parallel.signals import cleaning_up_at_signals, undisturbed

VARIABLES = ("TMPDIR", "TEMP", "TMP")
"""Environment variables that name the folder for temporary files: on POSIX the first, on Windows
one of the others."""


def new_folder() -> TemporaryDirectory[str]:
    """Make a temporary folder of ours, whose `cleanup` removes it with all that is in it."""
    return TemporaryDirectory(prefix="unidoku-", ignore_cleanup_errors=True)


def variables_for(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Return the environment variables that have a process put its temporary files in a folder."""
    return dict.fromkeys(VARIABLES, os.fspath(folder))


@contextmanager
def temporary_folder() -> Iterator[str]:
    """Make a temporary folder of ours, which is removed after the ``with``.

    So it is before SIGTERM or SIGHUP (kill, timeout, a closed terminal) end this process, in its
    main thread.
    """
    with cleaning_up_at_signals():
        folder = None
        try:
            with undisturbed():
                folder = new_folder()
            yield folder.name
        finally:
            with undisturbed():
                if folder is not None:
                    folder.cleanup()


@contextmanager
def temporary_variables() -> Iterator[dict[str, str]]:
    """Yield `variables_for` a `temporary_folder`; none if it cannot be made, as on a full disk."""
    with ExitStack() as stack:
        variables: dict[str, str] = {}
        with suppress(OSError):
            variables = variables_for(stack.enter_context(temporary_folder()))
        yield variables
