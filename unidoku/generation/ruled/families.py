"""Families of puzzles: each has its own layout, and rules that make up the whole puzzle."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import TypeAlias

from unidoku.core.cells import adjacent, around, neighbours
from unidoku.core.layout import Grid, Layout, Position, Unit
from unidoku.core.regions import hangs_together
from unidoku.core.rules import Contains, Doubler, KenKen, Killer, NonogramLine, PairSum, Rule
from unidoku.core.variants import layout
from unidoku.formats.families import takuzu
from unidoku.generation.ruled.draft import PuzzleDraft
from unidoku.generation.ruled.kinds import DOUBLER, PLACEABLE_KINDS, FreeArea
from unidoku.generation.ruled.places import grouped, lines
from unidoku.generation.ruled.repair import (
    Repair,
    cage_of,
    move_border,
    repartition_cages,
    with_another_value,
    with_areas,
)

Fill: TypeAlias = Callable[[Layout], Grid]
"""Returns a random full grid of a layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleFamily:
    """A kind of puzzle that is more than rules on a board.

    Args:
        summary: description in one line.
        sizes: the sizes that can be requested.
        size: the default size.
        draft: makes a full grid with its rules; None if this attempt failed.
        repair: changes a draft that has a second solution; None where givens make it unique.
        removes_rules: whether rules that uniqueness does not need are always removed.
    """

    summary: str
    sizes: range
    size: int
    draft: Callable[[random.Random, int, Fill], PuzzleDraft | None]
    repair: Repair | None = None
    removes_rules: bool = False

    @property
    def has_givens(self) -> bool:
        """Whether its puzzles may have givens."""
        return self.repair is None


def place_rules(
    rng: random.Random, base: Layout, grid: Grid, kinds: tuple[str, ...]
) -> PuzzleDraft:
    """Return a draft with rules of some kinds, in which all cells are given.

    Doublers belong to its base: without them all sums would be wrong.
    """
    area = FreeArea(base, grid, rng)
    order = sorted(kinds, key=lambda kind: kind != DOUBLER)
    rules = [rule for kind in order for rule in PLACEABLE_KINDS[kind](area)]
    doublers = [rule for rule in rules if isinstance(rule, Doubler)]
    others = [rule for rule in rules if rule not in doublers]
    return PuzzleDraft(base.with_rules(*doublers), grid, tuple(others), frozenset(base.cells))


def _square(
    variant: str, kind: str, *, given: bool
) -> Callable[[random.Random, int, Fill], PuzzleDraft]:
    """Return a function that adds rules of one kind to a square of a variant."""

    def draft(rng: random.Random, size: int, fill: Fill) -> PuzzleDraft:
        base = layout(variant, size)
        placed = place_rules(rng, base, fill(base), (kind,))
        return placed if given else replace(placed, given=frozenset())

    return draft


def _kenken(rng: random.Random, size: int, fill: Fill) -> PuzzleDraft:
    base = layout("latin", size)
    empty = PuzzleDraft(base, fill(base))
    sizes = (2, 2, 2, 3, 3, 4) if size > 3 else (1, 2, 2, 3)
    cages = grouped(rng, base.cells, adjacent(base), sizes, lambda *_: True)
    return replace(empty, rules=tuple(cage_of(rng, KenKen, cage, empty) for cage in cages))


def _takuzu(rng: random.Random, size: int, fill: Fill) -> PuzzleDraft:
    base = takuzu(size, size, distinct=True)
    return PuzzleDraft(base, fill(base), (), frozenset(base.cells))


def _nonogram(rng: random.Random, size: int, fill: Fill) -> PuzzleDraft:
    """Return a picture in patches: random cells, each then given the commonest colour around it."""
    places = tuple((row, column) for row in range(size) for column in range(size))
    base = Layout(2, (), places, first_value=0, name="nonogram")
    near = around(base)
    noise = [rng.random() < 0.55 for _ in places]
    smooth = [
        2 * sum(noise[other] for other in near[c]) + noise[c] > len(near[c]) for c in base.cells
    ]
    picture = tuple(1 + (smooth if rng.random() < 0.8 else noise)[cell] for cell in base.cells)
    return _clued(rng, PuzzleDraft(base, picture))


