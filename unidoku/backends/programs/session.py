"""Programs that keep running between searches, and answer each line that they get with a line."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeAlias

from unidoku.backends.base import Request
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.backends.toolkit.process import Process, why_not_run
from unidoku.errors import BackendError
from unidoku.parallel.signals import cleaning_up_at_signals
from unidoku.parallel.temporary import new_folder
from unidoku.support.schema import shown

START_SECONDS = 30.0
"""Seconds that a program may take from its start to the answer to its greeting."""

SILENT_SECONDS = 10.0
"""Seconds that it may be silent before that, once it has printed something else."""

_LONGEST = 1 << 20
"""The largest number of bytes of a line."""

_MOST_BEFORE = 1000
"""The largest number of lines that a program may print before its first answer."""

_CLOSING = 0.5
"""Seconds that a program which has closed its output may take to end."""

_MOST_IDLE = 4
"""The largest number of idle processes of a backend."""

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Greeting:
    """What happens between the start of a program and its first board.

    Args:
        line: line that it gets at once; empty for none.
        is_answer: tells whether a line that it prints shows that it is ready; lines before that one
            are skipped. None if it prints nothing before it gets a board.
        expected: the line that is expected, in words.
    """

    line: str = ""
    is_answer: Callable[[str], bool] | None = None
    expected: str = ""


class Session:
    """A process of a program that reads and writes lines."""

    def __init__(self, words: Words, who: str, greeting: Greeting) -> None:
        """Start the program and write its greeting to it, without waiting.

        Args:
            words: the command and its arguments.
            who: name of the backend, with which errors begin.
            greeting: what happens before the first board.

        Raises:
            BackendError: it cannot be started.
        """
        self.words = words
        self._who = who
        self._greeting = greeting
        self._is_ready = greeting.is_answer is None
        self._started = time.monotonic()
        self._pid = os.getpid()
        self._rest, self._last = b"", ""
        self._folder = new_folder()
        self._messages = TemporaryFile()  # noqa: SIM115 - it is open as long as the process runs
        try:
            folder = Path(self._folder.name)
            self._process = Process(words, self._messages, folder, who, reads=True)
        except OSError as error:
            self._messages.close()
            self._folder.cleanup()
            raise BackendError(f"{who}: cannot run {words[0]}: {why_not_run(error)}") from error
        if greeting.line:
            self._process.write(f"{greeting.line}\n".encode())

    def wait_until_ready(self, budget: Budget) -> None:
        """Read the answer to the greeting, unless it has been read.

        Raises:
            LimitReached: it did not come within the limits of the search.
            BackendError: it did not come within `START_SECONDS` of the start, or within
                `SILENT_SECONDS` of another line, or the program ended.
        """
        if self._is_ready:
            return
        is_answer = self._greeting.is_answer
        assert is_answer is not None
        for _ in range(_MOST_BEFORE):
            patience = max(START_SECONDS - (time.monotonic() - self._started), 0.1)
            if self._last:
                patience = min(patience, SILENT_SECONDS)
            is_short = budget.left is not None and budget.left < patience
            waiting = budget if is_short else Budget(Request(time_limit=patience))
            try:
                line = self._line(waiting)
            except LimitReached:
                if is_short:
                    raise
                raise self._not_ready() from None
            if is_answer(line):
                self._is_ready = True
                return
        raise self._not_ready()

    def _not_ready(self) -> BackendError:
        since, printed = f"{START_SECONDS:g} s of its start", ""
        if self._last:
            since += f" and {SILENT_SECONDS:g} s of another line"
            printed = f"{shown(self._last[:200])} and "
        return BackendError(
            f"{self._who}: expected {self._greeting.expected} within {since}, got {printed}nothing "
            "of the kind; a program must flush its output after each line (stdbuf -oL does that "
            "for many)"
        )

    def ask(self, line: str, budget: Budget) -> str:
        """Write a line and return the line that the program answers.

        Raises:
            LimitReached: it does not answer within the limits.
            BackendError: it ends, prints a line without end, or has printed more than one line.
        """
        self._rest += self._process.waiting()
        if surplus := self._rest.split():
            first = shown(b" ".join(surplus)[:200].decode(errors="replace"))
            raise BackendError(
                f"{self._who}: expected one line for each board, got {first} beside its last answer"
            )
        self._process.write(f"{line}\n".encode())
        return self._line(budget)

    @property
    def is_ours(self) -> bool:
        """Whether this process has started it, not one that was forked since."""
        return self._pid == os.getpid()

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended."""
        return self._process.has_ended

    def end(self) -> None:
        """End the program, unless another process has started it."""
        if not self.is_ours:
            return
        self._process.end()
        self._messages.close()
        self._folder.cleanup()

    def _line(self, budget: Budget) -> str:
        """Return the next line that is not blank."""
        while True:
            line, end, rest = self._rest.partition(b"\n")
            if end:
                self._rest = rest
                if text := line.decode(errors="replace").strip():
                    self._last = text
                    return text
                continue
            if len(line) > _LONGEST:
                raise BackendError(
                    f"{self._who}: expected a line as an answer, got more than "
                    f"{_LONGEST >> 20} MiB without the end of a line"
                )
            piece = next(self._process.pieces(budget), None)
            if piece is None:
                raise self._ended(line.decode(errors="replace").strip() or self._last)
            self._rest += piece

    def _ended(self, printed: str) -> BackendError:
        """Return the error of a program that has closed its output."""
        end = time.monotonic() + _CLOSING
        while not self._process.has_ended:
            if time.monotonic() > end:
                return BackendError(
                    f"{self._who}: expected a line as an answer, got the end of its output"
                )
            time.sleep(0.002)
        return self._process.error("without an answer to a line", printed)


