"""Shrinking: finds the smallest boards that still show a symptom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Literal, TypeVar

from unidoku.core.bits import all_values, bit
from unidoku.core.board import Board
from unidoku.core.layout import Layout
from unidoku.core.variants import layout, variant_of
from unidoku.errors import InputError, LayoutError
from unidoku.fuzzing.reduce import (
    Boards,
    givens_of,
    measure,
    smaller_rules,
    steps,
    with_givens,
    with_parts,
    without_cells,
)
from unidoku.support.ddmin import ddmin
from unidoku.support.deadline import Deadline

T = TypeVar("T")

MOST_TESTS = 5000
"""Boards tried before shrinking stops with the smallest ones so far."""

_LARGE = 9
"""The largest n for which all squares are tried; above it, boards of one cell or unit only."""

_SMALL = 6
"""The largest n of squares on which two givens are tried."""


def shrink(
    boards: Boards,
    shows: Callable[[Boards], bool],
    deadline: Deadline | None = None,
    *,
    small: bool = True,
    known: Iterable[Boards] = (),
) -> Boards:
    """Return the smallest boards found that still show the symptom, which the last one shows.

    If neither the deadline nor `MOST_TESTS` is reached first, the result is 1-minimal: none of
    `unidoku.fuzzing.reduce.steps` leads to boards that show the symptom as well.

    Args:
        boards: boards that show the symptom; all but the last are searched before it.
        shows: returns whether boards show the symptom.
        deadline: when to stop with the smallest boards so far; None for no deadline.
        small: whether to try the smallest possible boards first, which may be unrelated to these.
        known: boards to start from, if none of the smallest ones shows the symptom.
    """
    search = _Search(boards, shows, deadline or Deadline())
    if small:
        search.take_first(chain(smallest_boards(len(boards), boards[-1].layout), known))
    before = None
    while before != (before := search.smallest):
        search.without_boards()
        search.without("rules")  # boards with fewer rules are faster to test
        search.without_lines()
        search.without_givens()
        search.without("units")
        search.without_rules()
        search.without_lines()
        search.without_cells()
        while search.take_first(steps(search.smallest)):
            pass
    return search.smallest


class _Search:
    """The smallest boards so far, and the boards tried so far."""

    def __init__(self, boards: Boards, shows: Callable[[Boards], bool], deadline: Deadline) -> None:
        self.smallest = boards
        self._shows = shows
        self._deadline = deadline
        self._tried: set[tuple[str, ...]] = set()

    def try_out(self, boards: Boards) -> bool:
        """Return whether boards show the symptom; if they do and are smaller, keep them."""
        name = tuple(board.digest for board in boards)
        over = len(self._tried) >= MOST_TESTS or self._deadline.passed
        if over or name in self._tried or measure(boards) >= measure(self.smallest):
            return False
        self._tried.add(name)
        if symptom := self._shows(boards):
            self.smallest = boards
        return symptom

    def take_first(self, candidates: Iterable[Boards]) -> bool:
        """Keep the first of the candidates that shows the symptom, and return whether one does."""
        return any(map(self.try_out, candidates))

    def _reduce(self, parts: Sequence[T], keep: Callable[[list[T]], Boards]) -> None:
        """Remove as many parts as ddmin can; the smallest boards so far have all of the parts."""

        def shows(part: list[T]) -> bool:
            try:
                return self.try_out(keep(part))
            except InputError:  # no cell is left
                return False

        ddmin(parts, shows)

    def without_boards(self) -> None:
        """Remove boards that are searched before the last."""
        boards = self.smallest
        self._reduce(range(len(boards) - 1), lambda left: (*(boards[k] for k in left), boards[-1]))

    def without_givens(self) -> None:
        """Remove givens and pencil marks."""
        boards = self.smallest
        self._reduce(givens_of(boards), partial(with_givens, boards))

    def without(self, attribute: Literal["units", "rules"]) -> None:
        """Remove units or whole rules of each layout."""
        for index in range(len(self.smallest)):
            boards = self.smallest
            layout = boards[index].layout
            parts = range(len(getattr(layout, attribute)))
            self._reduce(parts, partial(with_parts, boards, layout, attribute))

    def without_rules(self) -> None:
        """Remove rules of each layout, or parts of them."""
        for index in range(len(self.smallest)):
            while self.take_first(smaller_rules(self.smallest, self.smallest[index].layout)):
                pass

    def without_lines(self) -> None:
        """Remove rows, then columns, of all boards that have as many cells."""
        for axis in (0, 1):
            boards = self.smallest
            lines = {position[axis] for position in boards[-1].layout.positions}
            self._reduce(sorted(lines), partial(_with_lines, boards, axis))

    def without_cells(self) -> None:
        """Remove cells of all boards that have as many."""
        boards = self.smallest
        self._reduce(boards[-1].layout.cells, partial(_with_cells, boards))


def _with_lines(boards: Boards, axis: int, lines: Collection[int]) -> Boards:
    positions = boards[-1].layout.positions
    return _with_cells(
        boards, [c for c, position in enumerate(positions) if position[axis] in lines]
    )


def _with_cells(boards: Boards, chosen: Collection[int]) -> Boards:
    """Return the boards with some cells of the last one, and the same cells of boards like it."""
    cells = len(boards[-1].layout)
    alike = [index for index, board in enumerate(boards) if len(board.layout) == cells]
    return without_cells(boards, alike, set(range(cells)).difference(chosen))


@lru_cache(maxsize=64)
def smallest_boards(length: int, like: Layout) -> tuple[Boards, ...]:
    """Return series of small boards, the smallest first, to try in place of a finding's boards.

    A series is searched in order by one solver. In one of several boards, all but the last have no
    solution.

    Args:
        length: number of boards of a series.
        like: no board has more values than this layout; if it is a named variant, smaller versions
            of it are tried too.
    """
    candidates = [boards for size in range(1, like.n + 1) for boards in _of_size(length, size)]
    if length == 1:
        candidates += ((board,) for base in _smaller(like) for board in _boards(base, pairs=True))
    return tuple(sorted(candidates, key=measure))


def _of_size(length: int, n: int) -> Iterator[Boards]:
    for base in _layouts(n):
        variations = list(_boards(base))
        if length == 1:
            yield from ((board,) for board in variations)
            continue
        for impossible in _impossible(base):
            yield (*[impossible] * (length - 1), variations[0])


def _layouts(n: int) -> Iterator[Layout]:
    yield Layout.from_units(n, [], shape=(1, 1))
    yield Layout.from_units(n, [], shape=(1, 2))
    if n > 1:
        yield Layout.from_units(n, [[0, 1]], shape=(1, 2))
        yield Layout.from_units(n, [range(n)], shape=(1, n))
        yield Layout.from_units(n, [range(n - 1)], shape=(1, n))
    if 1 < n <= _LARGE:
        for variant in ("latin", "classic", "x"):
            try:
                yield layout(variant, n)
            except LayoutError:  # a prime has no boxes
                continue


def _smaller(like: Layout) -> Iterator[Layout]:
    """Yield the smaller layouts of a variant, in boxes of all shapes, with fewer additions."""
    variant = variant_of(like)
    if variant is None:
        return
    names = [name for name, _ in variant.parts if name not in ("classic", "jigsaw", "grids")]
    additions = {(), tuple(names), *((name,) for name in names)}
    for n in range(1, min(like.n, _LARGE) + 1):
        bases = [f"classic:{h}x{n // h}" for h in range(1, n + 1) if n % h == 0]
        for chosen in sorted(additions):
            for base in bases if "latin" not in chosen else [""]:
                try:
                    yield layout("+".join(filter(None, [base, *chosen])), n)
                except LayoutError:  # an addition that does not exist in that size
                    continue


def _boards(base: Layout, *, pairs: bool = False) -> Iterator[Board]:
    """Yield boards with no given, and with one cell given, marked, or without candidates.

    With pairs, also boards of small layouts with one value in the first cell and another cell
    given.
    """
    full = all_values(base.n)
    rest = (full,) * (len(base) - 1)
    masks = dict.fromkeys((full, bit(1), bit(base.n), full & ~bit(1), 0))
    for mask in masks:
        yield Board(base, (mask, *rest))
    for cell in base.cells[1:] if pairs and base.n <= _SMALL else ():
        yield Board(base, (bit(1), *rest[: cell - 1], bit(1), *rest[cell:]))


def _impossible(base: Layout) -> Iterator[Board]:
    full = all_values(base.n)
    yield Board(base, (0, *(full,) * (len(base) - 1)))
    if base.units and len(base.units[0].cells) > 1:
        masks = [full] * len(base)
        for cell in base.units[0].cells[:2]:
            masks[cell] = bit(1)
        yield Board(base, tuple(masks))
