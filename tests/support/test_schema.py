"""A kind tells which values are of it, and says in words what was expected."""

from __future__ import annotations

import pytest

from unidoku.backends.base import Stop
from unidoku.support.schema import (
    FINITE,
    NUMBER,
    TABLE,
    TEXT,
    WHOLE,
    YES_NO,
    Kind,
    above,
    least,
    listed_of,
    misfit,
    one_of,
    or_null,
    table_of,
    whole,
)

NAN, ENDLESS = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("kind", "words", "of_it", "not_of_it"),
    [
        (TEXT, "a text", ["", "é☃"], [1, None, b"", "\ud800"]),
        (YES_NO, "true or false", [True, False], [0, 1, "true"]),
        (TABLE, "a table", [{}], [[], None]),
        (WHOLE, "a whole number", [0, -(10**400)], [True, 1.0]),
        (NUMBER, "a number", [1, 1.5, ENDLESS, NAN], [True, "1"]),
        (FINITE, "a finite number", [1, -1.5], [ENDLESS, NAN, 10**400, True, None]),
        (whole(1, bits=8), "a whole number from 1 to 2^8 - 1", [1, 255], [0, 256, True, 1.0]),
        (whole(), "a whole number from -2^63 to 2^63 - 1", [-(1 << 63)], [1 << 63]),
        (least(0), "a finite number of 0 or more", [0, 0.5], [-0.1, NAN, ENDLESS, "0", True]),
        (above(0, 9), "a finite number above 0, at most 9", [0.1, 9], [0, 9.1, NAN, None]),
        (one_of(Stop), "one of exhausted, incomplete, nodes", ["time"], ["", 1, [], None]),
        (or_null(TEXT), "a text or null", ["", None], [0]),
        (listed_of(TEXT), "a list of texts", [[], ["a"]], [["a", 1], ("a",), "a", None]),
        (table_of(FINITE), "a table of finite numbers", [{"a": 1}], [{"a": "1"}, {"\ud800": 1}]),
        (listed_of(whole(0, bits=2)), "a list of whole numbers from 0 to 2^2", [[3]], [[4]]),
    ],
)
def test_a_kind_holds_its_values_and_no_others(
    kind: Kind, words: str, of_it: list[object], not_of_it: list[object]
) -> None:
    assert str(kind).startswith(words)
    assert all(map(kind.holds, of_it))
    assert not any(map(kind.holds, not_of_it))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"size": 1}, ""),
        ({"size": "1"}, "field 'size': expected a whole number, got '1'"),
        ({"siz": 1}, "unknown field 'siz'; did you mean 'size'?"),
        ({}, "field 'size': expected a whole number, got nothing"),
        ({"size": 1, "name": 2}, "field 'name': expected a text, got 2"),
    ],
)
def test_the_first_misfit_of_a_table_is_named(table: dict[str, object], message: str) -> None:
    assert misfit(table, {"size": WHOLE, "name": TEXT}, ["size"]) == message


def test_a_long_value_is_shortened() -> None:
    assert len(misfit({"size": "9" * 10_000}, {"size": WHOLE})) < 200
    assert len(misfit({"x" * 10_000: 1}, {"size": WHOLE})) < 200
