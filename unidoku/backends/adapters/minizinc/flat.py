"""The FlatZinc of a layout, compiled once by MiniZinc, and of its boards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from itertools import chain

from unidoku.backends.adapters.minizinc.process import SolverProgram, running
from unidoku.backends.toolkit.budget import Budget
from unidoku.core.bits import values_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.rules import NonConsecutive
from unidoku.errors import BackendError


class Flat:
    """The FlatZinc of a layout, cut where the candidates of a cell are written."""

    def __init__(
        self, layout: Layout, solver: SolverProgram, annotations: str, budget: Budget
    ) -> None:
        """Compile the model; raise LimitReached or BackendError if that cannot be done."""
        with resources.as_file(resources.files(__package__) / "model.mzn") as model:
            command = ["minizinc", "-c", "--solver", solver.id, "--no-output-ozn"]
            command += ["--output-to-stdout", str(model)]
            with running(command, _data(layout) + annotations, ".dzn") as process:
                lines = list(process.lines(budget))
                if failure := process.failure():
                    raise failure
        self._cut(b"\n".join(lines).decode(), layout)

    def _cut(self, text: str, layout: Layout) -> None:
        """Find where the domains of the cells stand."""
        array = re.search(r"\bx\s*::[^=]*=\s*\[([^]]*)\]", text)
        names = array[1].split(",") if array else []
        cell_of = {name.strip(): cell for cell, name in enumerate(names)}
        self._before: list[str] = []
        self._cells: list[int] = []
        end = 0
        declaration = rf"^var (1\.\.{layout.n + 1})\s*:\s*(\w+)"
        for found in re.finditer(declaration, text, re.MULTILINE):
            cell = cell_of.get(found[2])
            if cell is not None:
                self._cells.append(cell)
                self._before.append(text[end : found.start(1)])
                end = found.end(1)
        self._rest = text[end:]
        if sorted(self._cells) != list(layout.cells):
            raise BackendError(f"minizinc: expected a variable for each cell, got: {text[:200]}")

    def of(self, board: Board) -> str:
        """Return the FlatZinc of a board without empty cells."""
        domains = {mask: _domain(mask) for mask in set(board.candidates)}
        written = [domains[board.candidates[cell]] for cell in self._cells]
        return "".join(chain.from_iterable(zip(self._before, written, strict=True))) + self._rest


def _domain(mask: int) -> str:
    values = values_of(mask)
    if len(values) == values[-1] - values[0] + 1:
        return f"{values[0]}..{values[-1]}"
    return f"{{{','.join(map(str, values))}}}"


def _data(layout: Layout) -> str:
    units = ",".join([_set_of(unit.cells) for unit in layout.maximal_units])
    apart: list[int] = []
    for rule in layout.rules:
        assert isinstance(rule, NonConsecutive), "the catalogue row names the rules served"
        apart += [cell + 1 for pair in rule.pairs for cell in pair]
    return (
        f"n = {layout.n}; cells = {len(layout)}; units = [{units}];\n"
        f"apart = array2d(1..{len(apart) // 2}, 1..2, {apart});\n"
    )


def _set_of(cells: Sequence[int]) -> str:
    return f"{{{','.join([str(cell + 1) for cell in cells])}}}"
