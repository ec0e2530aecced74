"""The page of the techniques is what their catalogue and their docstrings say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.technique_cases import ON_RULES
from unidoku.logic import TECHNIQUES

pytestmark = pytest.mark.docs


def test_every_technique_on_rules_is_drawn(make_techniques: Any) -> None:
    on_rules = [row.name for row in ON_RULES]
    assert sorted(make_techniques.DRAWN) == sorted([*on_rules, "AIC through rules"])


def test_every_technique_has_a_row_and_says_what_it_finds(make_techniques: Any) -> None:
    page = make_techniques.page()
    for row in TECHNIQUES:
        assert f"\n| {row.name} | " in page
        assert f"\n## {row.family}\n" in page
        assert make_techniques.first_paragraph(make_techniques.function_of(row))
