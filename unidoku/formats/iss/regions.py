"""The constraints of Interactive Sudoku Solver about regions to be found and connected cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from unidoku.core.rules import ChaosConstruction, Connected, RegionCount, RegionRun
from unidoku.errors import FormatError
from unidoku.formats.iss.scope import Args, Read, Scope, number
from unidoku.formats.meanings import region_run
from unidoku.support.schema import shown

_GROUP = "CC"
"""How the cells are called that hold the region of each cell."""

_ARMS = ((0, -1), (0, 1), (-1, 0), (1, 0))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def segments(scope: Scope, args: Args) -> list[tuple[int, ...]]:
    """Return the cells of lists with a dash between them."""
    parts: list[list[str]] = [[]]
    for arg in args:
        if arg == "-":
            parts.append([])
        else:
            parts[-1].append(arg)
    return [scope.cells(part) for part in parts]


def _connected(scope: Scope, args: Args) -> Iterator[Connected]:
    prefix, region, size = (*args, "", "")[:3]
    cells, columns = scope.group(prefix)
    values = tuple(map(number, region.split("_")))
    yield Connected(cells, values, columns, number(size) if size else None)


def _chaos(scope: Scope, args: Args) -> Iterator[ChaosConstruction]:
    size, (cells, _) = scope.size, scope.group(_GROUP)
    if size < 2 or len(cells) % size:
        raise FormatError(f"expected regions of one size, got {len(cells)} cells for {size} each")
    yield ChaosConstruction(tuple(scope.draft.cells), cells, scope.draft.columns, size)


def _clue(scope: Scope, args: Args) -> tuple[int, bool, list[tuple[int, ...]]]:
    """Return (clue cell, excludes the first region cell, region cells of each arm)."""
    (cell,) = scope.cells(args[:1])
    offset = number(args[1]) if args[1:] and args[1] else 0
    if offset not in (0, 1):
        raise FormatError(f"expected an offset of 0 or 1, got {offset}")
    lists = segments(scope, args[2:]) if args[2:] else []
    try:
        regions, _ = scope.group(_GROUP)
    except FormatError as error:
        raise FormatError("expected ChaosConstruction besides") from error
    if not lists and cell >= len(regions):
        raise FormatError(f"expected a cell of the grid, got {shown(args[0])}")
    if cell in regions or any(each not in regions for part in lists for each in part):
        text = ", ".join(args)
        raise FormatError(f"expected a cell of the grid and then cells from CC1, got {shown(text)}")
    return cell, offset == 1, lists


def _arrow(scope: Scope, args: Args) -> Iterator[RegionRun]:
    cell, without_first, arms = _clue(scope, args)
    if not arms:
        position = divmod(cell, scope.draft.columns)
        arms = [_regions(scope, scope.draft.run(*position, *side)) for side in _ARMS]
    yield region_run(cell, arms, without_first=without_first)


def _count(scope: Scope, args: Args) -> Iterator[RegionCount]:
    cell, without_first, lists = _clue(scope, args)
    if lists:
        (cells,) = lists
    else:
        row, column = divmod(cell, scope.draft.columns)
        near = [scope.draft.run(row, column, *side)[1:2] for side in (*_ARMS, *_CORNERS)]
        cells = _regions(scope, [cell, *chain(*near)])
    yield RegionCount((cell,), cells, without_first)


def _regions(scope: Scope, cells: Sequence[int]) -> tuple[int, ...]:
    """Return the cells that hold the regions of cells of the grid."""
    regions, _ = scope.group(_GROUP)
    return tuple(regions[cell] for cell in cells)


REGIONS: Mapping[str, Read] = MappingProxyType(
    {
        "ConnectedValues": _connected,
        "ChaosConstruction": _chaos,
        "ChaosArrow": _arrow,
        "ChaosCount": _count,
    }
)
"""The reader of each of these constraints."""
