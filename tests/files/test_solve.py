"""Files of boards from Python; `tests/cli/test_streaming.py` has their forms and faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from unidoku import Layout, layout, load
from unidoku.errors import InputError, OutputError, UnknownBackendError
from unidoku.files.solve import SHOWN, Totals, count_file, solve_file

PUZZLE, SOLVED = "1.....2..3.....4", "1243342143122134"
CLASH = "11" + "." * 14


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text(f"{PUZZLE}\n{CLASH}\n12\n{PUZZLE}\n")
    return path


def test_each_board_is_answered_and_counted(boards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    totals = solve_file(boards, out, backend="norvig", size=4)
    counts = (totals.boards, totals.solved, totals.impossible, totals.undecided, totals.invalid)
    assert counts == (4, 2, 1, 0, 1)
    assert totals.reasons == (f"{boards}, line 3: expected the 16 cells of classic, got 2 symbols",)
    assert totals.statistics["nodes"] == 3
    lines = out.read_text().splitlines()
    assert lines[0] == lines[3] == SOLVED
    assert lines[1] == f"{CLASH} # no solutions"
    assert lines[2].startswith("# invalid: ")


def test_all_solutions_are_counted_unless_a_number_of_them_is_enough(
    boards: Path, tmp_path: Path
) -> None:
    boards.write_text("." * 16)
    out = tmp_path / "counts.txt"
    assert count_file(boards, out, backend="norvig", size=4).solved == 1
    assert out.read_text() == "288\n"
    with pytest.raises(OutputError, match=r"counts\.txt exists"):
        count_file(boards, out, backend="norvig", size=4, solutions=5)
    count_file(boards, out, backend="norvig", size=4, solutions=5, force=True)
    assert out.read_text() == "at least 5\n"


def test_a_layout_of_ones_own_and_a_solver_are_taken(tmp_path: Path) -> None:
    diagonal = Layout.from_units(4, [unit.cells for unit in layout("x", 4).units])
    np.save(tmp_path / "in.npy", np.zeros((3, 16), np.uint8))
    for size in (None, 4):
        out = tmp_path / f"out{size}.npy"
        totals = solve_file(
            tmp_path / "in.npy", out, backend=load("norvig"), variant=diagonal, size=size
        )
        assert (totals.boards, totals.solved) == (3, 3)
        assert np.load(out).shape == (3, 16)
    (tmp_path / "in.txt").write_text(f"{'.' * 16}\n" * 10000)
    totals = solve_file(tmp_path / "in.txt", tmp_path / "out.txt", variant=diagonal, size=4)
    assert totals.solved == 10000


def test_progress_comes_after_each_part_and_ends_with_the_totals(
    boards: Path, tmp_path: Path
) -> None:
    boards.write_text(f"{PUZZLE}\n" * 100 + "12\n" * 20)
    seen: list[Totals] = []
    totals = solve_file(
        boards, tmp_path / "out.txt", backend="norvig", size=4, progress=seen.append
    )
    assert len(seen) > 1
    assert seen[-1] == totals
    assert [part.done for part in seen] == sorted(part.done for part in seen)
    assert totals.done == 1
    assert (totals.invalid, len(totals.reasons)) == (20, SHOWN)


def test_a_wrong_choice_is_refused_before_a_file_is_touched(boards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    with pytest.raises(UnknownBackendError):
        solve_file(boards, out, backend="nonsense")
    with pytest.raises(InputError, match="expected seconds above 0"):
        solve_file(boards, out, backend="norvig", time_limit=0)
    with pytest.raises(InputError, match="unknown keyword 'limit'; did you mean 'solutions'"):
        count_file(boards, out, backend="norvig", limit=5)  # type: ignore[call-arg]  # on purpose
    with pytest.raises(InputError, match="no such file"):
        solve_file(tmp_path / "none.txt", out, backend="norvig")
    assert not out.exists()
