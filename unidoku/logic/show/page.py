"""A path as one HTML file: the board, step by step, with the reasons beside it.

Python draws everything, with the parts of each step; the script only shows the parts of the
current step. Readers without scripts see the initial board and all sentences.

In a notebook a path is HTML without scripts or ids, so that a page can hold several (`fragment`).
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from unidoku.core.bits import values_of
from unidoku.draw.board import layout_label, marks_a_side
from unidoku.draw.paint import STEPS
from unidoku.logic import Ending, State, Step, Walkthrough
from unidoku.logic.geometry import cells_of
from unidoku.logic.show import drawing
from unidoku.logic.show.drawing import board_label, picture
from unidoku.logic.show.words import is_key, outcome, summary, uses_table
from unidoku.support.atomic_write import write_text
from unidoku.support.language import figure, language, message
from unidoku.support.page import ENDINGS, page, read_part, read_words
from unidoku.support.table import to_html

_TONES = {
    Ending.SOLVED: ("good", "✓"),
    Ending.STALLED: ("open", "◷"),
    Ending.UNFINISHED: ("open", "◷"),
    Ending.CONTRADICTION: ("bad", "✕"),
}
"""The class of each ending on the page, and its sign."""

_MARK_WIDTH = 7
"""Minimum width of a candidate's digit in pixels; a board that needs more room is scrolled."""

SHAPES = (
    (
        '<rect class="base" x="1" y="1" width="16" height="16"/>'
        '<path class="base-line" d="M2 2h14v14h-14z"/>',
        "unit that it uses (base)",
    ),
    (
        '<rect class="cover" x="1" y="1" width="16" height="16"/>'
        '<path class="cover-line" d="M2 2h14v14h-14z"/>',
        "unit along which it eliminates (cover)",
    ),
    (
        '<rect class="ruled" x="1" y="1" width="16" height="16"/>'
        '<path class="rule-line" d="M2 2h14v14h-14z"/>',
        "rule that it uses",
    ),
    (
        '<circle class="pattern" cx="9" cy="9" r="7"/><text class="on" x="9" y="12.6">5</text>',
        "candidate that it uses",
    ),
    (
        '<path class="fin" d="M9 .5l8.5 8.5l-8.5 8.5l-8.5 -8.5z"/>'
        '<text class="on" x="9" y="12.6">5</text>',
        "fin, an exception",
    ),
    (
        '<rect class="gone" x="2" y="2" width="14" height="14" rx="2"/>'
        '<text class="left" x="9" y="12.6">5</text><path class="strike" d="M2 16l14 -14"/>',
        "candidate that is removed",
    ),
    (
        '<circle class="ring" cx="9" cy="9" r="7"/><text class="placed" x="9" y="12.6">5</text>',
        "value that is placed",
    ),
    (
        '<rect class="twin-blue" x="1" y="1" width="16" height="16"/>'
        '<text class="label" x="9" y="12.6">2</text>',
        "region that is known of a cell",
    ),
    ('<path class="link" d="M0 9h18"/>', "strong link: one of both is true"),
    ('<path class="link weak" d="M0 9h18"/>', "weak link: not both are true"),
)
"""The shapes of the pictures with their meanings."""


OF_SCRIPT = (
    "Step {number} of {count} · rating {rating}",
    "{board}; step {number}: {sentence}",
    "Start",
    "End",
)
"""The messages of the page's script."""


def write_html(path: Walkthrough, file: Path, *, title: str = "", force: bool = False) -> None:
    """Write the page of a path, one kilobyte for each step.

    Args:
        path: the path to show.
        file: path of the file.
        title: title of the page; by default the layout and its size.
        force: whether to replace an existing file.

    Raises:
        InputError: the file's name does not have the ending of a page.
        OutputError: the file exists or cannot be written.
    """
    write_text(file, html(path, title=title), force=force, endings=ENDINGS)


def html(path: Walkthrough, *, title: str = "") -> str:
    """Return the page of a path as text; see `write_html`."""
    layout = path.board.layout
    title = title or layout_label(layout)
    marks_a_row = marks_a_side(layout.n)
    total = (message("All"), len(path.steps), path.rating, path.score)
    package = "unidoku.logic.show"
    tone, sign = _TONES[path.outcome]
    body = Template(read_words(package, "page.html")).substitute(
        title=escape(title),
        tone=tone,
        sign=sign,
        summary=escape(summary(path)),
        least=layout.columns * marks_a_row * (len(str(layout.n)) * _MARK_WIDTH + 1),
        columns=layout.columns,
        board=_board(path),
        last=len(path.steps) + 1,
        key=_key(),
        steps="\n".join(_item(number, step) for number, step in enumerate(path.steps, start=1)),
        end=escape(outcome(path)),
        uses=to_html(replace(uses_table(path), title="", foot=total)),
    )
    return page(
        title=f"{title} · unidoku explain",
        language=language(),
        body=body,
        data=_data(path),
        style=STEPS.page_style + read_part(package, "page.css"),
        script=read_part(package, "page.js"),
    )


