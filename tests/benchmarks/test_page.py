"""How each program of benchmarks/ ends: what it prints and writes, and its exit code."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.bench


@pytest.fixture
def page(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    return import_module("measuring.page")


def measured(_: Namespace) -> Iterable[str]:
    return ["# Title", "", "| 1 |", ""]


def test_a_report_is_written_where_asked_and_replaces_a_page_by_force_alone(
    page: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "page.md"
    parser = page.page_parser("What is measured", results)
    assert page.publish(measured, parser.parse_args([]), results) == 0
    assert not results.exists()
    assert page.publish(measured, parser.parse_args(["--write"]), results) == 0
    text = results.read_text()
    assert capsys.readouterr().out == 2 * text == 2 * "# Title\n\n| 1 |\n"
    results.write_text("before")
    assert page.publish(measured, parser.parse_args(["--write"]), results) == 2
    assert results.read_text() == "before"
    assert "which exists; replace it with --force" in capsys.readouterr().err
    assert page.publish(measured, parser.parse_args(["--write", "--force"]), results) == 0
    assert results.read_text() == text


@pytest.mark.parametrize(
    ("error", "code", "printed"),
    [
        (lambda page: page.FaultError("counts differ"), 1, ""),
        (lambda page: page.UnfitError(1, "counts differ", ["row"]), 1, "row\n"),
        (lambda page: page.UnfitError(130, "stopped", []), 130, ""),
        (lambda _: ValueError("bad input"), 2, ""),
        (lambda _: OSError("no such file"), 2, ""),
        (lambda _: KeyboardInterrupt(), 130, ""),
    ],
)
def test_nothing_is_written_of_what_is_wrong_or_was_stopped(
    page: Any,
    error: Callable[[Any], BaseException],
    code: int,
    printed: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fails(_: Namespace) -> Iterable[str]:
        raise error(page)

    results = tmp_path / "page.md"
    assert page.publish(fails, Namespace(write=True, force=False), results) == code
    result = capsys.readouterr()
    assert (result.out, len(result.err.splitlines())) == (printed, 1)
    assert not results.exists()
