"""How large the numbers in the sums of a layout become, and which backends support that.

Solvers compute with 32 or 64 bits, or with floats and tolerances. What they add up are the weighted
sums of `unidoku.core.constraints.primitives.Sum`; all other constraints are sets, tables and
machines of values from 1 to n, however large the numbers of a rule are. A sum reaches its weights
times n, added up without their signs: nothing that is computed from it on the way is larger, and
simplified bounds are not either.
"""

from __future__ import annotations

from unidoku.core.caching import layout_cache
from unidoku.core.constraints.operations import with_parts
from unidoku.core.constraints.primitives import Or, Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.simplify import Simplified, simplified, simplify
from unidoku.support.text import listed


@layout_cache(maxsize=64)
def reach_of(layout: Layout) -> int:
    """Return the largest number that a sum of a layout reaches, 0 if it has no sums.

    >>> from unidoku import Layout, WeightedSum
    >>> rule = WeightedSum((0, 1, 2), (100, -10, 1), 300)
    >>> reach_of(Layout.from_units(6, [], shape=(1, 3), rules=[rule]))
    666

    Args:
        layout: a layout without hidden cells, or an expanded one.
    """
    if not layout.rules:
        return 0
    return _reach(simplified(layout), layout.n)


def larger_sums(most: int | None, layout: Layout) -> str:
    """Return which rules have sums that reach more than a number; empty if none do.

    Args:
        most: the number; None for no limit.
        layout: as for `reach_of`.
    """
    return _larger(most, layout) if most is not None and reach_of(layout) > most else ""


@layout_cache(maxsize=64)
def _larger(most: int, layout: Layout) -> str:
    kinds = {
        repr(rule.kind)
        for rule in layout.rules
        if _reach(simplify(layout, rule.constraints(layout)), layout.n) > most
    }
    those = f"those of {listed(sorted(kinds))}" if kinds else "deduced ones"
    reach = reach_of(layout)
    number = f"{reach:,}" if reach < 10**30 else "more than 10^30"
    return f"supports sums of up to {most:,}, {those} reach {number}"


def _reach(simple: Simplified, n: int) -> int:
    of_kind = simple.of_kind
    weights = {total.weights for total in of_kind[Sum]} if Sum in of_kind else set()
    if alternatives := of_kind.get(Or):
        weights |= {total.weights for total in with_parts(alternatives) if isinstance(total, Sum)}
    return n * max([sum(map(abs, each)) for each in weights], default=0)
