"""A path in a notebook: HTML without scripts or ids, so that a page can hold several."""

from __future__ import annotations

from html import escape

from unidoku.draw import STEPS
from unidoku.logic import State, Step, Walkthrough
from unidoku.logic.show.drawing import picture
from unidoku.logic.show.words import is_key, summary

_MOST_PICTURES = 60
"""Number of steps with a picture; later ones have words only, so that a notebook stays small."""

_STYLE = """
.unidoku-steps{max-width:60em;font-size:14px;line-height:1.5}
.unidoku-steps ol{margin:.5em 0;padding-left:3em}
.unidoku-steps summary{cursor:pointer}
.unidoku-steps svg{display:block;width:100%;height:auto;max-width:34em;margin:.5em 0}
"""


def fragment(path: Walkthrough) -> str:
    """Return a path as HTML: its steps, with a picture for those harder than singles."""
    items = []
    drawn = 0
    for step, state in zip(path.steps, path.states, strict=False):
        if is_key(step) and drawn < _MOST_PICTURES:
            drawn += 1
            item = _folded(escape(step.sentence), _painted(state, step))
        else:
            item = escape(step.sentence)
        items.append(f"<li>{item}</li>")
    steps = _folded("Steps", f"<ol>{''.join(items)}</ol>")
    return (
        f'<div class="unidoku-steps"><style>{STEPS.dark_style}{_STYLE}</style>'
        f"<p>{escape(summary(path))}</p>{_painted(path.final)}{steps}</div>"
    )


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>{content}</details>"


def _painted(state: State, step: Step | None = None) -> str:
    """Return a picture whose dark colours are in the style of the fragment."""
    return STEPS.painted(picture(state, step), "auto")
