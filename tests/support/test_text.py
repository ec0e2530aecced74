"""Words and numbers are written alike everywhere."""

from __future__ import annotations

import math

from unidoku.support.text import listed, percent, plural, ratio, seconds


def test_numbers_have_few_digits_and_a_unit() -> None:
    durations = [0, 1e-9, 0.0009994, 0.00099951, 0.9996, 12.345, 999.6, math.nan]
    shown = ["0 µs", "0.001 µs", "999 µs", "1 ms", "1 s", "12.3 s", "1000 s", "-"]
    assert [seconds(value) for value in durations] == shown
    assert [ratio(value) for value in (1, 0.5, 0, 123.4, math.nan)] == [
        *("1.00", "0.50", "0", "123", "-"),
    ]
    assert [percent(value) for value in (0, 1.234, 99.7, math.inf, math.nan)] == [
        *("0 %", "1.2 %", "100 %", "∞ %", "-"),
    ]


def test_a_noun_goes_with_its_number() -> None:
    assert [plural(count, "case") for count in (0, 1, 1200)] == ["0 cases", "1 case", "1,200 cases"]


def test_a_list_is_a_phrase() -> None:
    lists: list[list[object]] = [[], ["A1"], ["A1", "A2"], [1, 2, 3]]
    assert [listed(items) for items in lists] == ["", "A1", "A1 and A2", "1, 2 and 3"]
    assert listed(["a", "b", "c"], "or") == "a, b or c"
