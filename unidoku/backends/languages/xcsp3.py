"""XCSP3: a board in XML, with the constraints of its rules by their own names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unidoku.backends.languages.minizinc import steps_of
from unidoku.backends.languages.model import (
    BoardModel,
    Comparison,
    Disjunctions,
    for_clauses,
    rows_of_cells,
)
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.core.bits import all_values, values_of
from unidoku.core.constraints.primitives import Automaton, Sum
from unidoku.core.transforms.lower import Lowered


def write_xcsp3(model: BoardModel) -> Iterator[str]:
    """Yield the lines of an XCSP3 file: cell k is ck; sums, tables and automata are kept.

    Constraints without a constraint in XCSP3 are written as clauses, with fresh variables.
    """
    n, names = model.board.layout.n, model.names
    constraints: list[str] = []
    atoms = [f"eq({name},{value})" for name in names for value in range(1, n + 1)]

    def either(literals: list[str]) -> str:
        joined = ",".join(literals)
        return f"or({joined})" if len(literals) > 1 else joined or _never(names)

    rules = Disjunctions(atoms, "eq(b{},1)", lambda atom: atom.replace("eq", "ne"), either)
    fresh: list[int] = []
    together: set[int] = set()
    for part in (*model.units(), *model.rules()):
        constraints += _comment(part.comments)
        for cells in part.distinct:
            if len(cells) > 1:
                together.update(cells)
                constraints.append(f"<allDifferent> {_cells(cells, names)} </allDifferent>")
        for comparison, a, b in part.compared:
            text = _comparison(comparison, names[a], names[b])
            constraints.append(f"<intension> {text} </intension>")
        others = tuple([a for a in part.lowered.automata if not _is_plain(a.cells)])
        constraints += _constraints(part.lowered, names, readable=model.readable)
        clauses, fresh_of_part = rules.of(for_clauses(part.lowered, others))
        fresh += fresh_of_part
        constraints += (f"<intension> {text} </intension>" for text in rules.texts(clauses))
        masks = part.lowered.candidates if model.readable else ()
        constraints += _candidates(masks, n, names)
    excluded = rules.texts(model.excluded())
    constraints += (f"<intension> {text} </intension>" for text in excluded)
    # Solvers leave out variables in no constraint, or crash if there is none.
    alone = [names[cell] for cell in model.board.layout.cells if cell not in together]
    constraints += [f"<intension> ge({name},1) </intension>" for name in alone]
    masks = model.narrowed.candidates
    heading = model.heading("the givens and pencil marks")
    constraints += [*_comment(heading), *_candidates(masks, n, names)]
    yield from ('<instance format="XCSP3" type="CSP">', "<!--")
    yield from (comment.replace("--", "- -") for comment in model.comments())
    yield from ("-->", "<variables>")
    # The domain has all values: readers refuse tables and automata with values outside it.
    yield from (f'<var id="{name}"> {f"1..{n}" if n > 1 else 1} </var>' for name in names)
    yield from (f'<var id="b{number}"> 0 1 </var>' for number in fresh)
    yield from ("</variables>", "<constraints>", *constraints, "</constraints>", "</instance>")


def _comment(lines: Sequence[str]) -> list[str]:
    return [f"<!-- {line.replace('--', '- -')} -->" for line in lines]


def _constraints(lowered: Lowered, names: Sequence[str], *, readable: bool) -> Iterator[str]:
    """Yield the rules that have a constraint in XCSP3."""
    size = ModelSize()
    for lists, rows in rows_of_cells(lowered):
        for cells in lists:
            size.add(len(cells) * len(rows))
            yield _extension(cells, rows, names)
    yield from (_sum(total, names, readable=readable) for total in lowered.sums)
    for automaton in lowered.automata:
        if _is_plain(automaton.cells):
            yield _regular(automaton, lowered.n, names)


def _candidates(masks: Sequence[int], n: int, names: Sequence[str]) -> Iterator[str]:
    for cell, mask in enumerate(masks):
        if mask != all_values(n):
            yield _extension((cell,), [(value,) for value in values_of(mask)], names)


_NAMES = {"=": "eq", "!=": "ne", "<": "lt", ">": "gt", "<=": "le", ">=": "ge"}
"""The comparisons of XCSP3."""


def _comparison(comparison: Comparison, a: str, b: str) -> str:
    kind, sign, number = comparison
    if kind == "order":
        return f"{_NAMES[sign]}({a},{b})"
    return f"{_NAMES[sign]}({'add' if kind == 'sum' else 'dist'}({a},{b}),{number})"


def _is_plain(cells: Sequence[int]) -> bool:
    """Return whether no cell is repeated: a list of variables must not repeat one."""
    return len(set(cells)) == len(cells)


def _cells(cells: Iterable[int], names: Sequence[str]) -> str:
    return " ".join([names[cell] for cell in cells])


def _extension(cells: Sequence[int], rows: Iterable[Sequence[int]], names: Sequence[str]) -> str:
    tuples = [",".join(map(str, row)) for row in rows]
    supports = " ".join(tuples) if len(cells) == 1 else "".join(f"({row})" for row in tuples)
    return (
        f"<extension> <list> {_cells(cells, names)} </list> "
        f"<supports> {supports} </supports> </extension>"
    )


def _sum(constraint: Sum, names: Sequence[str], *, readable: bool) -> str:
    low, high, weights = constraint.low, constraint.high, constraint.weights
    condition = f"(eq,{low})" if readable and low == high else f"(in,{low}..{high})"
    plain = readable and set(weights) == {1}
    coefficients = "" if plain else f"<coeffs> {' '.join(map(str, weights))} </coeffs> "
    return (
        f"<sum> <list> {_cells(constraint.cells, names)} </list> {coefficients}"
        f"<condition> {condition} </condition> </sum>"
    )


def _regular(automaton: Automaton, n: int, names: Sequence[str]) -> str:
    steps = steps_of(automaton, n)
    moves = "".join(
        f"(q{state},{value},q{target})"
        for state, row in enumerate(ModelSize().counted(steps.rows), start=1)
        for value, target in enumerate(row, start=1)
        if target
    )
    if not moves or not steps.accepting:
        return f"<intension> {_never(names)} </intension>"
    final = " ".join(f"q{state}" for state in steps.accepting)
    return (
        f"<regular> <list> {_cells(automaton.cells, names)} </list> <transitions> {moves} "
        f"</transitions> <start> q{steps.start} </start> <final> {final} </final> </regular>"
    )


def _never(names: Sequence[str]) -> str:
    """Return what no board satisfies, because cells hold at least 1."""
    return f"lt({names[0]},1)"
