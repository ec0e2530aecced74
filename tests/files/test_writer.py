"""One way to write a file of boards, whatever happens on the way."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from unidoku.errors import InputError
from unidoku.files.writer import FORMS, Form, open_writer

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
    with open_writer(path, force=True) as writer:
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
    assert [path.name for path in tmp_path.iterdir()] == ["a.npy.part"], "of the first"


@pytest.mark.parametrize(
    ("name", "forms", "message"),
    [
        ("a.png", FORMS, r"ends in \.txt, \.csv, \.npy, .*, or that has none; got '.*a\.png'"),
        ("a.xlsx", FORMS, "expected a file name that ends in"),
        ("a.json", FORMS, "expected a file name that ends in"),
        ("a.npy.gz", FORMS, "expected a file name that ends in"),
        ("a.csv", ["text"], r"ends in \.txt, \.gz, \.txt\.gz, or that has none; got"),
        ("boards.txt", FORMS, "expected another file than the boards', got"),
        ("pipe.npy", FORMS, "expected a file for .npy, which begins with its size"),
    ],
)
def test_a_name_that_the_caller_cannot_mean_is_refused(
    name: str, forms: list[Form], message: str, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.npy")
    reader = os.open(tmp_path / "pipe.npy", os.O_RDONLY | os.O_NONBLOCK)
    before = set(tmp_path.iterdir())
    with (
        pytest.raises(InputError, match=message),
        open_writer(tmp_path / name, forms=forms, sources=[tmp_path / "boards.txt"]),
    ):
        pass
    assert set(tmp_path.iterdir()) == before
    os.close(reader)


def test_endings_may_be_capitals_and_a_name_without_one_is_text(tmp_path: Path) -> None:
    for name, form in {"a.CSV": "csv", "B.NPY": "npy", "c": "text", ".hidden": "text"}.items():
        with open_writer(tmp_path / name) as writer:
            assert writer.form == form
