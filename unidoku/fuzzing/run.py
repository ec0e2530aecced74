"""A fuzzing run: a hunt, the folder that keeps its findings, and its progress."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unidoku.backends.base import Request
from unidoku.backends.options import label_of, split_name
from unidoku.backends.solving.solver import BackendLike, Solver, load
from unidoku.comparison.config import names_of
from unidoku.comparison.environment import usable_cores
from unidoku.comparison.run import Runner, open_runner
from unidoku.comparison.run.measure import MeasurementSettings
from unidoku.core.board import Board
from unidoku.core.board_like import BoardLike, as_board
from unidoku.core.rules.base import KINDS
from unidoku.errors import InputError, nearest
from unidoku.fuzzing.boards import SIZES
from unidoku.fuzzing.finding import IMAGE_SEED, Finding
from unidoku.fuzzing.folder import Folder, HuntState
from unidoku.fuzzing.hunt import Hunt, HuntEvent, HuntSettings, TrialsDone
from unidoku.support.arguments import named_arguments
from unidoku.support.deadline import Deadline
from unidoku.support.memory_limit import KEEPS_MEMORY_LIMITS

_IMAGES = 2
"""Symmetric images of each board if there is one backend, which has no other to compare with."""

_MEMORY_LIMIT = 2 << 30
"""The most bytes of memory for a search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzReport:
    """The result of a hunt; its text is what ``unidoku fuzz`` prints at the end.

    Args:
        findings: the smallest boards on which a backend is at fault, with all details.
        state: progress of the hunt, including all calls that continued it.
        folder: the folder that keeps it; None if there is none.
        names: short names of backends by label, which the text shows; findings have the labels.
    """

    findings: tuple[Finding, ...]
    state: HuntState
    folder: Path | None = None
    names: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the figures, and how often each symptom occurred."""
        state = self.state
        lines = [
            f"boards: {state.boards}, runs: {state.runs}, seed: {state.seed}, "
            f"next number: {state.next}, seconds: {state.seconds:.0f}"
        ]
        for symptom, times in sorted(state.shown.items()):
            kind, _, label = symptom.partition(": ")
            lines.append(f"  {kind}: {self.names.get(label, label)}: seen {times} times")
        for label, runs in sorted(state.refused.items()):
            each = state.runs // len(state.backends)
            lines.append(f"  {self.names.get(label, label)}: did not support {runs} of {each} runs")
        lines += [f"  {name} is {label}" for label, name in self.names.items()]
        count = len(self.findings)
        where = f", in {self.folder}" if count and self.folder else ""
        lines.append(f"findings: {count}{where}")
        return "\n".join(lines)


def _loaded(
    backends: Iterable[BackendLike] | Mapping[str, BackendLike],
) -> tuple[dict[str, Solver], Mapping[str, str]]:
    """Return the solver of each backend by its label, and the short names of labels.

    Raises:
        InputError: no backend is named.
        UnidokuError: a backend cannot be loaded.
    """
    if isinstance(backends, Mapping):
        named = [*backends.items()]
    else:
        named = [split_name(each) if isinstance(each, str) else ("", each) for each in backends]
    solvers: dict[str, Solver] = {}
    texts: dict[str, str] = {}  # labels with their short names
    for name, backend in named:
        solver = backend if isinstance(backend, Solver) else load(backend)
        label = backend.label if isinstance(backend, Solver) else label_of(backend)
        solvers[label] = solver
        texts[label] = f"{name}={label}" if name else label
    if not solvers:
        raise InputError("expected labels of backends, got none; list them: unidoku backends")
    return solvers, names_of(texts.values(), list(texts))


def _sizes(sizes: range | None, puzzles: tuple[Board, ...]) -> range:
    """Return the sizes of random layouts; refuse others than 1 to 25, and sizes of puzzles."""
    if sizes is not None and puzzles:
        raise InputError(
            "expected no sizes for puzzles, which have their own; name sizes or puzzles"
        )
    sizes = SIZES if sizes is None else sizes
    if not sizes or min(sizes) < 1 or max(sizes) > 25:
        raise InputError(f"expected sizes from 1 to 25, got {sizes}")
    return sizes


def _kinds(rules: Iterable[str]) -> tuple[str, ...]:
    """Check names of kinds of rules; return them sorted, each once.

    Raises:
        InputError: there is no such kind.
    """
    kinds = tuple(sorted(set(rules)))
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(
                f"rules: expected a kind of rule, got {kind!r}; {nearest(kind, KINDS)}"
            )
    return kinds


def _options(settings: HuntSettings) -> dict[str, Any]:
    """Return the settings that determine the boards, in the form that the folder keeps."""
    first, last = min(settings.sizes), max(settings.sizes)
    options: dict[str, Any] = {
        "sizes": f"{first}-{last}" if first < last else str(first),
        "time_limit": settings.time_limit,
        "images": settings.images,
    }
    if settings.rules:
        options["rules"] = ",".join(settings.rules)
    if settings.puzzles:
        digests = "".join(board.digest for board in settings.puzzles)
        options["puzzles"] = hashlib.sha256(digests.encode()).hexdigest()[:16]
    return options


class FuzzRun:
    """A hunt with its folder: starts a hunt, or continues the one in the folder.

    No other process can hunt in the folder until the ``with`` ends.

    The arguments and the exceptions are those of `fuzz`.
    """

    def __init__(
        self,
        backends: Iterable[BackendLike] | Mapping[str, BackendLike],
        *,
        seed: int = 1,
        sizes: range | None = None,
        rules: Iterable[str] = (),
        puzzles: Iterable[BoardLike] = (),
        time_limit: float = 1.0,
        folder: str | os.PathLike[str] | None = None,
        workers: int | None = None,
        scheduler: str | None = None,
    ) -> None:
        """Load the backends; the folder is read at the beginning of a ``with``."""
        self.solvers, self.names = _loaded(backends)
        boards = tuple(dict.fromkeys(map(as_board, puzzles)))
        limit = Request(time_limit=time_limit).time_limit
        if not limit:
            raise InputError("expected a time limit in seconds, because a search may never end")
        self._settings = HuntSettings(
            seed=seed,
            sizes=_sizes(sizes, boards),
            rules=_kinds(rules),
            puzzles=boards,
            time_limit=limit,
            images=_IMAGES if len(self.solvers) == 1 else 0,
        )
        self._workers, self._scheduler = workers, scheduler
        self._folder = None if folder is None else Folder(Path(folder))
        options = _options(self._settings)
        self.state = HuntState(seed=seed, backends=list(self.solvers), options=options)
        self.findings: list[Finding] = []
        self._lock = ExitStack()
        self._before = 0.0
        self._clock = Deadline()

    def __enter__(self) -> FuzzRun:
        """Lock the folder, and read the progress of its hunt."""
        if self._folder is not None:
            with ExitStack() as lock:
                lock.enter_context(self._folder.locked())
                self.state = self._folder.open(self.state)
                self.findings = self._folder.findings()
                self._lock = lock.pop_all()
        self._before, self._clock = self.state.seconds, Deadline()
        return self

    def __exit__(self, *_: object) -> None:
        """Write the progress of the hunt, and unlock the folder."""
        with self._lock:
            self.save()

    def events(
        self, boards: int | None = None, seconds: float | None = None
    ) -> Iterator[HuntEvent]:
        """Hunt, and yield each finding, and from time to time the progress, once it is saved.

        The hunt stops after this number of trials, earlier calls included, or of seconds.

        Raises:
            BackendError: no worker can be started.
            OutputError: the folder cannot be written.
        """
        state = self.state
        self._before, self._clock = state.seconds, Deadline(seconds)
        with closing(Hunt(self.solvers, self._open, self._settings, self.findings)) as hunt:
            for event in hunt.run(state.next, boards, self._clock):
                match event:
                    case Finding():
                        if self._folder is not None:
                            self._folder.add(event)
                        self.findings.append(event)
                    case TrialsDone():
                        state.next = event.next
                        state.boards += event.boards
                        state.runs += event.runs
                        state.shown = dict(Counter(state.shown) + Counter(event.shown))
                        state.refused = dict(Counter(state.refused) + Counter(event.refused))
                        self.save()
                yield event

    def save(self) -> None:
        """Write the progress of the hunt."""
        self.state.seconds = self._seconds
        if self._folder is not None:
            self._folder.save(self.state)

    @property
    def report(self) -> FuzzReport:
        """The result so far, including all calls that continued this hunt."""
        folder = None if self._folder is None else self._folder.path
        return FuzzReport(
            findings=tuple(self.findings),
            state=replace(self.state, seconds=self._seconds),
            folder=folder,
            names=self.names,
        )

    @property
    def _seconds(self) -> float:
        """Seconds spent in this call and in all calls before it."""
        return round(self._before + self._clock.elapsed, 3)

    def _open(self, workers: int | None) -> AbstractContextManager[Runner]:
        """Start a runner with worker processes: a backend may crash, hang or fill memory."""
        scheduler = self._scheduler if workers is None else None
        workers = workers or self._workers or (1 if scheduler else len(usable_cores()))
        measuring = MeasurementSettings(
            request=Request(time_limit=self._settings.time_limit),
            untimed=True,
            memory_limit=_MEMORY_LIMIT if KEEPS_MEMORY_LIMITS else None,
            seed=IMAGE_SEED,
            relabel=False,
        )
        return open_runner(self.solvers, measuring, workers=workers, scheduler=scheduler)


@named_arguments
def fuzz(
    backends: Iterable[BackendLike] | Mapping[str, BackendLike],
    *,
    boards: int | None = None,
    seconds: float | None = 60.0,
    seed: int = 1,
    sizes: range | None = None,
    rules: Iterable[str] = (),
    puzzles: Iterable[BoardLike] = (),
    time_limit: float = 1.0,
    folder: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> FuzzReport:
    """Search random boards with backends, and find the smallest board that shows a fault.

    A backend is at fault if another backend's answer refutes its own, if it returns a grid that is
    not a solution, if it fails or crashes, or if it exceeds its limit. If there is only one
    backend, it also searches symmetric images of each board.

    >>> report = fuzz(["norvig", "exact-cover"], boards=8, sizes=range(2, 5), workers=1)
    >>> report.findings, report.state.next
    ((), 8)

    Args:
        backends: labels of backends, with or without short names (``mine=function:m:solve``), or
            other backends; or a mapping from short names to them.
        boards: stop after this number of trials, each a board or a few in a row; None for no limit.
        seconds: stop after this number of seconds; None for no limit.
        seed: seed of the random boards; the same seed gives the same boards.
        sizes: sizes n of random layouts, from 1 to 25; by default 2 to 16.
        rules: kinds of random rules, such as ``["killer", "thermo"]``, which every random layout
            then has; by default half of the layouts have rules of any kind.
        puzzles: boards or puzzles that are searched first and then changed, instead of random
            boards: givens, numbers and cells of rules, whole rules.
        time_limit: seconds for each search.
        folder: folder for findings and progress; a hunt that is in it is continued.
        workers: number of processes that search at the same time; None for one for each core.
        scheduler: address of a Dask cluster that runs the searches: ``tcp://host:port`` or
            ``local:N``.

    Raises:
        InputError: there is no backend or no such kind of rule, or a size, puzzle, time limit or
            folder cannot be used.
        OutputError: the folder cannot be written.
        BackendError: no worker can be started.
        UnidokuError: a backend cannot be loaded.
    """
    with FuzzRun(
        backends,
        seed=seed,
        sizes=sizes,
        rules=rules,
        puzzles=puzzles,
        time_limit=time_limit,
        folder=folder,
        workers=workers,
        scheduler=scheduler,
    ) as run:
        for _ in run.events(boards, seconds):
            pass
    return run.report