class Sessions:
    """The sessions of a backend; each search has one to itself.

    A session whose search ends by an exception is ended, because its state is unknown. If that was
    the time limit, another is started at once, so that its start is not part of the next search.
    """

    def __init__(self, who: str) -> None:
        """Start without sessions; ``who`` is the name of the backend, with which errors begin."""
        self._who = who
        self._lock = threading.Lock()
        self._idle: list[Session] = []  # the most recently used last
        self._faults: dict[Words, BackendError] = {}
        self._end = weakref.finalize(self, _end_all, self._idle)

    def prepare(self, words: Words, greeting: Callable[[], Greeting]) -> None:
        """Start the program, or take an idle session, and wait until it is ready for a board.

        The session is then idle, so that the next `use` of the same command lends it.

        Args:
            words: the command and its arguments.
            greeting: returns the greeting of a new session.

        Raises:
            BackendError: the program cannot be started, or is not ready within `START_SECONDS`;
                each later `use` of the command raises it too, until this call succeeds.
        """
        self._faults.pop(words, None)
        try:
            with self.use(words, greeting) as session:
                session.wait_until_ready(Budget(Request()))
        except BackendError as error:
            self._faults[words] = error
            raise

    @contextmanager
    def use(self, words: Words, greeting: Callable[[], Greeting]) -> Iterator[Session]:
        """Lend a session of a command for the body of a ``with``; start one if none is idle.

        Args:
            words: the command and its arguments.
            greeting: returns the greeting of a new session.

        Raises:
            BackendError: the program cannot be started, or `prepare` has failed for this command.
        """
        if (fault := self._faults.get(words)) is not None:
            raise fault
        with cleaning_up_at_signals():
            session = self._taken(words) or Session(words, self._who, greeting())
            try:
                yield session
            except BaseException as error:
                session.end()
                if isinstance(error, LimitReached):
                    with suppress(BackendError):  # the next search reports it
                        self._put(Session(words, self._who, greeting()))
                raise
            self._put(session)

    def close(self) -> None:
        """End all idle sessions."""
        with self._lock:
            sessions, self._idle[:] = self._idle[:], []
        for session in sessions:
            session.end()

    def _taken(self, words: Words) -> Session | None:
        with self._lock:
            for index in range(len(self._idle) - 1, -1, -1):
                if self._idle[index].words == words and self._idle[index].is_ours:
                    session = self._idle.pop(index)
                    break
            else:
                return None
        if not session.has_ended:
            return session
        session.end()
        return None

    def _put(self, session: Session) -> None:
        with self._lock:
            self._idle.append(session)
            surplus = self._idle.pop(0) if len(self._idle) > _MOST_IDLE else None
        if surplus is not None:
            surplus.end()


def _end_all(sessions: list[Session]) -> None:
    """End the sessions of a backend that is no longer used."""
    for session in sessions:
        session.end()
