"""Interactive Sudoku Solver: its constraint strings, links to it, and its texts of killers.

A string such as ``.Shape~4x4.Thermo~R1C1~R1C2.~R2C2_3`` has a constraint after each dot, with its
arguments after tildes; see https://github.com/sigh/Interactive-Sudoku-Solver.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import unquote_plus

from unidoku.errors import FormatError, InputError
from unidoku.formats.draft import Draft, one_line, readable
from unidoku.formats.iss.machines import sixes
from unidoku.formats.iss.plain import constraints_of
from unidoku.formats.iss.rules import RULES, strict_rules
from unidoku.formats.iss.scope import MOST_CELLS, MOST_SIDE, Scope
from unidoku.formats.meanings import Meaning, either
from unidoku.formats.puzzles import Puzzle
from unidoku.support.schema import shown

FORM = "ISS"

_LINK = re.compile(r"[?&]q=([^&#\s]+)")
_SHAPE = re.compile(r"([0-9]{1,2})x([0-9]{1,2})")
_RANGE = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_CELL = re.compile(r"[Rr][0-9a-gA-G][Cc][0-9a-gA-G]|(?:V[A-Z]+|CC|DG[A-Z])[0-9]*")

_MOST_NODES = 20_000
_DEEPEST = 20

_COMPOSITES = ("Or", "And", "Replicate")


@dataclass(slots=True)
class Node:
    """A constraint in a text of Interactive Sudoku Solver, such as ``.Thermo~R1C1~R1C2``.

    Args:
        kind: its name; ``Given`` if it has none.
        args: its arguments.
        children: the constraints inside an Or, And or Replicate.
    """

    kind: str
    args: Sequence[str]
    children: list[Node] = field(default_factory=list)


def read_iss(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the puzzle of a string, a link, or other texts of the solver with blank lines between.

    If several lines begin with ``.Shape``, each begins a puzzle.

    Raises:
        FormatError: the text is not valid.
    """
    text = text.strip()
    if match := _LINK.search(text):
        text = unquote_plus(match[1])
    starts = [match.start() for match in _BEGINNING.finditer(text)]
    if len(starts) < 2 or text[: starts[0]].strip():
        yield _read(text)
        return
    for start, end in zip(starts, (*starts[1:], len(text)), strict=True):
        yield replace(_read(text[start:end]), line=text.count("\n", 0, start) + 1)


_BEGINNING = re.compile(r"(?m)^[ \t]*\.Shape~")


def _read(text: str) -> Puzzle:
    """Return the puzzle of a text."""
    text = re.sub(r"(?m)^#.*$", "", text)
    nodes: list[Node] = []
    for part in re.split(r"\n\s*\n", text.strip()):
        packed = "".join(part.split())
        if re.match(r"\.{1,2}(?:[^~]*~|[A-Z][a-z]|\Z)", packed):
            nodes += _nodes(packed)
        else:
            nodes += [Node(kind, args) for kind, args in constraints_of(packed)]
    return _puzzle(nodes)


def _nodes(packed: str) -> list[Node]:
    """Return the constraints of a string without white space."""
    root = Node("And", ())
    stack = [root]
    items = packed.split(".")[1:]
    if len(items) > _MOST_NODES:
        raise FormatError(f"expected at most {_MOST_NODES:,} constraints, got {len(items):,}")
    for item in items:
        kind, *args = item.split("~")
        if kind == "End":
            if len(stack) == 1:
                raise FormatError("expected a constraint, got an .End of none")
            stack.pop()
            continue
        node = Node(kind or "Given", args)
        stack[-1].children.append(node)
        if kind in _COMPOSITES:
            stack.append(node)
            if len(stack) > _DEEPEST:
                raise FormatError(f"expected constraints in at most {_DEEPEST} others, got more")
    if len(stack) > 1:
        raise FormatError(f"expected .End after .{stack[-1].kind}, got the end")
    return root.children


