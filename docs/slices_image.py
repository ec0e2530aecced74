"""The picture of an automaton in bit slices: a real line of four cells in eight lanes."""

from __future__ import annotations

import random
from collections.abc import Iterator

from unidoku import Layout
from unidoku.backends.toolkit.layers import Arc, layers_of
from unidoku.core.constraints.primitives import Automaton
from unidoku.core.rules import Sandwich

LANES = 8
VALUES = 4
TOTAL = 3
SEED = 5
COLUMN, ROW, LEFT, TOP, BIT = 178, 54, 20, 64, 11
WIDTH, HEIGHT = BIT * LANES + 8, 30

STYLE = (
    "text{font:12px Helvetica,Arial,sans-serif;fill:#6b6b6b}"
    ".v{font-size:10px}.s{fill:none;stroke:#9a9a9a}.a{stroke:#b5b5b5;fill:none}"
    ".off{fill:#8883}.on{fill:#f0b26b}.live{fill:#3f7fbf}"
    "@media (prefers-color-scheme:dark){text{fill:#a5a9ae}.a{stroke:#666}}"
)

State = tuple[int, int]
"""A layer, and the number of a state in it."""


def line() -> tuple[tuple[Arc, ...], ...]:
    """Return the steps of a line in which the values between 1 and 4 have a known sum."""
    rule = Sandwich(tuple(range(VALUES)), TOTAL)
    one = Layout.from_units(VALUES, [range(VALUES)], shape=(1, VALUES), rules=[rule])
    (constraint,) = (
        constraint for constraint in one.constraints if isinstance(constraint, Automaton)
    )
    return layers_of(constraint, VALUES).arcs


def candidates() -> list[list[int]]:
    """Return the candidates of each cell in each lane, as sets; each lane has another board."""
    rng = random.Random(SEED)
    boards = [[rng.randrange(1, 1 << VALUES) for _ in range(VALUES)] for _ in range(LANES)]
    return [[board[cell] for board in boards] for cell in range(VALUES)]


def slices(
    layers: tuple[tuple[Arc, ...], ...], cells: list[list[int]]
) -> tuple[dict[State, int], dict[State, int]]:
    """Return a number for each state, with a bit a lane: where it is reached, and where it is live.

    It is live where it also leads to the end. Each step is an `and` and an `or` for all lanes.
    """
    held = [
        [
            sum(1 << lane for lane, own in enumerate(cell) if own >> value & 1)
            for value in range(VALUES)
        ]
        for cell in cells
    ]
    reached = {(0, 0): (1 << LANES) - 1}
    for place, arcs in enumerate(layers):
        for state, value, target in arcs:
            comes = reached[place, state] & held[place][value - 1]
            reached[place + 1, target] = reached.get((place + 1, target), 0) | comes
    live = {(len(layers), 0): reached[len(layers), 0]}
    for place, arcs in reversed(list(enumerate(layers))):
        for state, value, target in arcs:
            goes = live[place + 1, target] & held[place][value - 1] & reached[place, state]
            live[place, state] = live.get((place, state), 0) | goes
    return reached, live


def image() -> str:
    """Return the picture as SVG."""
    layers, cells = line(), candidates()
    reached, live = slices(layers, cells)
    rows = max(state for _, state in reached) + 1
    width = LEFT + COLUMN * len(layers) + WIDTH + 20
    height = TOP + ROW * rows + 26
    words = f"a sandwich of {TOTAL} in a line of {VALUES} cells, in {LANES} lanes"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="{words}">',
        f"<style>{STYLE}</style>",
        f'<text x="{LEFT}" y="20">{words[0].upper()}{words[1:]}: each box is a state, '
        "each square in it the bit of a lane</text>",
        *arrows(layers),
    ]
    for (place, state), lanes in sorted(reached.items()):
        parts += box(place, state, lanes, live[place, state])
    for place in range(len(layers)):
        middle = LEFT + COLUMN * place + WIDTH + (COLUMN - WIDTH) // 2
        parts.append(
            f'<text x="{middle}" y="{TOP - 18}" text-anchor="middle">cell {place + 1}</text>'
        )
    parts += legend(height - 16)
    return "\n".join([*parts, "</svg>\n"])


def arrows(layers: tuple[tuple[Arc, ...], ...]) -> Iterator[str]:
    """Yield the steps, with the values by which one state leads to another."""
    for place, arcs in enumerate(layers):
        values: dict[tuple[int, int], list[str]] = {}
        for state, value, target in arcs:
            values.setdefault((state, target), []).append(str(value))
        x, end = LEFT + COLUMN * place + WIDTH, LEFT + COLUMN * (place + 1)
        for (state, target), its in values.items():
            y, to = (TOP + ROW * row + HEIGHT // 2 for row in (state, target))
            yield f'<path class="a" d="M{x} {y}L{end} {to}"/>'
            near = 0.28
            yield (
                f'<text class="v" x="{x + (end - x) * near:.0f}" y="{y + (to - y) * near - 3:.0f}">'
                f"{' '.join(its)}</text>"
            )


def box(place: int, state: int, reached: int, live: int) -> Iterator[str]:
    """Yield a state, with the bit of each lane."""
    x, y = LEFT + COLUMN * place, TOP + ROW * state
    yield f'<rect class="s" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>'
    for lane in range(LANES):
        kind = "live" if live >> lane & 1 else "on" if reached >> lane & 1 else "off"
        left = x + 4 + BIT * lane
        size = f'width="{BIT - 2}" height="{HEIGHT - 18}"'
        yield f'<rect class="{kind}" x="{left}" y="{y + 9}" {size}/>'


def legend(y: int) -> Iterator[str]:
    """Yield what the colours mean."""
    told = (
        ("off", "not reached"),
        ("on", "reached from the start, not from the end"),
        ("live", "on a way through: its steps support values"),
    )
    x = LEFT
    for kind, words in told:
        yield f'<rect class="{kind}" x="{x}" y="{y - 9}" width="{BIT}" height="{BIT}"/>'
        yield f'<text x="{x + BIT + 5}" y="{y}">{words}</text>'
        x += 40 + 6 * len(words)
