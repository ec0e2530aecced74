"""Rules in older words, such as tables and equal sums, by the names that setters have for them.

A line of related pairs, or several equal sums, may be a `Modular` or a `Zipper` line. Writers of
drawings and links ask here, so that such a rule gets its picture, its sentence and its key.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain, combinations, pairwise
from typing import TypeAlias

from unidoku.core import rules
from unidoku.core.constraints.primitives import alike, tabulated
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.core.rules.equal_sums import cut_at_regions
from unidoku.errors import LayoutError

_NearbyCells: TypeAlias = rules.Nabner | rules.Parity | rules.Modular | rules.Entropic


def named(layout: Layout) -> Layout:
    """Return a layout whose rules have names of their own where they can, with the same meaning.

    >>> from unidoku.core.variants import layout
    >>> four = layout("classic", 4)
    >>> odd_then_even = rules.Pairs(((0, 1), (1, 2)), lambda a, b: (a + b) % 2, "alternate")
    >>> named(replace(four, rules=(odd_then_even,))).rules
    (Parity(line=(0, 1, 2)),)
    """
    lines = _lines_of_sums(layout)
    rules = [lines.get(rule) or _named(layout, rule) for rule in layout.rules]
    same = [*layout.rules] == rules
    return layout if same else replace(layout, rules=tuple(dict.fromkeys(rules)))


def _named(layout: Layout, rule: Rule) -> Rule:
    """Return a rule with a name of its own, if it has one without others."""
    match rule:
        case rules.Pairs():
            return _of_pairs(layout, rule)
        case rules.AnyOf():
            return arrows_named(rule)
    return rule


def arrows_named(rule: rules.AnyOf) -> Rule:
    """Return the line of which one cell holds the sum that arrows express; the rule if none.

    >>> arrows = (rules.Arrow((0,), (1, 2)),), (rules.Arrow((2,), (0, 1)),)
    >>> arrows_named(rules.AnyOf(arrows))
    AmbiguousArrow(line=(0, 1, 2), ends=True)
    """
    arrows = [
        arrow for (arrow, *others) in rule.branches if isinstance(arrow, rules.Arrow) and not others
    ]
    if len(arrows) == len(rule.branches) > 1 and {len(arrow.circle) for arrow in arrows} == {1}:
        ways = sorted((*arrow.circle, *sorted(arrow.shaft)) for arrow in arrows)
        for ends in (False, True):
            line = rules.AmbiguousArrow((*arrows[0].circle, *arrows[0].shaft), ends)
            if ways == sorted((cell, *sorted(others)) for cell, others in line.ways):
                return line
    return rule


def is_default(layout: Layout, rule: Rule, *names: str) -> bool:
    """Return whether some fields of a rule have the values that its layout gives them."""
    defaults = {field.name: field.default for field in fields(rule) if field.name in names}
    with contextlib.suppress(LayoutError):
        return replace(rule, **defaults).bind(layout) == rule
    return False


def is_path(layout: Layout, cells: Sequence[int]) -> bool:
    """Return whether each cell touches the one before, so that a line through them is clear."""
    if max(cells, default=0) >= len(layout):
        return False
    places = [layout.positions[cell] for cell in cells]
    return all(max(abs(a - c), abs(b - d)) == 1 for (a, b), (c, d) in pairwise(places))


def _of_pairs(layout: Layout, rule: rules.Pairs) -> Rule:
    """Return the line or the clone that a table of pairs expresses; the rule itself if none."""
    cells = tuple(dict.fromkeys(chain(*rule.pairs)))
    if len(cells) > 1 and is_path(layout, cells):
        for line in _lines(layout, cells):
            table = tabulated(layout.n, line.holds, layout.first_value)
            pairs = tuple(dict.fromkeys(line.related_pairs()))
            if (pairs, table) == (rule.pairs, rule.related):
                return line
    if rule.pairs and rule.related == alike(layout.n):
        return rules.Clone(*zip(*rule.pairs, strict=True))
    return rule


def _lines(layout: Layout, cells: tuple[int, ...]) -> Iterator[_NearbyCells]:
    """Yield the lines whose nearby cells may be related."""
    yield rules.Nabner(cells)
    yield rules.Parity(cells)
    for modulus in range(2, min(layout.n, len(cells)) + 1):
        yield rules.Modular(cells, modulus)
    yield rules.Entropic(cells).bind(layout)


def _lines_of_sums(layout: Layout) -> Mapping[Rule, Rule]:
    """Return the line to which each rule of equal sums belongs, if it belongs to any.

    Sums of whole units are on no line.
    """
    units = {unit.cells for unit in layout.units}
    sums = [
        rule
        for rule in layout.rules
        if isinstance(rule, rules.SameSum)
        and not {tuple(sorted(rule.summed)), tuple(sorted(rule.other))} <= units
    ]
    line_of: dict[Rule, Rule] = {}
    for rule in sums:
        if rule not in line_of and max(rule.cells) < len(layout):
            for line, members in _lines_from(layout, rule, sums):
                is_line = is_path(layout, line.line) and len({*line.line}) == len(line.line)
                if is_line and {*members} <= {*sums}:
                    line_of |= dict.fromkeys(members, line)
                    break
    return line_of


def _lines_from(
    layout: Layout, rule: rules.SameSum, sums: Sequence[rules.SameSum]
) -> Iterator[tuple[rules.RegionSum | rules.Zipper | rules.DoubleArrow, Sequence[rules.SameSum]]]:
    """Yield the lines that a rule may begin, and all rules of each."""
    parts = [rule.summed, rule.other]
    for other in (other for other in sums if other.summed == parts[0]):
        if other.other not in parts and is_path(layout, parts[-1][-1:] + other.other[:1]):
            parts.append(other.other)
    line = tuple(chain(*parts))
    region_of = {cell: region.cells for region in layout.regions for cell in region.cells}
    if [*map(tuple, cut_at_regions(line, region_of))] == parts:
        members = [rules.SameSum(a, b) for a, b in combinations(parts, 2)]
        yield rules.RegionSum(line, tuple(map(len, parts))), members
    pairs = [rule.summed, *[other.other for other in sums if other.summed == rule.summed]]
    centre = pairs.pop(0) if len(rule.summed) == 1 else ()
    if len(pairs) > 1 and {*map(len, pairs)} == {2}:
        line = (*[pair[0] for pair in pairs], *centre, *[pair[1] for pair in pairs[::-1]])
        first, *others = rules.Zipper(line).groups()
        yield rules.Zipper(line), [rules.SameSum(first, other) for other in others]
    for ends, inside in ((rule.summed, rule.other), (rule.other, rule.summed)):
        if len(ends) == 2:
            yield rules.DoubleArrow((*ends[:1], *inside, *ends[1:])), [rule]
