"""Links to SudokuPad in SudokuPad's own client, of which SUDOKUPAD names a folder with index.html.

A copy is in https://github.com/SakanaAI/Sudoku-Bench, in ``src/sudokupad_interaction/sudoku_pad``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import unidoku
from unidoku.formats.lzstring import decompressed

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CLIENT = Path(os.environ.get("SUDOKUPAD", "nowhere")) / "index.html"

pytestmark = pytest.mark.skipif(
    not CLIENT.exists(), reason="SUDOKUPAD names no folder with SudokuPad's client"
)

_DRAWN = """() => {
    const svg = document.querySelector('svg#svgrenderer');
    const looks = [...svg.querySelectorAll('path, rect, line, polyline')].flatMap(part => [
        part.getAttribute('stroke'), part.getAttribute('fill'),
        part.style.stroke, part.style.fill,
        part.parentNode.getAttribute('stroke'),
    ]);
    return {
        looks: looks.filter(Boolean).map(look => look.toLowerCase()),
        texts: [...svg.querySelectorAll('text')].map(text => text.textContent),
        cages: svg.querySelectorAll('[class*=cage-]:not(text):not(.cage-box)').length,
        words: document.querySelector('.puzzle-rules').innerText,
        solution: Framework.app.puzzle.currentPuzzle.solution,
    };
}"""


ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "examples" / "rules").iterdir()) + sorted(
    (ROOT / "examples").glob("published-*.toml")
)
HOLES_OR_ZEROS = {"kakuro", "nonogram", "star-battle", "takuzu"}
"""Examples that SudokuPad cannot hold."""


@pytest.mark.parametrize("name", [file.stem for file in FILES if file.stem not in HOLES_OR_ZEROS])
def test_what_a_link_says_is_drawn_by_the_client(browser: Browser, name: str) -> None:
    (file,) = (file for file in FILES if file.stem == name)
    link = unidoku.write(unidoku.read(file), "sudokupad").text
    payload = link.removeprefix("https://sudokupad.app/")
    page = browser.new_page(offline=True)
    page.goto(f"{CLIENT.as_uri()}?puzzleid={payload}")
    page.wait_for_function(
        "typeof Framework !== 'undefined' && Framework.app?.puzzle?.currentPuzzle?.id"
    )
    table = json.loads(decompressed(payload.removeprefix("scl")))
    _assert_drawn(page.evaluate(_DRAWN), table)
    page.close()


def _assert_drawn(drawn: dict[str, Any], table: dict[str, Any]) -> None:
    """Assert that colours, texts, cages, words and the solution of a link are in the page."""
    texts = " ".join(drawn["texts"])
    for part in (*table["overlays"], *table["underlays"], *table["lines"], *table["arrows"]):
        colour = part.get("color") or part.get("backgroundColor")
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        looks = {colour.lower(), f"rgb({red}, {green}, {blue})"}
        if "text" not in part:
            assert any(look in shown for look in looks for shown in drawn["looks"]), part
        else:
            assert all(word in texts for word in part["text"].split()), part
    shown = [cage for cage in table["cages"] if cage.get("style") != "hidden"]
    assert drawn["cages"] >= len(shown)
    assert all(cage.get("value", "") in texts for cage in shown)
    assert all(line in drawn["words"] for line in table["metadata"]["rules"])
    assert drawn["solution"] == table["metadata"].get("solution")