def _clued(rng: random.Random, draft: PuzzleDraft) -> PuzzleDraft:
    """Return a draft of the picture with the clues of all its lines."""
    clues = []
    for line in lines(draft.base):
        runs = groupby(draft.grid[cell] == 2 for cell in line)
        clues.append(NonogramLine(line, tuple(len([*run]) for filled, run in runs if filled)))
    return replace(draft, rules=tuple(clues))


def _kakuro(rng: random.Random, size: int, fill: Fill) -> PuzzleDraft | None:
    places = next(filter(None, (_pattern(rng, size) for _ in range(_PATTERNS))), [])
    if not places:
        return None
    base = Layout(9, (), tuple(places), name="kakuro")
    units = tuple(Unit(run, "run") for run in _runs(base))
    return _totalled(rng, PuzzleDraft(base, fill(replace(base, units=units))))


_PATTERNS = 100
"""Patterns that are tried until one has short runs only."""

_LONGEST_RUN = 5
"""The longest run of a Kakuro: sums rarely distinguish the many ways to fill longer ones."""


def _pattern(rng: random.Random, size: int) -> list[Position]:
    """Return the cells of a Kakuro: symmetric by half a turn, connected, in runs of two or more."""
    white = {(row, column) for row in range(size) for column in range(size)}
    most = min(_LONGEST_RUN, size - 1)
    for position in rng.sample(sorted(white), len(white)):
        pair = {position, (size - 1 - position[0], size - 1 - position[1])}
        if not pair <= white or (longest := _longest(white)) <= 2:
            continue
        remaining = white - pair
        if not remaining or 1 in _lengths(remaining) or not _in_one_piece(remaining):
            continue
        if longest > most or rng.random() < 0.15:
            white = remaining
    return sorted(white) if _longest(white) <= most else []


def _lengths(white: set[Position]) -> Iterator[int]:
    """Yield the lengths of all runs of cells."""
    for across in (True, False):
        for row, column in white:
            down, right = (0, 1) if across else (1, 0)
            if (row - down, column - right) not in white:
                length = 1
                while (row + length * down, column + length * right) in white:
                    length += 1
                yield length


def _longest(white: set[Position]) -> int:
    return max(_lengths(white), default=0)


def _in_one_piece(white: set[Position]) -> bool:
    layout_of_white = Layout(1, (), tuple(sorted(white)))
    return hangs_together(layout_of_white.cells, adjacent(layout_of_white))


def _runs(base: Layout) -> list[tuple[int, ...]]:
    """Return the runs of cells across and down."""
    runs = []
    near = adjacent(base)
    for line in lines(base):
        run: list[int] = []
        for cell in line:
            if run and cell not in near[run[-1]]:
                runs.append(tuple(run))
                run = []
            run.append(cell)
        runs.append(tuple(run))
    return runs


def _totalled(rng: random.Random, draft: PuzzleDraft) -> PuzzleDraft:
    """Return a filled Kakuro with the totals of its runs."""
    cages = [cage_of(rng, Killer, run, draft) for run in _runs(draft.base)]
    return replace(draft, rules=tuple(cages))


def _other_digits(draft: PuzzleDraft, cell: int) -> list[int]:
    """Return the other values that a cell of a Kakuro may have without a repeat in its runs."""
    runs = [rule.cage for rule in draft.rules if isinstance(rule, Killer) and cell in rule.cage]
    used = {draft.grid[other] for run in runs for other in run}
    return [value for value in range(1, 10) if value not in used]


