"""The search by a program, which runs on a new file for each solution.

Programs report their effort, such as nodes, in their output.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.languages.answers import Answer, read_answer
from unidoku.backends.languages.catalogue import find_language
from unidoku.backends.languages.model import BoardModel
from unidoku.backends.options import Value
from unidoku.backends.programs.command import Command
from unidoku.backends.solving.policy import refusal
from unidoku.backends.sum_range import larger_sums
from unidoku.backends.toolkit.budget import Budget, LimitReached, SolutionCollector
from unidoku.backends.toolkit.process import running
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import narrowed
from unidoku.errors import BackendError, FormatError, UnsupportedError, WrongAnswerError

_A_LOOK = 256
"""Number of lines of a file that are written between two checks of the clock."""


@dataclass(frozen=True, slots=True)
class ProgramBackend:
    """A program that reads a board from a file.

    Args:
        name: name of the backend, for error messages.
        language: language of the file.
        command: the command that runs the program.
        find_version: returns the version of the program; by default none is known.
        max_sum: the largest number that a sum may reach, see `Capabilities`.
    """

    name: str
    language: str
    command: Command
    find_version: Callable[[], str] = str
    max_sum: int | None = None

    @property
    def version(self) -> str:
        """The version of the program; it is run to find it."""
        return self.find_version()

    def parameters(self, request: Request) -> dict[str, Value]:
        """Return the language and the command of the first run."""
        _, *words = self.command.words_for(request)
        typed = " ".join([self.command.words[0], *words])
        return {"language": self.language, "command": typed}

    def search(self, board: Board, request: Request) -> Result:
        """Run the program until it reports no more solutions, or there are enough.

        The file of each run excludes all known grids.
        """
        self._refuse(board.layout, request)
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        known: list[Grid] = []
        effort: Counter[str] = Counter()
        writing, stop = 0.0, Stop.EXHAUSTED
        try:
            while 0 not in board.candidates:
                started = budget.elapsed
                text = self._written(board, known, budget)
                writing += budget.elapsed - started
                effort["runs"] += 1
                grid = self._run(board, text, request, budget, effort)
                if grid is None:
                    break
                if grid in known:
                    raise WrongAnswerError(f"it found a grid that its file excludes: {grid}")
                known.append(grid)
                if collector.add(grid):
                    break
        except LimitReached as limit:
            stop = limit.stop
        return collector.result(stop, budget.times(writing) | effort)

    def _refuse(self, layout: Layout, request: Request) -> None:
        """Refuse what depends on the label: limits without a placeholder in its command, sums."""
        wanted = {"seed": request.seed is not None, "threads": request.threads > 1}
        for limit in sorted(name for name in wanted if wanted[name]):
            if limit not in self.command.honours:
                reason = f"cannot honour {limit}: its command has no {{{limit}}}"
                raise UnsupportedError(f"{self.name} {reason}", (reason,))
        if larger := larger_sums(self.max_sum, layout):
            raise refusal(self.name, (larger,))

    def _written(self, board: Board, known: Sequence[Grid], budget: Budget) -> str:
        lines: list[str] = []
        model = BoardModel(board, tuple(known), budget)
        for line in find_language(self.language).write(model):
            if not len(lines) % _A_LOOK:
                budget.check_time()
            lines.append(line)
        return "\n".join([*lines, ""])

    def _run(
        self, board: Board, text: str, request: Request, budget: Budget, effort: Counter[str]
    ) -> Grid | None:
        """Run the program once; return the grid that it found, None if it reports none."""
        words = self.command.words_for(request, budget.left)
        suffix = find_language(self.language).ending
        with running(words, text, suffix, who=self.name) as process:
            printed = process.output(budget)
            answer = self._answer(board, printed)
            if answer.verdict == "unknown" or process.code < 0:
                raise process.error(f"without an answer in {self.language}", printed)
        effort.update(effort_of(printed))
        if answer.faults:
            raise WrongAnswerError(
                f"its answer is wrong: {answer.faults[0]}, in the grid {answer.grid}"
            )
        return answer.grid

    def _answer(self, board: Board, printed: str) -> Answer:
        try:
            return read_answer(board, printed, self.language)
        except FormatError as error:
            raise BackendError(f"{self.name}: its answer cannot be read: {error}") from error


_NAMES = {
    "conflicts": "failures",
    "failures": "failures",
    "fails": "failures",
    "backtracks": "failures",
    "decisions": "nodes",
    "choices": "nodes",
    "nodes": "nodes",
    "enumerated nodes": "nodes",
    "propagations": "propagations",
    "restarts": "restarts",
}
"""The names that programs use, with the names used here."""

_WORDS = "|".join(_NAMES)

_LINES = (
    # conflicts : 12, as most print it; %%%mzn-stat: nodes=12, as solvers of FlatZinc do
    re.compile(
        rf"^(?:c |%%%mzn-stat: )?[^\S\n]*({_WORDS})\s*[:=]\s*(\d{{1,18}})\b",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(rf"^c (?P<number>\d{{1,18}}) ({_WORDS})$", re.IGNORECASE | re.MULTILINE),  # PicoSAT
    re.compile(rf"\b(?:in|and) (?P<number>\d{{1,18}}) ({_WORDS})\b", re.IGNORECASE),  # toulbar2
)


def effort_of(printed: str) -> Counter[str]:
    r"""Return the effort that a program reports; the last figures count.

    >>> sorted(effort_of("c conflicts:   7\nc decisions: 9 0.00 per second").items())
    [('failures', 7), ('nodes', 9)]
    """
    found: dict[str, int] = {}
    for pattern in _LINES:
        for match in pattern.finditer(printed):
            first, second = match.groups()
            name, number = (second, first) if first.isdigit() else (first, second)
            found[_NAMES[name.lower()]] = int(number)
    return Counter(found)
