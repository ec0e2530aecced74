"""The picture of the queue of `single`: a real search of a small board, step by step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count, groupby

import unidoku
from unidoku import Board, Request
from unidoku.backends.native.single.boards import Memory
from unidoku.backends.native.single.build.layout_tables import tables_of
from unidoku.backends.native.single.function import INTERPRETED
from unidoku.backends.native.single.search.kinds import Propagator, Returned
from unidoku.backends.native.single.search.registers import Register
from unidoku.core.rules import Killer, Thermo

BOARD = ".... ..2. .... ...."
RULES = (
    Killer((14, 15, 11), 6),
    Killer((4, 0, 1), 6),
    Killer((9, 10), 6),
    Thermo((9, 8, 12)),
)
STEP, LEFT, TOP = 15, 20, 66
WORDS = {
    Propagator.RELATION: "relations",
    Propagator.UNIT: "units",
    Propagator.SETS: "sets",
    Propagator.BAND: "bands",
}


@dataclass(frozen=True)
class Look:
    """What is seen before a constraint is worked.

    Args:
        waiting: the numbers of the constraints in the queue.
        worked: the number of the one that is next, the first of them.
    """

    waiting: frozenset[int]
    worked: int


def trace() -> tuple[list[str], list[Look]]:
    """Search the board, which takes no guess.

    Returns:
        the kind of each constraint, and what was seen before each step.
    """
    layout = replace(unidoku.layout("classic", 4), rules=RULES)
    board = Board.parse(BOARD, layout)
    tables = tables_of(layout, INTERPRETED)
    kinds = [WORDS[Propagator(kind)] for kind in tables.arrays[0]]
    memory = Memory(tables)
    memory.registers[Register.UNITS_AT] = 0  # one unit at a time, as on a processor of any kind
    memory.begin(board.candidates, Request(), None)
    looks: list[Look] = []
    for step in count():
        memory.registers[Register.UNTIL] = step
        if memory.go_on() != Returned.CLOCK:
            break
        if waiting := frozenset(
            number for number in range(len(kinds)) if memory.is_waiting(number)
        ):
            looks.append(Look(waiting, min(waiting)))
    return kinds, looks


def queue() -> str:
    """Return the picture as SVG."""
    kinds, looks = trace()
    width = LEFT + STEP * len(kinds) + 20
    height = TOP + STEP * len(looks) + 34
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" '
        f'aria-label="the queue of {len(kinds)} constraints over {len(looks)} steps">',
        "<style>text{font:12px Helvetica,Arial,sans-serif;fill:#6b6b6b}"
        ".out{fill:#e4e4e4}.waits{fill:#8fb3dd}.works{fill:#d9822b}"
        "@media (prefers-color-scheme:dark){text{fill:#a5a9ae}"
        ".out{fill:#33373d}.waits{fill:#4f79ab}.works{fill:#e39a4b}}</style>",
        f'<text x="{LEFT}" y="18">Each row is the queue, a bit a constraint,</text>',
        f'<text x="{LEFT}" y="34">before the first that waits is worked.</text>',
    ]
    at = 0
    for kind, same in groupby(kinds):
        parts.append(f'<text x="{LEFT + STEP * at}" y="{TOP - 8}">{kind}</text>')
        at += len(list(same))
    for row, look in enumerate(looks):
        y = TOP + STEP * row
        for number in range(len(kinds)):
            shown = (
                "works" if number == look.worked else "waits" if number in look.waiting else "out"
            )
            gap = 3 if number and kinds[number] != kinds[number - 1] else 0
            parts.append(
                f'<rect class="{shown}" x="{LEFT + STEP * number + gap}" y="{y}" '
                f'width="{STEP - 2 - gap}" height="{STEP - 2}" rx="2"/>'
            )
    last = TOP + STEP * len(looks) + 20
    for index, (shown, word) in enumerate(
        (("works", "is worked"), ("waits", "waits"), ("out", "does not"))
    ):
        x = LEFT + 110 * index
        parts.append(
            f'<rect class="{shown}" x="{x}" y="{last - 11}" width="13" height="13" rx="2"/>'
        )
        parts.append(f'<text x="{x + 19}" y="{last}">{word}</text>')
    return "\n".join([*parts, "</svg>\n"])
