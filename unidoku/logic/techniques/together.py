"""Several rules in one unit or line, whose cells also differ from each other.

A chain of dots in a row allows fewer values than each dot alone; two cages in a box do not both
hold 1+2.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from unidoku.core.bits import all_values, values_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints import operations
from unidoku.core.constraints.primitives import Constraint, Relation, Sets
from unidoku.core.layout import Layout, Unit
from unidoku.logic.geometry import geometry
from unidoku.logic.reasons.reasoning import shortest_chain
from unidoku.logic.ruled.eliminations import Reason, count_open, elimination_steps
from unidoku.logic.ruled.local_problem import LocalProblem, Remaining
from unidoku.logic.ruled.remainders import ImpliedSum, implied_sums
from unidoku.logic.ruled.statement import Statement, linked, statements_of
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.language import message

_CHAIN, _UNIT, _EACH, _FEW = 4.6, 5.8, 0.1, 3
"""The ratings of chains and units of a few open cells, and the addition for each further cell."""

_SIZES = (3, 4)
"""The sizes of chains that are considered before all connected cells of a unit."""

_MOST_OPEN = 12
"""The largest number of open cells that a person arranges."""

_LONGEST = 16
"""The largest number of cells of a line whose rules are considered together."""

_MOST_IMPLIED = 4
"""The largest number of cells of innies and outies that are used with the rules inside a unit."""

_MOST_PROBLEMS = 600
"""The largest number of chains of a layout: rules of all neighbours make many."""


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Rules about cells of one unit or one line, and the problem of all of them."""

    unit: Unit | None
    statements: tuple[Statement, ...]
    problem: LocalProblem


def relation_chain(state: State) -> Iterator[Step]:
    """Find cells of a unit joined by relations, and values in no arrangement of them."""
    return _steps(state, _chains(state.layout), _CHAIN)


def rules_together(state: State) -> Iterator[Step]:
    """Find values in no arrangement of a full unit or line that satisfies all rules inside."""
    return _steps(state, _places(state.layout), _UNIT)


def _steps(state: State, groups: Iterable[_Group], base: float) -> Iterator[Step]:
    for group in sorted(groups, key=lambda group: count_open(state, group.problem)):
        size = count_open(state, group.problem)
        if not 1 < size <= _MOST_OPEN:
            continue
        state.tick()
        candidates = group.problem.candidates_of(state.candidates)
        remaining = group.problem.supported_values(candidates)
        if remaining != candidates:
            rating = round(base + _EACH * max(0, size - _FEW), 1)
            units = (group.unit,) if group.unit else ()
            words, is_whole = _in_words(state, group, candidates, remaining)
            reason = Reason(group.statements, words, is_whole, units=units, rating=rating)
            yield from elimination_steps(state, group.problem.cells, remaining, reason)


def _in_words(
    state: State, group: _Group, before: Sequence[int], remaining: Remaining
) -> tuple[str, bool]:
    """Return why a group removes candidates, and whether that tells its rules too.

    A chain shows it for one candidate, unless it takes arrangements.
    """
    where = message("in {unit}", unit=group.unit.words) if group.unit else ""
    if any(statement.mask & ~group.problem.mask for statement in group.statements):
        return f"{where}{message(' with innies and outies')}", False
    cells = group.problem.cells
    gone = [
        (cell, value)
        for cell, old, new in zip(cells, before, remaining or (), strict=bool(remaining))
        for value in values_of(old & ~new)
    ]
    chain = shortest_chain(state, gone, group.statements, group.unit, cells)
    if not chain:
        return where, False
    if len(gone) > 1:
        chain = message("for example, {chain}", chain=chain)
    return f"{where}, {chain}", True


