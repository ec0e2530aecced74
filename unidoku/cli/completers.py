"""Values that the shell offers while the user types an option; see docs/command-line.md."""

from __future__ import annotations

import click


def backends(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the installed backends whose names begin so; in a list, complete its last name."""
    from unidoku.backends import every_row

    names = [spec.name for spec in every_row() if not spec.missing]
    return _continued(typed, ",", names)


def columns(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the columns of a comparison's tables; in a list, complete its last name."""
    from unidoku.comparison.report.columns import COLUMNS

    return _continued(typed, ",", [*COLUMNS])


def groupings(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the ways to group the boards of a comparison whose names begin so."""
    from unidoku.comparison.statistics.groups import GROUPINGS

    return [name for name in GROUPINGS if name.startswith(typed)]


def families(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the families of puzzles whose names begin so."""
    from unidoku.generation.instances import INSTANCE_FAMILIES
    from unidoku.generation.ruled import FAMILIES

    known = [*FAMILIES, *INSTANCE_FAMILIES]
    return sorted(name for name in known if name.startswith(typed))


def rules(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the kinds of rules whose names begin so; in a list, complete its last name."""
    from unidoku.core.rules.base import KINDS

    return _continued(typed, ",", [*KINDS])


def rules_to_lay(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the rules to lay whose names begin so; in a list, complete its last name."""
    from unidoku.generation.ruled import PLACEABLE_KINDS

    return _continued(typed, ",", [*PLACEABLE_KINDS])


def formats(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the formats of puzzles whose names begin so."""
    from unidoku.formats.catalogue import FORMATS

    return sorted(name for name in FORMATS if name.startswith(typed))


def languages(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the languages of solvers whose names begin so."""
    from unidoku.backends.languages import LANGUAGES

    return sorted(name for name in LANGUAGES if name.startswith(typed))


def one_technique(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the techniques whose names begin so."""
    return sorted(name for name in _techniques() if name.startswith(typed))


def techniques(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the techniques and groups whose names begin so; in a list, complete its last name."""
    names = _techniques()
    return _continued(typed, ",", ["usual", "all", *names, *(f"..{name}" for name in names)])


def variants(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Return the variants whose names begin so; in a sum such as x+windoku, complete the last."""
    from unidoku.core.variants import ADDITIONS, BASES, PLACEMENTS, RULES

    return _continued(typed, "+", [*BASES, *ADDITIONS, *RULES, *PLACEMENTS])


def _techniques() -> list[str]:
    """Return the names of the techniques with dashes, so that no shell splits them."""
    from unidoku.logic.catalogue import TECHNIQUES

    return [row.name.lower().replace(" ", "-") for row in TECHNIQUES]


def _continued(typed: str, joint: str, names: list[str]) -> list[str]:
    front, found, last = typed.rpartition(joint)
    return sorted(f"{front}{found}{name}" for name in names if name.startswith(last))
