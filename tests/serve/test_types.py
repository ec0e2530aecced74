"""The types of the page's modules, which are in comments, and their size."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.helpers.programs import needs

PAGE = Path("unidoku/serve/page")


@pytest.mark.thorough  # as mypy is for Python, apart from the tests
@needs("tsc")
def test_the_types_of_the_page_are_right() -> None:
    ran = subprocess.run(
        [
            *("tsc", "--noEmit", "--checkJs", "--allowJs", "--strict", "--target", "es2022"),
            *("--module", "es2022", "--moduleResolution", "node", "--skipLibCheck"),
            *("--lib", "es2022,dom,dom.iterable", *map(str, sorted(PAGE.glob("*.js")))),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == ""


def test_the_page_is_small_loads_nothing_else_and_polls_nothing() -> None:
    texts = {path.name: path.read_text() for path in PAGE.glob("*.[jch]*")}
    assert sum(map(len, texts.values())) < 200_000
    for name, text in texts.items():
        assert not re.search(r"https?://(?!www\.w3\.org)", text), name
        assert "setInterval" not in text, name
        assert "eval(" not in text, name
        if name.endswith(".js"):
            assert text.startswith("// @ts-check\n"), name
