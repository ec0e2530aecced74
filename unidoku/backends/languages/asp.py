"""Answer-set programs: a board as the input of gringo and clingo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.clauses import Clauses


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
    top = max(size, max(map(abs, chain.from_iterable(clauses)), default=0))
    if top > size:
        yield f"{{ b({size + 1}..{top}) }}."
    for clause in (*clauses, *([-at - 1 for at in candidates] for candidates in model.known())):
        literals = [atoms[abs(x) - 1] if abs(x) <= size else f"b({abs(x)})" for x in clause]
        broken = [
            f"not {atom}" if x > 0 else atom for x, atom in zip(clause, literals, strict=True)
        ]
        yield f":- {', '.join(broken)}."
    yield "#show holds/2."
