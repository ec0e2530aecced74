"""The table of formats is what their catalogue says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unidoku.formats.catalogue import FORMATS

pytestmark = pytest.mark.docs


def test_the_table_is_what_its_program_makes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(root / "docs"))
    make_formats: Any = __import__("make_formats")
    page = (root / "docs" / "formats.md").read_text(encoding="utf-8")
    assert page == make_formats.page(page)
    for name in FORMATS:
        assert f"\n| `{name}` | " in page
