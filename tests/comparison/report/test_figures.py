"""Figures of a comparison as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.synthetic import invented_results
from unidoku.comparison.report.figures import FORMATS, write_figures
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.summary import summarise
from unidoku.comparison.statistics.times import times_of
from unidoku.errors import InputError

NAMES = ("cdf", "cactus", "phases", "scatter")
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def results() -> Results:
    return invented_results(("native", "sat:cadical", "norvig"), 30, 2, 1, self_test_twin=True)


@pytest.fixture(scope="module")
def written(results: Results, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """All figures in all formats, which take a second to draw."""
    return write_figures(tmp_path_factory.mktemp("figures") / "new" / "folder", results)


def test_every_figure_is_written_in_every_format(written: list[Path]) -> None:
    assert {path.name for path in written} == {f"{n}.{f}" for n in NAMES for f in FORMATS}
    for path in written:
        assert path.read_bytes().startswith(STARTS[path.suffix[1:]])


def test_figures_name_every_backend(results: Results, written: list[Path]) -> None:
    pictures = [path for path in written if path.suffix == ".svg"]
    assert len(pictures) == len(NAMES)
    times = times_of(results)
    best = [s.backend for s in summarise(times) if s.backend != times.self_test_twin][:2]
    for path in pictures:
        # Text is drawn as paths; matplotlib names each text in a comment.
        text = path.read_text(encoding="utf-8")
        named = [label for label in results.backends if f"<!-- {label}" in text]
        expected = best if path.stem == "scatter" else results.backends
        assert set(expected) >= set(named), path
        assert named, path


def test_the_same_results_give_the_same_files(
    results: Results, written: list[Path], tmp_path: Path
) -> None:
    before = {path.name: path.read_bytes() for path in written}
    again = write_figures(tmp_path, results, ["svg", "pdf"])
    assert len(again) == 2 * len(NAMES)
    assert all(path.read_bytes() == before[path.name] for path in again)


def test_one_backend_has_no_scatter(tmp_path: Path) -> None:
    written = write_figures(tmp_path, invented_results(("alone",), 3, 1, 1), ["svg"])
    assert [path.stem for path in written] == ["cdf", "cactus", "phases"]


def test_an_unknown_format_is_refused(results: Results, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a format of png, svg, pdf, got 'gif'"):
        write_figures(tmp_path, results, ["gif"])


@pytest.mark.parametrize("backends", [(), ("one", "two")])
def test_nothing_solved_makes_figures_too_and_no_state_is_left(
    tmp_path: Path, backends: tuple[str, ...]
) -> None:
    import matplotlib  # to collect the tests need not take as long as these imports
    from matplotlib import pyplot

    before = dict(matplotlib.rcParams)
    assert write_figures(tmp_path, Results(backends), ["png"])
    assert dict(matplotlib.rcParams) == before
    assert pyplot.get_fignums() == []
