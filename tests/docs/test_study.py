"""The study that is published: its pages are what its journals make."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unidoku.comparison.journal import read_header

pytestmark = pytest.mark.bench


def test_the_pages_are_what_the_published_journals_make(
    studying: Callable[[str], Any], root: Path
) -> None:
    results = root / "benchmarks" / "results" / "study"
    pages = [*studying("show").files_of(results, root / "docs")]
    assert len(pages) == 10
    for path, text in pages:
        now, then = map(content_of, (text, path.read_text(encoding="utf-8")))
        assert now == then, "python benchmarks/study.py --page"


def content_of(text: str) -> str:
    """Return the text of a file, but of a page only its body, without the script of all pages."""
    body = text.partition("<body>")[2]
    return body.rpartition("<script>")[0] or text


def test_the_published_journals_are_small_and_without_names(root: Path) -> None:
    results = root / "benchmarks" / "results" / "study"
    assert sum(path.stat().st_size for path in results.iterdir()) < 5e6
    for path in results.glob("*.gz"):
        assert read_header(path).environment["host"] == "host-1"
    facts = json.loads((results / "study.json").read_text(encoding="utf-8"))
    assert "/" not in json.dumps(facts), "no path of a machine"


def test_the_method_says_whether_its_latin_squares_come_from_the_seed(
    studying: Callable[[str], Any], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, words = studying("method"), "The Latin squares of these journals were drawn by an"
    study = studying("read").read_published(root / "benchmarks" / "results" / "study")
    [family] = [item for item in study.families if item.name == "latin"]
    boards = [case.board for case in family.first.cases]
    monkeypatch.setattr(method, "boards_of", lambda *_: boards)
    assert words not in "\n".join(method.method(study))
    monkeypatch.setattr(method, "boards_of", lambda *_: [])
    assert words in "\n".join(method.method(study))
