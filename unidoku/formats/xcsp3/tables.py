"""Constraints by tables and automata, and the term at an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unidoku.core.rules import Rule
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import NUMBER, Expression, Operation, Variable, cells_of
from unidoku.formats.xcsp3.rules import Condition, Row
from unidoku.formats.xcsp3.scope import Reader, Scope, first_of, rows_of_numbers


def extension(scope: Scope, element: Element) -> list[Rule]:
    """The values are among some tuples, or not among them."""
    element.check("list supports conflicts", "type")
    cells = scope.cells(element.needed("list").text)
    supports, conflicts = element.child("supports"), element.child("conflicts")
    part = supports or conflicts
    if part is None or (supports and conflicts):
        raise FormatError("expected either <supports> or <conflicts>")
    part.check()
    rows = scope.rows(part.text, len(cells))
    key = ("extension", part.tag, part.text)
    if supports:
        return scope.rules.table(cells, rows, "table", key)
    return _conflicts(scope, cells, rows, key)


def _conflicts(scope: Scope, cells: Sequence[int], rows: Sequence[Row], key: object) -> list[Rule]:
    if len(cells) == 1:
        values = [v for v in scope.rules.domains[cells[0]] if not {(v,), (None,)} & {*rows}]
        return scope.rules.holds(cells[0], values)
    nodes: dict[tuple[int, int], int] = {}
    for row in rows:
        if None in row:
            raise FormatError("conflicts with * are not supported")
        state = 0
        for value in row:
            assert value is not None
            state = nodes.setdefault((state, value), len(nodes) + 1)
    scope.rules.spend(len(nodes))
    size, free = len(cells), -1
    depth = [0] * (len(nodes) + 1)
    for (state, _), node in nodes.items():
        depth[node] = depth[state] + 1
    if size == 2:
        pairs = {*rows}
        return scope.rules.relation(
            cells[0], cells[1], "table", key, lambda v, w: (v, w) not in pairs
        )

    def step(state: int, value: int) -> int:
        return free if state == free else nodes.get((state, value), free)

    return scope.rules.machine(
        cells, "table", key, 0, step, lambda state: state == free or depth[state] < size
    )


def element(scope: Scope, element: Element) -> list[Rule]:
    """The term at a position of a list, or of a matrix, fulfils a condition."""
    element.check("list matrix index value condition")
    if part := element.child("value"):
        wanted = scope.term(part.text)
        operand = wanted if isinstance(wanted, int | Variable) else None
        if operand is None:
            raise FormatError("expected a variable or a number as <value>")
        condition = Condition("eq", operand)
    else:
        condition = scope.condition(element)
    index = element.child("index")
    if index is None:
        return _member(scope, scope.terms(element.needed("list").text), condition)
    index.check()
    if matrix := element.child("matrix"):
        matrix.check("", "startRowIndex startColIndex")
        rows: list[list[Expression]]
        if NUMBER.search(matrix.text.partition(",")[0].strip(" (\n")[:1] or "x"):
            rows = [[*map(int, row)] for row in rows_of_numbers(matrix.text)]
        else:
            rows = [[*map(Variable, row)] for row in scope.variables.matrix(matrix.text)]
        firsts = [first_of(matrix, "startRowIndex"), first_of(matrix, "startColIndex")]
        terms = [term for row in rows for term in row]
        sides = [len(rows), len(rows[0])]
    else:
        part = element.needed("list")
        part.check("", "startIndex")
        terms = scope.numbers_or_terms(part.text)
        firsts, sides = [first_of(part, "startIndex")], [len(terms)]
    cells = scope.cells(index.text)
    if len(cells) != len(sides):
        raise FormatError(f"expected {len(sides)} variables as <index>, got {len(cells)}")
    return _at_index(scope, cells, firsts, sides, terms, condition)


def _member(scope: Scope, terms: Sequence[Expression], condition: Condition) -> list[Rule]:
    """Return that a term is equal to an operand."""
    operand = condition.operand
    if condition.operator != "eq" or not isinstance(operand, int | Variable):
        raise FormatError("expected <index> or <value>")
    equal = [Operation("eq", (term, operand)) for term in terms]
    return scope.rules.sum(equal, Condition("ge", 1))


def _at_index(
    scope: Scope,
    index: Sequence[int],
    firsts: Sequence[int],
    sides: Sequence[int],
    terms: Sequence[Expression],
    condition: Condition,
) -> list[Rule]:
    """Return that the term at an index fulfils a condition.

    The machine reads the index and the operand, and then the variables of the list: it counts
    down to the one that it has to compare.
    """
    if not all(isinstance(term, int | Variable) for term in terms):
        raise FormatError("expected variables or numbers in <list>")
    variables = [nth for nth, term in enumerate(terms) if isinstance(term, Variable)]
    order = {nth: k for k, nth in enumerate(variables)}
    reading = [cell for term in terms for cell in cells_of(term)]
    operand = condition.operand
    lead = [*index, *([operand.cell] if isinstance(operand, Variable) else [])]
    domains = tuple([scope.rules.domains[cell] for cell in lead])

    def step(state: Any, value: int) -> object:
        read, left = state
        if len(read) < len(lead):
            if value not in domains[len(read)]:
                return None
            read = (*read, value)
            return start_of(read) if len(read) == len(lead) else (read, None)
        if left is None:
            return state
        if left:
            return (read, left - 1)
        return done if condition.holds(value, read[-1]) else None

    done = ((0,) * len(lead), None)

    def start_of(read: tuple[int, ...]) -> object:
        position = 0
        for value, first, side in zip(read, firsts, sides, strict=False):
            if not 0 <= value - first < side:
                return None
            position = position * side + value - first
        term = terms[position]
        if isinstance(term, int):
            return done if condition.holds(term, read[-1]) else None
        wanted = read[-1] if isinstance(operand, Variable) else 0
        return ((0,) * (len(lead) - 1) + (wanted,), order[position])

    key = (
        "element",
        tuple([term if isinstance(term, int) else None for term in terms]),
        tuple(firsts),
        tuple(sides),
        domains,
        condition.operator,
        None if isinstance(operand, Variable) else operand,
    )

    def accept(state: Any) -> bool:
        return len(state[0]) == len(lead) and state[1] is None

    start: tuple[tuple[int, ...], None] = ((), None)
    return scope.rules.machine([*lead, *reading], "element", key, start, step, accept)


def regular(scope: Scope, element: Element) -> list[Rule]:
    """An automaton accepts the values."""
    element.check("list transitions start final")
    start = element.needed("start").text
    finals = element.needed("final").text.split()
    return _automaton(scope, element, lambda steps: ([start], finals))


def mdd(scope: Scope, element: Element) -> list[Rule]:
    """A diagram has a path of the values from its root to its end."""
    element.check("list transitions")

    def ends(steps: Sequence[tuple[str, int, str]]) -> tuple[list[str], list[str]]:
        sources, targets = {a for a, _, _ in steps}, {b for _, _, b in steps}
        return sorted(sources - targets), sorted(targets - sources)

    return _automaton(scope, element, ends)


def _automaton(
    scope: Scope,
    element: Element,
    ends: Callable[[Sequence[tuple[str, int, str]]], tuple[list[str], list[str]]],
) -> list[Rule]:
    cells = scope.cells(element.needed("list").text)
    text = element.needed("transitions").text
    steps = [
        (match[1], int(match[2]), match[3])
        for match in re.finditer(r"\(\s*([\w.]+)\s*,\s*([+-]?\d{1,9})\s*,\s*([\w.]+)\s*\)", text)
    ]
    if len(steps) != text.count("("):
        raise FormatError("expected transitions such as (q0,1,q1)")
    starts, finals = ends(steps)
    names: dict[str, int] = {}
    numbered = [
        (names.setdefault(a, len(names)), value, names.setdefault(b, len(names)))
        for a, value, b in steps
    ]
    first, last = (
        [names.setdefault(state, len(names)) for state in states] for states in (starts, finals)
    )
    key = (element.tag, text, tuple(first), tuple(last))
    return scope.rules.steps(cells, element.tag, key, first, numbered, last)


READERS: Mapping[str, Reader] = {
    "element": element,
    "extension": extension,
    "mdd": mdd,
    "regular": regular,
}
"""The functions of this module, by their names."""
