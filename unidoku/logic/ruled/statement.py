"""The statements of each rule of a layout: its constraints, each with the rule's own words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from unidoku.core.bits import all_values, bit, set_of, values_of
from unidoku.core.caching import by_layout
from unidoku.core.constraints import operations
from unidoku.core.constraints.primitives import Constraint, Relation, Sets
from unidoku.core.layout import Layout, Unit
from unidoku.core.rules.base import Rule
from unidoku.core.transforms.simplify import simplify
from unidoku.logic.ruled.local_problem import LocalProblem
from unidoku.logic.step import Basis

_LONGEST_LINE = 12
"""The largest number of cells that relations of one rule join into a line; longer lines stay
pairs."""

_MOST_CELLS = 16
"""The largest number of cells of a rule considered as a whole: a line of any usual board."""


@dataclass(frozen=True, eq=False)
class Statement:
    """A part of a rule about some cells, in constraints and in words, that techniques reason with.

    Args:
        layout: the layout.
        rule: the rule that it is a part of; None if several rules and units imply it.
        cells: its cells, ascending.
        constraints: one constraint, or the relations between cells that relations link.
    """

    layout: Layout = field(repr=False)
    rule: Rule | None
    cells: tuple[int, ...]
    constraints: tuple[Constraint, ...]

    @cached_property
    def problem(self) -> LocalProblem:
        """The cells, with the constraints and the units around them."""
        return LocalProblem(self.layout, self.cells, self.constraints)

    @property
    def words(self) -> str:
        """The statement for a person."""
        assert self.rule is not None
        return self.layout.in_words(self.rule, self.cells)

    @cached_property
    def mask(self) -> int:
        """The cells as a set."""
        return set_of(self.cells)

    @property
    def constraint(self) -> Constraint:
        """The constraint, or the first relation."""
        return self.constraints[0]

    @property
    def is_of_single_cells(self) -> bool:
        """Whether it restricts each cell separately."""
        return isinstance(self.constraint, Sets) and len(self.constraint.cells) == 1

    @property
    def basis(self) -> Basis:
        """The basis of a step that uses the statement."""
        return Basis(self.words, self.cells, self.rule)


@dataclass(frozen=True, eq=False)
class Derived(Statement):
    """What several rules and units imply together, as a statement."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The full units that it follows from."""
        return ()


@by_layout()
def statements_of(layout: Layout) -> tuple[Statement, ...]:
    """Return all statements of a layout's rules, in the order of the rules."""
    return tuple(
        Statement(layout, rule, tuple(sorted(cells)), constraints)
        for rule in layout.rules
        if not rule.needs_auxiliary
        for cells, constraints in _parts(layout, rule)
    )


@by_layout()
def whole_statements(layout: Layout) -> tuple[Statement, ...]:
    """Return all statements of rules, where those of one rule about a few cells are joined."""
    by_rule: defaultdict[Rule | None, list[Statement]] = defaultdict(list)
    for statement in statements_of(layout):
        by_rule[statement.rule].append(statement)
    statements: list[Statement] = []
    for rule, parts in by_rule.items():
        cells = sorted({cell for statement in parts for cell in statement.cells})
        if len(parts) > 1 and len(cells) <= _MOST_CELLS:
            constraints = tuple(
                constraint for statement in parts for constraint in statement.constraints
            )
            statements.append(Statement(layout, rule, tuple(cells), constraints))
        else:
            statements += parts
    return tuple(statements)


def _parts(layout: Layout, rule: Rule) -> Iterator[tuple[list[int], tuple[Constraint, ...]]]:
    """Yield the cells and constraints of each statement of a rule."""
    simple = simplify(layout, rule.constraints(layout))
    marks = {
        cell: mask for cell, mask in enumerate(simple.candidates) if mask != all_values(layout.n)
    }
    if marks:
        yield [*marks], tuple(Sets((c,), tuple(map(bit, values_of(marks[c])))) for c in marks)
    relations = [
        constraint for constraint in simple.constraints if isinstance(constraint, Relation)
    ]
    from_cell: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for index, relation in enumerate(relations):
        for a, b in relation.pairs:
            from_cell[a].append((index, b))
    every_pair = (pair for relation in relations for pair in relation.pairs)
    for cells in linked(every_pair, _LONGEST_LINE):
        cell_set = set(cells)
        inside: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for a in cells:
            for index, b in from_cell[a]:
                if b in cell_set:
                    inside[index].append((a, b))
        joined = tuple(
            Relation(relations[each].table, tuple(inside[each])) for each in sorted(inside)
        )
        yield cells, _as_combinations(joined) or joined
    for constraint in simple.constraints:
        if not isinstance(constraint, Relation):
            yield sorted(set(operations.cells_of(constraint))), (constraint,)


def _as_combinations(joined: tuple[Relation, ...]) -> tuple[Constraint, ...]:
    """Return the relation of two cells as sets of values, if they differ and sum to a total."""
    rows = joined[0].rows
    one_pair = len(joined) == 1 and len(joined[0].pairs) == 1
    if not one_pair or len({v + w for v, w in rows}) != 1 or any(v == w for v, w in rows):
        return ()
    sets = {bit(v) | bit(w) for v, w in rows}
    both_ways = 2 * len(sets) == len(rows)
    return (Sets(joined[0].pairs[0], tuple(sorted(sets))),) if both_ways else ()


def linked(pairs: Iterable[tuple[int, int]], most: int) -> Iterator[list[int]]:
    """Yield the groups of cells that pairs connect; for larger groups yield each pair."""
    neighbours: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for first, second in pairs:
        neighbours[first][second] = neighbours[second][first] = None
    remaining = dict.fromkeys(neighbours)
    while remaining:
        group = [next(iter(remaining))]
        for cell in group:  # the list grows meanwhile
            remaining.pop(cell, None)
            group += [other for other in neighbours[cell] if other not in group]
        if len(group) <= most:
            yield sorted(group)
        else:
            yield from (
                [cell, other] for cell in group for other in neighbours[cell] if cell < other
            )
