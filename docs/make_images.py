"""Draw the pictures of the documentation, from the boards in examples/.

Usage: python docs/make_images.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import lanes_image
import queue_image

import unidoku
from unidoku.draw import board as drawing
from unidoku.draw.paint import BOARD, DARK_STYLE
from unidoku.draw.strokes import text
from unidoku.files.examples import comparison_file, find_example

IMAGES = Path(__file__).parent / "images"
SHOWN = (("x", 0), ("windoku", 1), ("jigsaw", 1))
RULES = ("killer", "thermo", "arrow", "kropki", "renban")
GAP = 24
CAPTION = 30
FONT = 16


def picture(name: str, which: int) -> tuple[str, unidoku.Board]:
    """Return the board of an example as SVG, with its solution, and the board."""
    board = find_example(name).puzzles()[which].board
    solution = unidoku.solve(board, backend="norvig").solutions[0]
    return drawing.picture(board, solution), board


def boards() -> str:
    """Return one SVG with several boards side by side, each with its name below."""
    return row([(name, *picture(name, which)) for name, which in SHOWN])


def rules() -> str:
    """Return one SVG with puzzles of several rules, unsolved."""
    files = [find_rules(name) for name in RULES]
    puzzles = [unidoku.read(file)[0].board for file in files]
    return row(
        [(name, drawing.picture(board), board) for name, board in zip(RULES, puzzles, strict=True)]
    )


def find_rules(name: str) -> Path:
    """Return the example of a rule."""
    return comparison_file().parent / "rules" / f"{name}.toml"


def row(shown: Sequence[tuple[str, str, unidoku.Board]]) -> str:
    """Return one SVG with pictures side by side, each with its name below."""
    x = 0
    height = 0
    parts = []
    for name, image, board in shown:
        width = board.layout.columns * 36 + 6
        below = board.layout.rows * 36 + 6
        parts.append(image.replace("<svg ", f'<svg x="{x}" y="0" ', 1))
        parts.append(
            text(x + width / 2, below + CAPTION / 2, FONT, name, "caption"),
        )
        x += width + GAP
        height = max(height, below + CAPTION)
    width = x - GAP
    image = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{BOARD.name}" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
            DARK_STYLE,
            *parts,
            "</svg>\n",
        ]
    )
    return BOARD.painted(image, "auto")


def main() -> None:
    """Write the pictures."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / "boards.svg").write_text(boards(), encoding="utf-8")
    (IMAGES / "rules.svg").write_text(rules(), encoding="utf-8")
    (IMAGES / "lanes.svg").write_text(lanes_image.lanes(), encoding="utf-8")
    (IMAGES / "queue.svg").write_text(queue_image.queue(), encoding="utf-8")


if __name__ == "__main__":
    main()
