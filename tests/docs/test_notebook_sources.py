"""Notebooks become pages of the site, with their pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.docs


@pytest.fixture
def notebooks(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(root / "docs" / "site"))
    return __import__("notebooks")


def test_a_page_has_the_text_the_code_and_what_it_showed(notebooks: Any) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A board\n", "It is small."]},
        {
            "cell_type": "code",
            "source": ["print(1)\n", "board"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
                {
                    "output_type": "display_data",
                    "data": {"image/svg+xml": ["<?xml ?>\n<svg>\n\n</svg>"]},
                },
            ],
        },
        {"cell_type": "code", "source": [], "outputs": []},
    ]
    assert notebooks.page({"cells": cells}) == (
        "# A board\nIt is small.\n\n```python\nprint(1)\nboard\n```\n\n```text\n1\n```\n\n"
        "````{raw} html\n<svg>\n\n</svg>\n````\n"
    )


def test_a_picture_of_several_kinds_is_shown_once(notebooks: Any) -> None:
    data = {"image/png": "aGk=\n", "text/plain": ["<Figure>"]}
    cell = {"cell_type": "code", "source": "draw()", "outputs": [{"data": data}]}
    text = notebooks.page({"cells": [cell]})
    assert text.count("<img ") == 1
    assert "base64,aGk=" in text
    assert "<Figure>" not in text
