"""``unidoku backends``: the catalogue as a table, or one backend with its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from unidoku.backends import every_row
from unidoku.backends.base import Request
from unidoku.backends.options import written
from unidoku.cli import completers
from unidoku.cli.common import print_json, print_notes, print_table
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.core.constraints.primitives import Constraint
from unidoku.settings import read_settings
from unidoku.support.extras import NO_WHEEL, has_wheel

if TYPE_CHECKING:
    from unidoku.backends import BackendSpec
    from unidoku.backends.solving.solver import Solver


@click.command("backends", epilog=example("backends cp-sat"))
@click.argument("label", required=False, metavar="[BACKEND]", shell_complete=completers.backends)
@click.option("--solutions", type=int, default=1, help="Solutions to find.")
@click.option("--threads", type=int, default=1, help="Number of threads.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON: one line with an object for each backend."
)
@with_trust
def command(label: str | None, solutions: int, threads: int, as_json: bool) -> None:
    """List all backends, or the options of one.

    The list has the version or how to install it, the paradigm, the licence, the limits that are
    honoured and what is not supported. Libraries come first, then programs that read a language of
    solvers, your own ones included.

    For one BACKEND, such as cp-sat[cp_model_presolve=true], list its options and the parameters in
    force for the given --solutions and --threads, including those that Unidoku sets. With --json,
    the list also has the options of each backend that is installed.
    """
    if label is not None:
        from unidoku.backends.solving.solver import load, solver_to_dict

        solver, request = load(label), Request.of(solutions=solutions, threads=threads)
        if as_json:
            print_json(solver_to_dict(solver, request))
        else:
            _print_one(solver, request)
        return
    print_notes(map(str, read_settings().ignored))
    if as_json:
        for spec in every_row():
            print_json(spec.record())
        return
    rows = []
    for spec in every_row():
        can = spec.capabilities
        refused = sorted(
            constraint.name for constraint in {*get_args(Constraint)} - {*can.constraints}
        )
        if not can.constraints:
            refused = ["rules beyond units"]
        if can.max_values:
            refused.append(f"more than {can.max_values} values")
        if can.max_sum:
            refused.append(f"sums above {can.max_sum:,}")
        rows.append(
            [
                spec.name,
                _installed(spec),
                spec.paradigm,
                spec.licence,
                ", ".join(sorted(can.honours)),
                ", ".join(refused),
            ]
        )
    print_table(
        ["backend", "installed", "paradigm", "licence", "limits honoured", "does not support"], rows
    )


def _installed(spec: BackendSpec) -> str:
    """Return the version of a backend or why it cannot be used; how to install it if it is not."""
    if spec.missing:
        return (spec.install or "no") if has_wheel(spec.install) else NO_WHEEL
    return spec.problem or spec.version or "yes"


def _print_one(solver: Solver, request: Request) -> None:
    """Print the options of a solver, and its parameters in force."""
    in_force = [[name, written(value)] for name, value in solver.parameters(request).items()]
    say(f"{solver.label}: {solver.spec.summary}, {solver.version or 'installed'}")
    options = [
        [
            option.name,
            ", ".join(map(written, option.values)) or option.type,
            "" if option.default is None else written(option.default),
        ]
        for option in solver.spec.options()
    ]
    if options:
        print_table(["option", "values", "default"], options)
    if in_force:
        print_table(["parameter", "in force"], in_force)
