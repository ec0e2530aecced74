"""The plan of a study: one TOML file, checked key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unidoku.backends import catalogue
from unidoku.backends.programs.rows import known_programs
from unidoku.errors import SettingsError, nearest
from unidoku.support.schema import TABLE, TEXT, Kind, above, least, listed_of, whole
from unidoku.support.toml import check_table, read_toml

MAKERS = ("levels", "minimal", "holes", "latin", "puzzle")
"""How boards are made; see `studying.boards`."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The properties in which the boards of a family differ: their size and difficulty.

    Args:
        size: the number of values, or the side of the grid.
        level: how many percent of the cells are empty, or the name of a level; empty if neither.
    """

    size: int
    level: str = ""

    @property
    def share(self) -> float:
        """The share of empty cells, if the level is a share."""
        return int(self.level.removesuffix("%")) / 100

    def name(self, family: str, number: int) -> str:
        """Return the name of a board: ``latin:30:42%:1``.

        >>> Setting(30, "42%").name("latin", 1), Setting(9).name("killer", 2)
        ('latin:30:42%:1', 'killer:9::2')
        """
        return f"{family}:{self.size}:{self.level}:{number}"

    @classmethod
    def of(cls, name: str) -> tuple[str, Setting]:
        """Return the family and the setting of a board's name."""
        family, size, level, _ = name.split(":")
        return family, cls(int(size), level)


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyPlan:
    """A family of boards.

    Args:
        name: the first part of its boards' names.
        title: its name for readers.
        make: one of `MAKERS`.
        variant: variant of the layout; ignored by makers that have their own layouts.
        sizes: number of values, or side of the grid.
        shares: percent of the cells that are emptied.
        levels: levels of difficulty.
        boards: number of boards of each setting.
    """

    name: str
    title: str
    make: str
    sizes: tuple[int, ...]
    variant: str = ""
    shares: tuple[int, ...] = ()
    levels: tuple[str, ...] = ()
    boards: int = 1

    @property
    def settings(self) -> Iterator[Setting]:
        """All settings, in order."""
        levels = [*self.levels, *(f"{share}%" for share in self.shares)] or [""]
        for size in self.sizes:
            yield from (Setting(size, level) for level in levels)

    @property
    def cases(self) -> int:
        """Number of boards."""
        return self.boards * sum(1 for _ in self.settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlan:
    """The settings of one stage.

    Args:
        time_limit: seconds for each search.
        repeats: runs of each board by each backend.
        share: share of the time left at its beginning that it may use.
        best: number of backends that continue from the first stage.
        boards: number of boards of each setting, for a stage that uses only some.
        families: names of the families whose boards it uses; all if empty.
        groups: labels that are compared with the first of them.
    """

    time_limit: float
    repeats: int = 1
    share: float = 1.0
    best: int = 6
    boards: int = 1
    families: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """The plan of a study; the fields are the keys of its TOML file."""

    families: tuple[FamilyPlan, ...]
    first: StagePlan
    second: StagePlan
    options: StagePlan | None = None
    title: str = "Which solver for which puzzle"
    seed: int = 1
    solutions: int = 2
    memory_limit: int = 2048
    sample_ms: float = 5.0
    workers: int = 1
    budget: float = 60.0
    backends: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    long: Mapping[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """The backends of the first stage."""
        if self.backends:
            return self.backends
        rows = {**catalogue(), **known_programs()}
        return tuple(
            name for name, spec in rows.items() if not spec.missing and name not in self.without
        )

    @property
    def optional(self) -> tuple[FamilyPlan, ...]:
        """The families of the stage of options."""
        named = self.options.families if self.options else ()
        return tuple(family for family in self.families if not named or family.name in named)

    @property
    def longer(self) -> StudyPlan:
        """The plan for ``--long``."""
        long = self.long
        limits = long.get("time_limits", (self.first.time_limit, self.second.time_limit))
        times = long.get("boards", 1)
        return replace(
            self,
            budget=long.get("budget", self.budget),
            families=tuple(
                replace(family, boards=family.boards * times) for family in self.families
            ),
            first=replace(self.first, time_limit=limits[0]),
            options=self.options and replace(self.options, time_limit=limits[0]),
            second=replace(
                self.second,
                time_limit=limits[1],
                repeats=long.get("repeats", self.second.repeats),
            ),
        )


_SECONDS = above(0, 1e6)
_SHARE = above(0, 1)

_STAGE: Mapping[str, Kind] = {
    "time_limit": _SECONDS,
    "repeats": whole(1, bits=31),
    "share": _SHARE,
    "best": whole(1),
    "boards": whole(1),
    "families": listed_of(TEXT),
    "groups": listed_of(listed_of(TEXT)),
}

_FAMILY: Mapping[str, Kind] = {
    "name": TEXT,
    "title": TEXT,
    "make": TEXT,
    "variant": TEXT,
    "sizes": listed_of(whole(1)),
    "shares": listed_of(whole(0)),
    "levels": listed_of(TEXT),
    "boards": whole(1),
}

_LONG: Mapping[str, Kind] = {
    "budget": _SECONDS,
    "boards": whole(1),
    "time_limits": listed_of(_SECONDS),
    "repeats": whole(1, bits=31),
}

_STUDY: Mapping[str, Kind] = {
    "title": TEXT,
    "seed": whole(),
    "solutions": whole(1),
    "memory_limit": whole(0, bits=31),
    "sample_ms": least(0, 1e6),
    "workers": whole(1, bits=31),
    "budget": _SECONDS,
    "backends": listed_of(TEXT),
    "without": listed_of(TEXT),
    "first": TABLE,
    "options": TABLE,
    "second": TABLE,
    "long": TABLE,
    "families": listed_of(TABLE),
}


def read_study(path: Path) -> StudyPlan:
    """Read the plan of a study.

    Raises:
        SettingsError: a key is unknown or missing, or a value is of the wrong kind.
    """
    table = check_table(read_toml(path), _STUDY, str(path))
    _need(table, ("first", "second", "families"), str(path))
    for name in ("first", "options", "second"):
        if name in table:
            table[name] = _stage(table[name], f"{path}: {name}")
    families = tuple(_family(family, f"{path}: families") for family in table.pop("families"))
    names = [family.name for family in families]
    for name in table["options"].families if "options" in table else ():
        if name not in names:
            raise SettingsError(
                f"{path}: options: families: expected a family, got {name!r}; "
                f"{nearest(name, names)}"
            )
    if len({*names}) < len(names):
        raise SettingsError(f"{path}: families: expected each name once, got {names}")
    check_table(table.get("long", {}), _LONG, f"{path}: long")
    return StudyPlan(**_tuples(table), families=families)


def _stage(table: object, where: str) -> StagePlan:
    checked = check_table(table, _STAGE, where)
    _need(checked, ("time_limit",), where)
    groups = tuple(tuple(group) for group in checked.pop("groups", ()))
    return StagePlan(**_tuples(checked), groups=groups)


def _family(table: object, where: str) -> FamilyPlan:
    checked = check_table(table, _FAMILY, where)
    _need(checked, ("name", "title", "make", "sizes"), where)
    if checked["make"] not in MAKERS:
        known = nearest(checked["make"], MAKERS)
        raise SettingsError(f"{where}: make: expected a maker, got {checked['make']!r}; {known}")
    if ":" in checked["name"]:
        raise SettingsError(f"{where}: name: expected no ':', got {checked['name']!r}")
    return FamilyPlan(**_tuples(checked))


def _need(table: Mapping[str, Any], names: Sequence[str], where: str) -> None:
    for name in names:
        if name not in table:
            raise SettingsError(f"{where}: expected a key {name!r}, got {', '.join(table)}")


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
