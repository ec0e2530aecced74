"""The constraints of Interactive Sudoku Solver about regions to be found and connected cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from unidoku.errors import FormatError
from unidoku.formats.iss.scope import Args, Fact, Read, Scope, number
from unidoku.support.schema import shown

_GROUP = "CC"
"""How the cells are called that hold the region of each cell."""

_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def segments(scope: Scope, args: Args) -> list[list[int]]:
    """Return the cells of lists with a dash between them."""
    parts: list[list[str]] = [[]]
    for arg in args:
        if arg == "-":
            parts.append([])
        else:
            parts[-1].append(arg)
    return [scope.cells(part) for part in parts]


def _connected(scope: Scope, args: Args) -> Iterator[Fact]:
    prefix, region, size = (*args, "", "")[:3]
    cells, columns = scope.group(prefix)
    values = [number(one) for one in region.split("_")]
    one = {"size": number(size)} if size else {}
    yield {"kind": "connected", "cells": cells, "values": values, "cols": columns, **one}


def _chaos(scope: Scope, args: Args) -> Iterator[Fact]:
    size, (cells, _) = scope.size, scope.group(_GROUP)
    if size < 2 or len(cells) % size:
        raise FormatError(f"expected regions of one size, got {len(cells)} cells for {size} each")
    yield {"kind": "chaos_construction", "region_cells": cells, "size": size}


def _clue(scope: Scope, args: Args) -> tuple[int, int, list[list[int]]]:
    """Return the cell of a clue, whether the first region cell is left out, and lists of them."""
    (cell,) = scope.cells(args[:1])
    offset = number(args[1]) if args[1:] and args[1] else 0
    lists = segments(scope, args[2:]) if args[2:] else []
    try:
        regions, _ = scope.group(_GROUP)
    except FormatError as error:
        raise FormatError("expected ChaosConstruction besides") from error
    if not lists and cell >= len(regions):
        raise FormatError(f"expected a cell of the grid, got {shown(args[0])}")
    if cell in regions or any(one not in regions for part in lists for one in part):
        text = ", ".join(args)
        raise FormatError(f"expected a cell of the grid and then cells from CC1, got {shown(text)}")
    return cell, offset, lists


def _arrow(scope: Scope, args: Args) -> Iterator[Fact]:
    cell, offset, arms = _clue(scope, args)
    if not arms:
        place = divmod(cell, scope.draft.columns)
        arms = [_regions(scope, scope.draft.run(*place, *side)) for side in _SIDES]
    yield {"kind": "chaos_run", "count": cell, "offset": offset, "arms": arms}


def _count(scope: Scope, args: Args) -> Iterator[Fact]:
    cell, offset, lists = _clue(scope, args)
    if lists:
        (cells,) = lists
    else:
        row, column = divmod(cell, scope.draft.columns)
        near = [scope.draft.run(row, column, *side)[1:2] for side in (*_SIDES, *_CORNERS)]
        cells = _regions(scope, [cell, *(one for part in near for one in part)])
    yield {"kind": "chaos_count", "count": cell, "offset": offset, "cells": cells}


def _regions(scope: Scope, cells: list[int]) -> list[int]:
    """Return the cells that hold the regions of cells of the grid."""
    regions, _ = scope.group(_GROUP)
    return [regions[cell] for cell in cells]


REGIONS: Mapping[str, Read] = MappingProxyType(
    {
        "ConnectedValues": _connected,
        "ChaosConstruction": _chaos,
        "ChaosArrow": _arrow,
        "ChaosCount": _count,
    }
)
"""How each of these constraints is read."""
