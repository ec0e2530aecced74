"""Reads a published study: its journals, the times of each family, and facts about its runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from studying.plan import Setting
from unidoku.comparison import Comparison, read_comparison
from unidoku.comparison.record import Measure
from unidoku.comparison.results import MEASURES, Results
from unidoku.comparison.statistics.times import Times, selected, times_of
from unidoku.errors import InputError

JOURNALS = ("first", "options", "second")
"""The journals of a study, by the stage whose runs they hold."""

FACTS = "study.json"
"""The file with facts about the runs of a study."""


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """A family of a published study.

    Args:
        name: first part of its boards' names.
        title: title for readers.
        times: times of each stage that has runs of its boards.
    """

    name: str
    title: str
    times: Mapping[str, Times]

    @property
    def first(self) -> Times:
        """The times of the first stage, in which all backends had all boards."""
        return self.times["first"]

    @property
    def has_own_layouts(self) -> bool:
        """Whether each board has a layout of its own, so that times include what that costs."""
        return bool((self.decisive.measure == MEASURES.index(Measure.FIRST)).any())

    @property
    def decisive(self) -> Times:
        """The times that decide: those of the second stage, if it was reached."""
        return self.times.get("second", self.first)


@dataclass(frozen=True, slots=True)
class Published:
    """A published study.

    Args:
        facts: facts about its stages: the planned runs and the measured ones.
        comparisons: the comparisons, by the name of the stage.
        families: those with runs, in the order of the plan.
    """

    facts: Mapping[str, Any]
    comparisons: Mapping[str, Comparison]
    families: tuple[Family, ...]

    @property
    def first(self) -> Comparison:
        """The first stage."""
        return self.comparisons["first"]

    @property
    def times(self) -> Times:
        """The times of the first stage, all families together."""
        return all_times(self.first.results)

    @property
    def environment(self) -> Mapping[str, Any]:
        """The machine, and the versions."""
        return self.first.results.environment


def read_published(folder: Path) -> Published:
    """Read a published study.

    Raises:
        InputError: there is no published study, or a file of it cannot be read.
        FormatError: a journal is not valid.
    """
    paths = {name: folder / f"{name}.jsonl.gz" for name in JOURNALS}
    if not paths["first"].exists():
        raise InputError(f"expected a study in {folder}, which has no first.jsonl.gz: make study")
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    comparisons = {name: read_comparison([path]) for name, path in paths.items() if path.exists()}
    families = []
    for known in facts["families"]:
        name = known["name"]
        times = {stage: family_times(item.results, name) for stage, item in comparisons.items()}
        measured = {stage: item for stage, item in times.items() if item is not None}
        if "first" in measured:
            families.append(Family(name, known["title"], measured))
    return Published(facts, comparisons, tuple(families))


all_times = cache(times_of)
"""Returns the times of all boards of a stage, computed once."""


@cache
def family_times(results: Results, family: str) -> Times | None:
    """Return the times of one family's boards by the backends that ran them; None without any.

    Boards are in the order of their settings.
    """
    times = all_times(results)
    known = [(*Setting.of(case.name), case.name) for case in times.cases]
    order = sorted(
        (column for column, (name, _, _) in enumerate(known) if name == family),
        key=lambda column: _order(*known[column][1:]),
    )
    if not order:
        return None
    rows = np.flatnonzero((times.outcome[:, order] >= 0).any(axis=1)).tolist()
    return selected(times, rows, order)


_LEVELS = ("singles", "pairs", "minimal", "hardest")


def _order(setting: Setting, name: str) -> tuple[int, int, int]:
    level = setting.level
    hardness = _LEVELS.index(level) if level in _LEVELS else int(level.removesuffix("%") or 0)
    return setting.size, hardness, int(name.rpartition(":")[2])


def settings_of(times: Times) -> list[Setting]:
    """Return the setting of each case."""
    return [Setting.of(case.name)[1] for case in times.cases]
