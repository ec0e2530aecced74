"""The picture of lanes and rounds: a real search of a few boards, round by round."""

from __future__ import annotations

import colorsys

import numpy as np

import unidoku
from unidoku.backends.native.lanes.compile import kernel
from unidoku.backends.native.lanes.workspace import Answers, Question, Workspace
from unidoku.files.examples import find_example

EXAMPLES = ("practice", "three-spellings", "dashed")
LANES = 8
LIMIT = 2
COLUMN, ROW, LEFT, TOP = 25, 22, 64, 34


def trace() -> tuple[list[list[int | None]], int]:
    """Search the examples' boards; return which board was in each lane, by round, and how many."""
    boards = [puzzle.board for name in EXAMPLES for puzzle in find_example(name).puzzles()]
    layout = unidoku.layout("classic")
    upright = np.array([board.givens for board in boards], np.uint8)
    # The same boards in mirrors make more of them; a mirrored board is another one to a solver.
    across = upright.reshape(-1, layout.rows, layout.columns)
    mirrored = [across, across[:, ::-1], across[:, :, ::-1], across.transpose(0, 2, 1)]
    cells = np.concatenate(mirrored).reshape(-1, len(layout))
    workspace = Workspace(kernel(layout, LANES))
    rounds: list[list[int | None]] = []

    def look(workspace: Workspace) -> None:
        rounds.append(workspace.boards_in_lanes)

    answers = Answers.empty(len(cells), 1, len(layout))
    workspace.search(Question(cells, limit=LIMIT, room=1), answers, watch=look)
    return rounds, len(cells)


def colour(board: int, boards: int) -> str:
    """Return a colour for each board, neighbours far apart."""
    hue = (board * 0.381966) % 1
    lightness = 0.72 if board % 2 else 0.6
    red, green, blue = colorsys.hls_to_rgb(hue, lightness, 0.55)
    return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"


def lanes() -> str:
    """Return the picture as SVG."""
    rounds, boards = trace()
    width = LEFT + COLUMN * len(rounds) + 12
    height = TOP + ROW * LANES + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        f'aria-label="{boards} boards in {LANES} lanes over {len(rounds)} rounds">',
        "<style>text{font:12px Helvetica,Arial,sans-serif;fill:#6b6b6b}"
        ".n{font-size:11px;fill:#1d1d1d}"
        "@media (prefers-color-scheme:dark){text{fill:#a5a9ae}.n{fill:#1d1d1d}}</style>",
        f'<text x="{LEFT}" y="18">{boards} boards, {LANES} lanes: each column is one round, '
        "each colour a board</text>",
    ]
    for lane in range(LANES):
        y = TOP + ROW * lane
        parts.append(f'<text x="8" y="{y + 15}">lane {lane}</text>')
        start = 0
        for round_number in range(1, len(rounds) + 1):
            board = rounds[start][lane]
            if round_number < len(rounds) and rounds[round_number][lane] == board:
                continue
            if board is not None:
                x, wide = LEFT + COLUMN * start, COLUMN * (round_number - start)
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{wide - 1}" height="{ROW - 3}" rx="3" '
                    f'fill="{colour(board, boards)}"/>'
                )
                parts.append(f'<text class="n" x="{x + 3}" y="{y + 14}">{board + 1}</text>')
            start = round_number
    last = TOP + ROW * LANES + 18
    parts.append(
        f'<text x="{LEFT}" y="{last}">A lane whose board is done takes the next one; when none '
        "is left, idle lanes take saved states of the boards still searched.</text>"
    )
    return "\n".join([*parts, "</svg>\n"])
