"""Paths to look at, for the tests of pictures, pages, JSON and grids."""

from __future__ import annotations

from unidoku.files.examples import find_example
from unidoku.logic import Link, State, Step, Walkthrough, walk_through


def made_path() -> Walkthrough:
    """Return a path with everything that a step can have; it need not be true."""
    board = find_example("hardest").puzzles()[0].board
    constraint = board.layout
    unit = {unit.name: unit for unit in constraint.units}
    a2, a4, c4, c9, e1 = map(constraint.cell, ("A2", "A4", "C4", "C9", "E1"))
    d3, d5, h2 = map(constraint.cell, ("D3", "D5", "H2"))
    fish = Step(
        layout=constraint,
        reason="of 6",
        eliminations=((a2, 6), (constraint.cell("E2"), 6), (h2, 6)),
        units=(unit["row D"], unit["row H"]),
        covers=(unit["column 2"], unit["column 5"]),
        pattern=((d5, 6), (h2, 6)),
        fins=((d3, 6),),
        technique="pointing",
        rating=3.4,
    )
    chain = Step(
        layout=constraint,
        reason="of links",
        eliminations=((a4, 4), (c9, 6)),
        placements=((e1, 2),),
        pattern=((a2, 4), (c4, 4)),
        links=(
            Link((a2, 4), (a4, 4), True),
            Link((a4, 4), (c4, 4), False),
            Link((c4, 4), (c4, 3), True),
            Link((c4, 3), (c9, 3), False),
        ),
        technique="claiming",
        rating=6.6,
    )
    first = State.start(board)
    second = first.after(fish)
    return Walkthrough(board, (fish, chain), (first, second, second.after(chain)))


def example_path(name: str, number: int = 0, techniques: str = "..claiming") -> Walkthrough:
    return walk_through(find_example(name).puzzles()[number].board, techniques=techniques)
