"""One process at a time writes to a file: a second one gets an error at once, or waits.

The lock is held on a hidden file beside the target, ``.NAME.lock``, which names its holder. The
system gives the lock up when its process ends, however that ends; the file is removed when the
lock is given up in order, and may stay behind, harmless, after a crash. A link in its place is
not followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import stat
from collections.abc import Iterator
from pathlib import Path

from unidoku.errors import OutputError, reason


@contextlib.contextmanager
def locked(path: Path, wait: float = 0) -> Iterator[None]:
    """Be the only process that writes to a file, which need not exist, for as long as a ``with``.

    Args:
        path: the file.
        wait: seconds to wait for another process that writes it.

    Raises:
        OutputError: another process holds the lock, or the folder cannot be written to.
    """
    import filelock  # 30 ms, which only writers need spend

    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():  # it would be made
        raise OutputError(f"{path} cannot be written: there is no folder {path.parent}")
    lock_file = lock_of(target)
    lock = filelock.FileLock(lock_file, timeout=wait, thread_local=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise OutputError(f"another process writes {path}{_holder(lock_file)}") from None
    except OSError as error:
        raise OutputError(f"{path} cannot be locked: {reason(error)}") from error
    # Where a file system has no locks, filelock counts the file itself, and writes and removes it.
    is_plain = isinstance(lock, filelock.UnixFileLock | filelock.WindowsFileLock)
    try:
        if is_plain:
            with (
                contextlib.suppress(OSError),
                open(lock_file, "w", encoding="utf-8", opener=plainly) as file,
            ):
                file.write(f"{os.getpid()}\n{platform.node()}\n")
        yield
    finally:
        if is_plain:
            # While it is held: filelock looks whether the file it locked still has its name.
            with contextlib.suppress(OSError):
                lock_file.unlink()
        lock.release()


def lock_of(target: Path) -> Path:
    """Return the hidden file on which the lock of a file is held."""
    return target.with_name(f".{target.name}.lock")


def _holder(lock_file: Path) -> str:
    """Return who holds a lock, in words, as far as the file tells."""
    try:
        with open(lock_file, encoding="utf-8", opener=plainly) as file:
            process, host, *_ = file.read().splitlines()
    except (OSError, ValueError):
        return ""
    return f" (process {process} on {host})"


_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # Windows has neither


def plainly(path: str, flags: int) -> int:
    """Open a regular file, as the opener of `open`: links are not followed, pipes not waited for.

    Raises:
        OSError: the file cannot be opened, or it is not a regular file.
    """
    descriptor = os.open(path, flags | _PLAIN, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a regular file", path)
    return descriptor
