"""Random rules of every kind, which a given grid satisfies."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod

from unidoku.core import rules
from unidoku.core.layout import Grid, Layout
from unidoku.core.rules import Rule
from unidoku.errors import LayoutError
from unidoku.testing import rule_makers
from unidoku.testing.rule_cells import Ints, random_length, suited_cells

_MEETS = 0.1
"""Share of rules that contain a cell twice, like a line that meets itself."""

_TRIES = 20
"""Attempts to find cells with a rule that the grid satisfies."""

_LONG_TRIES = 12
"""Number of these attempts that have the requested length, if it is long; the rest are short."""


def with_rules(
    rng: random.Random,
    layout: Layout,
    grid: Grid | None,
    most: int = 4,
    *,
    longest: int = rule_makers.SHORT,
    kinds: Sequence[str] = (),
) -> Layout:
    """Return the layout with some random rules added, all of which the grid satisfies.

    Args:
        rng: source of random numbers.
        layout: the layout, whose own rules stay.
        grid: values of all cells, 1 to n, that satisfy the added rules. If None, each rule is made
            for other random values, so that the rules together may have no solution.
        most: largest number of added rules; at least one is tried.
        longest: largest number of cells of a rule, at least 2; short rules are more frequent.
        kinds: kinds that are drawn from, of `RULE_KINDS`; by default all.
    """
    drawn = []
    for _ in range(rng.randint(1, most)):
        kind = rng.choice(kinds or list(RULE_KINDS))
        long = longest > rule_makers.SHORT
        length = random_length(rng, longest, kind, layout.n) if long else None
        drawn.append(random_rule(rng, layout, grid, kind, length=length))
    return _together(layout, grid, [rule for rule in drawn if rule is not None])


def _together(layout: Layout, grid: Grid | None, added: Sequence[Rule]) -> Layout:
    """Return the layout with rules; without doublers if the grid does not satisfy all with them."""
    others = [rule for rule in added if not isinstance(rule, rules.Doubler)]
    for chosen in (added, others):
        try:
            ruled = replace(layout, rules=(*layout.rules, *chosen), name="custom")
        except LayoutError:  # two rules of doublers
            continue
        if grid is None or len(chosen) == len(others) or not any(True for _ in ruled.broken(grid)):
            return ruled
    return layout


def random_rule(
    rng: random.Random,
    layout: Layout,
    grid: Grid | None = None,
    kind: str = "",
    *,
    length: int | None = None,
) -> Rule | None:
    """Return a random rule of a layout of two cells or more.

    Args:
        rng: source of random numbers.
        layout: the layout.
        grid: values of all cells, 1 to n, that satisfy the rule; random values if None.
        kind: one of `RULE_KINDS`; any of them if empty.
        length: requested number of cells; a few by default. The rule has fewer if the kind allows
            no more, or if no rule of that length is found that the grid satisfies.

    Returns:
        The rule; None if none of the kind is found that the grid satisfies.
    """
    if len(layout) < 2:
        return None
    kind = kind or rng.choice(list(RULE_KINDS))
    make = RULE_KINDS[kind]
    # Tables are about internal values, all other rules about displayed ones.
    shift = 0 if kind == "pairs" else layout.first_value - 1
    for attempt in range(_TRIES):
        of_cells = grid or [rng.randint(1, layout.n) for _ in layout.cells]
        values = tuple([value + shift for value in of_cells])
        if length is None or attempt >= _LONG_TRIES:
            cells = rng.sample(layout.cells, rng.randint(2, min(rule_makers.SHORT, len(layout))))
        else:
            cells = suited_cells(rng, layout, values, kind, min(length, len(layout)))
        if rng.random() < _MEETS:
            first, other = rng.sample(range(len(cells)), 2)
            cells[first] = cells[other]
        try:
            cell_values = tuple([values[cell] for cell in cells])
            rule = make(rng, tuple(cells), cell_values, layout.n).bind(layout)
        except LayoutError:  # the kind takes each cell once
            continue
        if grid is None or not any(True for _ in rule.broken(grid, layout.first_value)):
            return rule
    return None


def _any_of(rng: random.Random, cells: Ints, values: Ints, n: int) -> Rule:
    """Return branches of rules on the cells; the values satisfy the first branch."""
    # Tables are about internal values, and nested branches need to be rare.
    unfit = {"pairs"} if rng.random() < 0.2 else {"pairs", "any-of"}
    kinds = [make for kind, make in RULE_KINDS.items() if kind not in unfit]
    branches: list[tuple[Rule, ...]] = []
    for _ in range(rng.randint(2, 3)):
        branch_values = tuple([rng.randint(1, n) for _ in values]) if branches else values
        branch = [rng.choice(kinds)(rng, cells, branch_values, n) for _ in range(rng.randint(1, 2))]
        branches.append(tuple(branch))
    return rules.AnyOf(tuple(branches))


RULE_KINDS: Mapping[str, Callable[[random.Random, Ints, Ints, int], Rule]] = {
    "non-consecutive": lambda rng, cells, values, n: rules.NonConsecutive(
        rule_makers.neighbour_pairs(cells)
    ),
    "greater": rule_makers.greater,
    "difference": rule_makers.difference,
    "ratio": rule_makers.ratio,
    "pair-sum": rule_makers.pair_sum,
    "pairs": rule_makers.pairs,
    "thermo": rule_makers.thermo,
    "slow-thermo": lambda rng, cells, values, n: rules.SlowThermo(
        rule_makers.ends_first(cells, values)
    ),
    "parity": rule_makers.near_each_other(lambda line, rng, n: rules.Parity(line)),
    "modular": rule_makers.near_each_other(
        lambda line, rng, n: rules.Modular(line, rng.choice((2, 3, 3, 4)))
    ),
    "entropic": rule_makers.near_each_other(rule_makers.entropic),
    "nabner": rule_makers.near_each_other(lambda line, rng, n: rules.Nabner(line)),
    "whisper": lambda rng, cells, values, n: rules.Whispers(
        cells, min(abs(a - b) for a, b in pairwise(values)) or 1
    ),
    "palindrome": lambda rng, cells, values, n: rules.Palindrome(cells),
    "renban": rule_makers.renban,
    "killer": lambda rng, cells, values, n: rules.Killer(
        cells, None if rng.random() < 0.1 else sum(values)
    ),
    "sum": lambda rng, cells, values, n: rules.SumOfCells(
        (*cells, cells[0]) if (twice := rng.random() < 0.2) else cells,
        sum(values) + twice * values[0],
    ),
    "arrow": rule_makers.arrow,
    "same-sum": rule_makers.same_sum,
    "region-sum": rule_makers.region_sum,
    "zipper": rule_makers.zipper,
    "double-arrow": rule_makers.double_arrow,
    "ambiguous-arrow": rule_makers.ambiguous_arrow,
    "product-line": lambda rng, cells, values, n: rules.ProductLine(cells, prod(values)),
    "product": lambda rng, cells, values, n: rules.Product(cells, prod(values)),
    "kenken": rule_makers.kenken,
    "weighted-sum": rule_makers.weighted_sum,
    "equality-cage": lambda rng, cells, values, n: rules.EqualityCage(
        cells[: len(cells) // 2 * 2], max(values) + rng.randrange(2)
    ),
    "rellik": rule_makers.rellik,
    "hits": rule_makers.hits,
    "counting-circles": rule_makers.counting_circles,
    "count-distinct": rule_makers.count_distinct,
    "differ-where": lambda rng, cells, values, n: rules.DifferWhere(
        (cells[0],), rng.choice(values), cells[1:]
    ),
    "sum-line": rule_makers.sum_line,
    "flatmates": rule_makers.flatmates,
    "full-rank": rule_makers.full_rank,
    "hidden-skyscraper": lambda rng, cells, values, n: rules.HiddenSkyscraper(
        cells, rule_makers.hidden_height(values)
    ),
    "contains": lambda rng, cells, values, n: rules.Contains(
        cells, tuple(rng.sample(values, rng.randint(1, 2))), rng.random() < 0.3
    ),
    "between": lambda rng, cells, values, n: rules.Between(rule_makers.ends_first(cells, values)),
    "lockout": lambda rng, cells, values, n: rules.Lockout(cells, abs(values[0] - values[-1])),
    "no-three-equal": lambda rng, cells, values, n: rules.NoThreeEqual(cells),
    "lines-differ": lambda rng, cells, values, n: rules.LinesDiffer(*rule_makers.halves(cells)),
    "index": rule_makers.index,
    "indexed": rule_makers.indexed,
    "line": rule_makers.line,
    "sandwich": rule_makers.sandwich,
    "x-sum": lambda rng, cells, values, n: rules.XSum(cells, sum(values[: values[0]])),
    "battlefield": rule_makers.battlefield,
    "skyscraper": lambda rng, cells, values, n: rules.Skyscraper(cells, rule_makers.seen(values)),
    "numbered-room": rule_makers.numbered_room,
    "nonogram": rule_makers.nonogram,
    "holds": rule_makers.holds,
    "odd": rule_makers.of_parity(rules.Odd),
    "even": rule_makers.of_parity(rules.Even),
    "minimum": rule_makers.extreme(rules.Minimum),
    "maximum": rule_makers.extreme(rules.Maximum),
    "clone": rule_makers.clone,
    "taxicab": lambda rng, cells, values, n: rules.Taxicab(
        cells,
        rng.randint(1, len(cells)),
        rng.choice((None, None, 1, 2, 3)),
        (rng.choice(values),) if rng.random() < 0.3 else (),
    ),
    "same-values": rule_makers.same_values,
    "lunchbox": rule_makers.lunchbox,
    "connected": rule_makers.connected,
    "chaos-construction": rule_makers.chaos,
    "doubler": rule_makers.doubler,
    "region-count": rule_makers.of_a_region(rules.RegionCount),
    "region-run": rule_makers.of_a_region(rules.RegionRun),
    "any-of": _any_of,
}
"""The kinds of rules, each with its maker from cells and their values."""

KNOWN_SUMS: tuple[tuple[Rule, ...], ...] = (
    (rules.Killer((0, 1, 2), 7), rules.Killer((3, 4, 5), 8)),
    (rules.SumOfCells((1, 2, 5), 9), rules.Arrow((4,), (0, 5)), rules.Killer((0, 2), 5)),
    (rules.SumOfCells((0, 0, 4, 5, 3), 12), rules.Renban((2, 3, 4)), rules.Killer((0, 4))),
    (rules.Arrow((0, 1), (2, 3, 4, 5)), rules.SumOfCells((5,), 3)),
)
"""Rules of six cells in a row and four values that have solutions."""

IMPOSSIBLE_SUMS: tuple[tuple[Rule, ...], ...] = (
    (rules.Killer((0, 1, 2), 5),),
    (rules.SumOfCells((1, 4, 5), 13),),
    (rules.SumOfCells((5,), 5),),
    (rules.Killer((0, 1), 4), rules.Killer((0, 1), 5)),
)
"""The same without solutions."""
