"""The page of explained steps is what its program makes, and its drawings are light."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.docs

_LARGEST = 18_000
"""The largest size of a drawing, in bytes."""


def test_the_page_is_what_its_program_makes(make_explanations: Any, root: Path) -> None:
    page = (root / "docs" / "explanations.md").read_text(encoding="utf-8")
    assert page == make_explanations.page()


def test_the_drawings_are_what_the_program_makes(make_explanations: Any) -> None:
    result = make_explanations.drawings()
    for file, picture in result.items():
        assert file.read_text(encoding="utf-8") == picture, f"{file.name}: run the program again"
        assert len(picture) < _LARGEST
    assert set(make_explanations.IMAGES.iterdir()) == set(result)
