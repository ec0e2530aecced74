"""Read the effort that programs report in their output."""

from __future__ import annotations

import re
from collections import Counter

_NAMES = {
    "conflicts": "failures",
    "failures": "failures",
    "fails": "failures",
    "backtracks": "failures",
    "decisions": "nodes",
    "choices": "nodes",
    "nodes": "nodes",
    "enumerated nodes": "nodes",
    "propagations": "propagations",
    "restarts": "restarts",
}
"""The names that programs use, with the names used here."""

_WORDS = "|".join(_NAMES)

_LINES = (
    # conflicts : 12, as most print it; %%%mzn-stat: nodes=12, as solvers of FlatZinc do
    re.compile(
        rf"^(?:c |%%%mzn-stat: )?[^\S\n]*({_WORDS})\s*[:=]\s*(\d{{1,18}})\b",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(rf"^c (?P<number>\d{{1,18}}) ({_WORDS})$", re.IGNORECASE | re.MULTILINE),  # PicoSAT
    re.compile(rf"\b(?:in|and) (?P<number>\d{{1,18}}) ({_WORDS})\b", re.IGNORECASE),  # toulbar2
)


def effort_of(printed: str) -> Counter[str]:
    r"""Return the effort that a program reports; the last figures count.

    >>> sorted(effort_of("c conflicts:   7\nc decisions: 9 0.00 per second").items())
    [('failures', 7), ('nodes', 9)]
    """
    found: dict[str, int] = {}
    for pattern in _LINES:
        for match in pattern.finditer(printed):
            first, second = match.groups()
            name, number = (second, first) if first.isdigit() else (first, second)
            found[_NAMES[name.lower()]] = int(number)
    return Counter(found)
