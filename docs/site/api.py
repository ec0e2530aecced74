"""The pages of the API reference: what the package exports, and its modules, a folder a page."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import isroutine
from pathlib import Path

import unidoku

PACKAGE = Path(unidoku.__file__).parent
HIDDEN = ("unidoku.cli", "unidoku.__main__", "unidoku.example_files")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    folders = modules()
    yield "api/unidoku.rst", front()
    for folder, names in folders.items():
        yield f"api/{folder}.rst", page(folder, names)
    below = "\n".join(f"   {folder}" for folder in folders)
    yield (
        "api/modules.rst",
        f"{heading('Modules', '=')}What is behind the package's names, for those who change it.\n\n"
        f".. toctree::\n\n{below}\n",
    )


def modules() -> dict[str, list[str]]:
    """Return the modules of each folder of the package; those beside them are its own."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ["unidoku", *path.relative_to(PACKAGE).with_suffix("").parts]
        name = ".".join(part for part in parts if part != "__init__")
        if name == "unidoku" or name.startswith(HIDDEN) or "._" in name:
            continue
        folder = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found.setdefault("unidoku.top" if folder == "unidoku" else folder, []).append(name)
    return {folder: sorted(names) for folder, names in sorted(found.items())}


def front() -> str:
    """Return the page of all that the package exports."""
    names = sorted(unidoku._HOME, key=str.lower)
    members = "\n\n".join(f".. auto{kind(name)}:: unidoku.{name}" for name in names)
    return heading("unidoku", "=") + members + "\n"


def kind(name: str) -> str:
    """Return the kind of a public name, as Sphinx calls it."""
    item = getattr(unidoku, name)
    if isinstance(item, type):
        return "exception" if issubclass(item, BaseException) else "class"
    return "function" if isroutine(item) else "data"


def page(folder: str, names: list[str]) -> str:
    """Return the page of a folder's modules."""
    return heading(folder, "=") + "\n".join(module(name) for name in names)


def module(name: str) -> str:
    """Return the part of a page about a module; what the package exports is on its page."""
    exported = " ".join(one for one, home in unidoku._HOME.items() if home == name)
    without = f"   :exclude-members: {exported}\n" if exported else ""
    return f"{heading(name, '-')}.. automodule:: {name}\n{without}"


def heading(text: str, line: str) -> str:
    """Return a heading."""
    return f"{text}\n{line * len(text)}\n\n"
