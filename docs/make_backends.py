"""Write the page of the backends from the catalogue and from the adapters' docstrings.

What it says of options comes from where they are declared: names and defaults from the
parameters, types from the hints, descriptions from the ``Args`` of the class. All solvers must
be installed; it says which adapters could not be imported, and then ends with 1.

Usage: python docs/make_backends.py
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from unidoku.backends import BUILT_IN, BackendSpec, find
from unidoku.backends.base import LIMITS, Request
from unidoku.backends.options import DeclaredOption, Value, written
from unidoku.backends.solving.solver import Solver, load
from unidoku.backends.spec import DEDUCTIONS

PAGE = Path(__file__).parent / "backends.md"

INTRODUCTION = """\
# The backends

<!-- Made by `python docs/make_backends.py`, from the catalogue and the adapters: change those. -->

Options are written in brackets after the name, `cp-sat[num_workers=2]`, on the command line and in
Python alike; `unidoku.load` and `unidoku.solve` take them as keywords too, and all commands but
`compare` from `unidoku.toml`. An option that a backend has not, or a value that it or its solver
does not take, is refused when the backend is loaded. A limit, a rule, a size or a number that the
first table does not name is refused, and so is an option or a limit that would have no effect in a
search: two workers of CP-SAT where more than one solution is asked for, say. In a comparison such a
run is `unsupported`, with the reason.

`unidoku backends` says what is installed, and in which version; `unidoku backends cp-sat` which
parameters are in force, those that Unidoku sets included. So does `Solver.parameters()`, and a
comparison's journal and page.

Every backend that supports rules has the option `deductions`. The sum of a full unit is known, 45
for nine values, and so is the sum of the cells that its cages leave over; with such sums, most
solvers find more at once. If the default is `false`, these sums cost more than they save. To
measure their effect on your puzzles, type
`unidoku compare killers.toml --backends 'sat,sat[deductions=false]'`.

