"""Symptoms: faults in the answers to a board, and tests whether they occur again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from unidoku.backends.base import Request
from unidoku.backends.solving.solver import Solver
from unidoku.comparison.cases import Case
from unidoku.comparison.order import Run
from unidoku.comparison.record import Outcome, Record
from unidoku.comparison.run import Runner
from unidoku.comparison.verdict import judge
from unidoku.core.board import Board
from unidoku.fuzzing.boards import is_bounded
from unidoku.fuzzing.reduce import Boards

_KINDS = {
    Outcome.CRASHED: "crashed",
    Outcome.TIMEOUT: "timeout",
    Outcome.MEMORY: "memory",
    Outcome.FAILED: "failed",
}

_LEAST_SECONDS, _PATIENCE = 0.2, 10
"""Time limit after `Reproducer.limit_time`: the minimum, and the factor on earlier search times."""

_MOST_WAYS = 100_000
"""The most ways to fill a board for which all solutions are requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """A fault in the answers to a board, and the backend at fault.

    Args:
        kind: kind of a disagreement (see `unidoku.comparison.verdict.Disagreement`), or
            ``crashed``, ``timeout`` (it exceeded its limit and was ended), ``memory``, ``failed``.
        backend: label of the backend at fault; if that is not clear, of one of them.
        error: type of the exception, if there was one.
        witnesses: labels of the other backends whose answers are needed to see the fault.
        evidence: the answers of the backends, in words.
    """

    kind: str
    backend: str
    error: str = ""
    witnesses: tuple[str, ...] = field(default=(), compare=False)
    evidence: str = field(default="", compare=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """All backends that must search the board to see the fault."""
        return tuple(dict.fromkeys((self.backend, *self.witnesses)))


def runs_of(
    boards: Iterable[Board],
    labels: Sequence[str],
    images: int = 0,
    index: int = 1,
    request: Request | None = None,
) -> list[Run]:
    """Return the runs of boards in a row: each board with all backends, on one worker.

    Symmetric images of each board are searched as well, if asked for. The place is the number of
    the first board among all boards given to the runner, and identifies their records.
    """
    return [
        Run(
            case=Case(board=board, name=f"fuzz {index + k}", source="fuzz"),
            backend=label,
            round=index + k,
            image=image,
            request=request,
            group=index,
        )
        for k, board in enumerate(boards)
        for image in range(images + 1)
        for label in labels
    ]


def symptoms_of(
    board: Board, records: Iterable[Record], solvers: Mapping[str, Solver]
) -> list[Symptom]:
    """Return the faults in the answers to a board; a limit that was kept is not a fault.

    If a backend returned a wrong grid or no answer at all, only that is reported of it. A backend
    without support for time limits cannot exceed one.
    """
    records = list(records)
    if _agree(records):
        return []
    case = Case(board=board, name="fuzz", source="fuzz")
    symptoms = []
    for record in records:
        honours = solvers[record.backend].spec.capabilities.honours
        may_overrun = record.outcome is Outcome.TIMEOUT and "time_limit" not in honours
        if record.outcome in _KINDS and not may_overrun:
            evidence = " ".join(record.evidence) or record.outcome.value
            error = re.match(r"\w+(?=:)", evidence)
            symptom = Symptom(
                kind=_KINDS[record.outcome],
                backend=record.backend,
                error=error[0] if error and record.outcome is Outcome.FAILED else "",
                evidence=f"{record.backend}: {evidence}",
            )
            symptoms.append(symptom)
    disagreements = judge([case], records).disagreements
    wrong = {claim.backends[0] for claim in disagreements if claim.kind == "wrong grid"}
    for claim in disagreements:
        if claim.kind == "wrong grid" or not wrong & set(claim.backends):
            refuted, *others = claim.backends
            witnesses = tuple(label for label in others if label != refuted)
            evidence = claim.evidence
            symptoms.append(
                Symptom(kind=claim.kind, backend=refuted, witnesses=witnesses, evidence=evidence)
            )
    return list(dict.fromkeys(symptoms))


def _agree(records: Sequence[Record]) -> bool:
    """Return True if there is clearly no fault; False if the answers must be examined."""
    if any(record.outcome in _KINDS or record.outcome is Outcome.WRONG for record in records):
        return False
    complete = {record.count for record in records if record.complete}
    different = len({grid for record in records for grid in record.solutions})
    return not complete or (len(complete) == 1 and complete.pop() >= different)


class Reproducer:
    """Searches boards again, to test whether a symptom shows."""

    def __init__(
        self, solvers: Mapping[str, Solver], runner: Runner, request: Request, images: int
    ) -> None:
        """Take a runner of one worker, which nothing else may use; the caller closes it."""
        self._solvers = solvers
        self._runner = runner
        self._request = request
        self._images = images
        self._stale = True
        self._seconds = 0.0

    @property
    def solutions(self) -> int | None:
        """The number of solutions requested."""
        return self._request.solutions

    def find(self, boards: Boards, symptom: Symptom, *, fresh: bool) -> Symptom | None:
        """Return the symptom as the last of the boards shows it; None if it does not.

        All calls must be about one symptom; only the answers of its backends are compared. Fresh
        backends have searched no board before; otherwise those of the last call are used.
        """
        everything = self._request.solutions is None
        if everything and not all(is_bounded(board, _MOST_WAYS) for board in boards):
            return None
        if fresh or self._stale:
            self._runner.refresh()
            self._stale = False
        runs = runs_of(boards, symptom.labels, self._images, request=self._request)
        records = [record for record in self._runner.run(runs) if record.round == len(boards)]
        self._seconds = max((record.timing.wall_ns / 1e9 for record in records), default=0.0)
        symptoms = symptoms_of(boards[-1], records, self._solvers)
        return next((record for record in symptoms if record == symptom), None)

    def shows(self, boards: Boards, symptom: Symptom, freshness: Iterable[bool] = (True,)) -> bool:
        """Return whether boards show it on fresh backends, on kept ones, or on both."""
        return all(self.find(boards, symptom, fresh=fresh) for fresh in freshness)

    def limit_time(self) -> None:
        """From now on, allow searches only a little more time than those of the last call took.

        A board with fewer givens may be far harder; if it is not decided soon, it counts as not
        showing the symptom.
        """
        limit = max(_LEAST_SECONDS, _PATIENCE * self._seconds)
        if self._request.time_limit is None or limit < self._request.time_limit:
            self._request = replace(self._request, time_limit=limit)
            self._stale = True
