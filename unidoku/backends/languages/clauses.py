"""A board as clauses: DIMACS for SAT solvers, and programs for gringo and clingo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from unidoku.backends.languages.model import BoardModel, Disjunctions, bounds_of
from unidoku.backends.toolkit.clauses import Clauses, fresh_variables
from unidoku.backends.toolkit.cover import Cover
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.reified import Clause
from unidoku.core.constraints.primitives import Sum

_A_PART = 1 << 12
"""Number of clauses that are written between two checks of the clock."""


_UNITS: Models[tuple[str, int]] = Models()
"""Clauses of the units as lines, with their number: 10 MB for 25x25 boards.

Many boards share them, unlike those of candidates and rules."""


def write_dimacs(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a DIMACS file; comments map the variables to cells and values."""
    layout, cover = model.board.layout, model.cover
    with _UNITS.lend(layout.base, None, lambda: _of_units(cover, model)) as (units, number):
        fixed, by_unit = list(_own(model)), list(_by_unit(model)) if model.readable else []
        count = len(fixed) + (sum(len(c) for _, c in by_unit) or number)
        top = size = used = model.lowered.size
        rules: list[tuple[list[str], list[Clause]]] = []
        for part in model.rules(sums=False):
            numbered = Clauses(part.lowered, top=top)
            clauses = [*([-at - 1] for at in part.false), *numbered]
            top, used = numbered.top, max(fresh_variables(clauses, size), default=used)
            count += len(clauses)
            rules.append((part.comments, clauses))
        yield from (f"c {comment}" for comment in model.comments())
        for cell in layout.cells:
            ends = f"{cell * layout.n + 1} to {cell * layout.n + layout.n}"
            yield f"c {ends}: {layout.identifiers[cell]} is {layout.shown[1]} to {layout.shown[-1]}"
        yield f"p cnf {used} {count}"
        yield from (f"c {words}" for words in model.heading("the givens and pencil marks") if fixed)
        yield from _lines(fixed)
        if units and not by_unit:
            yield units
        for comments, clauses in (*by_unit, *rules):
            yield from (f"c {comment}" for comment in comments)
            yield from _lines(clauses)


def _by_unit(model: BoardModel) -> Iterator[tuple[list[str], list[Clause]]]:
    """Yield the clauses of each unit with its words; first those of cells."""
    n = model.board.layout.n
    cells = [[at + value for value in range(1, n + 1)] for at in range(0, model.lowered.size, n)]
    groups = [(["each cell has one value"], cells, cells)]
    for part in model.units():
        by_value = [
            [cell * n + value for cell in group]
            for group in part.distinct
            for value in range(1, n + 1)
        ]
        full = [group for group in by_value if len(group) == n]
        groups.append((part.comments, full, by_value))
    seen: set[tuple[int, int]] = set()
    for comments, full, apart in groups:
        model.budget.check_time()
        pairs = [pair for group in apart for pair in combinations(group, 2) if pair not in seen]
        seen.update(pairs)
        yield comments, [*full, *([-a, -b] for a, b in pairs)]


def _own(model: BoardModel) -> Iterator[Clause]:
    """Yield the clauses of the board and of known grids; candidate k is the variable k + 1."""
    true, false = model.decided()
    yield from ([candidate + 1] for candidate in true)
    yield from ([-candidate - 1] for candidate in false)
    yield from model.excluded()


def _of_units(cover: Cover, model: BoardModel) -> tuple[str, int]:
    parts = list(_lines([candidate + 1 for candidate in group] for group in cover.primary))
    count, pairs = len(parts), cover.exclusive_pairs()
    while lines := [f"-{a + 1} -{b + 1} 0" for a, b in islice(pairs, _A_PART)]:
        model.budget.check_building()
        parts.append("\n".join(lines))
        count += len(lines)
    return "\n".join(parts), count


def _lines(clauses: Iterable[Clause]) -> Iterator[str]:
    return (" ".join(map(str, [*clause, 0])) for clause in clauses)


def write_asp(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a program for gringo: ``holds(k,v)`` means that cell k holds v."""
    layout, n = model.board.layout, model.board.layout.n
    names = (
        [name.lower() for name in model.names] if model.readable else list(map(str, layout.cells))
    )
    yield from (f"% {comment}" for comment in model.comments())
    yield from (f"% {words}" for words in model.heading("each cell holds one value"))
    cells = ";".join(names) if model.readable else f"0..{len(layout) - 1}"
    yield f"cell({cells}). value(1..{n})."
    yield "1 { holds(C,V) : value(V) } 1 :- cell(C)."
    groups, ruled = 0, False
    # A clause is written as what must not hold: the negations of all its literals.
    fails = [f"not holds({name},{value})" for name in names for value in range(1, n + 1)]
    rules = Disjunctions(fails, "not b({})", lambda text: text.removeprefix("not "), ", ".join)
    for part in model.parts():
        if not part.distinct and not ruled:
            yield from (f"% {words}" for words in model.heading("cells in the same set differ"))
            yield ":- holds(C,V), holds(D,V), in(C,U), in(D,U), C < D."
            yield from (f"% {words}" for words in model.heading("each value is in each full set"))
            yield ":- full(U), value(V), not holds(C,V) : in(C,U)."
            ruled = True
        yield from (f"% {comment}" for comment in part.comments)
        for group in part.distinct:
            yield f"in(({';'.join([names[cell] for cell in group])}),{groups})."
            if len(group) == n:
                yield f"full({groups})."
            groups += 1
        for comparison, a, b in part.compared:
            left = _LEFT[comparison.kind]
            right = comparison.number if comparison.kind != "order" else "W"
            sign = _OPPOSITE[comparison.sign]
            yield f":- holds({names[a]},V), holds({names[b]},W), {left} {sign} {right}."
        decided = [*([at + 1] for at in part.true), *([-at - 1] for at in part.false)]
        yield from (f":- {broken}." for broken in rules.texts(decided))
        for total in part.lowered.sums:
            yield from _sum(total, names, model)
        first = rules.top + 1
        clauses, fresh = rules.of(replace(part.lowered, sums=()))
        if fresh:
            yield f"{{ b({first}..{fresh[-1]}) }}."
        yield from (f":- {broken}." for broken in rules.texts(clauses))
    yield from (f":- {broken}." for broken in rules.texts(model.excluded()))
    yield "#show holds/2."


_LEFT = {"order": "V", "sum": "V + W", "distance": "|V - W|"}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}


def _sum(total: Sum, names: Sequence[str], model: BoardModel) -> Iterator[str]:
    """Yield that a sum is within its bounds; each term is a value with a name of its own."""
    terms = "; ".join(
        f"{'' if weight == 1 and model.readable else f'{weight}*'}V,"
        f"{names[cell] if model.readable else index} : holds({names[cell]},V)"
        for index, (cell, weight) in enumerate(zip(total.cells, total.weights, strict=True))
    )
    if not model.readable:
        yield f":- not {total.low} <= #sum {{ {terms} }} <= {total.high}."
        return
    for sign, bound in bounds_of(total, model.board.layout.n):
        yield f":- not #sum {{ {terms} }} {sign} {bound}."
