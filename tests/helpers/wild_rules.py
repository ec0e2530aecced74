"""Rules of every kind whose fields are drawn blindly, on small layouts of odd shapes.

Groups are empty, of one cell, or name a cell twice; numbers are small, sums of values, or extreme.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from functools import cache
from itertools import product
from typing import Any, get_args, get_type_hints

from unidoku import Board, Layout, LayoutError
from unidoku.core.rules import Rule
from unidoku.core.rules.base import KINDS
from unidoku.core.rules.cages import KenKen
from unidoku.core.rules.disjunction import Branches
from unidoku.core.rules.fields import CellRole, fields_of_cells

LARGEST = 99_999
"""The largest number in a rule: solvers of other makers calculate with doubles."""

MOST_GRIDS = 1100
"""Boards are so small that all their grids are tried."""

hints_of = cache(get_type_hints)
"""The types of the fields of a class, which take Python a millisecond."""


def wild_layout(chance: random.Random) -> Layout:
    """Return a layout without rules: rows and columns, some of whose cells may not exist."""
    n = chance.choice((1, 2, 2, 3, 3, 4, 5))
    rows, columns = chance.randint(1, 3), chance.randint(1, 6)
    every = list(product(range(rows), range(columns)))
    size = chance.randint(1, len(every))
    while n**size > MOST_GRIDS:
        size -= 1
    positions = tuple(sorted(chance.sample(every, size)))
    units = [
        chance.sample(range(size), chance.randint(1, min(n, size)))
        for _ in range(chance.choice((0, 0, 1, 2)))
    ]
    first_value = chance.choice((0, 0, 0, 1, 1, 2, 7, 999))
    return Layout.from_units(n, units, positions=positions, first_value=first_value)


def wild_board(chance: random.Random, *kinds: str) -> Board:
    """Return a board with some rules, one of each of these kinds and of others."""
    plain = wild_layout(chance)
    others = chance.choices(list(KINDS), k=chance.choice((0, 0, 1, 2)))
    rules = [rule for kind in (*kinds, *others) if (rule := wild_rule(chance, plain, kind))]
    layout = plain
    for rule in rules:
        with suppress(LayoutError):  # two rules of doublers
            layout = replace(layout, rules=(*layout.rules, rule))
    values = range(1, layout.n + 1)
    candidates = [
        set(chance.sample(values, chance.randint(1, layout.n)) if chance.random() < 0.2 else values)
        for _ in layout.cells
    ]
    return Board.from_candidates(layout, candidates)


def wild_rule(chance: random.Random, layout: Layout, kind: str, tries: int = 200) -> Rule | None:
    """Return a rule that the kind and the layout accept, None if none of so many is."""
    for _ in range(tries):
        drawn = _Fields(chance, layout)
        try:
            rule = KINDS[kind](**drawn.of(KINDS[kind]))
            lacking = rule.bind(layout).hidden_domains(layout)
        except LayoutError:
            continue
        if not lacking:  # grids have no hidden cells
            return rule
    return None


class _Fields:
    """Draws the fields of a rule, of which many must be of one length."""

    def __init__(self, chance: random.Random, layout: Layout) -> None:
        self.chance, self.layout = chance, layout
        self.length = chance.choice((0, 1, 1, 2, 2, 3, 3, 4, 5))
        self.repeats = chance.random() < 0.3
        self.values = [layout.first_value + chance.randrange(layout.n) for _ in layout.cells]

    def of(self, kind: type[Rule]) -> dict[str, Any]:
        """Return values of all fields, or of those that have no default and some others."""
        hints, cells = hints_of(kind), fields_of_cells(kind)
        wanted = [
            f
            for f in fields(kind)
            if f.default is MISSING or f.name == "marks" or self.chance.random() < 0.6
        ]
        return {
            f.name: self.cells_of(cells[f.name], f.name in kind.single)
            if f.name in cells
            else self.field(kind, f.name, hints[f.name])
            for f in wanted
        }

    def cells_of(self, role: CellRole, single: bool) -> tuple[Any, ...]:
        if role is not CellRole.PAIRS:
            return self.cells(1 if single else self.long())
        pairs = [self.cells(2) for _ in range(self.chance.randrange(4))]
        return tuple(pair for pair in pairs if len(set(pair)) == 2)

    def long(self) -> int:
        return self.length if self.chance.random() < 0.8 else self.chance.randrange(6)

    def cells(self, length: int) -> tuple[int, ...]:
        every = range(len(self.layout))
        if self.repeats:
            return tuple(self.chance.choices(every, k=length))
        return tuple(self.chance.sample(every, min(length, len(every))))

    def field(self, kind: type[Rule], name: str, hint: Any) -> Any:
        """Return a value of a field that does not hold cells, by its name or by its type."""
        chance, layout = self.chance, self.layout
        match name:
            case "sign":
                return chance.choice(("=", "!=", "<=", ">="))
            case "by" if kind is KenKen:
                return chance.choice("+-*/")
            case "name":
                return "own"
            case "text" | "colour":
                return ""
            case "of":
                return chance.choice(("row", "column", "box"))
            case "parts":
                return chance.choice((None, self.parts()))
            case "related":
                return tuple(chance.randrange(1 << layout.n) for _ in range(layout.n))
            case "start" | "accept":
                return tuple(chance.sample(range(3), chance.randint(0, 3)))
            case "step":
                shown = range(layout.first_value, layout.first_value + layout.n)
                every = list(product(range(3), shown, range(3)))
                return tuple(chance.sample(every, chance.randint(0, len(every))))
            case "classes":
                values = chance.sample(
                    range(layout.first_value - 1, layout.first_value + layout.n + 1), 2
                )
                return (
                    tuple((value,) for value in values)
                    if chance.random() < 0.5
                    else (tuple(values),)
                )
            case "blocks":
                return tuple(chance.randrange(1, 3) for _ in range(chance.randrange(3)))
            case "rank":
                return chance.randrange(4)
            case "columns":
                return chance.randint(0, 4)
            case "high" | "filled":
                return chance.choice((None, self.number()))
            case "count":
                return chance.choice((None, chance.randrange(5)))
        if hint == Branches:
            return tuple(self.branch() for _ in range(chance.randint(1, 3)))
        if hint is bool:
            return chance.random() < 0.5
        if hint in (int, int | None):
            return None if hint is not int and chance.random() < 0.2 else self.number()
        assert get_args(hint) == (int, ...), f"{kind.kind}: {name}: {hint}"
        return tuple(self.number() for _ in range(self.long()))

    def parts(self) -> tuple[int, ...]:
        """Return numbers that mostly add up to the length of a line."""
        cut = self.chance.randint(0, self.length)
        return tuple(part for part in (cut, self.length - cut) if part)

    def branch(self) -> tuple[Rule, ...]:
        kinds = self.chance.choices(list(KINDS), k=self.chance.randint(1, 2))
        rules = [wild_rule(self.chance, self.layout, kind, 20) for kind in kinds]
        return tuple(rule for rule in rules if rule is not None)

    def number(self) -> int:
        """Return a number that values give, one that is almost that, or any."""
        chance, layout = self.chance, self.layout
        drawn = chance.choices(self.values, k=chance.randrange(4))
        product_of_some = 1
        for value in drawn[:2]:
            product_of_some *= value
        largest = layout.first_value + layout.n - 1
        given = chance.choice(
            (
                sum(drawn),
                sum(drawn),
                product_of_some,
                chance.choice(self.values),
                self.length * largest,
            )
        )
        small = chance.randrange(6)
        return chance.choice(
            (
                given,
                given,
                given,
                given,
                given + 1,
                given - 1,
                small,
                small,
                0,
                -given,
                chance.choice((LARGEST, -LARGEST, 1000, 12_345)),
            )
        )
