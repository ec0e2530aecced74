"""What the page says in words: the verdict, and the facts of the run."""

from __future__ import annotations

from collections import Counter
from html import escape

import numpy as np

from unidoku.comparison.record import Outcome
from unidoku.comparison.results import OUTCOMES, Results
from unidoku.comparison.verdict import Verdict
from unidoku.text import listed, plural, seconds

__all__ = ["broken", "facts", "icon", "sentence", "tone"]

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


def tone(verdict: Verdict) -> str:
    """Return ``bad`` with disagreements, ``open`` with undecided cases, else ``good``."""
    if verdict.disagreements:
        return "bad"
    return "open" if verdict.undecided or not verdict.shared else "good"


def icon(kind: str) -> str:
    """Return the sign of a tone as SVG; each tone has its own shape as well as its colour."""
    return (
        '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" '
        'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">'
        f"{_FRAMES[kind]}{_ICONS[kind]}</svg>"
    )


def sentence(verdict: Verdict) -> str:
    """Return the verdict as one plain sentence."""
    cases = plural(verdict.cases, "case")
    if found := verdict.disagreements:
        on = len({disagreement.case.id for disagreement in found})
        names = sorted({disagreement.backends[0] for disagreement in found})
        refuted = listed(names) if len(names) < 4 else plural(len(names), "backend")
        return f"{plural(len(found), 'disagreement')} on {on:,} of {cases}, against {refuted}."
    if not verdict.shared:
        return f"Nothing to compare: no two answers to any of {cases}."
    if open_cases := len(verdict.undecided):
        verb = "is" if open_cases == 1 else "are"
        return f"No disagreement, but {open_cases:,} of {cases} {verb} undecided."
    if verdict.shared < verdict.cases:
        return f"All answers agree, on the {verdict.shared:,} of {cases} with two or more."
    if verdict.cases == 1:
        return "All answers agree on the one case."
    return f"All answers agree, on all {cases}."


def broken(results: Results) -> str:
    """Return which backends broke and how often, as a sentence; empty if none did."""
    outcome, backend = results.column("outcome"), results.column("backend")
    broken = np.isin(outcome, [OUTCOMES.index(kind) for kind in _BROKEN])
    runs = Counter(results.backends[k] for k in backend[broken])
    if not runs:
        return ""
    parts = [f"{label} broke in {plural(count, 'run')}" for label, count in runs.most_common(3)]
    if len(runs) > 3:
        parts.append(f"{plural(len(runs) - 3, 'other')} too")
    return f"{listed(parts)}."


def facts(results: Results) -> str:
    """Return the size of the run in one line of HTML."""
    plan = results.plan
    parts = [
        plural(len(results.cases), "case"),
        plural(len(results.backends), "backend"),
        plural(len(results), "run"),
    ]
    if isinstance(rounds := plan.get("repeats"), int):
        parts.append(plural(rounds, "round"))
    if results.time_limit is not None:
        parts.append(f"time limit {seconds(results.time_limit)}")
    return escape(" · ".join(parts))
