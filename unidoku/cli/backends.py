"""``unidoku backends``: the catalogue as a table."""

from __future__ import annotations

import click

from unidoku.backends import catalogue
from unidoku.cli.common import print_json, print_table


@click.command("backends")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a line for a backend.")
def command(as_json: bool) -> None:
    """List the backends: paradigm, licence, what each honours, its version or how to install it.

    With --json also the options of each that is installed, for which it is imported.
    """
    if as_json:
        for spec in catalogue().values():
            print_json(spec.record())
        return
    rows = []
    for spec in catalogue().values():
        can = spec.capabilities
        serves = sorted(shape.name for shape in can.shapes)
        if can.max_values:
            serves.append(f"up to {can.max_values} values")
        rows.append(
            [
                spec.name,
                spec.paradigm,
                spec.licence,
                ", ".join(sorted(can.honours)),
                ", ".join(serves),
                spec.install if spec.missing else spec.version or "yes",
            ]
        )
    print_table(
        ["backend", "paradigm", "licence", "limits honoured", "also serves", "installed"], rows
    )
