"""Values that the shell offers while the user types an option; see docs/command-line.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pkgutil import resolve_name

import click

Complete = Callable[[click.Context, click.Parameter, str], list[str]]
"""Returns the values that what was typed may become."""


def _among(names: Callable[[], Iterable[str]], joint: str = "") -> Complete:
    """Return the completer of one of some names; with a joint, of the last of several names."""

    def complete(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
        front, between, last = typed.rpartition(joint) if joint else ("", "", typed)
        return sorted(f"{front}{between}{name}" for name in names() if name.startswith(last))

    return complete


def _of(*tables: str, joint: str = "") -> Complete:
    """Return the completer of the keys of tables, which are imported when they are needed."""
    return _among(lambda: [name for table in tables for name in resolve_name(table)], joint)


def _backends() -> list[str]:
    """Return the installed backends."""
    from unidoku.backends import every_row

    return [spec.name for spec in every_row() if not spec.missing]


def _tracing_backends() -> list[str]:
    """Return the installed backends that tell their search."""
    from unidoku.analysis.trace.record import TRACING

    return [name for name in _backends() if name in TRACING]


def _techniques() -> list[str]:
    """Return the names of the techniques with dashes, so that no shell splits them."""
    from unidoku.logic.catalogue import TECHNIQUES

    return [row.name.lower().replace(" ", "-") for row in TECHNIQUES]


def _levels_and_techniques() -> list[str]:
    from unidoku.logic.catalogue import LEVELS

    return [*LEVELS, *_techniques()]


def _techniques_and_groups() -> list[str]:
    names = _techniques()
    return ["usual", "all", "list", *names, *(f"..{name}" for name in names)]


backends = _among(_backends, ",")
tracing_backends = _among(_tracing_backends)
columns = _of("unidoku.comparison.report.columns:SHOWN", joint=",")
groupings = _of("unidoku.comparison.statistics.groups:GROUPINGS")
families = _of(
    "unidoku.generation.ruled:FAMILIES", "unidoku.generation.instances:INSTANCE_FAMILIES"
)
rules = _of("unidoku.core.rules.base:KINDS", joint=",")
rules_to_lay = _of("unidoku.generation.ruled:PLACEABLE_KINDS", joint=",")
formats = _of("unidoku.formats.catalogue:FORMATS")
languages = _of("unidoku.backends.languages:LANGUAGES")
difficulty = _among(_levels_and_techniques)
techniques = _among(_techniques_and_groups, ",")
variants = _of(
    *(
        f"unidoku.core.variants:{name}"
        for name in ("BASES", "ADDITIONS", "RULES", "CONTENTS", "PLACEMENTS")
    ),
    joint="+",
)
