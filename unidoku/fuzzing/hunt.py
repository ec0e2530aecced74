"""The hunt: backends search random boards, and boards that show a fault are shrunk."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import TypeAlias

from unidoku.backends.base import Request
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run import Runner
from unidoku.core.board import Board
from unidoku.core.canonical import canonical, canonical_digest
from unidoku.fuzzing.boards import SIZES, Trial, trial
from unidoku.fuzzing.finding import Finding, versions_of
from unidoku.fuzzing.reduce import Boards, measure
from unidoku.fuzzing.shrink import shrink
from unidoku.fuzzing.symptom import Reproducer, Symptom, runs_of, symptoms_of
from unidoku.support.ddmin import ddmin
from unidoku.support.deadline import Deadline

_SHRINKING = 30.0
"""The most seconds spent on shrinking one finding."""

_AGAIN = 5.0
"""Seconds for a second attempt if the finding is known: another may be behind it."""

_PATIENCE = 3
"""How often a symptom may lead to a known finding; after that it is only counted."""

OpenRunner: TypeAlias = Callable[[int | None], AbstractContextManager[Runner]]
"""Starts a runner for the backends, which have not searched any board before.

The argument is the number of workers; None for as many as the trials need.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class HuntSettings:
    """Settings: which boards are made, and how boards that show a fault are shrunk.

    Args:
        seed: seed of the random boards.
        sizes: sizes n of their layouts.
        rules: kinds of random rules; all if empty.
        puzzles: a user's puzzles, from which the boards are made; random boards if empty.
        time_limit: seconds for each search.
        images: number of symmetric images of each board that are searched as well; without images,
            the answers of a single backend are compared with the checker only.
        chunk: the most trials between two progress events; the first events come sooner.
        most: the most findings with one symptom.
    """

    seed: int = 1
    sizes: range = SIZES
    rules: tuple[str, ...] = ()
    puzzles: tuple[Board, ...] = ()
    time_limit: float = 1.0
    images: int = 0
    chunk: int = 64
    most: int = 8

    def trial(self, number: int) -> Trial:
        """Return a trial by its number."""
        return trial(self.seed, number, self.sizes, self.rules, self.puzzles)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialsDone:
    """Progress: more trials are done.

    Args:
        next: number of the first trial that is not done yet.
        boards: number of boards searched in them.
        runs: number of runs, each of one backend on one board.
        shown: how often each symptom occurred, as ``kind: backend``.
        refused: number of runs that each backend did not support.
    """

    next: int
    boards: int
    runs: int
    shown: Mapping[str, int]
    refused: Mapping[str, int]


HuntEvent: TypeAlias = Finding | TrialsDone


@dataclass(slots=True)
class _Answered:
    """A trial and the answers to it so far."""

    trial: Trial
    missing: int  # runs that have not ended yet
    records: list[list[Record]]  # the answers to each board
    before: Boards = ()  # that the same worker had answered before

    @property
    def refused(self) -> Iterator[str]:
        """The backends of the runs that were not supported."""
        for records in self.records:
            yield from (
                record.backend for record in records if record.outcome is Outcome.UNSUPPORTED
            )


@dataclass(frozen=True, slots=True)
class _Failure:
    """A symptom, and the boards that were searched in a row until the last one showed it."""

    trial: Trial
    symptom: Symptom
    boards: Boards
    before: Boards


