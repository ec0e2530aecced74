"""A board as clauses: DIMACS for SAT solvers, and programs for gringo and clingo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.clauses import Clauses, fresh_variables
from unidoku.backends.toolkit.cover import Cover
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.reified import Clause

_A_PART = 1 << 12
"""Number of clauses that are written between two checks of the clock."""


class _Written(NamedTuple):
    """Clauses as lines, with their number: 10 MB for 25x25 boards."""

    text: str
    clauses: int


_UNITS: Models[_Written] = Models()
"""Clauses of the units, which many boards share, unlike those of candidates and rules."""


def write_dimacs(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a DIMACS file; comments map the variables to cells and values."""
    layout, cover = model.board.layout, model.cover
    with _UNITS.lend(layout.base, None, lambda: _of_units(cover, model)) as units:
        rules, own = list(Clauses(model.lowered)), list(_own(model))
        size = model.lowered.size
        top = max(fresh_variables(rules, size), default=size)
        yield from (f"c {comment}" for comment in model.comments())
        for cell in layout.cells:
            ends = f"{cell * layout.n + 1} to {cell * layout.n + layout.n}"
            yield f"c {ends}: {layout.names[cell]} is {layout.shown[1]} to {layout.shown[-1]}"
        yield f"p cnf {top} {units.clauses + len(rules) + len(own)}"
        yield from _lines(own)
        if units.text:
            yield units.text
        yield from _lines(rules)


def _own(model: BoardModel) -> Iterator[Clause]:
    """Yield the clauses of the board and of known grids; candidate k is the variable k + 1."""
    true, false = model.decided()
    yield from ([candidate + 1] for candidate in true)
    yield from ([-candidate - 1] for candidate in false)
    yield from ([-candidate - 1 for candidate in candidates] for candidates in model.known())


def _of_units(cover: Cover, model: BoardModel) -> _Written:
    lines = list(_lines([candidate + 1 for candidate in group] for group in cover.primary))
    for a, b in cover.exclusive_pairs():
        lines.append(f"-{a + 1} -{b + 1} 0")
        if not len(lines) % _A_PART:
            model.budget.check_time()
    return _Written("\n".join(lines), len(lines))


def _lines(clauses: Iterable[Clause]) -> Iterator[str]:
    return (" ".join(map(str, [*clause, 0])) for clause in clauses)


def write_asp(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a program for gringo: ``holds(k,v)`` means that cell k holds v."""
    layout, n = model.board.layout, model.board.layout.n
    yield from (f"% {comment}" for comment in model.comments())
    yield f"cell(0..{len(layout) - 1}). value(1..{n})."
    yield "1 { holds(C,V) : value(V) } 1 :- cell(C)."
    for number, unit in enumerate(layout.maximal_units):
        yield f"in(({';'.join(map(str, unit.cells))}),{number})."
        if len(unit.cells) == n:
            yield f"full({number})."
    yield ":- holds(C,V), holds(D,V), in(C,U), in(D,U), C < D."
    yield ":- full(U), value(V), not holds(C,V) : in(C,U)."
    true, false = model.decided()
    size = model.lowered.size
    atoms = [f"holds({at // n},{at % n + 1})" for at in range(size)]
    yield from (f":- not {atoms[at]}." for at in true)
    yield from (f":- {atoms[at]}." for at in false)
    for total in model.lowered.sums:
        terms = "; ".join(
            f"{weight}*V,{index} : holds({cell},V)"
            for index, (cell, weight) in enumerate(zip(total.cells, total.weights, strict=True))
        )
        yield f":- not {total.low} <= #sum {{ {terms} }} <= {total.high}."
    clauses = list(Clauses(replace(model.lowered, sums=())))
    top = max(fresh_variables(clauses, size), default=size)
    if top > size:
        yield f"{{ b({size + 1}..{top}) }}."
    for clause in (*clauses, *([-at - 1 for at in candidates] for candidates in model.known())):
        literals = [atoms[abs(x) - 1] if abs(x) <= size else f"b({abs(x)})" for x in clause]
        broken = [
            f"not {atom}" if x > 0 else atom for x, atom in zip(clause, literals, strict=True)
        ]
        yield f":- {', '.join(broken)}."
    yield "#show holds/2."
