"""What the shell offers while an option is typed, see docs/command-line.md."""

from __future__ import annotations

import click

__all__ = ["backends", "families", "formats", "languages", "rules_to_lay", "variants"]


def backends(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the installed backends whose names begin so, in a list of labels the last of them."""
    from unidoku.backends import catalogue

    names = [name for name, spec in catalogue().items() if not spec.missing]
    return _continued(typed, ",", names)


def families(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the families of puzzles whose names begin so."""
    from unidoku.generation.ruled import FAMILIES

    return sorted(name for name in FAMILIES if name.startswith(typed))


def rules_to_lay(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the kinds of rules to lay whose names begin so; of several, the last of them."""
    from unidoku.generation.ruled import KINDS_TO_LAY

    return _continued(typed, ",", [*KINDS_TO_LAY])


def formats(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the formats of puzzles whose names begin so."""
    from unidoku.formats.catalogue import FORMATS

    return sorted(name for name in FORMATS if name.startswith(typed))


def languages(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the languages of solvers whose names begin so."""
    from unidoku.backends.languages import LANGUAGES

    return sorted(name for name in LANGUAGES if name.startswith(typed))


def variants(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the variants whose names begin so; of several, the last of them."""
    from unidoku.core.variants import ADDITIONS, BASES, PLACEMENTS, RULES

    return _continued(typed, "+", [*BASES, *ADDITIONS, *RULES, *PLACEMENTS])


def _continued(typed: str, joint: str, names: list[str]) -> list[str]:
    front, found, last = typed.rpartition(joint)
    return sorted(f"{front}{found}{name}" for name in names if name.startswith(last))
