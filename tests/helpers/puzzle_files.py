"""What users see of a file with a puzzle, and of one that is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import unidoku
from unidoku import Board
from unidoku.cli import main


def assert_file_is_solved(
    file: Path, text: str, board: Board, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Assert that a file is recognised and solved, and one with a wrong text refused in a line."""
    file.write_text(text)
    assert main(["solve", str(file)]) == 0
    assert unidoku.read(text)[0].board == board
    capsys.readouterr()
    file.write_text(wrong)
    assert main(["solve", str(file)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
