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
from measuring.machine import Progress, say

import unidoku
from studying.boards import puzzles_of
from studying.figures import penalised, standings
from studying.plan import StagePlan, StudyPlan
from studying.read import FACTS, JOURNALS, family_times
from unidoku.comparison import Comparison
from unidoku.comparison.anonymous import anonymous
from unidoku.comparison.cases import PuzzleSource
from unidoku.comparison.config import ComparisonPlan, solvers_of
from unidoku.comparison.journal import write_journal
from unidoku.comparison.session import RunOptions, carry_out
from unidoku.comparison.statistics.times import Times
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


def planned(plan: StudyPlan) -> Iterator[PlannedStage]:
    """Yield the comparisons of a study with their sizes, without making a board."""
    cases = sum(family.cases for family in plan.families)
    settings = sum(len([*family.settings]) for family in plan.optional)
    options = plan.options
    counts = [("first", "all backends", plan.first, cases * len(plan.labels))]
    for group in options.groups if options else ():
        assert options is not None
        cases_of_group = settings * options.boards
        counts.append(("options", group[0], options, cases_of_group * len(group)))
    best = min(plan.second.best, len(plan.labels))
    counts += [
        ("second", family.title, plan.second, family.cases * best) for family in plan.families
    ]
    for journal, name, stage, runs in counts:
        longest = 2 * (1.1 * stage.time_limit + _GRACE)
        runs *= stage.repeats
        yield PlannedStage(journal, name, runs, runs * longest / plan.workers)


def study(
    plan: StudyPlan, folder: Path, *, engine: str | None = None, scheduler: str | None = None
) -> Measurement:
    """Measure what is asked, until it is done, its time is over or Ctrl-C is pressed.

    What is in the working folder already is not measured again.

    Raises:
        UnidokuError: as `carry_out`.
    """
    make_folder(folder)
    course = _Course(plan, folder, engine, scheduler)
    course.go()
    course.measurement.seconds = course.clock.elapsed
    return course.measurement


class _Course:
    """The stages of a study, one after the other."""

    def __init__(
        self, plan: StudyPlan, folder: Path, engine: str | None, scheduler: str | None
    ) -> None:
        self.plan, self.folder = plan, folder
        self.engine, self.scheduler = engine, scheduler
        self.clock = Deadline(plan.budget * 60)
        self.measurement = Measurement()

    def go(self) -> None:
        """Go through all stages; those that no time is left for are noted as not begun."""
        plan = self.plan
        boards = {}
        for family in plan.families:
            say(f"boards: {family.title}")
            boards[family.name] = [*puzzles_of(family, plan.seed)]
        if "native" in plan.labels:  # its compiled search is made here, not within a limit
            unidoku.load("native[engine=single]").solve(next(iter(boards.values()))[0].board)
        everything = [puzzle for puzzles in boards.values() for puzzle in puzzles]
        first = self._stage("first", "all backends", plan.first, plan.labels, everything, 1)
        self._options(boards)
        known = {
            family.name: None if first is None else family_times(first.results, family.name)
            for family in plan.families
        }
        best = {name: _best(times, plan.second.best) for name, times in known.items()}
        # The cheap ones first: what they leave of their parts of the time goes to the others.
        order = sorted(plan.families, key=lambda each: _cost(known[each.name], best[each.name]))
        for stages_left, family in zip(range(len(order), 0, -1), order, strict=True):
            labels, puzzles = best[family.name], boards[family.name]
            self._stage("second", family.title, plan.second, labels, puzzles, stages_left)

    def _options(self, boards: dict[str, list[Puzzle]]) -> None:
        stage = self.plan.options
        if stage is None:
            return
        puzzles = [
            puzzle
            for family in self.plan.optional
            for puzzle in boards[family.name]
            if int(puzzle.name.rpartition(":")[2]) <= stage.boards
        ]
        groups = [group for group in map(_usable, stage.groups) if len(group) > 1]
        for stages_left, group in zip(range(len(groups), 0, -1), groups, strict=True):
            self._stage("options", group[0], stage, group, puzzles, stages_left)

    def _stage(
        self,
        journal: str,
        name: str,
        stage: StagePlan,
        labels: Sequence[str],
        puzzles: Sequence[Puzzle],
        stages_left: int,
    ) -> Comparison | None:
        """Measure one comparison, which shares the time with so many."""
        runs = len(puzzles) * len(labels) * stage.repeats
        entry: dict[str, Any] = {"journal": journal, "name": name, "backends": list(labels)}
        entry |= {"planned": runs, "done": 0, "before": 0}
        self.measurement.stages.append(entry)
        path = self.folder / f"{journal}-{_digest(self.plan, stage, labels, puzzles)}.jsonl"
        remaining = max(self.clock.left or 0.0, 0.001)
        known = path.exists()
        if not labels or ((self.clock.passed or self.measurement.interrupted) and not known):
            return None
        plan = self._plan(stage, labels, puzzles)
        where = RunOptions(
            engine=self.engine,
            scheduler=self.scheduler,
            journal=path,
            resume=True,
            deadline=Deadline(
                0.001 if self.measurement.interrupted else remaining * stage.share / stages_left
            ),
        )
        say(f"{journal}, {name}: {runs:,} runs, at most {where.deadline.seconds or 0:.0f} s")
        comparison = carry_out(plan, where, Progress(f"{journal}, {name}"))
        self.measurement.interrupted |= comparison.interrupted is not None
        entry |= {"planned": comparison.total, "done": comparison.done, "before": comparison.before}
        entry["disturbances"] = list(comparison.disturbances)
        self.measurement.journals.setdefault(journal, []).append(path)
        return comparison

    def _plan(
        self, stage: StagePlan, labels: Sequence[str], puzzles: Sequence[Puzzle]
    ) -> ComparisonPlan:
        return ComparisonPlan(
            backends=tuple(labels),
            puzzles=(PuzzleSource(boards=tuple(puzzles)),),
            repeats=stage.repeats,
            time_limit=stage.time_limit,
            memory_limit=self.plan.memory_limit,
            solutions=self.plan.solutions,
            seed=self.plan.seed,
            sample_ms=self.plan.sample_ms,
            workers=self.plan.workers,
        )


def _digest(
    plan: StudyPlan, stage: StagePlan, labels: Sequence[str], puzzles: Sequence[Puzzle]
) -> str:
    """Return what tells comparisons apart: another one has another journal."""
    boards = [puzzle.board.digest for puzzle in puzzles]
    measured = [stage.time_limit, stage.repeats, plan.solutions, plan.seed]
    identity = [list(labels), boards, [*measured, plan.memory_limit, plan.sample_ms]]
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


def publish(measurement: Measurement, plan: StudyPlan, target: Path) -> None:
    """Write the journals of a study, compressed and without names, and the facts of its course.

    Raises:
        OutputError: a file cannot be written.
    """
    make_folder(target)
    for name in JOURNALS:
        path = target / f"{name}.jsonl.gz"
        if name in measurement.journals:
            write_journal(path, *anonymous(measurement.journals[name]), force=True)
        else:
            path.unlink(missing_ok=True)
    facts = {
        "title": plan.title,
        "workers": plan.workers,
        "budget": plan.budget,
        "seconds": round(measurement.seconds, 1),
        "families": [{"name": family.name, "title": family.title} for family in plan.families],
        "stages": measurement.stages,
    }
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    write_text(target / FACTS, text + "\n", force=True)
