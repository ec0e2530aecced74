"""The pages of the API reference: what the package exports, and what backends are written with."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import isroutine
from pathlib import Path

import unidoku

TOOLKIT = Path(unidoku.__file__).parent / "backends" / "toolkit"
MODULES = {
    "api/testing": ("Testing a backend", ["unidoku.testing", "unidoku.testing.strategies"]),
    "api/toolkit": (
        "The tools of backends",
        [
            "unidoku.core.transforms.lower",
            "unidoku.backends.options",
            "unidoku.backends.visit",
            *sorted(f"unidoku.backends.toolkit.{file.stem}" for file in TOOLKIT.glob("[!_]*.py")),
        ],
    ),
}
"""Pages of whole modules: those that a backend from outside is written and tested with."""

RULES = ("unidoku.core.rules", "unidoku.core.constraints.primitives")
PAGES = ("api/calls", "api/boards", "api/rules", "api/errors", *MODULES)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    names = sorted(unidoku._HOME, key=str.lower)
    calls = [name for name in names if isroutine(getattr(unidoku, name))]
    rules = [name for name in names if unidoku._HOME[name] in RULES]
    errors = [name for name in names if unidoku._HOME[name] == "unidoku.errors"]
    others = [name for name in names if name not in {*calls, *rules, *errors}]
    yield "api/calls.rst", front("Calls", calls)
    yield "api/boards.rst", front("Boards, solvers and results", others)
    yield "api/rules.rst", front("Rules and constraints", rules)
    yield "api/errors.rst", front("Errors", errors)
    for page, (title, modules) in MODULES.items():
        yield f"{page}.rst", heading(title, "=") + "\n".join(map(module, modules))


def front(title: str, names: list[str]) -> str:
    """Return a page of names that the package exports."""
    return heading(title, "=") + "\n".join(map(entry, names))


def entry(name: str) -> str:
    """Return the directive of a name; a rule's own methods are those of every rule."""
    item = getattr(unidoku, name)
    kind = "data"
    if isinstance(item, type):
        kind = "exception" if issubclass(item, BaseException) else "class"
    elif isroutine(item):
        kind = "function"
    one_of_many = unidoku._HOME[name] == "unidoku.core.rules" and name != "Rule"
    return f".. auto{kind}:: unidoku.{name}\n" + "   :no-members:\n" * one_of_many


def module(name: str) -> str:
    """Return the part of a page about a module."""
    return f"{heading(name, '-')}.. automodule:: {name}\n"


def heading(text: str, line: str) -> str:
    """Return a heading."""
    return f"{text}\n{line * len(text)}\n\n"
