"""Locked candidates in any two units, and what sees all places of a value."""

from __future__ import annotations

import pytest

from tests.helpers.technique_cases import Case, steps
from unidoku import Layout


@pytest.mark.parametrize("name", ["pointing", "claiming", "generalised intersection"])
def test_nothing_is_locked_in_a_unit_that_only_differs(name: str) -> None:
    small = Layout.from_units(4, ["A1 A2 B1", "A1 A2 A3 A4"], shape=(2, 4))
    assert not steps(name, Case(small).without(1, "B1").without(2, "A4").board)
