"""Run programs on a file and read their output as it comes, within limits of time and size."""

from __future__ import annotations

import errno
import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryFile
from threading import Thread
from typing import IO

from unidoku.backends.base import Stop
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.errors import BackendError, reason
from unidoku.parallel.processes import end_group, ending, has_ended, keep, release, start
from unidoku.parallel.signals import undisturbed
from unidoku.parallel.temporary import temporary_folder, variables_for
from unidoku.support.text import printable, without_colours

MOST = 256 << 20
"""Largest number of bytes that a program may print or write into its folder."""

_WAIT = 0.1
"""Longest single wait in seconds: on Windows a wait does not react to Ctrl-C."""

_PAUSE = 0.002
"""Seconds between two checks whether a process that has closed its output has ended."""

_QUOTED = 2000

_BLOCK = 4096
"""Bytes that even an empty file takes, so that their number is limited too."""

_AHEAD = 64
"""Number of pieces that are read ahead; then the process has to wait."""

_FITS = 4096
"""Bytes that a pipe takes at once, on every system."""

_END = 1.0
"""Seconds to wait for the end of its output, which a child of it may have inherited."""

FILE, ANSWER = "{file}", "{answer}"
"""The placeholders in a command for the file that it reads and the file that it writes."""


@contextmanager
def running(command: Sequence[str], text: str, suffix: str, *, who: str) -> Iterator[Process]:
    """Run a command on a file with a text; the process does not outlive the body.

    It runs in a temporary folder, which is removed with all its files, and in which it has its
    own temporary files too. Both also happen before
    SIGTERM or SIGHUP (kill, timeout, a closed terminal) end this process, in its main thread.

    Args:
        command: words of the command; ``{file}`` stands for the file's name, and ``{answer}`` for
            the name of a file that the program writes.
        text: content of the file.
        suffix: suffix of the file's name.
        who: name of the backend, with which errors begin.

    Raises:
        BackendError: the file cannot be written, or the program cannot be started.
    """
    with temporary_folder() as name:
        folder = Path(name)
        file, answer = folder / f"board{suffix}", folder / "answer"
        words = [word.replace(FILE, str(file)).replace(ANSWER, str(answer)) for word in command]
        with TemporaryFile() as messages:
            try:
                file.write_bytes(text.encode())
            except OSError as error:
                raise BackendError(f"{who}: cannot write its {file}: {reason(error)}") from error
            process = None
            try:
                with undisturbed():
                    process = _started(words, messages, folder, who)
                yield process
            finally:
                with undisturbed():
                    if process is not None:
                        process.end()


def _started(words: Sequence[str], messages: IO[bytes], folder: Path, who: str) -> Process:
    try:
        return Process(words, messages, folder, who)
    except OSError as error:
        raise BackendError(f"{who}: cannot run {words[0]}: {why_not_run(error)}") from error


_NO_PROGRAM = {
    errno.ENOENT: "the program that its first line (#!) names is not there",
    errno.ENOEXEC: "it is no program of this system, or a script without a first line such as "
    "#!/bin/sh",
}
"""Why a file that is there cannot be run."""


def why_not_run(error: OSError) -> str:
    """Return why a program could not be started."""
    is_there = error.filename is not None and Path(error.filename).is_file()
    return (is_there and _NO_PROGRAM.get(error.errno or 0)) or reason(error)


