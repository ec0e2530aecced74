"""Texts without names for Interactive Sudoku Solver: givens, regions, killers of 9×9."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from unidoku.errors import FormatError
from unidoku.formats.iss.scope import MOST_SIDE, name_of

_SIDE = 9
_CELLS = _SIDE**2

_STEPS: Mapping[str, int] = {
    "v": _SIDE,
    "^": -_SIDE,
    "<": -1,
    ">": 1,
    "`": -_SIDE - 1,
    "'": -_SIDE + 1,
    ",": _SIDE - 1,
    ".": _SIDE + 1,
}
"""The direction in which each sign points, to another cell of its cage."""

_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"

_SHORT = re.compile(r"[0-9A-Za-jv^<>`',.]{81}")

_TO_ANOTHER = 1 << 8
"""In the long form, a number is this times the sum of the cage, plus the number of the cage."""


Constraints: TypeAlias = list[tuple[str, Sequence[str]]]


def constraints_of(packed: str) -> Constraints:
    """Return the constraints for a text without white space.

    Raises:
        FormatError: the text has no known form.
    """
    packed = packed.removeprefix("=")
    if packed.startswith("3x3:"):
        return _long(packed.split(":"))
    if _SHORT.fullmatch(packed) and re.search(r"[<>^v`',]", packed):
        return _short(packed)
    if (side := _root(len(packed) / 2, 2)) and (regions := _regions(packed[side**2 :], side)):
        return [*regions, *_givens(packed[: side**2], side)]
    if side := _root(len(packed), 2):
        return _regions(packed, side) or _givens(packed, side)
    if side := _root(len(packed), 3):
        return _candidates(packed, side)
    raise FormatError(
        "expected a constraint string such as '.Shape~4x4.Thermo~R1C1~R1C2', or a text of "
        f"n² symbols, n³ or 2n², got {len(packed)}"
    )


def _root(number: float, power: int) -> int:
    """Return the side of a square or a cube of this many symbols; 0 if it is neither."""
    side = round(number ** (1 / power))
    return side if 1 < side <= MOST_SIDE and side**power == number else 0


def _given(symbol: str, side: int) -> int:
    """Return the value of a symbol, 0 if it has none; with more than nine values, A is 1."""
    if side < 10:
        return int(symbol) if symbol in "123456789"[:side] else 0
    return ord(symbol) - ord("A") + 1 if "A" <= symbol < chr(ord("A") + side) else 0


def _givens(text: str, side: int) -> Constraints:
    values = [_given(symbol, side) for symbol in text]
    empty = {symbol for symbol, value in zip(text, values, strict=True) if not value}
    if len(empty) > 1:
        raise FormatError(f"expected one symbol for empty cells, got {sorted(empty)[:5]}")
    cells = [f"{_name(cell, side)}_{value}" for cell, value in enumerate(values) if value]
    return [("Shape", [f"{side}x{side}"]), ("Given", cells)]


def _regions(text: str, side: int) -> Constraints:
    """Return the pieces of a jigsaw, if n symbols occur n times each; otherwise nothing."""
    if set(Counter(text).values()) != {side} or len(text) != side**2:
        return []
    return [("Shape", [f"{side}x{side}"]), ("Jigsaw", [text]), ("NoBoxes", [])]


def _candidates(text: str, side: int) -> Constraints:
    if odd := set(text) - set("0123456789."):
        raise FormatError(f"expected digits and dots, got {min(odd)!r}")
    parts = [text[start : start + side].replace(".", "") for start in range(0, len(text), side)]
    cells = ["_".join((_name(cell, side), *part)) for cell, part in enumerate(parts)]
    return [("Shape", [f"{side}x{side}"]), ("Given", cells)]


def _short(text: str) -> Constraints:
    """Read a sign for each cell: a sum, or the direction of the cell with its sum."""
    cages: dict[int, list[str]] = {}
    for cell in range(_CELLS):
        target, steps = cell, 0
        while text[target] in _STEPS:
            target, steps = target + _STEPS[text[target]], steps + 1
            if steps > _CELLS or not 0 <= target < _CELLS:
                raise FormatError(
                    f"expected signs that lead to a sum, got others from {_name(cell)}"
                )
        cages.setdefault(target, []).append(_name(cell))
    return [("Cage", [str(_SUMS.index(text[target])), *cells]) for target, cells in cages.items()]


def _long(parts: Sequence[str]) -> Constraints:
    """Read the number of each cell: 256 times the sum of its cage, plus the number of the cage."""
    if parts[2:3] != ["k"] or len(parts) != _CELLS + 4:
        raise FormatError(f"expected '3x3::k:' and a number for each of {_CELLS} cells")
    cages: dict[int, list[str]] = {}
    sums: dict[int, int] = {}
    for cell, part in enumerate(parts[3 : 3 + _CELLS]):
        if not re.fullmatch("[0-9]{1,6}", part):
            raise FormatError(f"expected a number for {_name(cell)}, got {part[:20]!r}")
        total, cage = divmod(int(part), _TO_ANOTHER)
        if total:
            cages.setdefault(cage, []).append(_name(cell))
            sums.setdefault(cage, total)
    is_x = parts[1] == "d"
    diagonals: Constraints = [("Diagonal", ["1"]), ("Diagonal", ["-1"])] if is_x else []
    return [*[("Cage", [str(sums[cage]), *cells]) for cage, cells in cages.items()], *diagonals]


def _name(cell: int, side: int = _SIDE) -> str:
    return name_of(*divmod(cell, side))
