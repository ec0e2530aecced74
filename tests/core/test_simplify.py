"""Constraints in their simplest form say what they said before."""

from __future__ import annotations

from itertools import product

from unidoku import Layout, Relation
from unidoku.core.constraints.automaton import machine_of
from unidoku.core.constraints.primitives import Automaton
from unidoku.core.transforms.simplify import simplify


def test_a_line_of_two_cells_is_the_relation_of_what_its_machine_accepts() -> None:
    ways = [(0, 1, 0), (0, 1, 1), (0, 2, 2), (1, 3, 2), (1, 2, 1), (2, 2, 1), (2, 1, 2)]
    machine = machine_of(3, [0, 2], [1, 2], ways)
    two = Layout.from_units(3, [], shape=(1, 2))
    (relation,) = simplify(two, [Automaton((0, 1), machine)]).constraints
    assert isinstance(relation, Relation)
    ((first, _),) = relation.pairs  # which may be seen from the second cell
    rows = {row if first == 0 else row[::-1] for row in relation.rows}
    assert rows == {pair for pair in product((1, 2, 3), repeat=2) if machine.accepts(pair)}
