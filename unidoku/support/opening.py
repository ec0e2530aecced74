"""Opens files that only Unidoku writes, whatever else may have got their names."""

from __future__ import annotations

import errno
import os
import stat

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
