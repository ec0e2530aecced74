"""What the page says in words: the verdict, the facts of the run, and figures with their units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape

import numpy as np

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.verdict import Verdict

__all__ = [
    "broken",
    "counted",
    "digits",
    "facts",
    "icon",
    "limit",
    "ratio",
    "seconds",
    "sentence",
    "tone",
]

_BROKEN = (Outcome.CRASHED, Outcome.FAILED, Outcome.MEMORY)

_ICONS = {
    "good": '<path d="M7.5 12.4l3 3 6-6.6"/>',
    "bad": '<path d="M12 6.5v6.6M12 16.6v.2"/>',
    "open": '<path d="M9.4 9.6a2.7 2.7 0 1 1 3.7 2.5c-.8.3-1.1.9-1.1 1.7M12 16.9v.1"/>',
}
_FRAMES = {
    "good": '<circle cx="12" cy="12" r="10"/>',
    "bad": '<path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/>',
    "open": '<circle cx="12" cy="12" r="10" stroke-dasharray="3.2 2.03"/>',
}


def digits(value: float) -> str:
    """Return three digits, zeros at the end among them, so that a column lines up.

    >>> digits(2), digits(14.93), digits(187.6), digits(1234.5)
    ('2.00', '14.9', '188', '1,230')
    """
    if value >= 999.5:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:#.3g}".rstrip(".")


def seconds(value: float) -> str:
    """Return a duration with three digits and its unit.

    >>> seconds(0.0001234), seconds(2.5), seconds(float("nan"))
    ('123 µs', '2.50 s', '–')
    """
    if not np.isfinite(value):
        return "–"
    if value >= 999.5:
        return f"{value:.0f} s"
    for least, factor, unit in ((0.9995, 1, "s"), (0.9995e-3, 1e3, "ms"), (0.9995e-6, 1e6, "µs")):
        if value >= least:
            return f"{digits(value * factor)} {unit}"
    return f"{digits(value * 1e9)} ns" if value > 0 else "0"


def ratio(value: float) -> str:
    """Return a ratio with three digits and its sign.

    >>> ratio(1.2), ratio(1234.5)
    ('1.20×', '1,230×')
    """
    return f"{digits(value)}×" if np.isfinite(value) else "–"


def counted(count: int, word: str) -> str:
    """Return a number with its word.

    >>> counted(1, "case"), counted(1200, "case")
    ('1 case', '1,200 cases')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def tone(verdict: Verdict) -> str:
    """Return ``bad`` with disagreements, ``open`` with undecided cases, else ``good``."""
    if verdict.disagreements:
        return "bad"
    return "open" if verdict.undecided or not verdict.shared else "good"


def icon(kind: str) -> str:
    """Return the sign of a tone as SVG; its shape says what its colour says."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        f"{_FRAMES[kind]}{_ICONS[kind]}</svg>"
    )


def sentence(verdict: Verdict) -> str:
    """Return the verdict as one plain sentence."""
    cases = counted(verdict.cases, "case")
    if found := verdict.disagreements:
        on = len({disagreement.case.id for disagreement in found})
        names = sorted({disagreement.backends[0] for disagreement in found})
        refuted = listed(names) if len(names) < 4 else counted(len(names), "backend")
        return f"{counted(len(found), 'disagreement')} on {on:,} of {cases}, against {refuted}."
    if not verdict.shared:
        return f"Nothing to compare: no two answers to any of {cases}."
    if open_cases := len(verdict.undecided):
        return f"No disagreement, but {open_cases:,} of {cases} {are(open_cases)} undecided."
    if verdict.shared < verdict.cases:
        return f"All answers agree, on the {verdict.shared:,} of {cases} with two or more."
    return (
        "All answers agree on the one case."
        if verdict.cases == 1
        else (f"All answers agree, on all {cases}.")
    )


def broken(results: Results) -> str:
    """Return who broke and how often, as a sentence; empty if nobody did."""
    outcome, backend = results.column("outcome"), results.column("backend")
    broken = np.isin(outcome, [OUTCOMES.index(kind) for kind in _BROKEN])
    runs = Counter(results.backends[k] for k in backend[broken])
    if not runs:
        return ""
    parts = [f"{label} broke in {counted(count, 'run')}" for label, count in runs.most_common(3)]
    if len(runs) > 3:
        parts.append(f"{counted(len(runs) - 3, 'other')} too")
    return f"{listed(parts)}."


def are(count: int) -> str:
    """Return the verb that goes with a number."""
    return "is" if count == 1 else "are"


def limit(value: float) -> str:
    """Return a duration that is round by nature, without zeros at the end.

    >>> limit(2.0), limit(0.001)
    ('2 s', '1 ms')
    """
    number, _, unit = seconds(value).partition(" ")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {unit}"


def listed(words: Iterable[str]) -> str:
    """Return words as a phrase: ``a, b and c``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def facts(results: Results) -> str:
    """Return what was run, in one line of HTML."""
    plan = results.plan
    parts = [
        counted(len(results.cases), "case"),
        counted(len(results.backends), "backend"),
        counted(len(results), "run"),
    ]
    if isinstance(rounds := plan.get("repeats"), int):
        parts.append(counted(rounds, "round"))
    if results.time_limit is not None:
        parts.append(f"time limit {limit(results.time_limit)}")
    return escape(" · ".join(parts))
