"""The gallery shows the puzzles as their files are, and what is said of them holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unidoku
from unidoku.errors import UnsupportedError

pytestmark = pytest.mark.docs


@pytest.fixture
def make_gallery(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "docs"))
    return __import__("make_gallery")


def test_the_gallery_is_what_its_program_makes(make_gallery: Any, root: Path) -> None:
    assert (root / "docs" / "gallery.md").read_text(encoding="utf-8") == make_gallery.page(), (
        "run python docs/make_gallery.py"
    )


def test_its_drawings_are_what_the_program_makes(make_gallery: Any) -> None:
    found = {path.name: path.read_text(encoding="utf-8") for path in make_gallery.IMAGES.iterdir()}
    assert found == dict(make_gallery.drawings()), "run python docs/make_gallery.py"


def test_its_drawings_stay_small(make_gallery: Any) -> None:
    sizes = [path.stat().st_size for path in make_gallery.IMAGES.iterdir()]
    assert max(sizes) < 25_000
    assert sum(sizes) < 600_000


def test_the_eight_families_have_files_of_at_most_forty_lines(make_gallery: Any) -> None:
    assert len(make_gallery.FAMILIES) == 8
    for name in make_gallery.FAMILIES:
        assert len(make_gallery.file(name).read_text(encoding="utf-8").splitlines()) <= 40, name


def test_a_backend_that_is_said_to_refuse_a_family_refuses_it(make_gallery: Any) -> None:
    for name in make_gallery.FAMILIES:
        (puzzle,) = unidoku.read(make_gallery.file(name))
        for backend in ("native", "sat", "norvig", "exact-cover"):
            if make_gallery.is_refused(backend, puzzle.board.layout):
                with pytest.raises(UnsupportedError):
                    unidoku.solve(puzzle.board, backend=backend)
            else:
                assert unidoku.solve(puzzle.board, backend=backend).count == 1
