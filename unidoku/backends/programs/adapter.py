"""The search by a program, which runs on a new file until it reports no more solutions.

Programs report their effort, such as nodes, in their output.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from unidoku.backends.base import Request, Result, Stop
from unidoku.backends.languages.answers import Grids, read_grids
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
from unidoku.core.verify.boards import faults_of
from unidoku.errors import BackendError, FormatError, UnsupportedError, WrongAnswerError

_MOST_AT_ONCE = 10_000
"""The largest number of solutions that a run looks for, because all that it prints is kept."""

_OF_CELL, _OF_BYTE = 1e-6, 4e-7
"""Seconds that it takes to read and check a cell of a grid, and a byte of an output."""

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

        The file of each run excludes all known grids. A run finds one solution, or as many as are
        asked for if the command names their number.
        """
        self._refuse(board.layout, request)
        budget, collector = Budget(request), SolutionCollector(request)
        board = narrowed(board)
        known: dict[Grid, None] = {}
        effort: Counter[str] = Counter()
        writing, stop = 0.0, Stop.EXHAUSTED
        try:
            while 0 not in board.candidates:
                started = budget.elapsed
                text = self._written(board, (*known,), budget)
                writing += budget.elapsed - started
                effort["runs"] += 1
                wanted = _most_read(len(board.layout), budget.left)
                if request.solutions is not None:
                    wanted = min(request.solutions - collector.count, wanted)
                grids, is_last = self._run(board, text, request, wanted, budget, effort)
                for grid in grids[:wanted]:
                    if grid in known:
                        raise WrongAnswerError(f"it found a grid that its file excludes: {grid}")
                    collector.add(grid)
                known |= dict.fromkeys(grids)
                budget.check_time()
                if is_last or collector.enough:
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
        model = BoardModel(board, tuple(known), budget)
        lines = find_language(self.language).write(model)
        parts: list[str] = []
        while part := [*islice(lines, _A_LOOK)]:
            budget.check_building()
            parts += "\n".join(part), "\n"
        return "".join(parts)

    def _run(
        self,
        board: Board,
        text: str,
        request: Request,
        wanted: int,
        budget: Budget,
        effort: Counter[str],
    ) -> tuple[tuple[Grid, ...], bool]:
        """Run the program once; return the grids that it found, and whether there are no more."""
        words = self.command.words_for(request, budget.left, wanted)
        suffix = find_language(self.language).ending
        with running(words, text, suffix, who=self.name) as process:
            try:
                printed = process.output(budget, self.command.names_solutions * _OF_BYTE)
            except LimitReached:
                if not self.command.names_solutions:
                    raise
                # The caller looks at the clock after it has taken these.
                return self._grids_in(board, process.output_so_far).grids, False
            answer = self._grids_in(board, printed)
            if answer.verdict == "unknown" or process.code < 0:
                raise process.error(f"without an answer in {self.language}", printed)
        effort.update(effort_of(printed))
        return answer.grids, answer.complete or not answer.grids

    def _grids_in(self, board: Board, printed: str) -> Grids:
        """Return the grids in an output; raise if one is wrong or cannot be read."""
        try:
            answer = read_grids(board, printed, self.language)
        except FormatError as error:
            raise BackendError(f"{self.name}: its answer cannot be read: {error}") from error
        for grid in answer.grids:
            if faults := faults_of(board, grid):
                raise WrongAnswerError(f"its answer is wrong: {faults[0]}, in the grid {grid}")
        return answer


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


def _most_read(cells: int, seconds: float | None) -> int:
    """Return how many grids to ask for at once: as many as are read in half of the time left."""
    if seconds is None:
        return _MOST_AT_ONCE
    return max(1, min(_MOST_AT_ONCE, int(seconds / 2 / (cells * _OF_CELL))))


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
    effort: dict[str, int] = {}
    for pattern in _LINES:
        for match in pattern.finditer(printed):
            first, second = match.groups()
            name, number = (second, first) if first.isdigit() else (first, second)
            effort[_NAMES[name.lower()]] = int(number)
    return Counter(effort)
