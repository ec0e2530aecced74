"""The page of bugs in other libraries: each program of docs/upstream, whole, below what it says."""

from __future__ import annotations

import ast
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "upstream"

INTRODUCTION = """\
# Bugs found in other libraries

Each program uses one library (two that do not go together), says which version, what is expected,
what happens, and what our adapter does about it, and prints what it sees:
`python docs/upstream/z3_swallows_ctrl_c.py`.
They were found by Unidoku's comparison, its fuzzer and its tests.
"""


def page() -> str:
    """Return the page."""
    return "\n".join([INTRODUCTION, *map(section, sorted(PROGRAMS.glob("*.py")))])


def section(path: Path) -> str:
    """Return what a program says, and the program."""
    text = path.read_text(encoding="utf-8")
    first, _, rest = (ast.get_docstring(ast.parse(text)) or "").partition("\n")
    code = text.partition('"""')[2].partition('"""')[2].strip()
    return f"## {first.rstrip('.')}\n\n{rest.strip()}\n\n`{path.name}`:\n\n```python\n{code}\n```\n"
