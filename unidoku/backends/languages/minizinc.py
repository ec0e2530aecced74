"""MiniZinc: the form that people read, and the model of a layout that the adapter compiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from unidoku.backends.languages.model import (
    BoardModel,
    Disjunctions,
    Part,
    bounds_of,
    for_clauses,
    rows_of_cells,
    sum_text,
)
from unidoku.backends.toolkit.clauses import clauses_of_alternatives
from unidoku.backends.toolkit.mdd import mdd_of
from unidoku.backends.toolkit.model_size import ModelSize
from unidoku.backends.toolkit.rows import members_of, rows_of
from unidoku.core.bits import values_of
from unidoku.core.constraints.primitives import Automaton, Sum
from unidoku.core.layout import Layout
from unidoku.core.transforms.lower import Lowered, lower, narrowed
from unidoku.support.deadline import check_time_limit

PLAIN = "propagation = empty_annotation; choice = empty_annotation;"
"""The annotations of propagation and search if none are requested."""

_MODEL = """\
% all_different.mzn would be its newer name. Debian's Gecode still redefines this one, so that
% the newer becomes pairs of disequations there.
include "all_different_int.mzn";
include "table_int.mzn";
include "regular.mzn";

ann: propagation;
annotation val; % Gecode's name of value_propagation
ann: choice;
{annotations}

% One more value than there may be: otherwise the compiler may write a cell as a number.
array[1..{cells}] of var 1..{most}: x;

{constraints}

