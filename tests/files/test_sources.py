"""Files, folders and texts as sources of boards, one or several."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import unidoku
from tests.cli.conftest import run as run
from tests.helpers.command_runner import Runner
from unidoku import InputError
from unidoku.files.detect import opened
from unidoku.files.puzzles import puzzles_of
from unidoku.files.source import Source, Sources, files_in
from unidoku.formats.catalogue import FORMATS

FIRST = "417369825632158947958724316825437169791586432346912758289643571573291684164875290"
SOLVED = FIRST[:-1] + "3"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a folder with a file of each kind, and go there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UNIDOKU_BACKEND", "norvig")
    folder = Path("all")
    folder.mkdir()
    (folder / "b.txt").write_text(f"{FIRST} easy\n")
    (folder / "a.csv").write_text(f"id,sudoku\n7,{FIRST}\n")
    np.save(folder / "c.npy", np.array([[*map(int, FIRST)]]))
    (folder / ".hidden.txt").write_text("no board")
    (folder / "notes.md").write_text("no board")
    (folder / "within").mkdir()


def test_a_folder_is_its_files_of_boards_in_the_order_of_their_names() -> None:
    paths, others = files_in(Path("all"))
    assert [path.name for path in paths] == ["a.csv", "b.txt", "c.npy"]
    assert [path.name for path in others] == ["notes.md"]
    names = [puzzle.name for puzzle in puzzles_of(Sources.of(["all"]))]
    assert names == ["all/a.csv:2", "all/b.txt:1 easy", "all/c.npy:1"]


def test_a_folder_without_boards_is_refused() -> None:
    with pytest.raises(InputError, match="expected files of boards in 'all/within', got none"):
        Sources.of(["all/within"])


@pytest.mark.parametrize("command", ["solve", "check", "count", "rate", "candidates", "explain"])
def test_commands_take_folders_and_several_files_and_name_them(run: Runner, command: str) -> None:
    options = ["--no-measure"] if command == "rate" else []
    Path("one").mkdir()
    Path("one/x.txt").write_text(FIRST)
    ran = run(command, "one", "all/b.txt", FIRST, *options)
    assert ran.code == 0
    printed = ran.out + ran.err
    if command != "count":
        assert "one/x.txt:1" in printed
    assert "all/b.txt:1 easy" in printed
    ran = run(command, "all", *options)
    assert ran.code == 0
    assert "unidoku: 1 file skipped for the ending: all/notes.md" in ran.err


def test_answers_of_several_files_follow_each_other_in_one_file(run: Runner) -> None:
    ran = run("solve", "all/b.txt", "all", "-o", "out.txt")
    assert (ran.code, Path("out.txt").read_text()) == (0, f"{SOLVED}\n" * 4)
    assert "4 boards: 4 with a solution" in ran.err
    assert run("count", "all", "-o", "counts.txt").code == 0
    assert Path("counts.txt").read_text() == "1\n" * 3
    Path("all/d.txt").write_text(f"{FIRST}\n12345\n")
    error = run.refused("solve", "all", "-o", "new.txt")
    assert "all/d.txt, line 2: expected the 81 cells" in error
    ran = run("solve", "all/b.txt", "all/d.txt", "-o", "all/d.txt")
    assert "expected another file than the boards', got 'all/d.txt'" in ran.err


def test_commands_read_tables_and_arrays_too(run: Runner) -> None:
    for name in ("all/a.csv", "all/c.npy"):
        assert run("check", name).out == "proper: exactly 1 solution\n"
    record = json.loads(run("explain", "all/a.csv", "--json").out)
    assert record["outcome"] == "solved"
    Path("bad.csv").write_text(f"id,sudoku\n1,{FIRST}\n2,{FIRST}\n3,12\n")
    ran = run("check", "bad.csv")
    assert ran.code == 2
    assert "bad.csv, line 4: expected the 81 cells of classic, got 2 symbols" in ran.err


def test_a_comparison_takes_a_folder(run: Runner) -> None:
    Path("all/d.txt").write_text(SOLVED)
    options = ["--backends", "norvig", "--engine", "inline", "--repeats", "1", "--report", "csv"]
    ran = run("compare", "all", *options)
    assert ran.code == 0
    assert "skipped for the ending: all/notes.md" in ran.err


def test_a_table_goes_with_a_column_of_unique_boards(run: Runner) -> None:
    ran = run("solve", "all/a.csv", "-o", "out.csv", "--solutions", "2")
    assert ran.code == 0
    assert Path("out.csv").read_text() == (f"id,sudoku,solutions,unique\n7,{FIRST},{SOLVED},yes\n")
    error = run.refused("solve", "all/a.csv", "-o", "out.txt", "--solutions", "2")
    assert "--solutions 2 needs a .csv" in error


def test_a_mark_may_come_late_in_a_file_of_json(tmp_path: Path) -> None:
    path = tmp_path / "puzzle.json"
    path.write_text('{"arrows": [\n' + "0,\n" * 200_000 + '0],\n"cells": [[{}]]}\n')
    with opened(Source(str(path))) as stream:
        assert stream.format is FORMATS["scl"]
    path.write_text("{\n" + "0," * 200_000 + '"cells": [[{}]]}\n')
    with opened(Source(str(path))) as stream:
        assert stream.format is FORMATS["scl"]


_MAP = "AABB AACB CCBD CDDD"


@pytest.mark.parametrize(
    ("regions", "warning"),
    [
        (_MAP, "reading: region B is in pieces: C3 is apart from its other cells"),
        ("AABB AABB CCDD CCDD", ""),
        ("ABAB CDCD ABAB CDCD", ""),  # regions that are all in pieces are meant so
    ],
)
def test_a_region_in_pieces_is_told_once_a_file(tmp_path: Path, regions: str, warning: str) -> None:
    file = tmp_path / "two.toml"
    table = f'[[puzzles]]\nsize = 4\nregions = "{regions}"\n'
    file.write_text(f"version = 1\n{table}{table}")
    first, second = unidoku.read(file)
    assert "\n".join(first.losses.lines()) == warning
    assert not second.losses.record()["reading"]
    assert not first.losses
