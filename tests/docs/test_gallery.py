"""The gallery shows the puzzles as their files are, and what is said of them holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import unidoku
from tests.helpers.pages import PAGES
from tests.helpers.volume import thorough
from unidoku.core.rules.base import KINDS, OF_VARIANTS
from unidoku.core.variants import ADDITIONS, BASES, CONTENTS, PLACEMENTS, RULES
from unidoku.errors import UnsupportedError

pytestmark = pytest.mark.docs

LONG = {"little-killer", "sandwich", "chaos-construction", "arrow", "taxicab", "doublers"}
"""Puzzles that people need forcing for, which takes seconds to find."""


@pytest.mark.parametrize("with_long", [False, *thorough(True)])
def test_the_gallery_is_what_its_program_makes(
    make_gallery: Any, root: Path, monkeypatch: pytest.MonkeyPatch, *, with_long: bool
) -> None:
    page = (root / "docs" / "gallery.md").read_text(encoding="utf-8")
    make = make_gallery.row

    def row(name: str) -> list[str]:
        (line,) = (line for line in page.splitlines() if f"gallery/{name}.svg" in line)
        return make(name) if with_long or name not in LONG else line.strip("| ").split(" | ")

    monkeypatch.setattr(make_gallery, "row", row)
    assert page == make_gallery.page(), "run python docs/make_gallery.py"


def test_its_drawings_are_what_the_program_makes(make_gallery: Any) -> None:
    images = {path.name: path.read_text(encoding="utf-8") for path in make_gallery.IMAGES.iterdir()}
    assert images == dict(make_gallery.drawings()), "run python docs/make_gallery.py"


def test_its_drawings_stay_small(make_gallery: Any) -> None:
    sizes = [path.stat().st_size for path in make_gallery.IMAGES.iterdir()]
    assert max(sizes) < 25_000
    assert sum(sizes) < 600_000


def test_the_eight_families_have_files_of_at_most_forty_lines(make_gallery: Any) -> None:
    assert len(make_gallery.FAMILIES) == 8
    for name in make_gallery.FAMILIES:
        assert len(make_gallery.file(name).read_text(encoding="utf-8").splitlines()) <= 40, name


def test_every_variant_has_a_puzzle_with_one_solution(make_gallery: Any) -> None:
    shown = {name.partition(":")[0] for name in make_gallery.PUZZLES}
    assert shown == {*BASES, *ADDITIONS, *RULES, *CONTENTS, *PLACEMENTS}
    for name in make_gallery.PUZZLES:
        assert unidoku.count(make_gallery.variant_board(name), limit=2).count == 1, name


def test_every_kind_of_rule_is_in_a_puzzle_of_the_gallery(make_gallery: Any) -> None:
    shown: set[str] = set()
    for path in make_gallery.EXAMPLES.glob("*.toml"):
        (puzzle,) = unidoku.read(path)
        rules = list(puzzle.board.layout.rules)
        for rule in rules:
            shown.add(rule.kind)
            rules += rule.rules if isinstance(rule, unidoku.AnyOf) else ()
    assert shown == {*KINDS, *OF_VARIANTS}


def test_the_puzzle_of_the_tutorial_is_the_file_that_it_names(root: Path) -> None:
    (page,) = [page for page in PAGES if page.name == "docs/tutorial.md"]
    (begun,) = page.blocks("toml")
    file = (root / "examples" / "tutorial.toml").read_text(encoding="utf-8")
    lines = [line for line in file.splitlines()[1:] if "C2 C3" not in line]
    assert begun.splitlines() == lines


def test_a_backend_that_is_said_to_refuse_a_family_refuses_it(make_gallery: Any) -> None:
    for name in make_gallery.FAMILIES:
        (puzzle,) = unidoku.read(make_gallery.file(name))
        for backend in ("native", "sat", "norvig", "exact-cover"):
            if make_gallery.is_refused(backend, puzzle.board.layout):
                with pytest.raises(UnsupportedError):
                    unidoku.solve(puzzle.board, backend=backend)
            else:
                assert unidoku.solve(puzzle.board, backend=backend).count == 1
