"""Runs a study: measures its stages with the comparison, and publishes its journals.

Each stage is a comparison with a journal in the working folder, whose name depends on the plan.
Therefore a study that was stopped continues where it was, and a study with another plan starts
again.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from measuring.machine import say

import unidoku
from studying.boards import puzzles_of
from studying.figures import penalised, standings
from studying.plan import FamilyPlan, StagePlan, StudyPlan
from studying.read import FACTS, JOURNALS, family_times
from unidoku.comparison import Comparison, ComparisonPlan, PuzzleSource, Record
from unidoku.comparison.anonymous import anonymous
from unidoku.comparison.config import solvers_of
from unidoku.comparison.journal import write_journal
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.comparison.statistics import Times
from unidoku.errors import UnidokuError
from unidoku.formats import Puzzle
from unidoku.support.atomic_write import make_folder, write_text
from unidoku.support.deadline import Deadline

_GRACE = 1.0
"""Seconds by which a search may exceed its limit, besides a tenth of it; see `PoolSettings`."""


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """One comparison of a study.

    Args:
        journal: which of the published journals holds it.
        name: for readers.
        runs: how many there are.
        seconds: upper bound of their time with all workers, two searches a run: the first one of
            a layout is recorded apart.
    """

    journal: str
    name: str
    runs: int
    seconds: float


@dataclass(slots=True)
class Measurement:
    """What was measured of a study, and what was not.

    Attributes:
        journals: the journals in the working folder, by the published one that holds them.
        stages: name of each comparison, and its numbers of runs planned and done.
        seconds: how long this call took.
        interrupted: whether Ctrl-C ended it.
    """

    journals: dict[str, list[Path]] = field(default_factory=dict)
    stages: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def complete(self) -> bool:
        """Whether all that was planned is done."""
        return all(stage["done"] == stage["planned"] for stage in self.stages)


def planned(asked: StudyPlan) -> Iterator[PlannedStage]:
    """Yield the comparisons of a study with their sizes, without making a board."""
    cases = sum(family.cases for family in asked.families)
    some = sum(len([*family.settings]) for family in asked.optional)
    options = asked.options
    counts = [("first", "all backends", asked.first, cases * len(asked.labels))]
    for group in options.groups if options else ():
        assert options is not None
        cases_of_group = some * options.boards
        counts.append(("options", group[0], options, cases_of_group * len(group)))
    best = min(asked.second.best, len(asked.labels))
    counts += [
        ("second", family.title, asked.second, family.cases * best) for family in asked.families
    ]
    for journal, name, stage, runs in counts:
        longest = 2 * (1.1 * stage.time_limit + _GRACE)
        runs *= stage.repeats
        yield PlannedStage(journal, name, runs, runs * longest / asked.workers)


def study(
    asked: StudyPlan, folder: Path, *, engine: str | None = None, scheduler: str | None = None
) -> Measurement:
    """Measure what is asked, until it is done, its time is over or Ctrl-C is pressed.

    What is in the working folder already is not measured again.

    Raises:
        UnidokuError: as `carry_out`.
    """
    make_folder(folder)
    course = _Course(asked, folder, engine, scheduler)
    course.go()
    course.found.seconds = course.clock.elapsed
    return course.found


class _Course:
    """The stages of a study, one after the other."""

    def __init__(
        self, asked: StudyPlan, folder: Path, engine: str | None, scheduler: str | None
    ) -> None:
        self.asked, self.folder = asked, folder
        self.engine, self.scheduler = engine, scheduler
        self.clock = Deadline(asked.budget * 60)
        self.found = Measurement()

    def go(self) -> None:
        """Go through all stages; those that no time is left for are noted as not begun."""
        asked = self.asked
        boards = {family.name: self._boards(family) for family in asked.families}
        if "native" in asked.labels:  # its compiled search is made here, not within a limit
            unidoku.load("native[engine=single]").solve(next(iter(boards.values()))[0].board)
        everything = [puzzle for puzzles in boards.values() for puzzle in puzzles]
        first = self._stage("first", "all backends", asked.first, asked.labels, everything, 1)
        self._options(boards)
        known = {family.name: self._times(first, family) for family in asked.families}
        best = {name: _best(times, asked.second.best) for name, times in known.items()}
        # The cheap ones first: what they leave of their parts of the time goes to the others.
        order = sorted(asked.families, key=lambda each: _cost(known[each.name], best[each.name]))
        for left, family in zip(range(len(order), 0, -1), order, strict=True):
            labels, puzzles = best[family.name], boards[family.name]
            self._stage("second", family.title, asked.second, labels, puzzles, left)

    def _boards(self, family: FamilyPlan) -> list[Puzzle]:
        say(f"boards: {family.title}")
        return [*puzzles_of(family, self.asked.seed)]

    def _times(self, first: Comparison | None, family: FamilyPlan) -> Times | None:
        return None if first is None else family_times(first.results, family.name)

    def _options(self, boards: dict[str, list[Puzzle]]) -> None:
        stage = self.asked.options
        if stage is None:
            return
        some = [
            puzzle
            for family in self.asked.optional
            for puzzle in boards[family.name]
            if int(puzzle.name.rpartition(":")[2]) <= stage.boards
        ]
        groups = [group for group in map(_usable, stage.groups) if len(group) > 1]
        for left, group in zip(range(len(groups), 0, -1), groups, strict=True):
            self._stage("options", group[0], stage, group, some, left)

    def _stage(
        self,
        journal: str,
        name: str,
        stage: StagePlan,
        labels: Sequence[str],
        puzzles: Sequence[Puzzle],
        left: int,
    ) -> Comparison | None:
        """Measure one comparison, which shares the time with so many."""
        runs = len(puzzles) * len(labels) * stage.repeats
        entry: dict[str, Any] = {"journal": journal, "name": name, "backends": list(labels)}
        entry |= {"planned": runs, "done": 0, "before": 0}
        self.found.stages.append(entry)
        path = self.folder / f"{journal}-{_digest(self.asked, stage, labels, puzzles)}.jsonl"
        remaining = max(self.clock.left or 0.0, 0.001)
        known = path.exists()
        if not labels or ((self.clock.passed or self.found.interrupted) and not known):
            return None
        plan = self._plan(stage, labels, puzzles)
        where = RunOptions(
            engine=self.engine,
            scheduler=self.scheduler,
            journal=path,
            resume=True,
            deadline=Deadline(0.001 if self.found.interrupted else remaining * stage.share / left),
        )
        say(f"{journal}, {name}: {runs:,} runs, at most {where.deadline.seconds or 0:.0f} s")
        found = carry_out(plan, where, _Progress(f"{journal}, {name}"))
        self.found.interrupted |= found.interrupted is not None
        entry |= {"planned": found.total, "done": found.done, "before": found.before}
        entry["disturbances"] = list(found.disturbances)
        self.found.journals.setdefault(journal, []).append(path)
        return found

    def _plan(
        self, stage: StagePlan, labels: Sequence[str], puzzles: Sequence[Puzzle]
    ) -> ComparisonPlan:
        asked = self.asked
        return ComparisonPlan(
            backends=tuple(labels),
            puzzles=(PuzzleSource(boards=tuple(puzzles)),),
            repeats=stage.repeats,
            time_limit=stage.time_limit,
            memory_limit=asked.memory_limit,
            solutions=asked.solutions,
            seed=asked.seed,
            sample_ms=asked.sample_ms,
            workers=asked.workers,
        )


class _Progress:
    """Says from time to time how far a comparison is."""

    def __init__(self, name: str) -> None:
        self._name, self._next = name, Deadline(_PACE)

    def __call__(self, found: Comparison, _: Record) -> None:
        if self._next.passed:
            self._next = Deadline(_PACE)
            say(f"{self._name}: {found.done:,} of {found.total:,}")


_PACE = 15.0
"""Seconds between two lines of progress."""


def _digest(
    asked: StudyPlan, stage: StagePlan, labels: Sequence[str], puzzles: Sequence[Puzzle]
) -> str:
    """Return what tells comparisons apart: another one has another journal."""
    boards = [puzzle.board.digest for puzzle in puzzles]
    measured = [stage.time_limit, stage.repeats, asked.solutions, asked.seed]
    identity = [list(labels), boards, [*measured, asked.memory_limit, asked.sample_ms]]
    return hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]


def _usable(labels: Sequence[str]) -> list[str]:
    """Return the labels whose backends are installed; a warning names the others."""
    usable = []
    for label in labels:
        try:
            solvers_of([label])
        except UnidokuError as error:
            warnings.warn(f"{label} is left out: {error}", UserWarning, stacklevel=2)
        else:
            usable.append(label)
    return usable


def _best(times: Times | None, most: int) -> list[str]:
    """Return the backends that solved the most boards of a family, and of those the fastest."""
    return [] if times is None else [row.backend for row in standings(times) if row.solved][:most]


def _cost(times: Times | None, labels: Sequence[str]) -> float:
    """Return about how long these backends take on a family."""
    if times is None:
        return 0.0
    return float(np.nansum(penalised(times)[[times.backends.index(label) for label in labels]]))


def publish(found: Measurement, asked: StudyPlan, target: Path) -> None:
    """Write the journals of a study, compressed and without names, and the facts of its course.

    Raises:
        OutputError: a file cannot be written.
    """
    make_folder(target)
    for name in JOURNALS:
        path = target / f"{name}.jsonl.gz"
        if name in found.journals:
            write_journal(path, *anonymous(found.journals[name]), force=True)
        else:
            path.unlink(missing_ok=True)
    facts = {
        "title": asked.title,
        "workers": asked.workers,
        "budget": asked.budget,
        "seconds": round(found.seconds, 1),
        "families": [{"name": family.name, "title": family.title} for family in asked.families],
        "stages": found.stages,
    }
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    write_text(target / FACTS, text + "\n", force=True)
