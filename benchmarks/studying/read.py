"""Reads a published study: its journals, the times of each family, and facts about its runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from studying.plan import Setting
from unidoku.comparison import Comparison, Results, read_comparison
from unidoku.comparison.statistics import Times, times_of
from unidoku.errors import InputError

__all__ = [
    "FACTS",
    "JOURNALS",
    "Family",
    "Published",
    "counted_times",
    "family_times",
    "read_published",
    "settings_of",
]

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
        makes_models: whether its times include building models; see `counted_times`.
        times: times of each stage that has runs of its boards.
    """

    name: str
    title: str
    makes_models: bool
    times: Mapping[str, Times]

    @property
    def first(self) -> Times:
        """The times of the first stage, in which all backends had all boards."""
        return self.times["first"]

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
        models: names of the families whose times include building models.
        families: those with runs, in the order of the plan.
    """

    facts: Mapping[str, Any]
    comparisons: Mapping[str, Comparison]
    models: frozenset[str]
    families: tuple[Family, ...]

    @property
    def first(self) -> Comparison:
        """The first stage."""
        return self.comparisons["first"]

    @property
    def times(self) -> Times:
        """The times of the first stage, all families together."""
        return counted_times(self.first.results, self.models)

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
    found = {name: read_comparison([path]) for name, path in paths.items() if path.exists()}
    models = frozenset(known["name"] for known in facts["families"] if known["models"])
    families = []
    for known in facts["families"]:
        name = known["name"]
        times = {stage: family_times(one.results, name, models) for stage, one in found.items()}
        there = {stage: one for stage, one in times.items() if one is not None}
        if "first" in there:
            families.append(Family(name, known["title"], name in models, there))
    return Published(facts, found, models, tuple(families))


@cache
def counted_times(results: Results, models: frozenset[str]) -> Times:
    """Return the times of all boards, which include building models in some families.

    A model is built once for each layout. If the boards of a family share layouts, as those of
    classic Sudoku do, it is not counted; if each has its own layout, as killers do, the time of a
    puzzle is that of its first search, in which the model is built.

    Args:
        results: results of a stage.
        models: names of the families of the second kind.
    """
    times = times_of(results)
    own = np.array([Setting.of(case.name)[0] in models for case in times.cases], dtype=bool)
    whole = own & times.solved & ~np.isnan(times.first)
    return replace(times, seconds=np.where(whole, times.first, times.seconds))


@cache
def family_times(results: Results, family: str, models: frozenset[str]) -> Times | None:
    """Return the times of one family's boards by the backends that ran them; None without any.

    Boards are in the order of their settings. The models are those of `counted_times`.
    """
    times = counted_times(results, models)
    known = [(*Setting.of(case.name), case.name) for case in times.cases]
    order = sorted(
        (place for place, (own, _, _) in enumerate(known) if own == family),
        key=lambda place: _order(*known[place][1:]),
    )
    if not order:
        return None
    rows = np.flatnonzero((times.outcome[:, order] >= 0).any(axis=1)).tolist()
    arrays = ("seconds", "outcome", "solved", "init", "solve", "decode", "load", "first")
    picked = {name: getattr(times, name)[np.ix_(rows, order)] for name in arrays}
    return replace(
        times,
        backends=tuple(times.backends[row] for row in rows),
        cases=tuple(times.cases[place] for place in order),
        **picked,
    )


_LEVELS = ("singles", "pairs", "minimal", "hardest")


def _order(setting: Setting, name: str) -> tuple[int, int, int]:
    level = setting.level
    hardness = _LEVELS.index(level) if level in _LEVELS else int(level.removesuffix("%") or 0)
    return setting.size, hardness, int(name.rpartition(":")[2])


def settings_of(times: Times) -> list[Setting]:
    """Return the setting of each case."""
    return [Setting.of(case.name)[1] for case in times.cases]
