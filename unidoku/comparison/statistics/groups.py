"""Groups of cases: by where they come from, or by what kind of board they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeAlias

from unidoku.comparison.cases import Case
from unidoku.comparison.statistics.times import Times, selected
from unidoku.core.layout import Layout
from unidoku.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseGroup:
    """Some of the cases.

    Args:
        name: what they have in common, such as ``latin with killer``.
        times: the times of these cases alone.
        columns: their indices among all cases.
    """

    name: str
    times: Times
    columns: Sequence[int]


def grouping(by: str) -> str:
    """Return the name of a grouping.

    Raises:
        InputError: there is no such grouping.
    """
    if by not in GROUPINGS:
        raise InputError(f"--by: expected one of {', '.join(GROUPINGS)}; got {by!r}")
    return by


def grouped(times: Times, by: str) -> list[CaseGroup]:
    """Return the groups of cases by a fact of `GROUPINGS`, sorted by it; no group is empty.

    Raises:
        InputError: there is no such grouping.
    """
    facts = [*GROUPINGS[grouping(by)](times.cases)]
    columns: dict[_Fact, list[int]] = {}
    for column, fact in enumerate(facts):
        columns.setdefault(fact, []).append(column)
    rows = range(len(times.backends))
    return [
        CaseGroup(name=fact[-1], times=selected(times, rows, columns[fact]), columns=columns[fact])
        for fact in sorted(columns, key=lambda fact: (*fact[:-1], fact[-1].casefold(), fact[-1]))
    ]


_Fact: TypeAlias = tuple[Any, ...]
"""What the cases of a group have in common: what it is sorted by, and last its name."""


def _sources(cases: Sequence[Case]) -> Iterator[_Fact]:
    """Yield the source of each case: the file's name, or its path if two have the same name."""
    names: dict[str, set[str]] = {}
    for case in cases:
        names.setdefault(PurePath(case.source).name, set()).add(case.source)
    for case in cases:
        name = PurePath(case.source).name
        yield (name if name and len(names[name]) == 1 else case.source,)


def _names(cases: Sequence[Case]) -> Iterator[_Fact]:
    return ((case.name.partition(":")[0],) for case in cases)


def _kinds(layout: Layout) -> str:
    """Return the kinds of a layout's rules, in alphabetical order."""
    return ", ".join(sorted({rule.kind for rule in layout.rules}))


def _family(layout: Layout) -> str:
    """Return the name of a layout without its regions, and the kinds of its rules."""
    base = re.sub(r"jigsaw:[^+ ]*", "jigsaw", layout.name.partition(" with ")[0])
    kinds = _kinds(layout)
    return f"{base} with {kinds}" if kinds else base


def _families(cases: Sequence[Case]) -> Iterator[_Fact]:
    return ((_family(case.board.layout),) for case in cases)


def _layouts(cases: Sequence[Case]) -> Iterator[_Fact]:
    for case in cases:
        layout = case.board.layout
        size = f"{layout.rows}×{layout.columns}"
        yield _family(layout), layout.n, len(layout), f"{_family(layout)}, {size}"


def _rules(cases: Sequence[Case]) -> Iterator[_Fact]:
    return ((_kinds(case.board.layout) or "no rules",) for case in cases)


def _sizes(cases: Sequence[Case]) -> Iterator[_Fact]:
    for case in cases:
        layout = case.board.layout
        yield len(layout), f"{layout.rows}×{layout.columns}"


GROUPINGS: Mapping[str, Callable[[Sequence[Case]], Iterator[_Fact]]] = {
    "source": _sources,
    "name": _names,
    "family": _families,
    "layout": _layouts,
    "rules": _rules,
    "size": _sizes,
}
"""The groupings by their names: the file; the board's name up to a colon; the name of the layout
and the kinds of its rules; these and the size; the kinds of rules; the numbers of rows and
columns."""