@readable(FORM)
def _puzzle(nodes: list[Node]) -> Puzzle:
    reader = _Reader(nodes)
    for node in nodes:
        reader.draft.add(*reader.meanings_of(node))
    reader.draft.add(*strict_rules(reader.scope))
    return reader.draft.puzzle()


class _Reader:
    """Information that constraints share: shape, boxes, and cells outside the grid."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._by_kind: dict[str, list[Node]] = defaultdict(list)
        for node in nodes:
            self._by_kind[node.kind].append(node)
        self.draft = draft = _shape([node.args for node in self._by_kind["Shape"]])
        self._is_raw = any(node.args[2:] == ["Raw"] for node in self._by_kind["Shape"])
        if self._is_raw:
            draft.units = []
        self._node_count = 0
        self.scope = Scope(draft, self._groups(), self._regions(), self._ties())

    def _groups(self) -> Mapping[str, tuple[int, int, int]]:
        """Return the grid and each group of further cells, as `Scope` has them."""
        draft = self.draft
        counts: dict[str, tuple[int, int]] = {}
        for node in self._by_kind["Var"]:
            prefix, _, size = (*node.args, "", "", "")[:3]
            match = re.fullmatch(r"(?:([1-9][0-9]{0,2})x)?([1-9][0-9]{0,3})", size)
            rows, columns = (int(match[1] or 1), int(match[2])) if match else (1, 1)
            if not re.fullmatch("[A-Z]+", prefix):
                raise FormatError(f"Var: expected capital letters, got {shown(prefix)}")
            counts[f"V{prefix}"] = rows * columns, columns if match and match[1] else 0
        if self._by_kind["ChaosConstruction"]:
            counts["CC"] = len(draft.cells), draft.columns
        if self._by_kind["Doppelganger"]:
            box = draft.boxes_of(max(draft.rows, draft.columns))
            width = sum(cell < draft.columns for cell in box[0]) if box else 0
            counts |= {"DGB": (len(box), width), "DGC": (draft.rows, 0), "DGR": (draft.columns, 0)}
            counts["DGZ"] = (1, 0)
        groups = {"": (0, len(draft.cells), draft.columns)}
        for prefix, (count, width) in sorted(counts.items()):
            groups[prefix] = len(draft.cells) + draft.hidden, count, width or draft.columns
            draft.hidden += count
            if len(draft.cells) + draft.hidden > MOST_CELLS:
                raise FormatError(f"expected at most {MOST_CELLS:,} cells, got more")
        return groups

    def _regions(self) -> int:
        """Add boxes and pieces of a jigsaw to the draft; return the number of cells in a region."""
        draft = self.draft
        sizes = [node.args[0] for node in self._by_kind["RegionSize"] if node.args]
        size = int(sizes[0]) if sizes and sizes[0].isdecimal() and len(sizes[0]) < 4 else 0
        full = size or max(draft.rows, draft.columns)
        pieces: dict[str, list[int]] = {}
        for node in self._by_kind["Jigsaw"]:
            symbols = node.args[-1] if node.args else ""
            if len(symbols) != len(draft.cells):
                raise FormatError(
                    f"Jigsaw: expected {len(draft.cells)} symbols, got {len(symbols)}"
                )
            for cell, symbol in enumerate(symbols):
                pieces.setdefault(symbol, []).append(cell)
        if len(pieces) > 1:
            most = draft.high - draft.low + 1
            whole = [piece for piece in pieces.values() if full <= len(piece) <= most]
            if len(whole) < len(pieces):
                draft.report.read_as("a piece of another size than the others is no region")
            draft.regions = [*whole]
        if not self._by_kind["NoBoxes"] and not self._is_raw:
            boxes = draft.boxes_of(full)
            draft.units += draft.regions if boxes else []
            draft.regions = [*boxes] or draft.regions
        return full

    def _ties(self) -> str:
        ties = [node.args[0] for node in self._by_kind["FullRankTies"] if node.args]
        return ties[-1] if ties else "only-unclued"

    def meanings_of(self, node: Node) -> list[Meaning]:
        """Return the rules, units and domains for a constraint."""
        self._node_count += 1
        if self._node_count > _MOST_NODES:
            raise FormatError(f"expected at most {_MOST_NODES:,} constraints, got more")
        if node.kind == "Or":
            branches = [self._branch(child) for child in node.children]
            return [*either(branches)] if branches else []
        if node.kind == "And":
            return [each for child in node.children for each in self.meanings_of(child)]
        if node.kind == "Replicate":
            return [*self._replicated(node)]
        if (read := RULES.get(node.kind)) is None:
            self.scope.draft.report.drop(f"unknown constraint {shown(one_line(node.kind))}")
            return []
        try:
            return [*read(self.scope, node.args)]
        except InputError as error:
            raise FormatError(f"{node.kind}: {error}") from error
        except (ValueError, IndexError) as error:
            raise FormatError(f"{node.kind}: expected other arguments") from error

    def _branch(self, node: Node) -> list[Meaning]:
        scope = self.scope
        self.scope = replace(scope, is_branch=True)
        try:
            return self.meanings_of(node)
        finally:
            self.scope = scope

    def _replicated(self, node: Node) -> Iterator[Meaning]:
        """Yield the rules in a Replicate, moved from its origin to each target."""
        bits, origin = (*node.args, "R1C1")[:2] if node.args else ("", "R1C1")
        first = self.scope.cell(origin)
        for index, value in enumerate(sixes(bits)):
            for bit in range(6):
                if value >> bit & 1:
                    moves = self._moved(first, first + 6 * index + bit)
                    for child in node.children:
                        yield from self.meanings_of(moves(child))

    def _moved(self, origin: int, target: int):  # type: ignore[no-untyped-def]  # a function of nodes
        scope = self.scope
        start, end = scope.position(origin), scope.position(target)
        if start[0] != end[0]:
            raise FormatError("Replicate: expected targets beside the origin, got other cells")

        def moved_name(name: str) -> str:
            match = _CELL.match(name)
            if not match or (match[0] != name and name[match.end()] != "_"):
                return name
            group, row, column = scope.position(scope.cell(match[0]))
            row, column = row + end[1] - start[1], column + end[2] - start[2]
            cell = scope.at(group, row, column)
            if group != start[0] or cell is None:
                raise FormatError(f"Replicate: expected cells of the grid, moved {match[0]} beyond")
            return scope.name(cell) + name[match.end() :]

        def moved(node: Node) -> Node:
            return Node(
                node.kind, [moved_name(arg) for arg in node.args], [*map(moved, node.children)]
            )

        return moved


def _shape(shapes: Sequence[Sequence[str]]) -> Draft:
    """Return an empty puzzle of the given shape, by default 9x9."""
    dims, numbers, kind = (*(shapes[0] if shapes else ("9x9",)), "", "", "")[:3]
    if any(list(shape) != list(shapes[0]) for shape in shapes):
        raise FormatError("Shape: expected one, got several")
    size = _SHAPE.fullmatch(dims)
    values = _RANGE.fullmatch(numbers) if numbers else None
    if not size or kind not in ("", "Raw", "Sudoku") or (numbers and not values):
        numbers = "~".join(shapes[0])
        raise FormatError(f"Shape: expected such as 9x9, 6x6~9 or 9x9~0-8, got {shown(numbers)}")
    rows, columns = int(size[1]), int(size[2])
    low, high = 1, max(rows, columns)
    if values:
        low, high = (int(values[1]), int(values[2])) if values[2] else (1, int(values[1]))
    floor = 1 if kind == "Raw" else max(rows, columns)
    if not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE) or low > 1:
        raise FormatError(f"Shape: expected up to 16x16 cells with values from 0 or 1, got {dims}")
    if not floor <= high - low + 1 <= MOST_SIDE:
        raise FormatError(f"Shape: expected {floor} to {MOST_SIDE} values, got {high - low + 1}")
    return Draft(FORM, rows, columns, low, high)
