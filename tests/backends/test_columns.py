"""Columns and data frames of boards: each row gets its own answer, whatever its index."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unidoku
from unidoku.errors import InputError

PUZZLES = [
    "1... ..2. .3.. ...4",
    "..1. 4... ...3 2...",
    ".... 1... ...2 .3.4",
    "..4. 3... ...2 1...",
    "4... ..3. .2.. ...1",
]


class Column:
    """A column without an index, such as a Series of polars."""

    def __init__(self, values: list[object]) -> None:
        self.values = values

    def to_numpy(self) -> np.ndarray[Any, Any]:
        return np.array(self.values, object)


def indexes(rows: int) -> st.SearchStrategy[Any]:
    """Indexes that data frames have after they were filtered, sorted, joined or grouped."""
    pd = pytest.importorskip("pandas")
    labels = st.lists(st.integers(0, 3), min_size=rows, max_size=rows)
    texts = st.lists(st.sampled_from("abc"), min_size=rows, max_size=rows)
    return st.one_of(
        st.permutations(range(rows)).map(list),
        labels,
        texts,
        st.tuples(labels, texts).map(pd.MultiIndex.from_arrays),
    )


@given(st.data())
def test_after_any_permutation_each_puzzle_has_its_own_solution(data: st.DataObject) -> None:
    pd = pytest.importorskip("pandas")
    chosen = data.draw(st.lists(st.sampled_from([*PUZZLES, None]), min_size=1, max_size=8))
    column = pd.Series(chosen, data.draw(indexes(len(chosen))), dtype=object)
    frame = unidoku.solve_many(column, backend="norvig", solutions=2).to_pandas()
    assert frame.index.equals(column.index)
    for puzzle, solution in zip(chosen, frame["solution"], strict=True):
        assert solution == ("" if puzzle is None else unidoku.solve(puzzle).text("line"))


def test_a_column_is_joined_to_a_filtered_and_sorted_frame() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"puzzle": PUZZLES}).sort_values("puzzle")
    frame = frame[frame["puzzle"] != PUZZLES[0]]
    frame["solution"] = unidoku.solve_many(frame["puzzle"]).to_pandas()["solution"]
    for puzzle, solution in frame.itertuples(index=False):
        assert unidoku.is_solution(puzzle, unidoku.Board.parse(solution).givens)
    parts = [part.to_pandas() for part in unidoku.load("norvig").stream(frame["puzzle"], chunk=3)]
    assert pd.concat(parts)["solution"].to_dict() == frame["solution"].to_dict()


def test_missing_values_and_numbers_are_invalid_boards() -> None:
    pd = pytest.importorskip("pandas")
    text = PUZZLES[0]
    columns: list[Any] = [
        pd.Series([text, None, float("nan"), pd.NA, pd.NaT, 7, 2.5], dtype=object),
        [text, None, float("nan"), pd.NA, pd.NaT, 7, np.float64(2.5)],
        np.array([text, None, float("nan"), pd.NA, pd.NaT, 7, 2.5], object),
        Column([text, None, float("nan"), pd.NA, pd.NaT, 7, 2.5]),
        (item for item in [text, None, float("nan"), pd.NA, pd.NaT, 7, 2.5]),
    ]
    for column in columns:
        result = unidoku.solve_many(column, backend="norvig")
        assert result.counts.tolist() == [1, 0, 0, 0, 0, 0, 0]
        assert list(result.invalid) == [1, 2, 3, 4, 5, 6]
        assert result.invalid[3] == "expected a text or a board, got <NA>"
    for column in (pd.Series([text, None], dtype="string"), pd.Series([text, None])):
        assert list(unidoku.solve_many(column).invalid) == [1]
    assert list(unidoku.solve_many(pd.Series([float("nan"), 1.0])).invalid) == [0, 1]
    with pytest.raises(InputError, match="board 1: expected a text or a board, got <object"):
        unidoku.solve_many([text, object()])  # type: ignore[list-item]  # what is tested


def test_frames_of_numbers_have_a_board_in_each_row_and_those_of_texts_need_a_column() -> None:
    pd = pytest.importorskip("pandas")
    rows = [unidoku.Board.parse(text).givens for text in PUZZLES]
    for frame in (
        pd.DataFrame(rows, index=list("edcba")),
        pd.DataFrame(rows, index=list("edcba")).replace(0, float("nan")),
        pd.DataFrame(rows, index=list("edcba"), dtype="Int64").replace(0, pd.NA),
    ):
        result = unidoku.solve_many(frame, solutions=2)
        assert result.to_pandas().index.tolist() == list("edcba")
        assert result.texts() == unidoku.solve_many(PUZZLES).texts()
    frame = pd.DataFrame({"id": range(5), "the puzzle": PUZZLES})
    for column in (frame, frame[["the puzzle"]]):
        with pytest.raises(InputError, match=r"give a column: frame\['the puzzle'\]"):
            unidoku.solve_many(column)


def test_boards_are_read_from_columns_without_pandas() -> None:
    program = (
        "import sys, numpy, unidoku; sys.modules['pandas'] = None\n"
        "class Column:\n"
        "    index = [7, 5]\n"
        "    def to_numpy(self): return numpy.array(['1... ..2. .3.. ...4', None], object)\n"
        "result = unidoku.solve_many(Column(), backend='norvig')\n"
        "assert result.index == [7, 5] and result.counts.tolist() == [1, 0]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_containers_of_boards_that_are_no_lists_are_refused_with_advice() -> None:
    with pytest.raises(InputError, match=r"several boards, got \{'a': .*; .*boards\.values\(\)"):
        unidoku.solve_many({"a": PUZZLES[0]})
    with pytest.raises(InputError, match=r"several boards, got .*; .*solve_file\('a\.txt'\)"):
        unidoku.solve_many(Path("a.txt"))  # type: ignore[arg-type]  # what is tested
