"""The output of backends in a worker: it goes to files, which the supervisor can read later."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

_MOST = 4096
"""Bytes that are kept of each file, from its end."""

_LARGE = 64 << 20
"""Size in bytes at which a file is emptied: a backend may print without end."""


def redirect(errors: Path) -> None:
    """Send the output of this process to files: standard error to this one, the rest beside it.

    Neither goes to the supervisor's own streams. Lines are written at once, so that a crash loses
    none.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    for path, target in ((_output(errors), 1), (errors, 2)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
        os.dup2(file, target)
        os.close(file)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")


def clear() -> None:
    """Forget the output of this process so far."""
    for target in (1, 2):
        with contextlib.suppress(OSError):  # a backend may have closed it
            if os.lseek(target, 0, os.SEEK_END):  # truncating an empty file would take longer
                os.ftruncate(target, 0)


def trim(errors: Path) -> None:
    """Empty the files of a worker that have become large; it continues at their beginning."""
    for path in (_output(errors), errors):
        with contextlib.suppress(OSError):  # missing, or this system does not allow the change
            if path.stat().st_size > _LARGE:
                os.truncate(path, 0)


def printed(errors: Path) -> str:
    """Return the end of a worker's output, standard output first."""
    return "\n".join(filter(None, (tail(_output(errors)), tail(errors))))


def flush() -> None:
    """Write lines that are not complete yet."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # a backend may have closed it
        sys.stdout.flush()


def tail(path: Path) -> str:
    """Return the end of a file; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _MOST))
            return file.read().decode(errors="replace").strip()
    except OSError:
        return ""


def _output(errors: Path) -> Path:
    return errors.with_suffix(".out")
