"""The examples of the page on Python are run, and give what it shows."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import unidoku

pytestmark = pytest.mark.docs


def test_every_example_of_the_page_gives_what_it_shows(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    page = (root / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "python.md", None, 0)
    assert len(examples.examples) > 30
    failed: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=failed.append)
    assert not failed, "".join(failed)


HELPERS = {
    *("catalogue", "configured", "is_solution", "layout", "overlap", "propagate"),
    *("read_puzzles", "svg", "verify"),
}
"""Calls that are no capability of their own."""


def test_the_table_of_the_page_names_every_call(root: Path) -> None:
    page = (root / "docs" / "python.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .* \| (`.*`) \|$", page, re.MULTILINE)
    named = set(re.findall(r"`(\w+)`", " ".join(rows)))
    calls = {
        name for name in vars(unidoku)["__all__"] if inspect.isfunction(getattr(unidoku, name))
    }
    assert named == calls - HELPERS