Programs that read a language of solvers are backends as well: CaDiCaL, Kissat, cvc5, Boolector,
GLPK, Cbc, toulbar2, SWI-Prolog, ACE, cosoco and others [by
name](languages.md#programs-as-backends), and any other by four lines of TOML. Each solution costs
them [a file and a process](languages.md#what-a-file-and-a-process-cost), so where a solver has
both, the adapter below is the faster way to it.

A function of your own is `function:module:name`; for that, for a program of your own, and to
add a backend, see [Write your own backend](own-backend.md).
"""

SUMS = """\
The largest sum is what a weighted sum may reach: its weights times n, added up without their signs.
To there every count is exact, beyond it the board is refused, with the rule and the number. It
follows from how a solver computes: in whole numbers of 32 or 64 bits, or in floats that may miss a
row or a whole number by a millionth. All other rules are sets, tables and machines of the values
from 1 to n, whatever numbers they have. `auto` takes any: where sums leave the 64 bits of `native`,
another backend counts them. Backends without sums, such as `sat`, spell them out step by step,
and refuse a sum of more than 2,000,000 steps.
"""

SHARED = {DEDUCTIONS: "whether it also gets sums that follow from cages and full units"}

TYPES = {"bool": "`true`, `false`", "int": "int", "float": "float", "str": "text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation:
    """A class's docstring, taken apart.

    Args:
        paragraphs: all that is not a section, but for what follows.
        statistics: the paragraph that names them, without its first word; may be empty.
        arguments: description of each.
    """

    paragraphs: tuple[str, ...]
    statistics: str
    arguments: Mapping[str, str]


def documentation(adapter: Callable[..., object]) -> Documentation:
    """Take the docstring of an adapter's class apart; it is in Google's form."""
    text = inspect.cleandoc(adapter.__doc__ or "").replace("``", "`")
    plain, *sections = re.split(r"^(Args|Raises|Attributes):\n", text, flags=re.MULTILINE)
    arguments = ""
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        # A paragraph that is not indented is the end of a section.
        inside, *after = re.split(r"\n\n(?=\S)", body)
        arguments = inside if title == "Args" else arguments
        plain += "\n\n".join(["", *after])
    paragraphs = [one_line(part) for part in re.split(r"\n\s*\n", plain.strip())]
    entries = re.split(r"^ {4}(\w+): ", arguments, flags=re.MULTILINE)[1:]
    return Documentation(
        paragraphs=tuple(p for p in paragraphs if not p.startswith("Statistics: ")),
        statistics="".join(
            p.removeprefix("Statistics: ") for p in paragraphs if p.startswith("Statistics: ")
        ),
        arguments={
            name: one_line(body) for name, body in zip(entries[::2], entries[1::2], strict=True)
        },
    )


def one_line(text: str) -> str:
    """Return a text with its lines joined."""
    return " ".join(text.split())


def values(option: DeclaredOption) -> str:
    """Say what values an option takes."""
    if option.choices:
        return ", ".join(f"`{value}`" for value in option.choices)
    return ", ".join(TYPES[name] for name in option.type.split(" | "))


def default(value: object) -> str:
    """Write a default as one would in a label."""
    if value is None:
        return "not given"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def options(spec: BackendSpec, arguments: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield for each option its name, values, default and description.

    Raises:
        ValueError: an option without a description, or a description without an option.
    """
    yield from own_options(spec, arguments)
    for option in spec.shared_options:
        yield [f"`{option.name}`", values(option), default(option.default), SHARED[option.name]]


def own_options(spec: BackendSpec, arguments: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the same of the options that the adapter declares."""
    parameters = inspect.signature(spec.factory()).parameters
    if set(parameters) != set(arguments):
        raise ValueError(
            f"{spec.name}: options {sorted(parameters)}, solver_to_dict {sorted(arguments)}"
        )
    declared = {option.name: option for option in spec.options()}
    for name in parameters:
        if option := declared.get(name):
            yield [f"`{name}`", values(option), default(option.default), arguments[name]]
        else:
            yield ["any other", "", "the solver's own, except those below", arguments[name]]


def in_force(spec: BackendSpec) -> str:
    """Return what is in force besides the options, as a paragraph; empty if nothing is."""
    solver = load(spec.name)
    parameters = native_parameters(solver)
    if not parameters:
        return ""
    text = f"In force without options: {assignments(parameters)}"
    two = native_parameters(solver, Request(solutions=2)).items()
    if changed := {name: value for name, value in two if parameters.get(name) != value}:
        text += f"; where two solutions are asked for {assignments(changed)}"
    return f"{text}.\n"


def native_parameters(solver: Solver, request: Request | None = None) -> dict[str, Value]:
    """Return the parameters of the underlying solver that are not options."""
    options = {option.name for option in solver.spec.options()}
    parameters = solver.parameters(request)
    return {name: value for name, value in parameters.items() if name not in options}


def assignments(parameters: Mapping[str, Value]) -> str:
    """Write parameters as one would in a label."""
    return ", ".join(f"`{name}={written(value)}`" for name, value in parameters.items())


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    lines = [list(header), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") or "–" for cell in line) + " |\n"
        for line in lines
    )


def row(spec: BackendSpec) -> list[str]:
    """Return a backend's line of the first table."""
    capabilities = spec.capabilities
    beneath = f"[{spec.summary}]({spec.homepage})" if spec.homepage else spec.summary
    return [
        f"[`{spec.name}`](#{spec.name})",
        spec.paradigm,
        beneath,
        spec.licence,
        ", ".join(f"`{limit}`" for limit in sorted(capabilities.honours)),
        ", ".join(sorted(constraint.name for constraint in capabilities.constraints)),
        str(capabilities.max_values or "any"),
        f"{capabilities.max_sum:,}" if capabilities.max_sum else "any",
        f"`{spec.install}`" if spec.install else "nothing",
    ]


def section(spec: BackendSpec) -> str:
    """Return what there is to say of a backend.

    Raises:
        ImportError: its adapter, or the library that it adapts, cannot be imported.
    """
    texts = documentation(spec.factory())
    parts = [f"## {spec.name}\n", *(f"{paragraph}\n" for paragraph in texts.paragraphs)]
    if rows := list(options(spec, texts.arguments)):
        parts.append(table(["option", "values", "default", "what it does"], rows))
    if paragraph := in_force(spec):
        parts.append(paragraph)
    if texts.statistics:
        parts.append(f"Statistics: {texts.statistics}\n")
    return "\n".join(parts)


def page() -> tuple[str, list[str]]:
    """Return the page, and why adapters that cannot be solver_to_dict cannot."""
    header = ["backend", "paradigm", "solver", "licence", "limits", "rules", "largest n"]
    header += ["largest sum", "needs"]
    parts = [INTRODUCTION, table(header, map(row, map(find, BUILT_IN)))]
    limits = ", ".join(f"`{limit}`" for limit in sorted(LIMITS))
    parts.append(
        f"The limits are {limits}. Of `solutions`, how many to find, and `keep`, how many of them "
        "to return, every backend takes any.\n"
    )
    parts.append(SUMS)
    problems = []
    for spec in map(find, BUILT_IN):
        try:
            parts.append(section(spec))
        except (ImportError, ValueError) as error:
            problems.append(f"{spec.name}: {error}")
            parts.append(f"## {spec.name}\n\nIts adapter could not be solver_to_dict: {error}\n")
    return "\n".join(parts), problems


def main() -> None:
    """Write the page."""
    text, problems = page()
    PAGE.write_text(text, encoding="utf-8")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
