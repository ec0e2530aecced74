"""``unidoku backends``: the catalogue as a table, or one backend with all that is in force."""

from __future__ import annotations

import click

from unidoku.backends import catalogue
from unidoku.backends.base import Request
from unidoku.cli.common import print_table


@click.command("backends")
@click.argument("label", required=False, metavar="[BACKEND]")
@click.option("--solutions", type=int, default=1, show_default=True, help="With a BACKEND: asked.")
@click.option("--threads", type=int, default=1, show_default=True, help="With a BACKEND: asked.")
def command(label: str | None, solutions: int, threads: int) -> None:
    """List the backends: paradigm, licence, what each honours, its version or how to install it.

    Of one BACKEND, such as cp-sat[cp_model_presolve=true]: its options and the parameters in
    force in it, those that Unidoku sets included.
    """
    if label is not None:
        _print_one(label, Request.of(solutions=solutions, threads=threads))
        return
    rows = []
    for spec in catalogue().values():
        can = spec.capabilities
        serves = sorted(can.rules)
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


def _print_one(label: str, request: Request) -> None:
    from unidoku.backends.describe import described
    from unidoku.backends.options import written
    from unidoku.backends.solver import load

    told = described(load(label), request)
    click.echo(f"{told['label']}: {told['summary']}, {told['version'] or 'version not known'}")
    rows = [
        [
            option["name"],
            ", ".join(map(written, option["values"])) or "any",
            "" if option["default"] is None else written(option["default"]),
        ]
        for option in told["options"]
    ]
    if rows:
        print_table(["option", "values", "default"], rows)
    in_force = [[name, written(value)] for name, value in told["parameters"].items()]
    if in_force:
        print_table(["parameter", "in force"], in_force)
