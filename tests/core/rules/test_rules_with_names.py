"""Rules that name their cells as puzzle files do are those with the numbers of these cells."""

from __future__ import annotations

import pickle
import random
from dataclasses import fields
from typing import Any

import pytest

from unidoku import Layout, LayoutError, layout
from unidoku import rules as r
from unidoku.core.rules.fields import CellRole, fields_of_cells
from unidoku.testing.rules import RULE_KINDS, random_rule

SIX = layout("latin", 6)


def in_names(rule: r.Rule) -> r.Rule:
    """Return a rule with names in place of the numbers of its cells."""
    contents = {field.name: getattr(rule, field.name) for field in fields(rule)}
    for name, role in fields_of_cells(type(rule)).items():
        cells: Any = contents[name]
        if role is CellRole.PAIRS:
            contents[name] = [f"{SIX.names[a]} {SIX.names[b]}" for a, b in cells]
        elif cells:
            contents[name] = " ".join(SIX.names[cell].lower() for cell in cells)
    return type(rule)(**contents)


@pytest.mark.parametrize("kind", [kind for kind in RULE_KINDS if kind != "any-of"])
def test_a_rule_of_any_kind_may_name_its_cells(kind: str) -> None:
    rule = random_rule(random.Random(kind), SIX, kind=kind)
    assert rule is not None
    named = in_names(rule)
    assert pickle.loads(pickle.dumps(named)) == named
    assert SIX.with_rules(named) == SIX.with_rules(rule)
    assert SIX.with_rules(r.AnyOf(((named,),))) == SIX.with_rules(r.AnyOf(((rule,),)))


def test_layouts_of_any_making_take_names_and_words_for_whole_lines() -> None:
    pairs: Any = "neighbours"
    rows = Layout.from_units(3, [], rules=[r.Renban("row 2 right"), r.NonConsecutive(pairs)])  # type: ignore[arg-type]  # names
    assert rows.rules[0] == r.Renban((5, 4, 3))
    assert len(rows.rules[1].cells) == 9
    assert rows.cells_of("r1c1-r3c3 A2") == (0, 4, 8, 1)
    assert layout("classic", 4).with_rules() is layout("classic", 4)


def test_a_rule_without_a_layout_has_no_cells_yet() -> None:
    names: Any = "A1 A2"
    with pytest.raises(LayoutError, match=r"thermo: expected a layout .* layout\.with_rules"):
        assert r.Thermo(names).cells
    with pytest.raises(LayoutError, match="thermo: line: expected at least 2 cells"):
        SIX.with_rules(r.Thermo("A1"))  # type: ignore[arg-type]  # a name
