"""The hunt: boards without end, all backends on each, and what is wrong taken to pieces."""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from unidoku.backends.base import Request
from unidoku.backends.solver import Solver
from unidoku.comparison.run import Runner
from unidoku.core.board import Board
from unidoku.fuzzing.canonical import canonical, canonical_digest
from unidoku.fuzzing.finding import Finding, versions_of
from unidoku.fuzzing.generate import SIZES, Trial, trial
from unidoku.fuzzing.reduce import measure
from unidoku.fuzzing.shrink import ddmin, shrink_all
from unidoku.fuzzing.symptom import (
    Boards,
    Laboratory,
    MakeEngine,
    Symptom,
    by_place,
    runs_of,
    symptoms_of,
)

__all__ = ["Done", "Event", "Hunt", "Hunting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunting:
    """How boards are hunted.

    Args:
        seed: of the boards.
        sizes: n of their layouts.
        time_limit: of each search, in seconds.
        images: symmetric images of each board that are asked as well; without them a backend
            alone is compared with nothing but the checker.
        chunk: most trials after which the hunt tells how far it is; it begins with fewer.
        shrink_seconds: spent on one finding at most.
        again_seconds: spent on it once more, if it is known already: there may be another.
        patience: how often a symptom may lead to a finding that is known already; from then on
            it is counted only.
        most: findings with one symptom.
    """

    seed: int = 1
    sizes: range = SIZES
    time_limit: float = 1.0
    images: int = 0
    chunk: int = 64
    shrink_seconds: float = 30.0
    again_seconds: float = 5.0
    patience: int = 3
    most: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A chunk is done.

    Args:
        next: number of the first trial that is still to come.
        boards: that were asked in it.
        runs: of one backend on one board.
        shown: how often each symptom showed, as ``kind: backend``.
    """

    next: int
    boards: int
    runs: int
    shown: Mapping[str, int]


Event: TypeAlias = Finding | Done


@dataclass(slots=True)
class _Seen:
    """What became of a symptom so far."""

    findings: int = 0
    again: int = 0


@dataclass(slots=True)
class _Suspect:
    """Boards that were asked in a row, and what was wrong with the last."""

    trial: Trial
    boards: Boards
    before: Boards
    symptoms: list[Symptom] = field(default_factory=list)


class _TimeIsUp(Exception):  # noqa: N818 - it is no error
    """The deadline came within a chunk, which is left undone."""


class Hunt:
    """A hunt for boards on which some backend is at fault."""

    def __init__(
        self,
        solvers: Mapping[str, Solver],
        engine: MakeEngine,
        hunting: Hunting,
        known: Iterable[Finding] = (),
    ) -> None:
        """Take what the hunt needs; nothing is started yet.

        Args:
            solvers: the backends, by label.
            engine: starts engines, one for each number of solutions that is asked for.
            hunting: how.
            known: findings that need not be found again.
        """
        self._solvers = solvers
        self._make = engine
        self._hunting = hunting
        self._known = {finding.key: finding for finding in known}
        self._seen: defaultdict[Symptom, _Seen] = defaultdict(_Seen)
        self._engines: dict[int | None, Runner] = {}
        self._stack = ExitStack()
        self._history: defaultdict[int | None, deque[Board]] = defaultdict(
            lambda: deque(maxlen=_HISTORY)
        )
        self._versions = versions_of({label: s.spec.version for label, s in solvers.items()})

    def run(
        self, start: int = 0, end: int | None = None, deadline: float = float("inf")
    ) -> Iterator[Event]:
        """Yield findings, and after each chunk how far the hunt is.

        Args:
            start: number of the first trial.
            end: number of the first trial that is not wanted.
            deadline: on the monotonic clock, when to stop; a chunk under way is left undone, a
                finding under way is shrunk first.
        """
        number, size = start, _FIRST
        while (end is None or number < end) and time.monotonic() < deadline:
            last = number + min(size, self._hunting.chunk)
            last = last if end is None else min(last, end)
            chunk = [trial(self._hunting.seed, k, self._hunting.sizes) for k in range(number, last)]
            try:
                suspects = self._suspects(chunk, deadline)
            except _TimeIsUp:
                return
            shown: Counter[str] = Counter()
            for suspect, symptom in ((s, one) for s in suspects for one in s.symptoms):
                if time.monotonic() > deadline:
                    return
                shown[f"{symptom.kind}: {symptom.backend}"] += 1
                yield from self._examined(suspect, symptom)
            number, size = last, 2 * size
            boards = sum(len(one.boards) for one in chunk)
            runs = boards * len(self._solvers) * (self._hunting.images + 1)
            yield Done(next=number, boards=boards, runs=runs, shown=shown)

    def close(self) -> None:
        """End all engines."""
        self._stack.close()
        self._engines.clear()

    def _suspects(self, chunk: list[Trial], deadline: float) -> list[_Suspect]:
        """Ask the boards of a chunk, and return those with something wrong, in their order."""
        by_request: defaultdict[int | None, list[Trial]] = defaultdict(list)
        for one in chunk:
            by_request[one.solutions].append(one)
        suspects = [
            suspect
            for solutions, asked in by_request.items()
            for suspect in self._asked(solutions, asked, deadline)
        ]
        return sorted(suspects, key=lambda suspect: suspect.trial.number)

    def _asked(
        self, solutions: int | None, asked: list[Trial], deadline: float
    ) -> Iterator[_Suspect]:
        history = self._history[solutions]
        suspects = []
        for one in asked:
            for k in range(len(one.boards)):
                suspects.append(_Suspect(one, one.boards[: k + 1], tuple(history)))
                history.append(one.boards[k])
        boards = [suspect.boards[-1] for suspect in suspects]
        runs = runs_of(boards, list(self._solvers), self._hunting.images, 1)
        if solutions not in self._engines:
            engine = self._make(self._request(solutions), list(self._solvers))
            self._engines[solutions] = self._stack.enter_context(engine)
        records = []
        for record in self._engines[solutions].run(runs):
            records.append(record)
            if time.monotonic() > deadline:
                raise _TimeIsUp
        heard = by_place(records)
        for place, suspect in enumerate(suspects, start=1):
            suspect.symptoms = symptoms_of(suspect.boards[-1], heard[place], self._solvers)
            if suspect.symptoms:
                yield suspect

    def _request(self, solutions: int | None) -> Request:
        return Request(solutions=solutions, time_limit=self._hunting.time_limit)

    def _examined(self, suspect: _Suspect, symptom: Symptom) -> Iterator[Finding]:
        """Yield the finding that a symptom leads to, unless it or enough of it is known.

        A limit that was overrun once and never again tells of the machine, not of the backend.
        """
        seen = self._seen[symptom]
        if seen.again >= self._hunting.patience or seen.findings >= self._hunting.most:
            return
        finding = self._smallest(suspect, symptom)
        by_load = finding.kind == "timeout" and not finding.reproduced
        if finding.key in self._known or by_load:
            seen.again += 1
            return
        self._known[finding.key] = finding
        seen.findings += 1
        yield finding

    def _smallest(self, suspect: _Suspect, symptom: Symptom) -> Finding:
        """Return the smallest finding; a known one only if there is no other."""
        deadline = time.monotonic() + self._hunting.shrink_seconds
        target = suspect.boards[-1:]
        asked = suspect.trial.solutions
        for solutions in (*(few for few in _FEW if asked is None or few < asked), asked):
            with self._laboratory(solutions) as laboratory:
                boards: Boards | None = target
                if not laboratory.find(target, symptom, fresh=True):
                    last = solutions == asked
                    boards = _row(laboratory, suspect, symptom, deadline) if last else None
                if boards is None:
                    continue
                if symptom.kind not in ("timeout", "memory"):
                    laboratory.hurry()
                finding = self._shrunk(laboratory, suspect, symptom, boards, deadline, small=True)
                if finding.key in self._known:
                    # What shows on the smallest boards of all may hide another fault behind it.
                    soon = time.monotonic() + self._hunting.again_seconds
                    other = self._shrunk(laboratory, suspect, symptom, boards, soon, small=False)
                    finding = other if time.monotonic() < soon else finding
                return finding
        return replace(self._finding(suspect, symptom, suspect.boards, asked), reproduced=False)

    def _shrunk(
        self,
        laboratory: Laboratory,
        suspect: _Suspect,
        symptom: Symptom,
        boards: Boards,
        deadline: float,
        *,
        small: bool,
    ) -> Finding:
        fault = (symptom.kind, symptom.backend)
        alike = [one.boards for key, one in self._known.items() if key[:2] == fault]
        known = sorted(alike, key=measure) if small else []
        smallest = _shrunk(laboratory, boards, symptom, deadline, small=small, known=known)
        said = laboratory.find(smallest, symptom, fresh=True) or symptom
        return self._finding(suspect, said, smallest, laboratory.solutions)

    def _laboratory(self, solutions: int | None) -> closing[Laboratory]:
        request = self._request(solutions)
        return closing(Laboratory(self._solvers, self._make, request, self._hunting.images))

    def _finding(
        self, suspect: _Suspect, symptom: Symptom, boards: Boards, solutions: int | None
    ) -> Finding:
        return Finding(
            kind=symptom.kind,
            backend=symptom.backend,
            witnesses=symptom.witnesses,
            evidence=symptom.evidence,
            boards=boards,
            solutions=solutions,
            time_limit=self._hunting.time_limit,
            images=self._hunting.images,
            digest=canonical_digest(boards),
            seed=self._hunting.seed,
            number=suspect.trial.number,
            original=suspect.boards[-1].digest,
            versions=self._versions,
        )


_FIRST = 4
"""Trials of the first chunk; each has twice as many as the one before."""

_FEW = (1, 2, 3, 10)
"""Solutions asked for, instead of more, if that shows it too."""

_HISTORY = 32
"""Boards before a trial that are asked again if it shows nothing by itself."""


def _row(
    laboratory: Laboratory, suspect: _Suspect, symptom: Symptom, deadline: float
) -> Boards | None:
    """Return the shortest row of boards that shows it on fresh backends; None if none does."""
    target = suspect.boards[-1:]

    def shows(kept: Sequence[Board]) -> bool:
        in_time = time.monotonic() < deadline
        return in_time and _shows(laboratory, symptom, (True,), (*kept, *target))

    before = suspect.boards[:-1]
    for earlier in (before, (*suspect.before, *before)):
        if earlier and shows(earlier):
            return (*ddmin(earlier, shows), *target)
    return None


def _shrunk(
    laboratory: Laboratory,
    boards: Boards,
    symptom: Symptom,
    deadline: float,
    *,
    small: bool,
    known: Sequence[Boards],
) -> Boards:
    """Return the smallest boards, in canonical form where that shows it too.

    Backends are kept from one board to the next, which is faster. Should what they keep have
    misled us, it is done again on fresh ones. What shows only after other boards is shown to
    fresh ones each time, and shrunk on them to the end.
    """
    shows = partial(_shows, laboratory, symptom, (False,) if len(boards) == 1 else (False, True))
    smallest = shrink_all(boards, shows, deadline, small=small, known=known)
    if len(boards) == 1 and (found := _usual(laboratory, symptom, smallest)):
        return found
    boards = boards if len(boards) == 1 else smallest
    fresh = partial(_shows, laboratory, symptom, (True,))
    boards = shrink_all(boards, fresh, deadline, small=False)
    return _usual(laboratory, symptom, boards) or boards


def _shows(
    laboratory: Laboratory, symptom: Symptom, freshness: Iterable[bool], boards: Boards
) -> bool:
    """Tell whether boards show it, on kept backends or on fresh ones or on both."""
    return all(laboratory.find(boards, symptom, fresh=fresh) for fresh in freshness)


def _usual(laboratory: Laboratory, symptom: Symptom, boards: Boards) -> Boards | None:
    """Return the boards, in canonical form if they can be, if they show it on fresh backends."""
    for found in (tuple(map(canonical, boards)), boards):
        if _shows(laboratory, symptom, (True,), found):
            return found
    return None
