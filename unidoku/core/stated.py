"""Layouts as puzzles state them: without what rules made of each other and of hidden cells."""

from __future__ import annotations

from dataclasses import replace

from unidoku.core.bits import mask_of
from unidoku.core.caching import layout_cache
from unidoku.core.layout import Layout, copied
from unidoku.core.rules.doubler import MULTIPLIED, PLAIN, Doubler
from unidoku.core.rules.valued import as_stated


@layout_cache(maxsize=64)
def stated(layout: Layout) -> Layout:
    """Return a layout with its rules as its puzzle states them; itself if they are.

    Rules of sums are those about digits, although they count the values of doublers, and the marks
    of doublers are left out with their hidden cells if a layout with the rule has the same ones.
    Drawings and files are made of such a layout; a solver needs the layout itself.
    """
    rules, hidden = [*map(as_stated, layout.rules)], layout.hidden
    for index, rule in enumerate(rules):
        if isinstance(rule, Doubler) and rule.marks:
            start = len(layout) + len(hidden) - len(rule.marks)
            usual = (mask_of((PLAIN, MULTIPLIED)),) * len(rule.marks)
            is_last = rule.marks == tuple(range(start, start + len(usual)))
            if is_last and hidden[-len(usual) :] == usual:
                rules[index], hidden = replace(rule, marks=()), hidden[: -len(usual)]
    if tuple(rules) == layout.rules:
        return layout
    return copied(layout, Layout, rules=tuple(rules), hidden=hidden)
