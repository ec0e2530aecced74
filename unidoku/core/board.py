"""The board: a layout and the candidates of each of its cells."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from unidoku.core import display
from unidoku.core.bits import all_values, bit, is_single, mask_of, value_of, values_of
from unidoku.core.cells import CellLike
from unidoku.core.layout import Grid, Layout, Unit
from unidoku.core.text import Nested, TextForm, read_one, read_rows, write
from unidoku.errors import InputError
from unidoku.support.arguments import named_arguments, named_fields, whole_numbers
from unidoku.support.language import listing, message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Board", "Nested", "Problem", "TextForm"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why a board has no solutions that is found without a search.

    Args:
        kind: ``clash`` (one value twice in a unit), ``rule`` (a rule is broken) or ``empty``
            (a cell without candidates).
        cells: the cells at fault.
        text: the problem in words.
        unit: the unit of a clash.
        value: the value of a clash.
    """

    kind: Literal["clash", "rule", "empty"]
    cells: tuple[int, ...]
    text: str
    unit: Unit | None = None
    value: int | None = None

    def __str__(self) -> str:
        """Return the problem in words."""
        return self.text


@dataclass(frozen=True)
class Board:
    """A puzzle: a layout, and for each cell the set of values that it may hold.

    A given is a cell with one candidate. A board that contradicts itself is also a board: it has no
    solutions, and `problems` returns the reasons. Boards are immutable, hashable and picklable.

    Args:
        layout: layout with the cells, units and rules.
        candidates: one set for each cell, as an int in which bit v - 1 stands for the value v (see
            `unidoku.core.bits`); `values` returns a set's values.

    Raises:
        InputError: there is not one set for each cell, or a value does not belong to the layout.
    """

    layout: Layout
    candidates: tuple[int, ...]

    __iter__: ClassVar[None] = None
    """A board is not iterable: without this, ``[]`` would make it a sequence of its values."""

    @named_fields
    def __post_init__(self) -> None:
        """Refuse candidates that do not fit the layout."""
        if not isinstance(self.layout, Layout):
            raise TypeError
        object.__setattr__(self, "candidates", whole_numbers(self.candidates))
        if len(self.candidates) != len(self.layout):
            raise InputError(
                f"expected {len(self.layout)} candidate sets, one for each cell, "
                f"got {len(self.candidates)}"
            )
        everything = all_values(self.layout.n)
        for cell, mask in enumerate(self.candidates):
            if mask < 0 or mask & ~everything:
                raise InputError(
                    f"{self.layout.names[cell]}: expected values 1 to {self.layout.n}, "
                    f"got the candidate set {mask:#b}"
                )

    @classmethod
    @named_arguments
    def parse(
        cls,
        source: str | Nested,
        variant: str | Layout = "classic",
        *,
        size: int | None = None,
        symbols: str | None = None,
    ) -> Board:
        """Read one board from text, or from rows of values.

        >>> Board.parse("1... ..2. .3.. ...4").givens
        (1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4)
        >>> Board.parse([[1, None], [0, 0]], "latin").layout.n
        2

        Args:
            source: one line, lines in any frame, a candidate grid, or rows of ints with 0 or None
                for an empty cell (see docs/formats.md).
            variant: a variant's name or a layout; the size is taken from the source.
            size: number of values, if the source can be read in two sizes.
            symbols: the symbols in the order of their values, if these are ambiguous.

        Raises:
            FormatError: the source is not a board, or is ambiguous; the message says where.
            LayoutError: the variant does not exist in that size.
        """
        if isinstance(source, str):
            return cls.of(*read_one(source, variant, size=size, symbols=symbols))
        if size is not None or symbols is not None:
            raise InputError("expected no size and no symbols with rows of values; leave them out")
        return cls.of(*read_rows(source, variant))

    @classmethod
    def of(cls, layout: Layout, candidates: tuple[int, ...]) -> Board:
        """Return the board with these candidates, without checking that they fit the layout.

        It is meant for readers, whose candidates always fit: checks take nine microseconds.
        """
        board: Board = object.__new__(cls)
        fields = board.__dict__
        fields["layout"], fields["candidates"] = layout, candidates
        return board

    @classmethod
    @named_arguments
    def from_values(cls, layout: Layout, values: Iterable[int | None]) -> Board:
        """Build a board from one value for each cell, 0 or None for empty.

        Raises:
            InputError: there is not one value for each cell, or a value is not from 0 to n.
        """
        masks = []
        for cell, value in enumerate(values):
            is_value = isinstance(value, (int, Integral)) and 0 <= value <= layout.n
            is_value = is_value and not isinstance(value, bool)
            if value is not None and not is_value:
                name = layout.names[cell] if cell < len(layout) else f"cell {cell}"
                raise InputError(f"{name}: expected a value from 0 to {layout.n}, got {value!r}")
            masks.append(bit(value) if value else all_values(layout.n))
        return cls(layout, tuple(masks))

    @classmethod
    @named_arguments
    def from_candidates(cls, layout: Layout, sets: Iterable[Iterable[int]]) -> Board:
        """Build a board from the values that each cell may hold (a pencil-mark puzzle).

        Raises:
            InputError: there is not one set for each cell, or a value is not from 1 to n.
        """
        masks = []
        for values in sets:
            values = tuple(values)
            if not all(1 <= value <= layout.n for value in values):
                raise InputError(f"expected values from 1 to {layout.n}, got {values}")
            masks.append(mask_of(values))
        return cls(layout, tuple(masks))

    @classmethod
    def empty(cls, layout: Layout) -> Board:
        """Return the board of the layout without any givens."""
        return cls(layout, (all_values(layout.n),) * len(layout))

    @cached_property
    def givens(self) -> Grid:
        """The value of each given, 0 for the other cells."""
        return tuple(map(value_of, self.candidates))

    def record(self, name: str = "") -> dict[str, Any]:
        """Return the first keys of the board in JSON: its name, layout and text."""
        return {
            "name": name,
            "layout": self.layout.name,
            "n": self.layout.n,
            **({} if self.layout.first_value == 1 else {"first_value": self.layout.first_value}),
            "board": self.text("candidates" if self.has_pencil_marks else "line"),
        }

    @cached_property
    def has_pencil_marks(self) -> bool:
        """Whether some cell has neither all candidates nor just one."""
        everything = all_values(self.layout.n)
        return any(mask != everything and not is_single(mask) for mask in self.candidates)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that identify the board: equal boards have equal digests."""
        layout = self.layout
        units = sorted((unit.kind, unit.cells) for unit in layout.units)
        parts: tuple[object, ...] = () if layout.first_value == 1 else (layout.first_value,)
        parts += (("hidden", layout.hidden),) if layout.hidden else ()
        canonical = repr((layout.n, layout.positions, units, layout.rules, self.candidates, *parts))
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]

    def __getitem__(self, cell: CellLike) -> int:
        """Return the value of a given, 0 for an open cell, as in `givens` and `to_numpy`.

        >>> board = Board.parse("1... ..2. .3.. ...4")
        >>> board["A1"], board[1, 2], board["B1"], board.values("B1")
        (1, 2, 0, (1, 2, 3, 4))

        Args:
            cell: name of the cell, its row and column counted from 0, or its number in reading
                order.

        Raises:
            LayoutError: there is no such cell.
        """
        return self.givens[self.layout.cell(cell)]

    def to_numpy(self) -> NDArray[np.uint8]:
        """Return the givens in rows and columns, 0 for an open cell or a hole in the layout."""
        import numpy as np  # a single board does not need it

        grid = np.zeros((self.layout.rows, self.layout.columns), np.uint8)
        grid[tuple(np.transpose(self.layout.positions))] = self.givens
        return grid

    def to_dict(self) -> dict[str, tuple[int, ...]]:
        """Return the candidates of each cell by the cell's name.

        >>> Board.parse([[1, 0], [0, 0]], "latin").to_dict()
        {'A1': (1,), 'A2': (1, 2), 'B1': (1, 2), 'B2': (1, 2)}
        """
        names = self.layout.names[: len(self.layout)]
        return dict(zip(names, map(values_of, self.candidates), strict=True))

    def values(self, cell: CellLike) -> tuple[int, ...]:
        """Return the candidates of a cell, ascending; a cell is named as for ``board[cell]``.

        Raises:
            LayoutError: there is no such cell.
        """
        return values_of(self.candidates[self.layout.cell(cell)])

    @named_arguments
    def assign(self, cell: CellLike, value: int) -> Board:
        """Return the board with a cell, named as for ``board[cell]``, restricted to one value.

        The cell has no candidates left if the value was not among them.

        Raises:
            LayoutError: there is no such cell.
            InputError: the value is not from 1 to n.
        """
        if not 1 <= value <= self.layout.n:
            raise InputError(f"expected a value from 1 to {self.layout.n}, got {value!r}")
        masks = list(self.candidates)
        masks[self.layout.cell(cell)] &= bit(value)
        return Board(self.layout, tuple(masks))

    @named_arguments
    def fill(self, grid: Grid) -> Board:
        """Return the board of this layout with the values of a grid as givens, to print a solution.

        Raises:
            InputError: there is not one value for each cell, or a value is not from 1 to n.
        """
        return Board.from_values(self.layout, grid)

    def problems(self) -> tuple[Problem, ...]:
        """Return obvious contradictions: clashes, broken rules, cells without candidates.

        A board without any of these may still have no solution.
        """
        return tuple(self._problems())

    def _problems(self) -> Iterator[Problem]:
        layout = self.layout
        for cell, mask in enumerate(self.candidates):
            if not mask:
                yield Problem("empty", (cell,), f"{layout.names[cell]} has no candidates")
        givens = (*self.givens, *[0] * len(layout.hidden))
        reported = set()
        for unit in layout.units:
            for a, b in combinations(unit.cells, 2):
                if givens[a] and givens[a] == givens[b] and (a, b) not in reported:
                    reported.add((a, b))
                    shown_value = layout.shown[givens[a]]
                    text = message(
                        "{unit}: {cells} are both {value}",
                        unit=unit.named(layout).words,
                        cells=listing((layout.names[a], layout.names[b])),
                        value=shown_value,
                    )
                    yield Problem("clash", (a, b), text, unit, givens[a])
        for rule, cells in layout.broken(givens):
            visible = tuple(cell for cell in cells if cell in layout.cells)
            yield Problem("rule", visible, layout.fault(rule, cells, givens))

    @named_arguments
    def text(self, form: TextForm = "framed") -> str:
        """Return the board as text that `parse` reads back.

        Args:
            form: ``line``, ``framed``, or ``candidates`` (Norvig's display). The first two
                show a cell with several candidates as empty.

        Raises:
            InputError: the form is unknown.
        """
        return write(self.layout, self.candidates, form)

    def __str__(self) -> str:
        """Return the framed text, or the candidate grid of a pencil-mark puzzle."""
        return self.text("candidates" if self.has_pencil_marks else "framed")

    def __repr__(self) -> str:
        """Return the layout's name, the number of givens and the digest."""
        givens = sum(map(bool, self.givens))
        return f"<Board {self.layout.name} n={self.layout.n}, {givens} givens, {self.digest}>"

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks."""
        return None if display.board_svg is None else display.board_svg(self)
