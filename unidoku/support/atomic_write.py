"""The one way to write a file: whole or not at all, and over another one only where that is asked.

A new file is written beside its target, under the first free one of ``NAME.part``,
``NAME.2.part`` and so on, and gets its name in one step when it is whole. So a reader of the
target sees the old content or the new, each of several writers has a file of its own, and no
file that somebody else left is touched. Without ``force`` an existing target is refused, at the
beginning and again at the end: of two writers one gets the name, the other is told where its
own file is.

A link is followed: the file that it leads to is written or replaced, and the link stays. A file
that replaces another gets its permissions; other hard links keep the old content. Devices and
pipes have no second name, so they are written directly.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from unidoku.errors import InputError, OutputError, reason

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ADVICE = {
    errno.ENOSPC: "make room, or name a file on another disk",
    errno.EDQUOT: "make room, or name a file on another disk",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f)",
    errno.EACCES: "name a file in a folder that you may write to",
    errno.EPERM: "name a file in a folder that you may write to",
    errno.EROFS: "name a file in a folder that you may write to",
    errno.ENOENT: "make its folder first",
    errno.ENOTDIR: "make its folder first",
    errno.ENAMETOOLONG: "name a shorter one",
}
"""What to do about a reason."""

_UNSYNCABLE = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}
"""Reasons of a file system that cannot tell when a file is on the disk."""

_LONGEST = 240
"""Bytes of a name that leave room for an ending: file systems allow 255."""

_MOST_PARTS = 1000
"""Unfinished files of one name that may lie about."""


@contextlib.contextmanager
def new_file(
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    keep: bool = False,
    resume: bool = False,
    endings: Collection[str] = (),
) -> Iterator[BinaryIO]:
    """Open a file for bytes; it gets its name at the end of a ``with``, when it is whole.

    It is forced onto the disk before that: else a power cut soon after could leave the new name
    without content, the old content being gone, and some file systems say only then that the
    disk is full. This is once a file, and takes milliseconds.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with new_file(f"{folder}/a.txt") as file:
    ...         written = file.write(b"whole")
    ...     print(Path(folder, "a.txt").read_text())
    whole

    Args:
        path: file to be written.
        force: replace a file that exists.
        keep: keep what was written so far if the body raises, and name it in a note on the
            exception. Without it, and where the input is at fault (`InputError`), it is removed.
        resume: write the unfinished file that was left by another call, if there is one and no
            other process still writes it; it is opened at its beginning, with what is in it.
        endings: endings that the name may have, in lower case and with their dots, an empty one
            for none; any if there are none.

    Raises:
        InputError: the name has another ending.
        OutputError: the file exists, or cannot be written; the message says what is kept,
            and where.
    """
    path = Path(path)
    _check_ending(path, endings)
    target = _target(path, force)
    file, part = (_open_device(path), None) if target is None else _open_part(path, target, resume)
    stream = io.BufferedWriter(file)
    try:
        yield cast(BinaryIO, stream)
        stream.flush()
        if part is not None:
            file.sync()
        stream.close()
    except BaseException as error:
        with contextlib.suppress(OSError):
            stream.close()  # writes what is in the buffer, where that can be written
        keep = keep and (resume or not isinstance(error, InputError))
        unfinished = None if part is None else _unfinished(part, keep)
        if file.failure is not None and isinstance(error, Exception):
            raise _failed(path, file.failure, target, unfinished) from file.failure
        if unfinished is not None:
            error.add_note(f"what was found so far is in {unfinished}")
        raise
    if target is not None and part is not None:
        _deliver(path, part, target, force)


def write_text(
    path: str | os.PathLike[str],
    text: str,
    *,
    force: bool = False,
    endings: Collection[str] = (),
) -> None:
    """Write a text as UTF-8; what UTF-8 lacks, such as half of a character, becomes ``?``.

    The arguments, and what is raised, are those of `new_file`.
    """
    with new_file(path, force=force, endings=endings) as file:
        file.write(text.encode("utf-8", "replace"))


def check_target(
    path: str | os.PathLike[str], *, force: bool = False, endings: Collection[str] = ()
) -> None:
    """Raise for a file that cannot be written, before long work for it begins.

    The arguments, and what is raised, are those of `new_file`.
    """
    path = Path(path)
    _check_ending(path, endings)
    target = _target(path, force)
    if target is not None:
        file, part = _open_part(path, target)  # only a try tells
        try:
            file.close()
        except OSError as error:
            raise _failed(path, error, target, _unfinished(part, keep=False)) from error
        _remove(part, f"{path} cannot be written")


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make a folder, and those above it, where they are not there.

    Args:
        path: the folder.
        mode: who may do what in a folder that is made; the user's umask takes away more.

    Raises:
        OutputError: it cannot be made.
    """
    try:
        path.mkdir(mode, parents=True, exist_ok=True)
    except FileExistsError as error:
        raise OutputError(f"{path} cannot be written: expected a folder, got a file") from error
    except (OSError, ValueError) as error:
        raise _failed(path, error) from error


