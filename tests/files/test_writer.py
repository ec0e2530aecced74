"""One way to write a file of boards, whatever happens on the way."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from unidoku.errors import InputError
from unidoku.files.writer import open_writer

ROWS = np.arange(8, dtype=np.uint8).reshape(2, 4)


def write(path: Path, *parts: NDArray[np.uint8], failure: Exception | None = None) -> None:
    with open_writer(path) as writer:
        for rows in parts:
            writer.write_rows(rows)
        if failure is not None:
            raise failure


def test_the_name_of_a_file_tells_its_form(tmp_path: Path) -> None:
    for name, written in {"a.txt": b"1\n", "a.csv": b"quizzes,solutions\n1\n"}.items():
        for path in (tmp_path / name, tmp_path / f"{name}.gz"):
            with open_writer(path) as writer:
                writer.write(b"1\n")
            data = path.read_bytes()
            assert (gzip.decompress(data) if path.suffix == ".gz" else data) == written
    with open_writer(tmp_path / "a.npy") as writer:
        assert writer.form == "npy"
        writer.write_rows(ROWS)
        writer.write_rows(ROWS[:1])
    assert np.load(tmp_path / "a.npy").tolist() == [*ROWS.tolist(), ROWS[0].tolist()]


def test_a_file_has_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("of the last run")
    with open_writer(path) as writer:
        writer.write(b"1\n")
        assert path.read_text() == "of the last run"
    assert path.read_text() == "1\n"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_what_was_written_is_kept_and_named_unless_the_input_is_at_fault(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="stop") as caught:
        write(tmp_path / "a.npy", ROWS, failure=ValueError("stop"))
    assert caught.value.__notes__ == [f"what was found so far is in {tmp_path}/a.npy.part"]
    assert np.load(tmp_path / "a.npy.part").shape == (2, 4)
    with pytest.raises(InputError, match="got 4 cells and then 2"):
        write(tmp_path / "a.npy", ROWS, ROWS[:, :2])
    assert list(tmp_path.iterdir()) == []


def test_a_form_that_the_caller_cannot_write_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match="expected a file for lines of text"),
        open_writer(tmp_path / "a.csv", forms=["text"]),
    ):
        pass
    with (
        pytest.raises(InputError, match="expected a new file for the answers"),
        open_writer(tmp_path / "a.txt", source=tmp_path / "a.txt"),
    ):
        pass
