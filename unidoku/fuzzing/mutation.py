"""Trials from a user's puzzles: the puzzles themselves, then changed givens and rules.

Each puzzle is solved once, with a limit of nodes and not of time, so that the same seed gives the
same boards on every machine. A known solution tells which givens to add, and to what number a
changed rule has to be set so that the board still has a solution.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from unidoku.backends.base import Request
from unidoku.backends.solving.solver import load
from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.core.layout import Grid, Layout
from unidoku.core.rules.base import Rule
from unidoku.core.rules.fields import CellRole, fields_of_cells
from unidoku.errors import InputError
from unidoku.testing.rules import random_rule

_SOLVER, _NODES = "native", 20_000
"""The solver of the puzzles, and its limit of nodes."""

_RULE_CHANGES = (0, 1, 1, 2, 3)
"""Numbers of changes of the rules of a board."""

_MOST_OPEN = (6, 12, 20, 30)
"""The most open cells of boards whose solution is known: such boards are decided soon."""

_SOLVED = 0.7
"""Share of the boards that have at most so many open cells."""

_FITTED = 0.7
"""Share of the changed rules whose number is set so that the known solution keeps them."""

_MOST_NUMBER = 600
"""The largest number that is tried there."""


@dataclass(frozen=True, slots=True)
class _Draft:
    """A layout that is being changed, the solution of its puzzle, and where rules come from."""

    layout: Layout
    grid: Grid | None
    others: Sequence[Board]
    kinds: Sequence[str]


def mutated_boards(
    rng: random.Random, puzzles: Sequence[Board], number: int, kinds: Sequence[str] = ()
) -> tuple[Board, ...]:
    """Return the boards of a trial: each puzzle as it is, and after them one or two changed ones.

    Args:
        rng: source of random numbers.
        puzzles: the user's puzzles.
        number: number of the trial; below the number of puzzles, that puzzle is not changed.
        kinds: the kinds of rules that may be added; by default all.
    """
    if number < len(puzzles):
        return (puzzles[number],)
    puzzle = rng.choice(puzzles)
    grid = solution_of(puzzle)
    visible = None if puzzle.layout.hidden else grid  # rules may speak of hidden cells
    draft = _Draft(puzzle.layout, visible, puzzles, kinds)
    for _ in range(rng.choice(_RULE_CHANGES)):
        draft = replace(draft, layout=_with_changed_rules(rng, draft))
    changed = Board(draft.layout, _givens(rng, puzzle, grid))
    if rng.random() < 0.2:
        return changed, Board(draft.layout, _givens(rng, puzzle, grid))
    return (changed,)


@lru_cache(maxsize=4096)
def solution_of(puzzle: Board) -> Grid | None:
    """Return a solution of a puzzle; None if it has none, or if that takes too many nodes."""
    attempt = load(_SOLVER).attempt(puzzle, Request(solutions=1, node_limit=_NODES))
    if attempt.result is None or attempt.wrong:
        return None
    return next(iter(attempt.result.solutions), None)


def _givens(rng: random.Random, puzzle: Board, grid: Grid | None) -> tuple[int, ...]:
    """Return the puzzle's candidates with some dropped, added, changed or marked."""
    full = all_values(puzzle.layout.n)
    masks = list(puzzle.candidates)
    given = [cell for cell, mask in enumerate(masks) if mask != full]
    for cell in rng.sample(given, min(len(given), rng.choice((0, 0, 1, 2, 5)))):
        masks[cell] = full
    if grid is not None:
        opened = [cell for cell, mask in enumerate(masks) if mask.bit_count() > 1]
        most = rng.choice(_MOST_OPEN) if rng.random() < _SOLVED else len(opened)
        for cell in rng.sample(opened, max(len(opened) - most, 0)):
            masks[cell] = bit(grid[cell])
    for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
        cell = rng.randrange(len(masks))
        right = bit(grid[cell]) if grid is not None else 0
        masks[cell] = rng.choice((bit(rng.randint(1, puzzle.layout.n)), rng.randint(1, full)))
        masks[cell] |= right * rng.randrange(2)
    return tuple(masks)


def _with_changed_rules(rng: random.Random, draft: _Draft) -> Layout:
    """Return the layout with one change of its rules; itself if the change does not fit."""
    changes = _CHANGES if draft.layout.rules else _ADDITIONS
    rules = rng.choice(changes)(rng, draft)
    try:
        bound = tuple(rule.bind(draft.layout) for rule in rules)
        layout = replace(draft.layout, rules=bound, name="custom")
    except InputError:  # a rule does not fit the layout or its values
        return draft.layout
    return layout


def _dropped(rng: random.Random, draft: _Draft) -> Sequence[Rule]:
    rules = list(draft.layout.rules)
    rules.pop(rng.randrange(len(rules)))
    return rules


def _doubled(rng: random.Random, draft: _Draft) -> Sequence[Rule]:
    """Return the rules with one twice: its copy is moved, or has another number or more cells."""
    rule = rng.choice(draft.layout.rules)
    change = rng.choice((_moved, _renumbered, _resized, lambda _rng, _draft, rule: rule))
    return (*draft.layout.rules, change(rng, draft, rule))


