"""A tree of a search as text, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from string import Template
from typing import TYPE_CHECKING, Any

from unidoku.backends.visit import Guess, NodeEnd
from unidoku.core.layout import Layout
from unidoku.draw.board import layout_label, picture
from unidoku.draw.paint import BOARD
from unidoku.draw.strokes import middle
from unidoku.support.page import page, read_part
from unidoku.support.text import plural
from unidoku.version import __version__

if TYPE_CHECKING:
    from unidoku.analysis.trace.tree import Candidate, Trace, TraceNode

_MOST_FILLED = 12
"""The most filled cells of a node that the text names; the page and JSON name all."""

_SIGNS = {NodeEnd.SOLUTION: "✓", NodeEnd.CONTRADICTION: "✗", NodeEnd.LIMIT: "…"}


def text(trace: Trace) -> str:
    """Return the tree as text: a line for each node, its children below it.

    An only child stands below its parent without another indentation, because nothing was chosen
    between.
    """
    return "\n".join([str(trace), *lines(trace)])


def lines(trace: Trace) -> Iterator[str]:
    """Yield the lines of the tree."""
    layout = trace.layout
    # For each waiting node: what is in front of its line, and of those below it.
    waiting = [("", "", run) for run in reversed(trace.runs)]
    while waiting:
        front, below, node = waiting.pop()
        yield front + _line(layout, node)
        children = node.children
        for number, child in enumerate(reversed(children)):
            if len(children) == 1:
                waiting.append((below, below, child))
            elif number == 0:
                waiting.append((f"{below}└ ", f"{below}  ", child))
            else:
                waiting.append((f"{below}├ ", f"{below}│ ", child))


def _line(layout: Layout, node: TraceNode) -> str:
    parts = []
    if node.filled and not node.step:
        some = _named(layout, node.filled[:_MOST_FILLED])
        more = len(node.filled) - _MOST_FILLED
        parts.append(" ".join(some) + (f" and {more} more" if more > 0 else ""))
    if node.removed and not node.step:
        parts.append(f"{plural(len(node.removed), 'other candidate')} removed")
    title = title_of(layout, node)
    followed = f"{title} → {'; '.join(parts)}" if parts else title
    return f"{followed} {_end(node)}".rstrip()


def _end(node: TraceNode) -> str:
    if node.end is None:
        return ""
    return f"{_SIGNS[node.end]} {node.end}{': ' if node.where else ''}{node.where}"


def title_of(layout: Layout, node: TraceNode) -> str:
    """Return what a node begins with: its guess, its step, or that it is a root."""
    match node.guess:
        case Guess(cell=cell, value=value, holds=holds):
            return f"{layout.names[cell]}{'=' if holds else '≠'}{layout.shown[value]}"
        case str(words):
            return words
        case None:
            return node.step or "start"


def _named(layout: Layout, candidates: Iterable[Candidate]) -> list[str]:
    return [f"{layout.names[cell]}={layout.shown[value]}" for cell, value in candidates]


def _by_cell(candidates: Sequence[Candidate]) -> list[list[Any]]:
    """Return candidates as cells, each with its values."""
    values: dict[int, list[int]] = {}
    for cell, value in candidates:
        values.setdefault(cell, []).append(value)
    return [[cell, some] for cell, some in values.items()]


def record(trace: Trace, name: str = "") -> dict[str, Any]:
    """Return the tree for JSON: the nodes in the order of the search, each with its parent."""
    layout = trace.layout
    path: list[int] = []
    nodes = []
    for number, (depth, node) in enumerate(trace.walk()):
        del path[depth:]
        table = {
            "id": number,
            "parent": path[-1] if path else None,
            **_guess(layout, node),
            "filled": [_candidate(layout, *candidate) for candidate in node.filled],
            "removed": [_candidate(layout, *candidate) for candidate in node.removed],
            "end": node.end and node.end.value,
            "where": node.where,
        }
        nodes.append(table)
        path.append(number)
    return {
        **trace.board.record(name),
        "backend": trace.backend,
        "stop": trace.stop.value,
        "count": trace.nodes,
        "solutions": trace.count(NodeEnd.SOLUTION),
        "contradictions": trace.count(NodeEnd.CONTRADICTION),
        "nodes": nodes,
    }


def _guess(layout: Layout, node: TraceNode) -> dict[str, Any]:
    if not isinstance(node.guess, Guess):
        return {"guess": node.guess, "step": node.step or None}
    cell, value = _candidate(layout, node.guess.cell, node.guess.value)
    return {"guess": {"cell": cell, "value": value, "holds": node.guess.holds}, "step": None}


def _candidate(layout: Layout, cell: int, value: int) -> list[str | int]:
    return [layout.names[cell], layout.number(value)]


def html(trace: Trace, title: str = "") -> str:
    """Return the tree as a page: branches fold, and a node shows its board."""
    layout, board = trace.layout, trace.board
    title = title or layout_label(board.layout)
    package = __name__.rpartition(".")[0]
    body = Template(read_part(package, "page.html")).substitute(
        title=escape(title),
        summary=escape(str(trace)),
        picture=picture(board),
        text=escape("\n".join(_first(lines(trace), 200))),
        footer=escape(f"Written by unidoku {__version__}. This file makes no request."),
    )
    data = {
        "nodes": [_row(node, depth) for depth, node in trace.walk()],
        "names": list(layout.names),
        "shown": list(layout.shown),
        "places": [list(middle(layout, cell)) for cell in board.layout.cells],
        "givens": list(board.givens),
    }
    return page(
        title=f"{title} · unidoku trace",
        body=body,
        data=data,
        style=BOARD.page_style + read_part(package, "page.css"),
        script=read_part(package, "page.js"),
        generator=f"unidoku {__version__}",
    )


def _row(node: TraceNode, depth: int) -> list[Any]:
    """Return a node for the script, in as few characters as possible."""
    guess: Any = node.guess or node.step or "start"
    if isinstance(guess, Guess):
        guess = [guess.cell, guess.value, int(guess.holds)]
    filled = [list(candidate) for candidate in node.filled]
    end = node.end.value if node.end else ""
    return [depth, guess, filled, _by_cell(node.removed), end, node.where]


def _first(some: Iterable[str], most: int) -> Iterator[str]:
    for number, line in enumerate(some):
        if number == most:
            yield "… the rest needs scripts"
            return
        yield line