class Process:
    """A process in its own group, which does not get the terminal's signals to this process."""

    def __init__(
        self,
        command: Sequence[str],
        messages: IO[bytes],
        folder: Path,
        who: str,
        *,
        reads: bool = False,
    ) -> None:
        """Start the process; its messages go to a file, so that errors can quote them.

        It reads nothing, or with ``reads`` what `write` gets: then later searches use it too.
        """
        self._program = command[0]
        self._messages = messages
        self._folder = folder
        self._who = who
        self._size = 0
        self._seen: list[bytes] = []
        self._popen = start(
            command,
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            cwd=folder,
            env=os.environ | variables_for(folder),
            bufsize=0,
        )
        if reads:
            keep(self._popen.pid)
        self._over = False
        self._printed: Queue[bytes] = Queue(_AHEAD)
        # A thread, because Windows cannot wait for a pipe with a time limit.
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Pass on the output; the last piece is empty."""
        assert self._popen.stdout is not None
        with self._popen.stdout as output:
            while not self._over and (printed := os.read(output.fileno(), 1 << 16)):
                self._printed.put(printed)
        self._printed.put(b"")

    def pieces(self, budget: Budget, reading: float = 0.0) -> Iterator[bytes]:
        """Yield the output; raise LimitReached when the time limit has passed.

        Args:
            budget: the limit.
            reading: seconds for each byte of output that have to be left to read it.

        Raises:
            BackendError: it prints or writes more than `MOST`.
        """
        gone = 0.0  # when it was first seen to have ended while its output had not
        while True:
            budget.check_time()
            pause, left = budget.pause(_WAIT), budget.left
            if left is not None and (pause := min(pause, left - self._size * reading)) <= 0:
                raise LimitReached(Stop.TIME)
            try:
                printed = self._printed.get(timeout=pause)
            except Empty:
                self._check_size()
                # A child of it may keep its output open.
                gone = gone or (time.perf_counter() if has_ended(self._popen) else 0.0)
                if gone and time.perf_counter() - gone > _END:
                    return
                continue
            if not printed:
                return
            self._size += len(printed)
            self._check_size()
            yield printed

    def write(self, text: bytes) -> None:
        """Write to the process, which may have ended: then it has no more output."""
        self._size = 0
        if len(text) <= _FITS:
            self._write(text)
        else:  # it may not read it, and then the time limit holds all the same
            Thread(target=self._write, args=(text,), daemon=True).start()

    def _write(self, text: bytes) -> None:
        assert self._popen.stdin is not None
        rest = memoryview(text)
        with suppress(OSError, ValueError):  # it has ended, or was ended meanwhile
            while rest:
                rest = rest[self._popen.stdin.write(rest) :]

    def waiting(self) -> bytes:
        """Return the output that is there and was not read yet, without waiting for more."""
        printed = b""
        with suppress(Empty):
            while piece := self._printed.get_nowait():
                printed += piece
            self._printed.put(b"")  # the end, which is found again
        return printed

    @property
    def has_ended(self) -> bool:
        """Whether it has ended."""
        return has_ended(self._popen)

    def lines(self, budget: Budget) -> Iterator[bytes]:
        """Yield the output line by line; raise as `pieces` does.

        A last line without an end is dropped: the process was killed while it printed.
        """
        rest = b""
        for printed in self.pieces(budget):
            *lines, rest = (rest + printed).split(b"\n")
            yield from lines

    def output(self, budget: Budget, reading: float = 0.0) -> str:
        """Return everything that it prints and writes as its answer, once it has ended.

        Args:
            budget: the limit.
            reading: as for `pieces`.

        Raises:
            LimitReached, BackendError: as for `pieces`.
        """
        self._seen = []
        for piece in self.pieces(budget, reading):
            self._seen.append(piece)
        while not has_ended(self._popen):
            budget.check_time()
            self._check_size()
            time.sleep(_PAUSE)
        return b"\n".join([b"".join(self._seen), *self._written()]).decode(errors="replace")

    @property
    def output_so_far(self) -> str:
        """The whole lines that `output` has read, also if a limit ended it."""
        return b"".join(self._seen).rpartition(b"\n")[0].decode(errors="replace")

    def _written(self) -> Iterator[bytes]:
        """Yield the content of the file that it wrote as its answer, if there is one."""
        answer = self._folder / "answer"
        if answer.is_symlink() or (answer.exists() and not answer.is_file()):  # may have no end
            raise BackendError(f"{self._who}: expected a plain file as its {ANSWER}, got another")
        try:
            with suppress(FileNotFoundError):
                yield answer.read_bytes()
        except OSError as error:
            raise BackendError(f"{self._who}: cannot read its {ANSWER}: {reason(error)}") from error

    def _check_size(self) -> None:
        """Refuse unlimited output, printed or written."""
        message_bytes = os.fstat(self._messages.fileno()).st_size
        if self._size > MOST or any(total > MOST for total in _sizes(self._folder, message_bytes)):
            how = "printed" if self._size > MOST else "wrote"
            raise BackendError(f"{self._who}: {how} more than {MOST >> 20} MiB, and was killed")

    def failure(self) -> BackendError | None:
        """Return the error that it ended with, if any; called once it has no more lines."""
        return self.error() if self.code else None

    @property
    def code(self) -> int:
        """The exit code, or minus the signal that killed the process. Waits for its end."""
        release(self._popen.pid)
        return end_group(self._popen)

    def error(self, how: str = "", printed: str = "") -> BackendError:
        """Return an error that quotes the process; called once it has no more lines.

        Args:
            how: how it ended, in words.
            printed: its output, which is quoted if it printed no messages.
        """
        end = self._messages.seek(0, os.SEEK_END)
        self._messages.seek(max(0, end - _QUOTED))
        message = self._messages.read(_QUOTED).decode(errors="replace") or printed[-_QUOTED:]
        quoted = printable(" ".join(without_colours(message).split()))[-500:]
        ended = " ".join(filter(None, (self._program, ending(self.code), how)))
        output = f"said: {quoted}" if quoted else "said nothing"
        return BackendError(f"{self._who}: {ended} and {output}")

    def end(self) -> None:
        """Kill the process and the processes that it started, unless they have ended."""
        release(self._popen.pid)
        end_group(self._popen, kill=True)
        self._over = True
        if self._popen.stdin is not None:
            with suppress(OSError):
                self._popen.stdin.close()
        with suppress(Empty):
            while True:
                self._printed.get_nowait()  # make room for what the thread still has
        self._reader.join(_END)


def _sizes(folder: Path, total: int) -> Iterator[int]:
    """Yield growing sums of a number and the bytes in a folder and those below it."""
    yield total
    folders = [os.fspath(folder)]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as files:
            for file in files:
                if file.is_dir(follow_symlinks=False):
                    folders.append(file.path)
                total += max(file.stat(follow_symlinks=False).st_size, _BLOCK)
                yield total
