"""Draw the layers of the package from its own imports: docs/images/layers.svg.

The rows are the layers of the import-linter contract in pyproject.toml, a box is a room (a module
or package directly under ``unidoku``), and an arrow is an import that no chain of other arrows
implies.

    python docs/make_layers.py
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "layers.svg"
PACKAGE = "unidoku"
WIDTH, ROW, HEIGHT, GAP, MARGIN = 860, 74, 34, 16, 14
SHIFT = 75
"""Pixels that a room alone in its row stands aside, so that arrows do not pass behind it."""

LETTER = 7.4
"""Pixels that a letter of a box takes."""

STYLE = """
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #1d2733; text-anchor: middle }
rect { fill: #eef3f9; stroke: #8aa0b8; rx: 6px }
path { fill: none; stroke: #8aa0b8; stroke-width: 1.1 }
marker path { fill: #8aa0b8; stroke: none }
@media (prefers-color-scheme: dark) {
  text { fill: #dce5ef } rect { fill: #243142; stroke: #6d8199 }
  path { stroke: #6d8199 } marker path { fill: #6d8199 }
}
"""


def layers() -> list[list[str]]:
    """Return the rooms of each layer, the highest first, as the contract has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    contract = next(contract for contract in contracts if contract["type"] == "layers")
    return [
        [room.strip().removeprefix(f"{PACKAGE}.") for room in row.split("|")]
        for row in contract["layers"]
    ]


def imports(rooms: set[str]) -> dict[str, set[str]]:
    """Return the rooms that the modules of each room import, wherever in the code they do."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    targets_of: dict[str, set[str]] = {room: set() for room in rooms}
    for module in graph.modules - {PACKAGE}:
        room = module.split(".")[1]
        targets = {
            to.split(".")[1] for to in graph.find_modules_directly_imported_by(module) - {PACKAGE}
        }
        if room in rooms:
            targets_of[room] |= (targets & rooms) - {room}
    return targets_of


def direct(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows that no chain of others implies; the arrows must have no circle."""

    def reached(start: str, *, past: str) -> bool:
        ways = [room for room in arrows[start] if room != past]
        return any(past in arrows[room] or reached(room, past=past) for room in ways)

    return {
        room: {to for to in targets if not reached(room, past=to)}
        for room, targets in arrows.items()
    }


def picture() -> str:
    """Return the picture as SVG."""
    rows = layers()
    rooms = {room for row in rows for room in row}
    places = dict(_places(rows))
    height = len(rows) * ROW + 2 * MARGIN - (ROW - HEIGHT)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The layers of the package, each importing only those below it</title>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker></defs>',
    ]
    for room, targets in sorted(direct(imports(rooms)).items()):
        parts.extend(_arrow(places[room], places[to]) for to in sorted(targets))
    for room, (x, y, width) in places.items():
        parts.append(
            f'<rect x="{x - width / 2:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}"/>'
            f'<text x="{x:g}" y="{y + 22:g}">{escape(room)}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _places(rows: list[list[str]]) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield each room's middle, top and width."""
    for number, row in enumerate(rows):
        widths = [round(len(room) * LETTER) + 28 for room in row]
        gap = max(GAP, (WIDTH - 2 * MARGIN - sum(widths)) / (len(row) + 1))
        x = (WIDTH - sum(widths) - gap * (len(row) - 1)) / 2
        if len(row) == 1:
            x += SHIFT if number % 2 else -SHIFT
        for room, width in zip(row, widths, strict=True):
            yield room, (round(x + width / 2), MARGIN + number * ROW, width)
            x += width + gap


def _arrow(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    """Return the curve from the bottom of a box to the top of another."""
    (a, top, _), (b, bottom, _) = start, end
    top += HEIGHT
    bend = (bottom - top) / 2
    curve = f"M{a:g} {top:g}C{a:g} {top + bend:g} {b:g} {bottom - bend:g} {b:g} {bottom:g}"
    return f'<path d="{curve}" marker-end="url(#tip)"/>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")
