"""Changes to a draft that has a second solution: a cage is cut, a cell or a border changes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from unidoku.core.cells import adjacent
from unidoku.core.layout import Grid
from unidoku.core.regions import hangs_together
from unidoku.core.rules import Contains, KenKen, Killer, Rule
from unidoku.generation.ruled.draft import DraftOracle, PuzzleDraft, apart
from unidoku.generation.ruled.places import cut

Repair: TypeAlias = Callable[[random.Random, PuzzleDraft, Sequence[Grid]], PuzzleDraft | None]
"""Returns a draft that some of these further solutions may not solve; None if there is none."""

_TRIES = 300
"""Changes after which a draft is given up."""

_OTHERS = 8
"""Further solutions that are examined, to see which cells are undetermined."""

_LARGEST = 5
"""The most cells of a cage that another cage may join."""

_DETOURS = 0.1
"""Share of changes for the worse that are kept: without them, most drafts reach a dead end."""


def repaired(
    draft: PuzzleDraft, repair: Repair, oracle: DraftOracle, rng: random.Random
) -> PuzzleDraft | None:
    """Change a draft until its grid is the only solution; None if that does not succeed.

    A cell is undetermined if some of the further solutions found differ there from the grid. A
    change is kept if it leaves no more undetermined cells than before, if it only adds a clue about
    the same grid, or, now and then, at random.

    Raises:
        UndecidedError: the oracle did not decide in time.
        TimeLimitError, WrongAnswerError: as `DraftOracle.others`.
    """
    others = oracle.others(draft, _OTHERS)
    for _ in range(_TRIES):
        if not others:
            return draft
        trial = repair(rng, draft, others)
        if trial is None:
            return None
        solutions = oracle.others(trial, _OTHERS)
        says_more = len(trial.rules) > len(draft.rules)
        better = len(apart(trial.grid, solutions)) <= len(apart(draft.grid, others))
        if says_more or better or rng.random() < _DETOURS:
            draft, others = trial, solutions
    return None


def cage_of(
    rng: random.Random, kind: type[Rule], cage: tuple[int, ...], draft: PuzzleDraft
) -> Rule:
    """Return a cage of a kind that the grid of a draft obeys."""
    numbers = [draft.base.number(draft.grid[cell]) for cell in cage]
    if kind is Killer:
        return Killer(cage, sum(numbers))
    return rng.choice([*_calculated(cage, numbers)])


def _calculated(cage: tuple[int, ...], numbers: list[int]) -> Iterator[KenKen]:
    """Yield the possible numbers of a cage: for two cells, differences and ratios first."""
    product = 1
    for number in numbers:
        product *= number
    if len(cage) == 2:
        low, high = sorted(numbers)
        yield KenKen(cage, high - low, "-")
        if low and high % low == 0:
            yield KenKen(cage, high // low, "/")
    yield KenKen(cage, sum(numbers), "+")
    if len(cage) > 1:
        yield KenKen(cage, product, "*")


def _cages(draft: PuzzleDraft) -> list[Killer | KenKen]:
    return [rule for rule in draft.rules if isinstance(rule, Killer | KenKen)]


def repartition_cages(
    rng: random.Random, draft: PuzzleDraft, others: Sequence[Grid]
) -> PuzzleDraft | None:
    """Cut a cage so that one of its parts excludes another solution; large cages first."""
    near = adjacent(draft.base)
    other = rng.choice(others)
    differ, first = set(apart(draft.grid, [other])), draft.base.first_value
    cages = [rule for rule in _cages(draft) if not differ.isdisjoint(rule.cage)]
    for rule in sorted(rng.sample(cages, len(cages)), key=lambda rule: -len(rule.cage)):
        for parts in cut(rng, rule.cage, near):
            smaller = [cage_of(rng, type(rule), part, draft) for part in parts]
            if any([*part.broken(other, first)] for part in smaller):
                remaining = [other_rule for other_rule in draft.rules if other_rule is not rule]
                return replace(draft, rules=(*remaining, *smaller))
    return None


def with_few_singles(draft: PuzzleDraft, oracle: DraftOracle, rng: random.Random) -> PuzzleDraft:
    """Join cages of one cell with an adjacent cage, as long as the draft stays unique.

    Raises:
        TimeLimitError, WrongAnswerError: as `DraftOracle.others`.
    """
    near = adjacent(draft.base)
    for single in [rule for rule in _cages(draft) if len(rule.cage) == 1]:
        if single not in draft.rules:  # it has been joined to another cage
            continue
        (cell,) = single.cage
        hosts = [rule for rule in _cages(draft) if not set(near[cell]).isdisjoint(rule.cage)]
        for host in rng.sample(hosts, len(hosts)):
            values = [draft.grid[other] for other in host.cage]
            if len(values) >= _LARGEST or (type(host) is Killer and draft.grid[cell] in values):
                continue
            cage = cage_of(rng, type(host), tuple(sorted((*host.cage, cell))), draft)
            remaining = [rule for rule in draft.rules if rule is not single and rule is not host]
            trial = replace(draft, rules=(*remaining, cage))
            if oracle.unique(trial):
                draft = trial
                break
    return draft


def with_another_value(
    place_again: Callable[[random.Random, PuzzleDraft], PuzzleDraft],
    fits: Callable[[PuzzleDraft, int], list[int]],
) -> Repair:
    """Return a function that changes a cell where two solutions differ, and adds rules again.

    Args:
        place_again: adds rules to a draft whose grid has changed.
        fits: returns the other values that a cell may hold.
    """

    def repair(
        rng: random.Random, draft: PuzzleDraft, others: Sequence[Grid]
    ) -> PuzzleDraft | None:
        cells = apart(draft.grid, others)
        for cell in rng.sample(cells, len(cells)):
            if values := fits(draft, cell):
                grid = [*draft.grid]
                grid[cell] = rng.choice(values)
                return place_again(rng, replace(draft, grid=tuple(grid)))
        return None

    return repair


def move_border(
    rng: random.Random, draft: PuzzleDraft, others: Sequence[Grid]
) -> PuzzleDraft | None:
    """Move the star of another solution, with its cell, to the adjacent area."""
    near = adjacent(draft.base)
    area_of = {cell: index for index, area in enumerate(draft.base.areas) for cell in area}
    open_ones = [cell for cell in apart(draft.grid, others) if draft.grid[cell] == 1]
    rest = [cell for cell in draft.base.cells if draft.grid[cell] == 1]
    for cell in (*rng.sample(open_ones, len(open_ones)), *rng.sample(rest, len(rest))):
        old = area_of[cell]
        remaining = set(draft.base.areas[old]) - {cell}
        beyond = sorted({area_of[neighbour] for neighbour in near[cell]} - {old})
        if beyond and hangs_together(remaining, near):
            new = rng.choice(beyond)
            areas = [set(area) for area in draft.base.areas]
            areas[old].discard(cell)
            areas[new].add(cell)
            return with_areas(draft, [tuple(sorted(area)) for area in areas])
    return None


def with_areas(draft: PuzzleDraft, areas: list[tuple[int, ...]]) -> PuzzleDraft:
    """Return a draft with other areas: each holds as many stars as the grid has in it."""
    areas = sorted(areas)
    stars = [sum(draft.grid[cell] == 2 for cell in area) for area in areas]
    rules = [Contains(area, (1,) * count, True) for area, count in zip(areas, stars, strict=True)]
    return replace(draft, base=replace(draft.base, areas=tuple(areas)), rules=tuple(rules))