def ending_of(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file's name, in lower case.

    >>> ending_of("a.CSV"), ending_of("a.txt.gz"), ending_of("a")
    ('.csv', '.txt.gz', '')
    """
    name = Path(path).name.lower()
    plain = name.removesuffix(".gz")
    return Path(plain).suffix + name[len(plain) :]


def _check_ending(path: Path, endings: Collection[str]) -> None:
    if endings and ending_of(path) not in endings:
        known = ", ".join(filter(None, endings)) + ", or that has none" * ("" in endings)
        raise InputError(f"expected a file name that ends in {known}; got {str(path)!r}")


class _File(io.FileIO):
    """A file that remembers why it could not be written; libraries between may not tell."""

    failure: OSError | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        with self._remembering():
            return super().write(data)

    def sync(self) -> None:
        with self._remembering():
            try:
                os.fsync(self.fileno())
            except OSError as error:
                if error.errno not in _UNSYNCABLE:
                    raise

    def close(self) -> None:
        with self._remembering():
            super().close()

    def has_other_writer(self) -> bool:
        """Lock the file until it is closed; return whether another process has done so before."""
        if sys.platform != "win32":
            try:
                fcntl.flock(self.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
            except OSError:  # a file system without locks
                return False
        return False

    @contextlib.contextmanager
    def _remembering(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.failure = self.failure or error
            raise


def _target(path: Path, force: bool) -> Path | None:
    """Return the file that a path leads to, None for a device or a pipe."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return Path(os.path.realpath(path))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _failed(path, error) from error
    if stat.S_ISDIR(mode):
        raise OutputError(f"expected the name of a file, got the folder {path}")
    if not stat.S_ISREG(mode):
        return None
    if not force:
        raise OutputError(
            f"{path} exists; name another file, or replace it with --force (force=True in Python)"
        )
    return Path(os.path.realpath(path))


def _open_device(path: Path) -> _File:
    try:
        return _File(path, "w")
    except OSError as error:
        raise _failed(path, error) from error


def part_of(path: str | os.PathLike[str], number: int = 1) -> Path:
    """Return what an unfinished file is called, the first of those of this name or another."""
    target = Path(os.path.realpath(path))
    name = os.fsdecode(os.fsencode(target.name)[:_LONGEST])
    return target.with_name(f"{name}.part" if number == 1 else f"{name}.{number}.part")


def _open_part(path: Path, target: Path, resume: bool = False) -> tuple[_File, Path]:
    """Open the first free name for the unfinished file, or the one that was left."""
    for number in range(1, _MOST_PARTS):
        part = part_of(target, number)
        try:
            file = _File(part, "r+" if resume and part.exists() else "x")
        except FileExistsError:
            continue
        except OSError as error:
            raise _failed(path, error) from error
        if file.has_other_writer():
            file.close()
            raise OutputError(f"another process writes {part}; wait for it, or name another file")
        with contextlib.suppress(OSError):  # of a file that is replaced
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        return file, part
    raise OutputError(f"{path} cannot be written: remove unfinished files such as {part}")


def _unfinished(part: Path, keep: bool) -> Path | None:
    """Remove the unfinished file, unless it is to be kept and not empty; return it if it stays."""
    try:
        if keep and part.stat().st_size:
            return part
        part.unlink(missing_ok=True)
    except OSError:
        return part
    return None


def _deliver(path: Path, part: Path, target: Path, force: bool) -> None:
    """Give the file its name, in one step."""
    has_both = False
    try:
        if force:
            # Of two names of one file, which a process that was killed may leave, both would stay.
            has_both = target.exists() and part.samefile(target)
            part.replace(target)
        elif os.name == "nt":
            part.rename(target)  # refuses a name that is taken, there only
        else:
            has_both = _linked(part, target)
    except OSError as error:
        is_taken = isinstance(error, FileExistsError)
        why = "another process wrote it in the meantime" if is_taken else reason(error)
        where = f"its whole content is in {part}" if _is_there(part) else f"{part} has vanished"
        raise OutputError(f"{path} cannot be written: {why}; {where}") from error
    if has_both:
        _remove(part, f"{path} is written")


def _linked(part: Path, target: Path) -> bool:
    """Give a file a name that no other has; return whether it also has its old one."""
    try:
        target.hardlink_to(part)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        target.touch(exist_ok=False)
        try:
            part.replace(target)
        except BaseException:
            target.unlink()
            raise
        return False
    return True


def _remove(part: Path, fault: str) -> None:
    try:
        part.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(f"{fault}, and {part} cannot be removed: {reason(error)}") from error


def _failed(
    path: Path, error: Exception, target: Path | None = None, unfinished: Path | None = None
) -> OutputError:
    """Return the error that says what could not be written, why, what is kept and what to do."""
    number = error.errno if isinstance(error, OSError) else None
    reasons = [reason(error)]
    if unfinished is not None:
        reasons.append(f"what was found so far is in {unfinished}")
    elif target is not None:
        reasons.append("the old file is unchanged" if _is_there(target) else "nothing is kept")
    if number in _ADVICE:
        reasons.append(_ADVICE[number])
    return OutputError(f"{path} cannot be written: {'; '.join(reasons)}")


def _is_there(path: Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises where it cannot tell
