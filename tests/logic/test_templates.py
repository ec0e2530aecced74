"""The places that no template has, against all templates."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.volume import volume
from unidoku import Layout, layout
from unidoku.core.bits import set_of
from unidoku.core.caching import forget_layouts
from unidoku.logic.fish import in_no_template
from unidoku.logic.geometry import cells_of, geometry
from unidoku.testing.strategies import named_layouts, unit_systems

X = layout("x", 9)
SIX = layout("latin", 6)


def templates(board: Layout, places: int) -> Iterator[int]:
    """Yield all sets of places of which none see each other, with one in each full unit."""
    units = [unit.cells for unit in geometry(board).full if unit.cells & places]

    def extend(taken: int, left: int) -> Iterator[int]:
        if not left:
            if all(unit & taken for unit in units):
                yield taken
            return
        cell = cells_of(left)[0]
        left &= ~(1 << cell)
        yield from extend(taken | 1 << cell, left & ~geometry(board).sees[cell])
        yield from extend(taken, left)

    return extend(0, places)


@settings(max_examples=volume(100))
@given(st.data())
def test_the_places_refuted_are_those_that_no_template_has(data: st.DataObject) -> None:
    board = data.draw(unit_systems() | named_layouts())
    places = set_of(data.draw(st.sets(st.sampled_from(board.cells), max_size=14)))
    union = 0
    for taken in templates(board, places):
        union |= taken
    assert in_no_template(board, places) == places & ~union


def test_nothing_is_refuted_on_an_empty_board() -> None:
    assert in_no_template(X, set_of(X.cells)) == 0


def test_a_search_that_takes_too_long_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = set_of(cell for cell in SIX.cells if cell // 6 > 3 or cell % 6 < 3)
    assert in_no_template(SIX, crowded) == crowded, "four rows have three columns"
    monkeypatch.setattr("unidoku.logic.fish._MOST_TEMPLATE_NODES", 1)
    forget_layouts()
    assert in_no_template(SIX, crowded) == 0
    forget_layouts()