def _star_battle(rng: random.Random, size: int, fill: Fill) -> PuzzleDraft | None:
    places = tuple((row, column) for row in range(size) for column in range(size))
    stars = 1 if size < _TWO_STARS else 2
    plain = Layout(2, (), places, first_value=0, name="star battle")
    rules: list[Rule] = [Contains(line, (1,) * stars, True) for line in lines(plain)]
    base = replace(plain, rules=(*rules, PairSum(neighbours(plain, corners=True), 2, True)))
    draft = PuzzleDraft(base, fill(base))
    areas = _areas(rng, draft)
    for _ in range(_PAIRINGS):
        if len(areas) == size:
            return with_areas(draft, areas)
        if (merged := _merged(rng, areas, draft)) is not None:
            return with_areas(draft, merged)
    return None


_TWO_STARS = 10
"""The size from which each line and area has two stars."""

_PAIRINGS = 50
"""Attempts to join areas of one star in pairs."""


def _areas(rng: random.Random, draft: PuzzleDraft) -> list[tuple[int, ...]]:
    """Return an area around each star: cells join an adjacent area, in random order."""
    near = adjacent(draft.base)
    area_of = {cell: cell for cell in draft.base.cells if draft.grid[cell] == 2}
    edge = sorted(area_of)
    while edge:
        cell = rng.choice(edge)
        if free := [other for other in near[cell] if other not in area_of]:
            joining = rng.choice(free)
            area_of[joining] = area_of[cell]
            edge.append(joining)
        else:
            edge.remove(cell)
    return [
        tuple(cell for cell in draft.base.cells if area_of[cell] == star)
        for star in sorted(set(area_of.values()))
    ]


def _merged(
    rng: random.Random, areas: list[tuple[int, ...]], draft: PuzzleDraft
) -> list[tuple[int, ...]] | None:
    """Return areas joined in adjacent pairs; None if one is left alone."""
    near = adjacent(draft.base)
    remaining = rng.sample(areas, len(areas))
    pairs = []
    while remaining:
        area = remaining.pop()
        around = {other_cell for cell in area for other_cell in near[cell]}
        partner = next((other for other in remaining if not around.isdisjoint(other)), None)
        if partner is None:
            return None
        remaining.remove(partner)
        pairs.append(tuple(sorted((*area, *partner))))
    return pairs


FAMILIES: Mapping[str, PuzzleFamily] = MappingProxyType(
    {
        "killer": PuzzleFamily(
            summary="a Sudoku in cages, without givens",
            sizes=range(4, 17),
            size=9,
            draft=_square("classic", "killer", given=False),
            repair=repartition_cages,
        ),
        "kenken": PuzzleFamily(
            summary="a Latin square in cages whose numbers are calculated",
            sizes=range(3, 10),
            size=6,
            draft=_kenken,
            repair=repartition_cages,
        ),
        "kakuro": PuzzleFamily(
            summary="runs of different digits with their totals",
            sizes=range(4, 13),
            size=7,
            draft=_kakuro,
            repair=with_another_value(_totalled, _other_digits),
        ),
        "futoshiki": PuzzleFamily(
            summary="a Latin square with signs between its cells",
            sizes=range(3, 10),
            size=5,
            draft=_square("latin", "greater", given=True),
            removes_rules=True,
        ),
        "skyscraper": PuzzleFamily(
            summary="a Latin square with the number of towers seen from its sides",
            sizes=range(3, 10),
            size=6,
            draft=_square("latin", "skyscraper", given=True),
            removes_rules=True,
        ),
        "takuzu": PuzzleFamily(
            summary="zeros and ones, as many of each, no three in a row, no two lines alike",
            sizes=range(4, 21, 2),
            size=8,
            draft=_takuzu,
        ),
        "nonogram": PuzzleFamily(
            summary="a picture described by the runs of its lines",
            sizes=range(3, 41),
            size=10,
            draft=_nonogram,
            repair=with_another_value(_clued, lambda draft, cell: [3 - draft.grid[cell]]),
        ),
        "star-battle": PuzzleFamily(
            summary="stars that do not touch, in each line and area one, or two from 10 on",
            sizes=range(5, 15),
            size=8,
            draft=_star_battle,
            repair=move_border,
        ),
    }
)
"""The families that ``--family`` accepts."""
