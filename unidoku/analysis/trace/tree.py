"""A tree of a search: its nodes, and all of it as text, as JSON and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from string import Template
from typing import Any

from unidoku.backends.base import Stop
from unidoku.backends.visit import Guess, NodeEnd
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.draw.board import layout_label, picture
from unidoku.draw.paint import BOARD
from unidoku.draw.strokes import middle
from unidoku.support.page import page, read_part
from unidoku.support.text import plural
from unidoku.version import __version__

Candidate = tuple[int, int]
"""A cell and a value."""

_MOST_FILLED = 12
"""The most filled cells of a node that the text names; the page and JSON name all."""

_SIGNS = {NodeEnd.SOLUTION: "✓", NodeEnd.CONTRADICTION: "✗", NodeEnd.LIMIT: "…"}

_ENDS = {
    Stop.EXHAUSTED: "the whole search",
    Stop.SOLUTIONS: "it ends at the last solution asked for",
    Stop.NODES: "it ends at the node limit, there is more",
    Stop.TIME: "it ends at the time limit, there is more",
    Stop.INCOMPLETE: "the backend can do no more",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceNode:
    """A node of the tree.

    Args:
        guess: the guess that leads to it, in words if it is not about a value of a cell; None for
            the root, and for a step.
        step: what was done instead of a guess, in words; empty otherwise.
        filled: cells that propagation then left one value, with the value.
        removed: other candidates that propagation removed; not those of cells in ``filled``.
        end: how it ended; None if it has children, and for a step.
        where: the part of the board that contradicts itself, in words; empty if not known.
        children: its children, in the order of the search.
    """

    guess: Guess | str | None
    step: str = ""
    filled: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    end: NodeEnd | None = None
    where: str = ""
    children: tuple[TraceNode, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trace:
    """The search of one board by one backend.

    Args:
        board: the board.
        backend: label of the backend.
        layout: the layout that the backend searches, which may have more cells than the board.
        runs: the root of the tree; several if the search began again.
        stop: why it ended.
        nodes: number of nodes, without steps and further roots.
    """

    board: Board
    backend: str
    layout: Layout = field(repr=False)
    runs: tuple[TraceNode, ...] = field(repr=False)
    stop: Stop
    nodes: int

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the cells of the searched layout: ``#1``, ``#2``, … are hidden."""
        drawn = self.board.layout.names[: len(self.board.layout)]
        hidden = len(self.layout) - len(drawn)
        return (*drawn, *(f"#{number}" for number in range(1, hidden + 1)))

    @property
    def root(self) -> TraceNode:
        """The root of the first run."""
        return self.runs[0]

    def walk(self) -> Iterator[tuple[int, TraceNode]]:
        """Yield all nodes with their depth, in the order of the search."""
        waiting = [(0, run) for run in reversed(self.runs)]
        while waiting:
            depth, node = waiting.pop()
            yield depth, node
            waiting += [(depth + 1, child) for child in reversed(node.children)]

    def count(self, end: NodeEnd) -> int:
        """Return the number of nodes that ended so."""
        return sum(node.end is end for _, node in self.walk())

    def __str__(self) -> str:
        """Return in words how large the tree is and why the search ended."""
        steps = sum(bool(node.step) for _, node in self.walk())
        parts = [plural(self.nodes, "node")]
        if steps:
            parts.append(plural(steps, "step"))
        if len(self.runs) > 1:
            parts.append(plural(len(self.runs) - 1, "restart"))
        parts.append(plural(self.count(NodeEnd.CONTRADICTION), "contradiction"))
        parts.append(plural(self.count(NodeEnd.SOLUTION), "solution"))
        return f"{self.backend}: {', '.join(parts)}; {_ENDS[self.stop]}"

    def text(self) -> str:
        """Return the tree as text: a line for each node, its children below it.

        An only child stands below its parent without another indentation, because nothing was
        chosen between.
        """
        return "\n".join([str(self), *self.lines()])

    def lines(self) -> Iterator[str]:
        """Yield the lines of the tree."""
        names, symbols = self.names, self.layout.shown
        # For each waiting node: what is in front of its line, and of those below it.
        waiting = [("", "", run) for run in reversed(self.runs)]
        while waiting:
            front, below, node = waiting.pop()
            yield front + _line(names, symbols, node)
            children = node.children
            for index, child in enumerate(reversed(children)):
                if len(children) == 1:
                    waiting.append((below, below, child))
                elif index == 0:
                    waiting.append((f"{below}└ ", f"{below}  ", child))
                else:
                    waiting.append((f"{below}├ ", f"{below}│ ", child))

    def html(self, title: str = "") -> str:
        """Return the tree as a page: branches fold, and a node shows its board."""
        board = self.board
        title = title or layout_label(board.layout)
        package = __name__.rpartition(".")[0]
        body = Template(read_part(package, "page.html")).substitute(
            title=escape(title),
            summary=escape(str(self)),
            picture=picture(board),
            text=escape("\n".join(_first(self.lines(), 200))),
            footer=escape(f"Written by unidoku {__version__}. This file makes no request."),
        )
        data = {
            "nodes": [_row(node, depth) for depth, node in self.walk()],
            "names": list(self.names),
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

    def record(self, name: str = "") -> dict[str, Any]:
        """Return the tree for JSON: the nodes in the order of the search, each with its parent."""
        names, number = self.names, self.layout.number

        def pairs(candidates: Iterable[Candidate]) -> list[list[str | int]]:
            return [[names[cell], number(value)] for cell, value in candidates]

        def guess(node: TraceNode) -> dict[str, Any] | str | None:
            if not isinstance(node.guess, Guess):
                return node.guess
            cell, value = names[node.guess.cell], number(node.guess.value)
            return {"cell": cell, "value": value, "holds": node.guess.holds}

        path: list[int] = []
        nodes = []
        for index, (depth, node) in enumerate(self.walk()):
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
            **self.board.record(name),
            "backend": self.backend,
            "stop": self.stop.value,
            "count": self.nodes,
            "solutions": self.count(NodeEnd.SOLUTION),
            "contradictions": self.count(NodeEnd.CONTRADICTION),
            "nodes": nodes,
        }


def _line(names: Sequence[str], symbols: Sequence[str], node: TraceNode) -> str:
    parts = []
    if node.filled and not node.step:
        first = node.filled[:_MOST_FILLED]
        filled = [f"{names[cell]}={symbols[value]}" for cell, value in first]
        further = len(node.filled) - _MOST_FILLED
        parts.append(" ".join(filled) + (f" and {further} more" if further > 0 else ""))
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


def _by_cell(candidates: Sequence[Candidate]) -> list[list[Any]]:
    """Return candidates as cells, each with its values."""
    values: dict[int, list[int]] = {}
    for cell, value in candidates:
        values.setdefault(cell, []).append(value)
    return [[cell, of_cell] for cell, of_cell in values.items()]


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


def _first(lines: Iterable[str], most: int) -> Iterator[str]:
    for index, line in enumerate(lines):
        if index == most:
            yield "… the rest needs scripts"
            return
        yield line
