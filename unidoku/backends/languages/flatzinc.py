"""FlatZinc of a layout, which MiniZinc compiles once, and of its boards."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence

from unidoku.backends.languages.minizinc import PLAIN, model_text
from unidoku.backends.languages.model import BoardModel
from unidoku.backends.toolkit.budget import Budget
from unidoku.backends.toolkit.models import Models
from unidoku.backends.toolkit.process import FILE, running
from unidoku.core.bits import all_values, mask_of, values_of
from unidoku.core.board import Board
from unidoku.core.caching import number_cache
from unidoku.core.layout import Grid, Layout
from unidoku.core.transforms.lower import narrowed
from unidoku.errors import BackendError, NotInstalledError


class Flat:
    """The FlatZinc of a layout, split where the candidates of a cell are written."""

    def __init__(self, layout: Layout, solver: str, annotations: str, budget: Budget) -> None:
        """Compile the model; raise LimitReached or BackendError if that fails."""
        command = ["minizinc", "-c", "--solver", solver, "--no-output-ozn"]
        command += ["--output-to-stdout", FILE]
        with running(command, model_text(layout, annotations), ".mzn", who="minizinc") as process:
            lines = list(process.lines(budget))
            if failure := process.failure():
                raise failure
        self._cut(b"\n".join(lines).decode(), layout)

    def _cut(self, text: str, layout: Layout) -> None:
        """Find the places of the cells' domains.

        The compiler propagates: a cell may become a number instead of a variable, get a narrower
        domain, or share the variable of another cell. All of this follows from the layout.
        """
        array = re.search(r"\bx\s*::[^=]*=\s*\[([^]]*)\]", text)
        names = [name.strip() for name in array[1].split(",")] if array else []
        self.names = names
        self._fixed = {cell: int(name) for cell, name in enumerate(names) if name.isdigit()}
        self._parts: list[tuple[str, int, list[int]]] = []  # text before, domain, its cells
        end, found_of = 0, 0
        for match in re.finditer(r"^var ([^:]*?)\s*:\s*(\w+)", text, re.MULTILINE):
            cells = [cell for cell, name in enumerate(names) if name == match[2]]
            if cells:
                self._parts.append((text[end : match.start(1)], _mask(match[1]), cells))
                found_of += len(cells)
                end = match.end(1)
        self._rest = text[end:]
        if found_of + len(self._fixed) != len(layout):
            raise BackendError(f"minizinc: expected a variable for each cell, got: {text[:200]}")

    def of(self, board: Board, other_than: Sequence[Grid] = ()) -> str | None:
        """Return the FlatZinc of a board, None if some cell has no candidate left.

        Args:
            board: the board.
            other_than: grids to exclude.
        """
        candidates = board.candidates
        if not all(candidates[cell] >> value - 1 & 1 for cell, value in self._fixed.items()):
            return None
        text: list[str] = []
        for before, mask, cells in self._parts:
            for cell in cells:
                mask &= candidates[cell]
            if not mask:
                return None
            text += before, _domain(mask)
        return "".join(text) + self._without(other_than)

    def _without(self, grids: Sequence[Grid]) -> str:
        """Return the text after the cells, with clauses that some cell differs from each grid.

        A grid may be that of the visible cells, which come before the hidden ones.
        """
        if not grids:
            return self._rest
        match = re.search("^(constraint|solve)", self._rest, re.MULTILINE)
        start = match.start() if match else len(self._rest)
        free = [cell for cell in range(len(grids[0])) if cell not in self._fixed]
        variables: list[str] = []
        clauses: list[str] = []
        for number, grid in enumerate(grids):
            name_of = {cell: f"held_{number}_{cell}" for cell in free}
            variables += (f"var bool: {name};\n" for name in name_of.values())
            clauses += (
                f"constraint int_eq_reif({self.names[cell]},{grid[cell]},{name});\n"
                for cell, name in name_of.items()
            )
            clauses.append(f"constraint bool_clause([],[{','.join(name_of.values())}]);\n")
        return "".join([self._rest[:start], *variables, *clauses, self._rest[start:]])


def _mask(domain: str) -> int:
    """Return the values of a domain, ``1..9``, ``{1,3}`` or ``int``, as a set."""
    first, _, last = domain.partition("..")
    if last:
        return all_values(int(last)) & ~all_values(int(first) - 1)
    return -1 if domain == "int" else mask_of(map(int, domain.strip("{}").split(",")))


@number_cache(maxsize=1024)
def _domain(mask: int) -> str:
    values = values_of(mask)
    if len(values) == values[-1] - values[0] + 1:
        return f"{values[0]}..{values[-1]}"
    return f"{{{','.join(map(str, values))}}}"


_IMPOSSIBLE = "constraint int_le(1, 0);\nsolve satisfy;\n"
"""The text for a board with a cell that has no candidate left: a variable needs a domain."""

_GECODE = "org.gecode.gecode"


_FLAT: Models[Flat] = Models()


def write_flatzinc(model: BoardModel) -> Iterator[str]:
    """Yield the lines of the FlatZinc that MiniZinc compiles for Gecode.

    Raises:
        NotInstalledError: MiniZinc is not installed.
        BackendError: MiniZinc fails.
    """
    if shutil.which("minizinc") is None:
        raise NotInstalledError(
            "flatzinc: expected MiniZinc, which compiles it, on the PATH; "
            "install it (https://www.minizinc.org), or write minizinc"
        )
    board = narrowed(model.board)
    layout, budget = board.layout, model.budget
    with _FLAT.lend(layout, None, lambda: Flat(layout, _GECODE, PLAIN, budget)) as flat:
        text = flat.of(board, model.other_than)
        names = flat.names
    if text is None:
        text = _IMPOSSIBLE
    elif model.readable:
        yield from (f"% {comment}" for comment in model.comments())
        words = [line for part in (*model.units(), *model.rules()) for line in part.comments]
        yield from (f"% {line}" for line in words)
        by_variable = dict(zip(reversed(names), reversed(layout.identifiers), strict=True))
        text = re.sub(r"\b[A-Za-z_]\w*\b", lambda match: by_variable.get(match[0], match[0]), text)
    yield from text.splitlines()
