"""A path as one HTML file: the board, step by step, and the reasons beside it.

The file needs no network and no library, and its policy forbids every request. Python draws and
writes all of it, the parts of each step too; the script only shows those of the step that is
looked at. Without scripts a reader has the board as it begins and all sentences.
"""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
from html import escape
from importlib.resources import files
from string import Template

from unidoku.core.bits import values_of
from unidoku.draw import CELL, mark_place
from unidoku.errors import InputError
from unidoku.logic import Outcome, Path, Step
from unidoku.logic.geometry import cells_of
from unidoku.logic.show import drawing
from unidoku.logic.show.key import key
from unidoku.logic.show.words import is_key, layout_label, summary, uses

__all__ = ["html", "write_html"]

_TONES = {Outcome.SOLVED: "good", Outcome.STALLED: "open", Outcome.CONTRADICTION: "bad"}
_SIGNS = {Outcome.SOLVED: "✓", Outcome.STALLED: "◷", Outcome.CONTRADICTION: "✕"}

_MARK_WIDTH = 7
"""The least pixels that a candidate's digit needs; a board that needs more room is scrolled."""


def write_html(path: Path, file: pathlib.Path, *, title: str = "") -> None:
    """Write the page of a path; one kilobyte a step.

    Args:
        path: what is shown.
        file: where to write; one that is there is replaced.
        title: of the page; the layout and its size if not given.

    Raises:
        InputError: the file cannot be written.
    """
    # A title read from a file may hold a lone surrogate, which no encoding has.
    content = html(path, title=title).encode("utf-8", "replace")
    try:
        file.write_bytes(content)
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error}") from error


def html(path: Path, *, title: str = "") -> str:
    """Return the page of a path as text; see `write_html`."""
    script = _read("page.js")
    layout = path.board.layout
    marks_a_row = round(CELL / mark_place(layout.n, 1)[2])
    return Template(_read("page.html")).substitute(
        policy=_policy(script),
        title=escape(title or f"{layout_label(layout)}"),
        style=drawing.PATH_STYLE + _read("page.css"),
        tone=_TONES[path.outcome],
        sign=_SIGNS[path.outcome],
        summary=escape(summary(path)),
        least=layout.columns * marks_a_row * (len(str(layout.n)) * _MARK_WIDTH + 1),
        columns=layout.columns,
        board=_board(path),
        last=len(path.steps) + 1,
        key=key(),
        steps="\n".join(_item(number, step) for number, step in enumerate(path.steps, start=1)),
        end=escape(_end(path)),
        uses=_uses(path),
        data=json.dumps(_data(path), separators=(",", ":")),
        script=script,
    )


def _read(name: str) -> str:
    return files("unidoku.logic.show").joinpath(name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    """Return a policy that allows this script only, and no request at all."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _board(path: Path) -> str:
    """Return the board as it begins, and hidden in it all that the steps bring."""
    layout = path.board.layout
    found = [(cell, value) for cell, (value, _) in sorted(_found(path).items())]
    parts = [
        drawing.ground(layout),
        *(_hidden("under", k, drawing.under(step)) for k, step in enumerate(path.steps, start=1)),
        drawing.lines(layout),
        drawing.values(layout, "given", enumerate(path.board.givens)),
        drawing.values(layout, "found off", found),
        drawing.marks(path.states[0]),
        *(_hidden("over", k, drawing.over(step)) for k, step in enumerate(path.steps, start=1)),
    ]
    return drawing.frame(layout, f"board, {layout_label(layout)}", parts)


def _hidden(kind: str, number: int, part: str) -> str:
    return f'<g id="{kind}-{number}" class="off">{part}</g>' if part else ""


def _data(path: Path) -> dict[str, list[int]]:
    """Return when each value appears and each candidate goes, in the order of the elements.

    Numbers are those of the steps, from 1; a candidate that stays has 0.
    """
    start = path.states[0]
    found = _found(path)
    gone = {
        (cell, value): k + 1
        for k in range(len(path.steps))
        for cell, (before, after) in enumerate(
            zip(path.states[k].candidates, path.states[k + 1].candidates, strict=True)
        )
        for value in values_of(before & ~after)
    }
    return {
        "found": [number for _, (_, number) in sorted(found.items())],
        "marks": [
            gone.get((cell, value), found[cell][1] if cell in found else 0)
            for cell in cells_of(start.empty)
            for value in values_of(start.candidates[cell])
        ],
    }


def _found(path: Path) -> dict[int, tuple[int, int]]:
    """Return for each cell that a step places its value and the step's number.

    Of a contradiction the last state does not know the values any more.
    """
    found: dict[int, tuple[int, int]] = {}
    for number, step in enumerate(path.steps, start=1):
        for cell, value in step.placements:
            found.setdefault(cell, (value, number))
    return found


def _item(number: int, step: Step) -> str:
    kind = ' class="key"' if is_key(step) else ""
    reason = escape(step.sentence.removeprefix(step.technique).strip())
    return (
        f'<li id="step-{number}"{kind}><a href="#step-{number}"><span class="sentence"><b>'
        f"{escape(step.technique)}</b> {reason}</span> "
        f'<span class="rating" title="rating">{step.rating:.1f}</span></a></li>'
    )


def _end(path: Path) -> str:
    return summary(path).partition("; hardest")[0]


def _uses(path: Path) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(use.technique)}</th><td>{use.steps}</td>'
        f"<td>{use.rating:.1f}</td><td>{use.score:,}</td></tr>"
        for use in uses(path)
    )
    return (
        '<table><thead><tr><th scope="col">Technique</th><th scope="col">Steps</th>'
        '<th scope="col">Rating</th><th scope="col">Score</th></tr></thead>'
        f'<tbody>{rows}</tbody><tfoot><tr><th scope="row">All</th><td>{len(path.steps)}</td>'
        f"<td>{path.rating:.1f}</td><td>{path.score:,}</td></tr></tfoot></table>"
    )
