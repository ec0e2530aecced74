"""A tree of a search as text, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from string import Template
from typing import TYPE_CHECKING, Any

from unidoku.backends.visit import Guess, NodeEnd
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
    names, symbols = trace.names, trace.layout.shown
    # For each waiting node: what is in front of its line, and of those below it.
    waiting = [("", "", run) for run in reversed(trace.runs)]
    while waiting:
        front, below, node = waiting.pop()
        yield front + _line(names, symbols, node)
        children = node.children
        for number, child in enumerate(reversed(children)):
            if len(children) == 1:
                waiting.append((below, below, child))
            elif number == 0:
                waiting.append((f"{below}└ ", f"{below}  ", child))
            else:
                waiting.append((f"{below}├ ", f"{below}│ ", child))


def _line(names: Sequence[str], symbols: Sequence[str], node: TraceNode) -> str:
    parts = []
    if node.filled and not node.step:
        some = _named(names, symbols, node.filled[:_MOST_FILLED])
        more = len(node.filled) - _MOST_FILLED
        parts.append(" ".join(some) + (f" and {more} more" if more > 0 else ""))
    if node.removed and not node.step:
        parts.append(f"{plural(len(node.removed), 'other candidate')} removed")
    title = _title(names, symbols, node)
    followed = f"{title} → {'; '.join(parts)}" if parts else title
    return f"{followed} {_end(node)}".rstrip()


def _end(node: TraceNode) -> str:
    if node.end is None:
        return ""
    return f"{_SIGNS[node.end]} {node.end}{': ' if node.where else ''}{node.where}"


def _title(names: Sequence[str], symbols: Sequence[str], node: TraceNode) -> str:
    """Return what a node begins with: its guess, its step, or that it is a root."""
    match node.guess:
        case Guess(cell=cell, value=value, holds=holds):
            return f"{names[cell]}{'=' if holds else '≠'}{symbols[value]}"
        case str(words):
            return words
        case None:
            return node.step or "start"


def _named(
    names: Sequence[str], symbols: Sequence[str], candidates: Iterable[Candidate]
) -> list[str]:
    return [f"{names[cell]}={symbols[value]}" for cell, value in candidates]


def _by_cell(candidates: Sequence[Candidate]) -> list[list[Any]]:
    """Return candidates as cells, each with its values."""
    values: dict[int, list[int]] = {}
    for cell, value in candidates:
        values.setdefault(cell, []).append(value)
    return [[cell, some] for cell, some in values.items()]


def record(trace: Trace, name: str = "") -> dict[str, Any]:
    """Return the tree for JSON: the nodes in the order of the search, each with its parent."""
    names, number = trace.names, trace.layout.number

    def pairs(candidates: Iterable[Candidate]) -> list[list[str | int]]:
        return [[names[cell], number(value)] for cell, value in candidates]

    def guess(node: TraceNode) -> dict[str, Any] | str | None:
        if not isinstance(node.guess, Guess):
            return node.guess
        cell, value = names[node.guess.cell], number(node.guess.value)
        return {"cell": cell, "value": value, "holds": node.guess.holds}

    path: list[int] = []
    nodes = []
    for index, (depth, node) in enumerate(trace.walk()):
        del path[depth:]
        table = {
            "id": index,
            "parent": path[-1] if path else None,
            "guess": guess(node),
            "step": node.step or None,
            "filled": pairs(node.filled),
            "removed": pairs(node.removed),
            "end": node.end and node.end.value,
            "where": node.where,
        }
        nodes.append(table)
        path.append(index)
    return {
        **trace.board.record(name),
        "backend": trace.backend,
        "stop": trace.stop.value,
        "count": trace.nodes,
        "solutions": trace.count(NodeEnd.SOLUTION),
        "contradictions": trace.count(NodeEnd.CONTRADICTION),
        "nodes": nodes,
    }


def html(trace: Trace, title: str = "") -> str:
    """Return the tree as a page: branches fold, and a node shows its board."""
    board = trace.board
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
        "names": list(trace.names),
        "shown": list(board.layout.shown),
        "places": [list(middle(board.layout, cell)) for cell in board.layout.cells],
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
    guess: Any = node.step or "start"
    match node.guess:
        case Guess(cell=cell, value=value, holds=holds):
            guess = [cell, value, int(holds)]
        case str(words):
            guess = [words]
    filled = [list(candidate) for candidate in node.filled]
    end = node.end.value if node.end else ""
    return [depth, guess, filled, _by_cell(node.removed), end, node.where]


def _first(some: Iterable[str], most: int) -> Iterator[str]:
    for number, line in enumerate(some):
        if number == most:
            yield "… the rest needs scripts"
            return
        yield line
