"""Short names of backends: in tables, files and pages; the label is the identity in a journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unidoku
from tests.helpers.comparing import compared
from unidoku.cli import main
from unidoku.comparison.difference import difference
from unidoku.comparison.journal import read_header
from unidoku.errors import SettingsError

BOARD = "1... ..2. .3.. ...4"


def written(path: Path, backends: str, **settings: bool) -> unidoku.Comparison:
    return compared([BOARD], backends, output=path, **settings)


def test_names_are_in_tables_files_and_pages_and_the_journal_has_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, runs, page = (tmp_path / f"runs.{end}" for end in ("jsonl", "csv", "html"))
    comparison = written(journal, "mine=exact-cover[heuristic=first],norvig", self_test=True)
    assert comparison.results.backends == ["mine", "norvig", "mine (again)"]
    assert "mine is exact-cover[heuristic=first]" in str(comparison)
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    labels = {line["backend"] for line in lines if line["type"] == "run"}
    label = "exact-cover[heuristic=first]"
    assert labels == {label, f"{label} (again)", "norvig"}
    assert lines[0]["plan"]["names"] == {label: "mine", f"{label} (again)": "mine (again)"}
    assert main(["report", str(journal), "--runs", str(runs), "--report", str(page)]) == 0
    assert "mine (again)" in capsys.readouterr().out
    assert ",mine," in runs.read_text()
    assert label not in runs.read_text()
    assert "mine" in page.read_text()
    assert label in page.read_text()


def test_another_name_continues_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    written(path, "a=norvig")
    again = written(path, "b=norvig", resume=True)
    assert (again.before, again.done) == (1, 1)
    assert again.results.backends == ["b"]


def test_a_difference_pairs_labels_and_not_names(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    written(first, "mine=norvig,x=exact-cover")
    written(second, "mine=native,x=exact-cover")
    changes = difference(first, second)
    assert list(changes.pairs) == ["x"]
    assert "norvig: only in the first journal" in changes.missing


@pytest.mark.parametrize("backends", ["a=norvig,a=native", "native=norvig,native"])
def test_a_name_stands_for_one_backend(tmp_path: Path, backends: str) -> None:
    with pytest.raises(SettingsError, match="two of them are named"):
        written(tmp_path / "runs.jsonl", backends)


def test_names_can_be_in_the_file_of_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, journal = tmp_path / "plan.toml", tmp_path / "runs.jsonl"
    (tmp_path / "boards.txt").write_text(BOARD)
    plan.write_text(
        'backends = ["old=norvig", "native"]\nrepeats = 1\nsample_ms = 0\n'
        '[[puzzles]]\nfiles = ["boards.txt"]\n'
    )
    assert main(["compare", str(plan), "--engine", "inline", "--output", str(journal)]) == 0
    assert "old is norvig" in capsys.readouterr().out
    assert read_header(journal).plan["names"] == {"norvig": "old"}