@by_layout()
def _chains(layout: Layout) -> tuple[_Group, ...]:
    """Return the chains of relations in units, each set of cells once, the short ones first."""
    joined: defaultdict[tuple[int, int], list[tuple[Statement, Constraint]]] = defaultdict(list)
    for statement in statements_of(layout):
        for constraint in statement.constraints:
            match constraint:
                case Relation(table, pairs):
                    for a, b in pairs:
                        part = Relation(table, ((a, b),))
                        joined[min(a, b), max(a, b)].append((statement, part))
                case Sets((a, b)):
                    joined[min(a, b), max(a, b)].append((statement, constraint))
                case _:
                    pass
    unit_of: dict[tuple[int, ...], Unit] = {}
    for unit_cells in geometry(layout).units:
        inside = [pair for pair in joined if set(pair) <= set(unit_cells.unit.cells)]
        for group in linked(inside, len(unit_cells.unit.cells)):
            whole = [tuple(group)] if len(group) > 2 else []
            for cells in (*_connected(group, inside), *whole):
                unit_of.setdefault(cells, unit_cells.unit)
    in_order = sorted(unit_of, key=len)[:_MOST_PROBLEMS]
    groups = []
    for cells in in_order:
        cell_set = set(cells)
        parts = [
            part
            for pair, statement in joined.items()
            if cell_set.issuperset(pair)
            for part in statement
        ]
        rules = tuple(dict.fromkeys(statement for statement, _ in parts))
        constraints = dict.fromkeys(constraint for _, constraint in parts)
        groups.append(_Group(unit_of[cells], rules, LocalProblem(layout, cells, constraints)))
    return tuple(groups)


def _connected(cells: list[int], pairs: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Yield the connected parts, by pairs, of a group of a few cells, smaller ones first."""
    grown = {frozenset(pair) for pair in pairs if pair[0] in cells}
    for _ in _SIZES:
        grown = {
            part | set(pair)
            for part in grown
            for pair in pairs
            if len(part.intersection(pair)) == 1
        }
        yield from sorted(tuple(sorted(part)) for part in grown)


@by_layout()
def _places(layout: Layout) -> tuple[_Group, ...]:
    """Return the full units and lines with rules inside, together with these rules."""
    every = Sets(tuple(range(layout.n)), (all_values(layout.n),))
    sums = [
        implied_sum
        for implied_sum in implied_sums(layout)
        if len(implied_sum.cells) <= _MOST_IMPLIED
    ]
    by_cells: dict[tuple[int, ...], _Group] = {}
    for unit_cells in geometry(layout).full:
        inside = _inside(layout, unit_cells.unit.cells)
        implied = [implied_sum for implied_sum in sums if not implied_sum.mask & ~unit_cells.cells]
        if inside or implied:
            whole = operations.moved(every, unit_cells.unit.cells)
            by_cells[unit_cells.unit.cells] = _group(
                layout, unit_cells.unit, (*inside, *implied), (whole,)
            )
    for statement in statements_of(layout):
        if 2 < len(statement.cells) <= _LONGEST and statement.cells not in by_cells:
            inside = _inside(layout, statement.cells)
            if len(inside) > 1:
                by_cells[statement.cells] = _group(layout, None, inside)
    return tuple(by_cells.values())


def _inside(layout: Layout, cells: Sequence[int]) -> tuple[Statement, ...]:
    """Return the statements of rules about several cells, all of them among given cells."""
    cell_set = set(cells)
    return tuple(
        statement
        for statement in statements_of(layout)
        if len(statement.cells) > 1 and cell_set.issuperset(statement.cells)
    )


def _group(
    layout: Layout,
    unit: Unit | None,
    statements: Iterable[Statement],
    constraints_of_unit: Iterable[Constraint] = (),
) -> _Group:
    constraints, rules = [*constraints_of_unit], dict[Statement, None]()
    for statement in statements:
        constraints += statement.constraints
        rules |= dict.fromkeys(
            statement.cages if isinstance(statement, ImpliedSum) else (statement,)
        )
    cells = {cell for constraint in constraints for cell in operations.cells_of(constraint)}
    return _Group(unit, tuple(rules), LocalProblem(layout, cells, constraints))
