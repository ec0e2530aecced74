"""The games: Solo, Keen, Towers and Unequal are squares, Pattern and Unruly filled and blank cells.

In squares the values of rows and columns differ; a filled cell holds 1, a blank one 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Layout
from unidoku.core.regions import hangs_together, map_of
from unidoku.core.rules import DiffersBy, Greater, KenKen, Killer, Product, Rule, Skyscraper
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError
from unidoku.formats.families import MOST_SIDE, Rest, nonogram, nonogram_clues, take_takuzu, takuzu
from unidoku.formats.frame import Frame, box_of
from unidoku.formats.grid_parts import GridParts, square_parts
from unidoku.formats.losses import Report
from unidoku.formats.tatham.ids import (
    KEEN_WALLS,
    SOLO_WALLS,
    Game,
    check_size,
    grid_of,
    text_of_grid,
)

_A = ord("a")

_SKIP = 25
"""Number of cells that the letter z stands for, without a value after them."""


def _read_solo(parameters: re.Match[str], description: str, report: Report) -> Board:
    wide, high, flags = int(parameters[1]), int(parameters[2] or parameters[1]), parameters[3]
    is_jigsaw = "j" in flags
    size = wide * high if parameters[2] or not is_jigsaw else wide
    check_size("Solo", size, 1, 31)
    givens, *parts = description.split(",")
    wanted = ["its regions"] * is_jigsaw + ["its cages", "their sums"] * ("k" in flags)
    if len(parts) != len(wanted):
        message = ", ".join(["the givens", *wanted])
        raise FormatError(f"expected {message}, separated by commas; got {len(parts) + 1} parts")
    values = grid_of(givens, size * size, size)
    variant = "classic" if size > 1 and (wide, high) == box_of(size) else f"classic:{wide}x{high}"
    if is_jigsaw:
        variant = f"jigsaw:{_map_of(SOLO_WALLS.groups(parts.pop(0), size), size)}"
    layout = named_layout(variant + "+x" * ("x" in re.sub("[rma].*", "", flags)), size)
    if parts:
        cages = SOLO_WALLS.groups(parts[0], size)
        sums = grid_of(parts[1], size * size, size**3)
        layout = layout.with_rules(*[_cage(cage, sums) for cage in cages])
        report.read_as("no value comes twice in a cage")
    return Board.from_values(layout, values)


def _map_of(groups: Sequence[Sequence[int]], size: int) -> str:
    if len(groups) != size or any(len(group) != size for group in groups):
        sizes = sorted({len(group) for group in groups})
        got = f"{len(groups)} of {sizes[0]} to {sizes[-1]}"
        raise FormatError(f"expected {size} regions of {size} cells, got {got}")
    symbols = {cell: DIGITS_FIRST[k] for k, group in enumerate(groups) for cell in group}
    return "".join(symbols[cell] for cell in range(size * size))


def _cage(cells: Sequence[int], sums: Sequence[int]) -> Killer:
    totals = [sums[cell] for cell in cells if sums[cell]]
    if len(totals) > 1:
        raise FormatError(f"expected one sum for each cage, got {totals[0]} and {totals[1]} in one")
    return Killer(tuple(cells), totals[0] if totals else None)


def _write_solo(rest: Rest) -> str:
    layout = rest.layout
    grid = square_parts(layout, "Solo")
    check_size("Solo", layout.n, 2, 31, reading=False)
    parameters, parts = _regions(layout, grid)
    if grid.falling and grid.rising:
        parameters += "x"
    elif grid.falling or grid.rising:
        rest.report.drop("one diagonal without the other")
    _drop_units(rest, grid)
    cages = rest.take(Killer, lambda cage: cage.total is not None)
    if cages and _is_partition(grid.frame, [cage.cage for cage in cages], least=2):
        totals = {min(cage.cage): cage.total or 0 for cage in cages}
        groups = [cage.cage for cage in cages]
        parts += [SOLO_WALLS.text(groups, layout.n), text_of_grid(map(totals.get, layout.cells))]  # type: ignore[arg-type]  # None is an empty cell
        parameters += "k"
    elif cages:
        rest.report.drop("cages, of which Solo has each cell in one, of two cells or more")
    return f"{parameters}:{','.join([text_of_grid(rest.givens()), *parts])}"


def _regions(layout: Layout, parts: GridParts) -> tuple[str, list[str]]:
    """Return the parameters and the part of the description that express the regions."""
    regions = set(parts.regions)
    for high in range(2, layout.n // 2 + 1):
        if layout.n % high == 0 and regions == set(parts.frame.boxes(high, layout.n // high)):
            return f"{high}x{layout.n // high}", []
    named: dict[str, list[int]] = {}
    with_map = map_of(layout) if len(regions) <= layout.n <= len(DIGITS_FIRST) else ""
    for cell, symbol in enumerate(with_map):
        named.setdefault(symbol, []).append(cell)
    groups = [*named.values()]
    if {*map(len, groups)} != {layout.n} or not _is_partition(parts.frame, groups):
        raise InputError("Solo holds boards with boxes, or with connected regions")
    return f"{layout.n}j", [SOLO_WALLS.text(groups, layout.n)]


def _latin(rest: Rest, game: str, least: int, most: int) -> Frame:
    parts = square_parts(rest.layout, game)
    if parts.regions:
        rest.report.drop("boxes and regions")
    _drop_units(rest, parts)
    if parts.falling or parts.rising:
        rest.report.drop("diagonals")
    check_size(game, rest.layout.n, least, most, reading=False)
    return parts.frame


def _drop_units(rest: Rest, parts: GridParts) -> None:
    parts.drop_moves(rest.report)
    if parts.units:
        rest.report.drop("other units")


def _is_partition(frame: Frame, groups: Sequence[Sequence[int]], least: int = 1) -> bool:
    """Return whether each cell is in one group, and each group is connected and not too large."""
    cells = sorted(cell for group in groups for cell in group)
    return cells == [*frame.cells] and all(
        least <= len(group) and hangs_together(group, frame.near) for group in groups
    )


_SIGNS = {"a": "+", "m": "*", "s": "-", "d": "/"}


def _read_keen(parameters: re.Match[str], description: str, report: Report) -> Board:
    size = int(parameters[1])
    check_size("Keen", size, 2, 9)
    walls, _, clues = description.partition(",")
    groups = KEEN_WALLS.groups(walls, size)
    goals = re.findall(r"([amsd])(\d+)", clues)
    if "".join(letter + number for letter, number in goals) != clues or len(goals) != len(groups):
        raise FormatError(
            f"expected a clue such as a5, m12, s1 or d2 for each of {len(groups)} cages, "
            f"got {clues[:40]!r}"
        )
    rules = []
    for cage, (letter, number) in zip(groups, goals, strict=True):
        if letter in "sd" and len(cage) != 2:
            raise FormatError(f"expected two cells for {letter + number}, got {len(cage)}")
        rules.append(KenKen(cage, int(number), _SIGNS[letter]))
    return Board.empty(named_layout("latin", size).with_rules(*rules))


def _write_keen(rest: Rest) -> str:
    frame = _latin(rest, "Keen", 3, 9)
    letters = {sign: letter for letter, sign in _SIGNS.items()}
    cages: list[Rule] = [*rest.take(KenKen), *rest.take(Product)]
    clues = {min(cage.cage): (cage, letters[getattr(cage, "by", "*")]) for cage in cages}  # type: ignore[attr-defined]  # both have a cage
    groups = [cage.cage for cage in cages]  # type: ignore[attr-defined]  # likewise
    if not _is_partition(frame, groups):
        raise InputError("Keen holds boards with each cell in one cage, and connected cages")
    if any(rest.givens()):
        rest.report.drop("givens")
    operations = [f"{letter}{cage.total}" for _, (cage, letter) in sorted(clues.items())]  # type: ignore[attr-defined]  # likewise
    return f"{frame.rows}:{KEEN_WALLS.text(groups, frame.rows)},{''.join(operations)}"


def _sights(size: int) -> list[tuple[int, ...]]:
    """Return the line of each clue of Towers."""
    return Frame(size, size).views("top", "bottom", "left", "right")


def _read_towers(parameters: re.Match[str], description: str, report: Report) -> Board:
    size = int(parameters[1])
    check_size("Towers", size, 2, 9)
    clues, _, givens = description.partition(",")
    counts = clues.split("/")
    if len(counts) != 4 * size:
        raise FormatError(f"expected {4 * size} clues separated by /, got {len(counts)}")
    if wrong := [clue for clue in counts if clue and not 1 <= int(clue) <= size]:
        raise FormatError(f"expected clues from 1 to {size}, got {wrong[0]}")
    sights = zip(_sights(size), counts, strict=True)
    rules = [Skyscraper(line, int(clue)) for line, clue in sights if clue]
    layout = named_layout("latin", size).with_rules(*rules)
    return Board.from_values(
        layout, grid_of(givens, size * size, size) if givens else [0] * size**2
    )


def _write_towers(rest: Rest) -> str:
    size = _latin(rest, "Towers", 3, 9).rows
    sights = _sights(size)
    clues: dict[tuple[int, ...], int] = {}
    for rule in rest.take(Skyscraper, lambda rule: rule.line in sights):
        if clues.setdefault(rule.line, rule.seen) != rule.seen:
            raise InputError("Towers holds one clue for each line and side, got two")
    givens = rest.givens()
    text = "/".join(str(clues.get(line, "")) for line in sights)
    return f"{size}:{text}" + (f",{text_of_grid(givens)}" if any(givens) else "")


_STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


def _read_unequal(parameters: re.Match[str], description: str, report: Report) -> Board:
    size, is_adjacent = int(parameters[1]), bool(parameters[2])
    check_size("Unequal", size, 2, 32)
    values: list[int] = []
    pairs: list[Pair] = []
    for blanks, number, letters in re.findall(r"([a-z]*)(\d*)([URDL]*),?", description)[:-1]:
        values += [0] * sum(ord(letter) - _A + 1 for letter in blanks)
        cell = len(values)
        values.append(int(number or 0))
        if len(values) > size * size:
            break
        for letter in letters:
            down, right = _STEPS[letter]
            row, column = cell // size + down, cell % size + right
            if not (0 <= row < size and 0 <= column < size):
                raise FormatError(f"expected signs within the grid, got {letter} at its side")
            pairs.append((cell, row * size + column))
    if len(values) != size * size:
        count = "more" if len(values) > size * size else str(len(values))
        raise FormatError(f"expected {size * size} cells, got {count}")
    if wrong := [value for value in values if value > size]:
        raise FormatError(f"expected values up to {size}, got {wrong[0]}")
    rules = _signs(Frame(size, size), pairs, is_adjacent)
    return Board.from_values(named_layout("latin", size).with_rules(*rules), values)


def _signs(frame: Frame, pairs: Sequence[Pair], is_adjacent: bool) -> list[Rule]:
    if not is_adjacent:
        return [Greater(tuple(pairs))] if pairs else []
    if {(b, a) for a, b in pairs} != set(pairs):
        raise FormatError("expected each sign of neighbours that are adjacent in both cells")
    signs = sorted({(min(pair), max(pair)) for pair in pairs})
    others = tuple(sorted(frame.adjacent(signs)))
    rules = [DiffersBy(tuple(signs))] if signs else []
    return [*rules, *([DiffersBy(others, never=True)] if others else [])]


def _write_unequal(rest: Rest) -> str:
    frame = _latin(rest, "Unequal", 3, 32)
    adjacent = {*map(frozenset, frame.adjacent())}
    greater = rest.take(Greater, lambda rule: {*map(frozenset, rule.pairs)} <= adjacent)
    by_one = [rule for rule in rest.rules if isinstance(rule, DiffersBy) and rule.by == 1]
    near = {frozenset(pair) for rule in by_one if not rule.never for pair in rule.pairs}
    far = {frozenset(pair) for rule in by_one if rule.never for pair in rule.pairs}
    is_adjacent = bool(by_one) and not greater and near | far == adjacent and not near & far
    signs = {pair for rule in greater for pair in rule.pairs}
    if is_adjacent:
        rest.take(DiffersBy, lambda rule: rule in by_one)
        signs = {(a, b) for pair in near for a, b in (sorted(pair), sorted(pair)[::-1])}
    elif any((b, a) in signs for a, b in signs):
        raise InputError("Unequal holds signs that do not contradict each other, got some that do")
    text = ""
    for cell, value in enumerate(rest.givens()):
        letters = [
            letter
            for letter, (down, right) in _STEPS.items()
            if (cell, cell + down * frame.columns + right) in signs
        ]
        text += f"{value}{''.join(letters)},"
    return f"{frame.rows}{'a' * is_adjacent}:{text}"


def _sizes(size: re.Match[str]) -> tuple[int, int]:
    """Return the number of rows and of columns."""
    columns, rows = int(size[1]), int(size[2] or size[1])
    if not (1 <= rows <= MOST_SIDE and 1 <= columns <= MOST_SIDE):
        raise FormatError(f"expected sides from 1 to {MOST_SIDE}, got {columns}x{rows}")
    return rows, columns


def _values(text: str, cells: int) -> list[int]:
    """Return 1 or 2 for cells with a value, 0 for others: lower case is 1, upper case is 2.

    A letter stands for a number of empty cells, none for ``a``, and for one cell with a value.
    """
    values: list[int] = []
    for index, letter in enumerate(text):
        count = ord(letter.lower()) - _A
        values += [0] * count
        if count < _SKIP:
            values.append(1 + letter.isupper())
        if len(values) > cells + (index == len(text) - 1):
            raise FormatError(f"expected {cells} cells, got more")
    if len(values) < cells:
        raise FormatError(f"expected {cells} cells, got {len(values)}")
    return values


def _letters(values: Sequence[int]) -> Iterator[str]:
    """Yield the letters for values; the last letter is for the cell beyond the last."""
    empty = 0
    for value in values:
        if not value:
            empty += 1
            continue
        yield ("zZ"[value - 1]) * (empty // _SKIP)
        letter = chr(_A + empty % _SKIP)
        yield letter.upper() if value == 2 else letter
        empty = 0
    yield "z" * (empty // _SKIP) + chr(_A + empty % _SKIP)


def _read_unruly(size: re.Match[str], description: str, report: Report) -> Board:
    rows, columns = _sizes(size)
    if rows % 2 or columns % 2:
        raise FormatError(f"expected even sides, got {columns}x{rows}")
    values = _values(description, rows * columns)
    if len(values) != rows * columns + 1:
        raise FormatError(f"expected a letter beyond the last cell, got {len(values)} cells")
    layout = takuzu(rows, columns, distinct=bool(size[3]))
    return Board.from_values(layout, values[:-1])


def _write_unruly(rest: Rest) -> str:
    distinct = take_takuzu(rest, "Unruly")
    layout = rest.layout
    if min(layout.rows, layout.columns) < 6:
        raise InputError(f"Unruly holds sides of 6 or more, got {layout.columns}x{layout.rows}")
    letters = "".join(_letters(rest.givens()))
    return f"{layout.columns}x{layout.rows}{'u' * distinct}:{letters}"


def _read_pattern(size: re.Match[str], description: str, report: Report) -> Board:
    rows, columns = _sizes(size)
    clues, comma, marks = description.partition(",")
    pieces = [
        tuple(map(int, clue.split("."))) if clue else ()
        for clue in clues.split("/")
        if re.fullmatch(r"(?:\d{1,4}(?:\.\d{1,4})*)?", clue)
    ]
    if len(pieces) != rows + columns or len(pieces) != clues.count("/") + 1:
        raise FormatError(
            f"expected clues such as 2.1 of {columns} columns and {rows} rows, separated by /, "
            f"got {clues[:40]!r}"
        )
    for line, blocks in enumerate(pieces):
        room = rows if line < columns else columns
        if 0 in blocks or sum(blocks) + len(blocks) - 1 > room:
            raise FormatError(
                f"expected blocks of 1 or more that fit in {room} cells, got {blocks}"
            )
    layout = nonogram(pieces[columns:], pieces[:columns])
    values = _values(marks, len(layout)) if comma else [0] * len(layout)
    if len(values) > len(layout) and marks[-1].lower() == "a":
        raise FormatError(f"expected no mark beyond the last of {len(layout)} cells, got one")
    return Board.from_values(layout, values[: len(layout)])


def _write_pattern(rest: Rest) -> str:
    rows, columns = nonogram_clues(rest, "Pattern")
    clues = "/".join(".".join(map(str, blocks)) for blocks in (*columns, *rows))
    givens = rest.givens()
    marks = f",{''.join(_letters(givens)).removesuffix('a')}" if any(givens) else ""
    return f"{len(columns)}x{len(rows)}:{clues}{marks}"


_DIFFICULTY = "(?:d[a-z]?)?"
_SIZES = r"(\d{1,3})(?:x(\d{1,3}))?"

SOLO = Game("solo", r"(\d{1,2})(?:x(\d{1,2}))?([a-z0-9]*)", r"[0-9a-z_,]*", _read_solo, _write_solo)
KEEN = Game(
    "keen",
    rf"(\d{{1,2}}){_DIFFICULTY}m?",
    r"[a-z_0-9]+,(?:[amsd]\d{1,9})*",
    _read_keen,
    _write_keen,
)
TOWERS = Game(
    "towers",
    rf"(\d{{1,2}}){_DIFFICULTY}",
    r"(?:\d{0,4}/)+\d{0,4}(?:,[a-z0-9_]*)?",
    _read_towers,
    _write_towers,
)
UNEQUAL = Game(
    "unequal",
    rf"(\d{{1,2}})(a)?{_DIFFICULTY}",
    r"(?:[a-z]*\d{1,4}[URDL]*,)*(?:[a-z]*\d{1,4}[URDL]*),?",
    _read_unequal,
    _write_unequal,
)
UNRULY = Game("unruly", rf"{_SIZES}(u)?(?:d[a-z]?)?", r"[A-Za-z]+", _read_unruly, _write_unruly)
PATTERN = Game("pattern", _SIZES, r"[\d./]*/[\d./]*(?:,[A-Za-z]*)?", _read_pattern, _write_pattern)