class Hunt:
    """A hunt for boards on which some backend is at fault."""

    def __init__(
        self,
        solvers: Mapping[str, Solver],
        open_runner: OpenRunner,
        settings: HuntSettings,
        known: Iterable[Finding] = (),
    ) -> None:
        """Take the backends, by label, and known findings, which are not reported again."""
        self._solvers = solvers
        self._open = open_runner
        self._settings = settings
        self._known = {finding.key: finding for finding in known}
        self._findings: Counter[Symptom] = Counter()  # how often one has led to a finding
        self._again: Counter[Symptom] = Counter()  # and to a known one
        self._runners: dict[int | None, Runner] = {}
        self._stack = ExitStack()
        self._places: dict[int, tuple[_Answered, int]] = {}
        self._history: defaultdict[str, deque[Board]] = defaultdict(lambda: deque(maxlen=_HISTORY))
        self._versions = versions_of({label: s.version for label, s in solvers.items()})

    def run(
        self, start: int = 0, end: int | None = None, deadline: Deadline | None = None
    ) -> Iterator[HuntEvent]:
        """Yield findings, and from time to time the progress of the hunt.

        The trials have the numbers from ``start`` to before ``end``. At the deadline, unfinished
        trials are dropped, and a finding that is being shrunk is completed first.
        """
        deadline = deadline or Deadline()
        end = start if deadline.passed else end
        done, boards, number, size = 0, 0, start, _FIRST
        symptoms: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        with closing(self._answered(start, end, deadline)) as answered:
            for answer in answered:
                for failure in self._failures(answer):
                    if deadline.passed:
                        break
                    symptoms[f"{failure.symptom.kind}: {failure.symptom.backend}"] += 1
                    yield from self._examined(failure)
                else:
                    done, number, boards = done + 1, number + 1, boards + len(answer.trial.boards)
                    refused.update(answer.refused)
                    if done == min(size, self._settings.chunk):
                        yield self._done(number, boards, symptoms, refused)
                        done, size, boards = 0, 2 * size, 0
                        symptoms, refused = Counter(), Counter()
                    continue
                break
        if done:
            yield self._done(number, boards, symptoms, refused)

    def close(self) -> None:
        """End all runners."""
        self._stack.close()
        self._runners.clear()

    def _done(
        self, number: int, boards: int, symptoms: Mapping[str, int], refused: Mapping[str, int]
    ) -> TrialsDone:
        runs = boards * len(self._solvers) * (self._settings.images + 1)
        return TrialsDone(next=number, boards=boards, runs=runs, shown=symptoms, refused=refused)

    def _runner(self, workers: int | None) -> Runner:
        """Return the runner with this number of workers; it is started when it is first needed."""
        if workers not in self._runners:
            self._runners[workers] = self._stack.enter_context(self._open(workers))
        return self._runners[workers]

    def _answered(self, start: int, end: int | None, deadline: Deadline) -> Generator[_Answered]:
        """Yield trials in the order of their numbers, each when all its answers have arrived."""
        if start == end:
            return
        waiting: dict[int, _Answered] = {}
        self._places.clear()
        number = start
        for record in self._runner(None).run(self._runs(start, end, deadline, waiting)):
            self._store(record)
            while number in waiting and not waiting[number].missing:
                yield waiting.pop(number)
                number += 1
            if deadline.passed:
                return

    def _runs(
        self, start: int, end: int | None, deadline: Deadline, waiting: dict[int, _Answered]
    ) -> Iterator[Run]:
        """Yield the runs of trials, which are made when a worker has nothing left to do."""
        index = 1
        for number in count(start) if end is None else range(start, end):
            if deadline.passed:
                return
            drawn = self._settings.trial(number)
            request = self._request(drawn.solutions)
            runs = runs_of(drawn.boards, list(self._solvers), self._settings.images, index, request)
            waiting[number] = answered = _Answered(drawn, len(runs), [[] for _ in drawn.boards])
            for k in range(len(drawn.boards)):
                self._places[index + k] = answered, k
            index += len(drawn.boards)
            yield from runs

    def _store(self, record: Record) -> None:
        """Store a record, and the boards that its worker has searched."""
        answered, k = self._places[record.round]
        history = self._history[record.worker]
        if not any(answered.records):
            answered.before = tuple(history)
        if not answered.records[k]:
            history.append(answered.trial.boards[k])
        answered.records[k].append(record)
        answered.missing -= 1
        if not answered.missing:
            for index in range(record.round - k, record.round - k + len(answered.records)):
                del self._places[index]

    def _failures(self, answered: _Answered) -> Iterator[_Failure]:
        """Yield the symptoms in the answers to a trial."""
        for k, board in enumerate(answered.trial.boards):
            for symptom in symptoms_of(board, answered.records[k], self._solvers):
                yield _Failure(
                    answered.trial, symptom, answered.trial.boards[: k + 1], answered.before
                )

    def _request(self, solutions: int | None) -> Request:
        return Request(solutions=solutions, time_limit=self._settings.time_limit)

    def _examined(self, failure: _Failure) -> Iterator[Finding]:
        """Yield the finding for a symptom, unless it is known, or too many like it are.

        If a limit was exceeded once and never again, the machine is the cause.
        """
        symptom, settings = failure.symptom, self._settings
        if self._again[symptom] >= _PATIENCE or self._findings[symptom] >= settings.most:
            return
        finding = self._smallest(failure)
        by_load = finding.kind == "timeout" and not finding.reproduced
        if finding.key in self._known or by_load:
            self._again[symptom] += 1
            return
        self._known[finding.key] = finding
        self._findings[symptom] += 1
        yield finding

    def _smallest(self, failure: _Failure) -> Finding:
        """Return the smallest finding; a known one only if there is no other."""
        deadline = Deadline(_SHRINKING)
        most = failure.trial.solutions
        for boards in self._rows(failure, deadline):
            for solutions in (*(few for few in _FEW if most is None or few < most), most):
                again = self._reproducer(solutions)
                if again.find(boards, failure.symptom, fresh=True):
                    return self._smaller(again, failure, boards, deadline)
        return replace(
            self._finding(failure, failure.symptom, failure.boards, most), reproduced=False
        )

    def _rows(self, failure: _Failure, deadline: Deadline) -> Iterator[Boards]:
        """Yield series of boards to search for the symptom: the last board alone, then a short one.

        The second is the shortest series found of boards searched before it, and the board itself.
        """
        yield failure.boards[-1:]
        if row := _row(self._reproducer(failure.trial.solutions), failure, deadline):
            yield row

    def _smaller(
        self, again: Reproducer, failure: _Failure, boards: Boards, deadline: Deadline
    ) -> Finding:
        """Return a small finding made from boards, if possible one that is not known."""
        if failure.symptom.kind not in ("timeout", "memory"):
            again.limit_time()
        finding = self._shrunk(again, failure, boards, deadline, small=True)
        if again.solutions == 1:
            finding = self._with_two(failure, finding, deadline)
        if finding.key in self._known:
            # A fault that the smallest boards show may hide another fault.
            soon = Deadline(_AGAIN)
            other = self._shrunk(again, failure, boards, soon, small=False)
            finding = finding if soon.passed else other
        return finding

    def _with_two(self, failure: _Failure, finding: Finding, deadline: Deadline) -> Finding:
        """Return a smaller finding in which two solutions are requested, if there is one."""
        again = self._reproducer(2)
        if not again.find(finding.boards, failure.symptom, fresh=True):
            return finding
        other = self._shrunk(again, failure, finding.boards, deadline, small=False)
        return min(finding, other, key=lambda each: measure(each.boards))

    def _reproducer(self, solutions: int | None) -> Reproducer:
        request = self._request(solutions)
        return Reproducer(self._solvers, self._runner(1), request, self._settings.images)

    def _shrunk(
        self,
        again: Reproducer,
        failure: _Failure,
        boards: Boards,
        deadline: Deadline,
        *,
        small: bool,
    ) -> Finding:
        """Return a finding with the smallest boards, in canonical form if that shows it too.

        Backends are kept from one board to the next, which is faster. If their memory of earlier
        boards misled the search, it is repeated with fresh backends. A symptom that shows only
        after other boards is tested with fresh backends every time.
        """
        symptom, alone = failure.symptom, len(boards) == 1
        fault = (symptom.kind, symptom.backend)
        alike = [each.boards for key, each in self._known.items() if key[:2] == fault]
        known = sorted(alike, key=measure) if small else []
        shows = partial(
            again.shows, symptom=symptom, freshness=(False,) if alone else (False, True)
        )
        smallest = shrink(boards, shows, deadline, small=small, known=known)
        if not alone or not (usual := _usual(again, symptom, smallest)):
            fresh = partial(again.shows, symptom=symptom)
            smallest = shrink(boards if alone else smallest, fresh, deadline, small=False)
            usual = _usual(again, symptom, smallest) or smallest
        reproduced = again.find(usual, symptom, fresh=True) or symptom
        return self._finding(failure, reproduced, usual, again.solutions)

    def _finding(
        self, failure: _Failure, symptom: Symptom, boards: Boards, solutions: int | None
    ) -> Finding:
        return Finding(
            kind=symptom.kind,
            backend=symptom.backend,
            witnesses=symptom.witnesses,
            evidence=symptom.evidence,
            boards=boards,
            solutions=solutions,
            time_limit=self._settings.time_limit,
            images=self._settings.images,
            digest=canonical_digest(boards),
            seed=self._settings.seed,
            number=failure.trial.number,
            original=failure.boards[-1].digest,
            versions=self._versions,
        )


_FIRST = 4
"""Trials before the first progress event; later events come after twice as many each."""

_FEW = (1, 2, 3, 10)
"""Number of solutions requested, instead of more, if the symptom shows with it too."""

_HISTORY = 32
"""Boards before a trial that are searched again if the trial alone shows nothing."""


def _row(again: Reproducer, failure: _Failure, deadline: Deadline) -> Boards | None:
    """Return the fewest boards in a row that show a symptom on fresh backends; None if none do."""
    target = failure.boards[-1:]

    def shows(boards: Sequence[Board]) -> bool:
        return not deadline.passed and again.shows((*boards, *target), failure.symptom)

    within = failure.boards[:-1]
    for earlier in (within, (*failure.before, *within)):
        if earlier and shows(earlier):
            return (*ddmin(earlier, shows), *target)
    return None


def _usual(again: Reproducer, symptom: Symptom, boards: Boards) -> Boards | None:
    """Return the boards in canonical form, else as they are, if fresh backends show the symptom."""
    for form in (tuple(map(canonical, boards)), boards):
        if again.shows(form, symptom):
            return form
    return None
