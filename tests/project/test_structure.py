"""What docs/design.md promises of the structure: no import circles, each class name once."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import grimp
import pytest


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions count, and importing from a package imports the package.

    The front, `unidoku` itself, imports each room when a name of it is first used.
    """
    graph = grimp.build_graph("unidoku")
    graph.remove_module("unidoku")
    left = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    while free := [name for name, imported in left.items() if not imported & left.keys()]:
        for name in free:
            del left[name]
    # What is left imports something of what is left: circles, and whatever leads to them.
    while outer := [name for name in left if not any(name in left[other] for other in left)]:
        for name in outer:
            del left[name]
    assert sorted(left) == []


def test_random_examples_are_as_many_as_make_soak_asks_for(root: Path) -> None:
    fixed = re.compile(r"max_examples\s*=\s*(?!volume\(|rounds\()[^,)]*")
    table = {
        path: fixed.findall(path.read_text("utf-8")) for path in (root / "tests").rglob("*.py")
    }
    assert not {path.name: calls for path, calls in table.items() if calls}


def test_what_lint_and_types_ignore_has_its_reason(root: Path) -> None:
    without = [
        f"{path.relative_to(root)}: {line.strip()}"
        for path in (root / "unidoku").rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"# (noqa: [A-Z0-9, ]+|type: ignore\[[\w, -]+\])\s*$", line)
    ]
    assert without == []


def test_no_file_of_the_package_is_one_that_git_and_wheels_leave_out(root: Path) -> None:
    if not (root / ".git").exists():
        pytest.skip("no checkout")
    sources = [str(path) for path in (root / "unidoku").rglob("*.py")]
    asked = "\n".join(sources).encode()
    command = ["git", "check-ignore", "--no-index", "--stdin"]
    ran = subprocess.run(command, cwd=root, input=asked, capture_output=True, check=False)
    assert ran.stdout.decode() == ""
