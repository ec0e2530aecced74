"""The search by a program that reads boards: kept running, or run on a file for each search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.options import Value
from unidoku.backends.programs.command import Command
from unidoku.backends.programs.protocol import LineAnswer, LineProtocol, TextLines, grid_of
from unidoku.backends.programs.session import Sessions
from unidoku.backends.solving.policy import refusal
from unidoku.backends.toolkit.budget import Budget, LimitReached
from unidoku.backends.toolkit.process import running
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.errors import BackendError, InputError, UnsupportedError


@dataclass(frozen=True, kw_only=True)
class BoardReader:
    """A program that reads boards and answers with grids or with numbers of solutions.

    Args:
        name: name of the backend, for error messages.
        language: ``line`` or ``json``.
        command: the command that runs the program; with ``{file}`` it runs once for each search,
            otherwise it keeps running and gets a line for each search.
        protocol: what is written to it, and what it answers.
        complete: whether its count is that of all solutions, and "none" means that there is none.
        find_version: returns the version of the program.
    """

    name: str
    language: str
    command: Command
    protocol: LineProtocol
    complete: bool = True
    find_version: Callable[[], str] = str
    _sessions: Sessions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_sessions", Sessions(self.name))

    @property
    def version(self) -> str:
        """The version of the program; it is run to find it."""
        return self.find_version()

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the language and the command of a search."""
        _, *words = _words(self.command, request)
        typed = " ".join([self.command.words[0], *words])
        return {"language": self.language, "command": typed, "complete": self.complete}

    def prepare(self, layout: Layout, request: Request | None = None) -> None:
        """Start the program, and wait until it is ready for boards of a layout.

        A program that reads a file for each search is not started.

        Args:
            layout: the layout of the boards, which the program may be sent first.
            request: request whose limits are in the command; by default none.

        Raises:
            BackendError: it cannot be started, or is not ready in time.
        """
        if not self.command.reads_file:
            words = _words(self.command, request or Request())
            self._sessions.prepare(words, lambda: self.protocol.greeting(layout))

    def close(self) -> None:
        """End the program; a later search starts it again."""
        self._sessions.close()

    def search(self, board: Board, request: Request) -> Result:
        """Ask the program; the figures of the search are those that it reports, or its time."""
        budget = Budget(request)
        try:
            question = self._question(board, request)
            if self.command.reads_file:
                started, answer = budget.elapsed, self._run(board, question, request, budget)
            else:
                started, answer = self._ask(board, question, request, budget)
        except LimitReached as limit:
            return Result(
                count=0, solutions=(), stop=limit.stop, statistics=budget.times(budget.elapsed)
            )
        return self._result(answer, request, budget.times(started))

    def _question(self, board: Board, request: Request) -> str:
        """Return the question; for a process that is kept, it is a line."""
        try:
            question = self.protocol.question(board, request, request.time_limit)
        except UnsupportedError as error:
            raise refusal(self.name, error.reasons) from error
        if "\n" in question and not self.command.reads_file:
            reason = "reads lines, and its input has several for a board; its command needs {file}"
            raise refusal(self.name, (reason,))
        return question

    def _ask(
        self, board: Board, question: str, request: Request, budget: Budget
    ) -> tuple[float, LineAnswer]:
        """Ask a kept process; return the seconds until it was asked, and its answer."""
        words = _words(self.command, request)
        layout = board.layout
        with self._sessions.use(words, lambda: self.protocol.greeting(layout)) as session:
            session.wait_until_ready(budget)
            started = budget.elapsed
            line = session.ask(question, budget)
            return started, self._read(lambda: self.protocol.answer(line, layout))

    def _run(self, board: Board, question: str, request: Request, budget: Budget) -> LineAnswer:
        """Run the program on a file, and read its last line, or all that it prints as a grid."""
        assert isinstance(self.protocol, TextLines)
        words = self.command.words_for(request, budget.left)
        suffix = self.protocol.boards.ending
        with running(words, f"{question}\n", suffix, who=self.name) as process:
            printed = process.output(budget)
            lines = [line.strip() for line in printed.splitlines() if line.strip()]
            if process.code < 0 or not lines:
                raise process.error("without an answer", printed)

        def read() -> LineAnswer:
            assert isinstance(self.protocol, TextLines)
            if len(lines) > 1 and not self.protocol.form.has_count:
                try:
                    return LineAnswer(count=1, grids=(grid_of("\n".join(lines), board.layout),))
                except InputError:
                    pass  # the last line may be the grid
            return self.protocol.answer(lines[-1], board.layout)

        return self._read(read)

    def _read(self, read: Callable[[], LineAnswer]) -> LineAnswer:
        try:
            return read()
        except UnsupportedError as error:
            raise refusal(self.name, error.reasons) from error
        except InputError as error:
            raise BackendError(f"{self.name}: its answer cannot be read: {error}") from error

    def _result(self, answer: LineAnswer, request: Request, times: dict[str, float]) -> Result:
        """Return the result that an answer claims."""
        count, most = answer.count, request.solutions
        if most is not None and count >= most:
            count, stop = most, Stop.SOLUTIONS
        elif not answer.decided:
            if request.time_limit is None:
                raise BackendError(f"{self.name}: did not decide the board, without a time limit")
            stop = Stop.TIME
        else:
            stop = Stop.EXHAUSTED if self.complete else Stop.INCOMPLETE
        grids = answer.grids[: count if request.keep is None else min(count, request.keep)]
        return Result(
            count=count, solutions=grids, stop=stop, statistics={**times, **answer.statistics}
        )


@lru_cache(maxsize=256)
def _words(command: Command, request: Request) -> tuple[str, ...]:
    """Return the words of a command for the searches of a request."""
    return tuple(command.words_for(request))