def _board(path: Walkthrough) -> str:
    """Return the initial board, with hidden parts for all steps."""
    layout = path.board.layout
    placed = [(cell, value) for cell, (value, _) in sorted(_placements_of(path).items())]
    steps = [*zip(path.states, path.steps, strict=False)]
    under = [drawing.under(step) + drawing.regions(state) for state, step in steps]
    over = [drawing.borders(state) + drawing.over(step) for state, step in steps]
    parts = [
        drawing.ground(layout),
        *(_hidden("under", k, part) for k, part in enumerate(under, start=1)),
        drawing.net(layout),
        drawing.values(layout, "given", enumerate(path.board.givens)),
        drawing.values(layout, "found off", placed),
        drawing.marks(path.states[0]),
        *(_hidden("over", k, part) for k, part in enumerate(over, start=1)),
    ]
    return drawing.frame(layout, board_label(layout), parts)


def _hidden(kind: str, number: int, part: str) -> str:
    return f'<g id="{kind}-{number}" class="off">{part}</g>' if part else ""


def _data(path: Walkthrough) -> dict[str, Any]:
    """Return the step that places each value or removes each candidate, in document order.

    And the words of the script. Steps are numbered from 1; a candidate that stays has 0.
    """
    start = path.states[0]
    placed = _placements_of(path)
    gone = {
        (cell, value): k + 1
        for k in range(len(path.steps))
        for cell, (before, after) in enumerate(
            zip(path.states[k].candidates, path.states[k + 1].candidates, strict=True)
        )
        for value in values_of(before & ~after)
    }
    return {
        "words": {text: message(text) for text in OF_SCRIPT},
        "found": [
            number for cell, (_, number) in sorted(placed.items()) if cell < start.layout.drawn
        ],
        "marks": [
            gone.get((cell, value), placed[cell][1] if cell in placed else 0)
            for cell in cells_of(start.empty & (1 << start.layout.drawn) - 1)
            for value in values_of(start.candidates[cell])
        ],
    }


def _placements_of(path: Walkthrough) -> dict[int, tuple[int, int]]:
    """Return the value and the number of the step for each cell that a step fills.

    The last state cannot show this: after a contradiction it has lost values.
    """
    placed: dict[int, tuple[int, int]] = {}
    for number, step in enumerate(path.steps, start=1):
        for cell, value in step.placements:
            placed.setdefault(cell, (value, number))
    return placed


def _item(number: int, step: Step) -> str:
    kind = ' class="key"' if is_key(step) else ""
    technique = escape(message(step.technique))
    sentence = escape(step.sentence).replace(technique, f"<b>{technique}</b>", 1)
    title, rating = escape(message("rating")), figure(f"{step.rating:.1f}")
    return (
        f'<li id="step-{number}"{kind}><a href="#step-{number}"><span class="sentence">'
        f'{sentence}</span> <span class="rating" title="{title}">{rating}</span></a></li>'
    )


def _key() -> str:
    """Return the shapes of the pictures and their meanings as an HTML list."""
    items = (
        '<li><svg class="unidoku-path" viewBox="0 0 18 18" width="18" height="18" '
        f'aria-hidden="true" font-size="10">{shape}</svg> {escape(message(meaning))}</li>'
        for shape, meaning in SHAPES
    )
    return f'<ul class="shapes">{"".join(items)}</ul>'


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
    steps = _folded(message("Steps"), f"<ol>{''.join(items)}</ol>")
    content = f"<p>{escape(summary(path))}</p>{_painted(path.final)}{steps}"
    style = f"<style>{STEPS.dark_style(content)}{_STYLE}</style>"
    return f'<div class="unidoku-steps">{style}{content}</div>'


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>{content}</details>"


def _painted(state: State, step: Step | None = None) -> str:
    """Return a picture whose dark colours are in the style of the fragment."""
    return STEPS.painted(picture(state, step), "auto")
