"""Random boards of families that have formats of their own, most of them with a solution."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import groupby, pairwise

from hypothesis import strategies as st

from unidoku import Board, DiffersBy, Greater, Killer, Layout, Skyscraper, layout
from unidoku.core.regions import random_map
from unidoku.core.rules import KenKen, Rule
from unidoku.formats.families import kakuro, nonogram, takuzu
from unidoku.formats.frame import Frame

_RNG = st.randoms(use_true_random=True)


def some_givens(rng: random.Random, layout: Layout, share: float = 0.3) -> Board:
    values = [rng.randint(1, layout.n) if rng.random() < share else 0 for _ in layout.cells]
    return Board.from_values(layout, values)


def cages_of(rng: random.Random, side: int, most: int) -> list[tuple[int, ...]]:
    """Return connected groups of cells, most of them of two cells or more."""
    group = [*range(side * side)]
    for cell in rng.sample(range(side * side), side * side):
        borders = [
            other
            for other in (cell + 1, cell - 1, cell + side, cell - side)
            if 0 <= other < side * side and (abs(other - cell) > 1 or other // side == cell // side)
        ]
        other = rng.choice(borders)
        if group.count(group[cell]) + group.count(group[other]) <= most:
            old, new = group[cell], group[other]
            group = [new if cage == old else cage for cage in group]
    numbers = dict.fromkeys(group)
    return [tuple(k for k, cage in enumerate(group) if cage == number) for number in numbers]


def with_more(layout: Layout, *rules: Rule) -> Layout:
    return replace(layout, rules=(*layout.rules, *rules))


@st.composite
def keens(draw: st.DrawFn) -> Board:
    rng, side = draw(_RNG), draw(st.integers(3, 9))
    rules = []
    for cage in cages_of(rng, side, 6):
        by = rng.choice("+*-/" if len(cage) == 2 else "+*")
        rules.append(KenKen(tuple(rng.sample(cage, len(cage))), rng.randint(1, 500), by))
    rng.shuffle(rules)
    return Board.empty(with_more(layout("latin", side), *rules))


@st.composite
def towers(draw: st.DrawFn) -> Board:
    rng, side = draw(_RNG), draw(st.integers(3, 9))
    sights = [line[::step] for line in Frame(side, side).lines() for step in (1, -1)]
    seen = [Skyscraper(line, rng.randint(1, side)) for line in sights if rng.random() < 0.5]
    return some_givens(rng, with_more(layout("latin", side), *seen), rng.choice([0, 0.2]))


@st.composite
def unequals(draw: st.DrawFn) -> Board:
    rng, side = draw(_RNG), draw(st.integers(3, 12))
    pairs = [pair for line in Frame(side, side).lines() for pair in pairwise(line)]
    chosen = tuple(sorted(rng.sample(pairs, rng.randint(1, len(pairs) - 1))))
    square = layout("latin", side)
    if draw(st.booleans()):
        others = tuple(pair for pair in pairs if pair not in chosen)
        return some_givens(rng, with_more(square, DiffersBy(chosen), DiffersBy(others, never=True)))
    signs = tuple(pair if rng.random() < 0.5 else pair[::-1] for pair in chosen)
    return some_givens(rng, with_more(square, Greater(signs)))


@st.composite
def solos(draw: st.DrawFn) -> Board:
    rng = draw(_RNG)
    name, side = draw(
        st.sampled_from(
            [("classic:2x3", 6), ("classic", 9), ("classic:4x2+x", 8), ("", 5), ("", 9)]
        )
    )
    square = layout(name or f"jigsaw:{random_map(side, rng)}", side)
    cages = cages_of(rng, side, side)
    if draw(st.booleans()) and all(len(cage) > 1 for cage in cages):
        square = with_more(square, *(Killer(cage, rng.randint(1, 45)) for cage in cages))
    return some_givens(rng, square)


@st.composite
def takuzus(draw: st.DrawFn) -> Board:
    sides = st.integers(3, 8).map(lambda half: 2 * half)
    square = takuzu(draw(sides), draw(sides), distinct=draw(st.booleans()))
    return some_givens(draw(_RNG), square, draw(st.sampled_from([0.02, 0.3, 0.9])))


@st.composite
def nonograms(draw: st.DrawFn) -> Board:
    rng, rows, columns = draw(_RNG), draw(st.integers(1, 30)), draw(st.integers(1, 30))
    grid = [rng.random() < 0.6 for _ in range(rows * columns)]
    clues = [
        tuple(len([*run]) for filled, run in groupby(grid[cell] for cell in line) if filled)
        for line in Frame(rows, columns).lines()
    ]
    return Board.empty(nonogram(clues[:rows], clues[rows:]))


@st.composite
def kakuros(draw: st.DrawFn) -> Board:
    rng, rows, columns = draw(_RNG), draw(st.integers(2, 9)), draw(st.integers(2, 9))
    white = {
        (row, column)
        for row in range(rows)
        for column in range(columns)
        if rng.random() < 0.75 or (row, column) in ((0, 0), (0, 1))
    }
    cell_at = {position: cell for cell, position in enumerate(sorted(white))}
    runs = []
    for down, right in ((0, 1), (1, 0)):
        for row, column in sorted(white):
            if (row - down, column - right) in white:
                continue
            run = []
            while (row, column) in white:
                run.append(cell_at[row, column])
                row, column = row + down, column + right
            if len(run) > 1:
                runs.append((tuple(run), rng.randint(3, 45)))
    return Board.empty(kakuro(sorted(white), runs))
