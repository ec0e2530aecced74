"""XCSP3: a board in XML, with the constraints of its rules by their own names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from unidoku.backends.languages.minizinc import steps_of
from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.clauses import Clauses, fresh_variables
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.rows import rows_of
from unidoku.core.bits import all_values, values_of
from unidoku.core.constraints.primitives import Automaton, Sum
from unidoku.core.transforms.lower import Lowered

_NEVER = "<intension> lt(c0,1) </intension>"
"""A constraint that no board satisfies, because cells hold at least 1."""


def write_xcsp3(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an XCSP3 file: cell k is ck; sums, tables and automata are kept.

    Constraints without a constraint in XCSP3 are written as clauses, with fresh variables.
    """
    layout, lowered = model.board.layout, model.lowered
    plain = [automaton for automaton in lowered.automata if _is_plain(automaton.cells)]
    others = [automaton for automaton in lowered.automata if not _is_plain(automaton.cells)]
    tables = [(constraint.cells, rows_of(constraint)) for constraint in lowered.sets]
    sets = [sets for sets, (_, rows) in zip(lowered.sets, tables, strict=True) if rows is None]
    rest = replace(
        lowered,
        relations=(),
        sums=(),
        tables=(),
        sets=tuple(sets),
        automata=tuple(others),
    )
    clauses = list(Clauses(rest))
    fresh = fresh_variables(clauses, lowered.size)
    candidates = model.narrowed.candidates
    yield from ('<instance format="XCSP3" type="CSP">', "<!--")
    yield from (comment.replace("--", "- -") for comment in model.comments())
    yield from ("-->", "<variables>")
    # The domain has all values: readers refuse tables and automata with values outside it.
    yield from (f'<var id="c{cell}"> 1..{layout.n} </var>' for cell in layout.cells)
    yield from (f'<var id="b{number}"> 0 1 </var>' for number in sorted(fresh))
    yield from ("</variables>", "<constraints>")
    for unit in layout.maximal_units:
        if len(unit.cells) > 1:
            yield f"<allDifferent> {_cells(unit.cells)} </allDifferent>"
    for relation in lowered.relations:
        for pair in relation.pairs:
            yield _extension(pair, relation.rows)
    for cells, rows in tables:
        if rows is not None:
            yield _extension(cells, rows)
    for table in lowered.tables:
        yield _extension(table.cells, table.rows)
    yield from map(_sum, lowered.sums)
    yield from (_regular(automaton, layout.n) for automaton in plain)
    for clause in (*clauses, *([-at - 1 for at in known] for known in model.known())):
        yield f"<intension> {_either([_literal(x, lowered) for x in clause])} </intension>"
    for cell, mask in enumerate(candidates):
        if mask != all_values(layout.n):
            yield _extension((cell,), [(value,) for value in values_of(mask)])
    yield from ("</constraints>", "</instance>")


def _is_plain(cells: Sequence[int]) -> bool:
    """Return whether no cell is repeated: a list of variables must not repeat one."""
    return len(set(cells)) == len(cells)


def _cells(cells: Iterable[int]) -> str:
    return " ".join(f"c{cell}" for cell in cells)


def _extension(cells: Sequence[int], rows: Iterable[Sequence[int]]) -> str:
    tuples = [",".join(map(str, row)) for row in rows]
    supports = " ".join(tuples) if len(cells) == 1 else "".join(f"({row})" for row in tuples)
    if not supports:
        return _NEVER
    return (
        f"<extension> <list> {_cells(cells)} </list> <supports> {supports} </supports> </extension>"
    )


def _sum(constraint: Sum) -> str:
    weights = " ".join(map(str, constraint.weights))
    return (
        f"<sum> <list> {_cells(constraint.cells)} </list> <coeffs> {weights} </coeffs> "
        f"<condition> (in,{constraint.low}..{constraint.high}) </condition> </sum>"
    )


def _regular(automaton: Automaton, n: int) -> str:
    steps = steps_of(automaton, n)
    moves = "".join(
        f"(q{state},{value},q{target})"
        for state, row in enumerate(ModelSize().counted(steps.rows), start=1)
        for value, target in enumerate(row, start=1)
        if target
    )
    if not moves or not steps.accepting:
        return _NEVER
    final = " ".join(f"q{state}" for state in steps.accepting)
    return (
        f"<regular> <list> {_cells(automaton.cells)} </list> <transitions> {moves} "
        f"</transitions> <start> q{steps.start} </start> <final> {final} </final> </regular>"
    )


def _literal(x: int, lowered: Lowered) -> str:
    number = abs(x)
    if number > lowered.size:
        return f"eq(b{number},{int(x > 0)})"
    cell, value = divmod(number - 1, lowered.n)
    return f"{'eq' if x > 0 else 'ne'}(c{cell},{value + 1})"


def _either(literals: Sequence[str]) -> str:
    if not literals:
        return "lt(c0,1)"
    return f"or({','.join(literals)})" if len(literals) > 1 else literals[0]