solve :: if choice = empty_annotation then choice else int_search(x, choice, indomain_min) endif
  satisfy;"""


class _Terms:
    """How people read constraints: by their newest names, with their numbers in place."""

    all_different = "all_different([{}])"
    table = "table"

    def rows(self, rows: Iterable[Sequence[int]]) -> str:
        """Return rows of numbers as an array of two dimensions."""
        counted = ModelSize().counted(rows)
        return f"[| {' | '.join([', '.join(map(str, row)) for row in counted])} |]"


class _SharedTerms(_Terms):
    """How the compiler gets constraints: what several have in common is declared once."""

    all_different = "all_different_int([{}]) :: propagation"
    table = "table_int"

    def __init__(self) -> None:
        self.names: dict[tuple[Sequence[int], ...], str] = {}

    def rows(self, rows: Iterable[Sequence[int]]) -> str:
        """Return the name of an array with these rows."""
        return self.names.setdefault(tuple(rows), f"rows{len(self.names) + 1}")

    def declarations(self) -> Iterator[str]:
        """Yield the arrays that have a name."""
        for rows, name in self.names.items():
            yield f"array[int, int] of int: {name} = {super().rows(rows)};"


def model_text(layout: Layout, annotations: str = PLAIN) -> str:
    """Return the MiniZinc model of a layout.

    The candidates of a board are written into the compiled model, as the domains of x.

    Args:
        layout: the layout.
        annotations: the values of ``propagation``, for units, and of ``choice``, for the search.
    """
    names = [f"x[{cell}]" for cell in range(1, len(layout) + 1)]
    terms, lowered = _SharedTerms(), lower(layout)
    part = Part("", lowered, tuple([unit.cells for unit in layout.maximal_units]))
    lines = [f"constraint {text};" for text in _constraints(part, names, terms)]
    lines += [*_large_sets(lowered, names, terms), *_alternatives(lowered, names)]
    return _MODEL.format(
        annotations=annotations,
        cells=len(layout),
        most=layout.n + 1,
        constraints="\n".join([*terms.declarations(), *lines]),
    )


def write_minizinc(model: BoardModel) -> Iterator[str]:
    """Yield the lines of a MiniZinc model.

    The fast form is the model that the adapter compiles; the readable form has a variable for each
    cell and a constraint for each rule.
    """
    yield from (f"% {comment}" for comment in model.comments())
    if model.readable:
        yield from _readable(model)
        return
    yield from model_text(model.board.layout).splitlines()
    yield 'output ["x = ", show(x), ";\\n"];'
    for cell, mask in enumerate(narrowed(model.board).candidates):
        yield f"constraint x[{cell + 1}] in {{{', '.join(map(str, values_of(mask)))}}};"
    for grid in model.other_than:
        differs = r" \/ ".join(f"x[{cell}] != {value}" for cell, value in enumerate(grid, start=1))
        yield f"constraint {differs};"


def _readable(model: BoardModel) -> Iterator[str]:
    """Yield the lines of the readable form."""
    n, names = model.board.layout.n, model.names
    parts = [(part, list(_constraints(part, names, _Terms()))) for part in model.parts()]
    texts = [text for _, constraints in parts for text in constraints]
    for name in ("all_different", "table", "regular"):
        if any(text.startswith(f"{name}(") for text in texts):
            yield f'include "{name}.mzn";'
    yield from ("", *(f"var 1..{n}: {name};" for name in names))
    atoms = [f"{names[at // n]} = {at % n + 1}" for at in range(model.lowered.size)]
    rules = Disjunctions(atoms, "b{}", _negated, lambda literals: r" \/ ".join(literals) or "false")
    for part, constraints in parts:
        clauses, fresh = rules.of(for_clauses(part.lowered))
        if not (constraints or clauses or part.true or part.false):
            continue
        yield from ("", *(f"% {comment}" for comment in part.comments))
        yield from (f"constraint {text};" for text in constraints)
        yield from (f"constraint {atoms[at]};" for at in part.true)
        yield from (f"constraint not ({atoms[at]});" for at in part.false)
        yield from (f"var bool: b{x};" for x in fresh)
        yield from (f"constraint {text};" for text in rules.texts(clauses))
    yield from (f"constraint {text};" for text in rules.texts(model.excluded()))
    yield from ("", "solve satisfy;", rf'output ["x = \([{", ".join(names)}]);\n"];')


def _constraints(part: Part, names: Sequence[str], terms: _Terms) -> Iterator[str]:
    """Yield the constraints of a part that MiniZinc has."""
    lowered = part.lowered
    for cells in part.distinct:
        if len(cells) > 1:
            yield terms.all_different.format(_listed_names(cells, names))
    for (kind, sign, number), a, b in part.compared:
        left = {"sum": "{} + {}", "distance": "abs({} - {})"}.get(kind, "{}")
        right = names[b] if kind == "order" else number
        yield f"{left.format(names[a], names[b])} {sign} {right}"
    for total in lowered.sums:
        text = sum_text(total, names)
        for sign, bound in bounds_of(total, lowered.n):
            yield f"{text} {sign} {bound}"
    for lists, rows in rows_of_cells(lowered):
        array = terms.rows(rows) if rows else ""
        for line in lists:
            inside = _listed_names(line, names)
            yield f"{terms.table}([{inside}], {array})" if rows else "false"
    for automaton in lowered.automata:
        steps = steps_of(automaton, lowered.n)
        accepting = ", ".join(map(str, steps.accepting))
        yield (
            f"regular([{_listed_names(automaton.cells, names)}], {len(steps.rows)}, {lowered.n}, "
            f"{terms.rows(steps.rows)}, {steps.start}, {{{accepting}}})"
        )


def _large_sets(lowered: Lowered, names: Sequence[str], terms: _SharedTerms) -> Iterator[str]:
    """Yield sets that have too many rows for a table: a variable says which set the cells hold."""
    for number, constraint in enumerate(lowered.sets, start=1):
        if rows_of(constraint) is None:
            cells, (low, high) = constraint.cells, constraint.totals
            members = terms.rows(members_of(constraint))
            total = sum_text(Sum(cells, (1,) * len(cells), low, high), names)
            yield f"var 0..{len(constraint.masks) - 1}: set{number};"
            yield f"constraint {terms.all_different.format(_listed_names(cells, names))};"
            for cell in cells:
                yield f"constraint {terms.table}([set{number}, {names[cell]}], {members});"
            yield f"constraint {total} >= {low} /\\ {total} <= {high};"


def _alternatives(lowered: Lowered, names: Sequence[str]) -> Iterator[str]:
    """Yield lists of the same values, and alternatives as clauses: no grid is found twice."""
    size, n, sums = lowered.size, lowered.n, dict[int, Sum]()
    clauses = clauses_of_alternatives(lowered, sums=sums)

    def holds(numbers: Iterable[int]) -> str:
        return ", ".join(
            f"b[{k - size}]" if k > size else f"{names[(k - 1) // n]} = {(k - 1) % n + 1}"
            for k in numbers
        )

    texts = [
        f"constraint bool_clause([{holds(x for x in clause if x > 0)}], "
        f"[{holds(-x for x in clause if x < 0)}]);"
        for clause in clauses
    ]
    yield f"array[1..{clauses.top - size}] of var bool: b;"
    yield from texts
    for number, total in sums.items():
        text = sum_text(total, names)
        yield f"constraint b[{number - size}] = ({text} >= {total.low} /\\ {text} <= {total.high});"
    for same in lowered.same_values:
        first, second = ([cell + 1 for cell in part] for part in same.lists)
        yield (
            f"constraint forall(v in 1..{n})(sum(c in {first})(bool2int(x[c] = v))"
            f" = sum(c in {second})(bool2int(x[c] = v)));"
        )


def _listed_names(cells: Iterable[int], names: Sequence[str]) -> str:
    return ", ".join([names[cell] for cell in cells])


def _negated(literal: str) -> str:
    return literal.replace("=", "!=") if "=" in literal else f"not {literal}"


class Steps(NamedTuple):
    """A deterministic machine for ``regular``: states start at 1, and 0 means no state."""

    rows: tuple[tuple[int, ...], ...]
    start: int
    accepting: tuple[int, ...]


def steps_of(constraint: Automaton, n: int) -> Steps:
    """Return the machine of a line, or the layers of a nondeterministic machine."""
    machine = constraint.machine
    if machine.is_deterministic:
        states = ModelSize().counted(machine.steps)
        rows = tuple(tuple(map(int.bit_length, row)) for row in states)
        return Steps(rows, machine.starts.bit_length(), values_of(machine.accepting))
    mdd = mdd_of(constraint, n)
    if mdd.is_empty:
        return Steps(((0,) * n,), 1, ())
    steps: list[list[int]] = [[0] * n]
    first = 0
    for arcs in mdd.arcs:
        check_time_limit()
        after = len(steps)
        steps += ([0] * n for _ in range(1 + max(target for _, _, target in arcs)))
        for state, value, target in arcs:
            steps[first + state][value - 1] = after + target + 1
        first = after
    return Steps(tuple(map(tuple, steps)), 1, (len(steps),))