def _replaced(
    change: Callable[[random.Random, _Draft, Rule], Rule],
) -> Callable[[random.Random, _Draft], Sequence[Rule]]:
    """Return the change of one of the rules."""

    def changed(rng: random.Random, draft: _Draft) -> Sequence[Rule]:
        rules = list(draft.layout.rules)
        index = rng.randrange(len(rules))
        rules[index] = change(rng, draft, rules[index])
        return rules

    return changed


def _transplanted(rng: random.Random, draft: _Draft) -> Sequence[Rule]:
    """Return the rules with one of another puzzle, on the cells in the same places."""
    donor = rng.choice(draft.others).layout
    if not donor.rules:
        return _added(rng, draft)
    cell_at = {position: cell for cell, position in enumerate(draft.layout.positions)}
    cells = {
        cell: cell_at[position]
        for cell, position in enumerate(donor.positions)
        if position in cell_at
    }
    rule = rng.choice(donor.rules).restricted_to(cells)
    if rule is None:
        return _added(rng, draft)
    return (*draft.layout.rules, _fitted(rng, draft, rule))


def _added(rng: random.Random, draft: _Draft) -> Sequence[Rule]:
    """Return the rules with a random one."""
    kind = rng.choice(draft.kinds) if draft.kinds else ""
    length = rng.randint(2, max(2, min(2 * draft.layout.n, len(draft.layout))))
    rule = random_rule(rng, draft.layout, draft.grid, kind, length=length)
    return draft.layout.rules if rule is None else (*draft.layout.rules, rule)


def _moved(rng: random.Random, draft: _Draft, rule: Rule) -> Rule:
    """Return a rule some rows and columns away, if all its cells have cells there."""
    positions = draft.layout.positions
    if max(rule.cells, default=0) >= len(positions):  # a hidden cell has no place
        return rule
    cell_at = {position: cell for cell, position in enumerate(positions)}
    ways = [(down, right) for down in range(-2, 3) for right in range(-2, 3) if down or right]
    for down, right in rng.sample(ways, len(ways)):
        places = {c: (positions[c][0] + down, positions[c][1] + right) for c in rule.cells}
        if all(target in cell_at for target in places.values()):
            cells = [cell_at[places.get(cell, target)] for cell, target in enumerate(positions)]
            return _fitted(rng, draft, rule.moved(cells))
    return rule


def _renumbered(rng: random.Random, draft: _Draft, rule: Rule) -> Rule:
    """Return a rule with another number in one of its fields."""
    names = _numbers(rule)
    if not names:
        return rule
    name = rng.choice(names)
    by = rng.choice((-draft.layout.n, -2, -1, 1, 2, draft.layout.n))
    return _built(rule, {name: getattr(rule, name) + by})


def _resized(rng: random.Random, draft: _Draft, rule: Rule) -> Rule:
    """Return a rule with more or fewer cells in one of its lists."""
    every = fields_of_cells(type(rule)).items()
    lists = [name for name, role in every if role is not CellRole.PAIRS]
    if not lists:
        return next(rule.smaller(), rule)
    name = rng.choice(lists)
    cells = list(getattr(rule, name))
    if rng.random() < 0.5 and len(cells) > 1:
        start = rng.randrange(len(cells))
        cells = [*cells[:start], *cells[start + rng.randint(1, len(cells)) :]] or cells[:1]
    else:
        others = [cell for cell in draft.layout.cells if cell not in cells]
        index = rng.randint(0, len(cells))
        cells[index:index] = rng.sample(others, min(len(others), rng.choice((1, 1, 2, 4, 8))))
    return _fitted(rng, draft, _built(rule, {name: tuple(cells)}))


def _fitted(rng: random.Random, draft: _Draft, rule: Rule) -> Rule:
    """Return a rule, mostly with a number that the known solution keeps, if there is one."""
    if draft.grid is None or rng.random() > _FITTED or _keeps(draft, rule):
        return rule
    return next((other for other in _other_numbers(rule) if _keeps(draft, other)), rule)


def _other_numbers(rule: Rule) -> Iterator[Rule]:
    for name in _numbers(rule):
        yield from (_built(rule, {name: number}) for number in range(_MOST_NUMBER))


def _keeps(draft: _Draft, rule: Rule) -> bool:
    assert draft.grid is not None, "it is asked only of a known solution"
    return not any(True for _ in rule.broken(draft.grid, draft.layout.first_value))


def _numbers(rule: Rule) -> list[str]:
    """Return the names of the fields that hold a number."""
    return [field.name for field in fields(rule) if type(getattr(rule, field.name)) is int]


def _built(rule: Rule, changed: dict[str, object]) -> Rule:
    """Return the rule with some fields changed; itself if its kind refuses them."""
    try:
        return replace(rule, **changed)
    except InputError:
        return rule


_ADDITIONS = (_transplanted, _added)

_CHANGES = (
    _dropped,
    _doubled,
    _replaced(_moved),
    _replaced(_renumbered),
    _replaced(_renumbered),
    _replaced(_resized),
    _replaced(_resized),
    *_ADDITIONS,
)
"""The changes of rules, the usual ones twice."""
