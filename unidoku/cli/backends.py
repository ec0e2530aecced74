"""``unidoku backends``: the catalogue as a table."""

from __future__ import annotations

import click

from unidoku.backends import catalogue
from unidoku.cli.common import print_table

__all__ = ["command"]


@click.command("backends")
def command() -> None:
    """List the backends: installed version, what each supports, how to install it."""
    rows = []
    for spec in catalogue().values():
        can = spec.capabilities
        supports = [*sorted(can.honours), *(f"rule {kind}" for kind in sorted(can.rules))]
        if can.max_values:
            supports.append(f"up to {can.max_values} values")
        version = "not installed" if spec.missing else spec.version or "installed"
        rows.append(
            [
                spec.name,
                version,
                spec.summary,
                ", ".join(supports),
                spec.install or "always there",
            ]
        )
    print_table(["backend", "installed", "what it is", "supports", "how to install"], rows)
