"""The constraints of Interactive Sudoku Solver: the reader of each, one row for each.

Those on the whole grid, on whole lines and on neighbours come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from urllib.parse import unquote

from unidoku.core import rules
from unidoku.core.cells import CORNERS
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Unit
from unidoku.core.rules.pairs import PairRule
from unidoku.errors import FormatError
from unidoku.formats import meanings
from unidoku.formats.draft import one_line
from unidoku.formats.frame import KING
from unidoku.formats.iss.machines import automaton_of_nfa, automaton_of_regex, sixes
from unidoku.formats.iss.scope import Args, Read, Scope, diagonal_from, number
from unidoku.formats.meanings import Domain, Meaning, different
from unidoku.support.schema import shown

_GROUP = "CC"
"""How the cells are called that hold the region of each cell."""

_ARMS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def _line(
    make: Callable[[tuple[int, ...]], rules.Rule | Iterable[Meaning]], fewest: int = 2
) -> Read:
    """Return the reader of a constraint that is a list of cells."""

    def read(scope: Scope, args: Args) -> Iterable[Meaning]:
        cells = scope.cells(args)
        if len(cells) < fewest:
            return ()
        meant = make(cells)
        return (meant,) if isinstance(meant, rules.Rule) else meant

    return read


def _numbered(kind: type[rules.Lockout | rules.Rellik | rules.Lunchbox], fewest: int = 1) -> Read:
    """Return the reader of a constraint with a number before its cells."""

    def read(scope: Scope, args: Args) -> Iterator[rules.Rule]:
        cells = scope.cells(args[1:])
        if len(cells) >= fewest:
            yield kind(cells, number(args[0]))

    return read


def _given(scope: Scope, args: Args) -> Iterator[Domain]:
    for arg in args:
        name, *values = arg.split("_")
        numbers = [number(value) for value in values if value]
        yield Domain(scope.cells([name]), numbers)


def _cage(scope: Scope, args: Args) -> Iterator[rules.Killer]:
    total = number(args[0] or "0")
    if args[0] and not total:
        scope.draft.report.read_as("a cage with a sum of 0 has none")
    if cells := scope.cells(args[1:]):
        yield rules.Killer(cells, total or None)


def _sum(scope: Scope, args: Args) -> Iterator[Meaning]:
    total, *weights = args[0].split("_")
    cells = scope.cells(args[1:])
    if weights and (weights[0] != "=" or len(weights) - 1 != len(cells)):
        raise FormatError(f"expected a coefficient for each cell, got {shown(args[0])}")
    yield meanings.weighted_sum(cells, number(total), [*map(number, weights[1:])])


def _whisper(scope: Scope, args: Args) -> Iterator[rules.Whispers]:
    has_number = args[0][:1].isdecimal()
    if not has_number:
        scope.draft.report.read_as("whispers without a number differ by at least 5")
    cells = scope.cells(args[has_number:])
    if len(cells) > 1:
        yield rules.Whispers(cells, number(args[0]) if has_number else 5)


def _arrow(scope: Scope, args: Args) -> Iterator[Meaning]:
    circle, *shaft = scope.cells(args)
    return meanings.arrow([circle], shaft, scope.draft)


def _pill(scope: Scope, args: Args) -> Iterator[Meaning]:
    size, cells = number(args[0]), scope.cells(args[1:])
    if size not in (2, 3) or len(cells) <= size:
        raise FormatError("expected 2 or 3 cells of a pill, and others")
    scope.draft.report.read_as("the digits of a number in a pill are in reading order")
    return meanings.arrow(sorted(cells[:size]), cells[size:], scope.draft)


def _region_sums(scope: Scope, args: Args) -> Iterable[Meaning]:
    parts = scope.draft.segments(scope.cells(args))
    return meanings.region_sum(parts) if scope.draft.regions else ()


def _sum_line(scope: Scope, args: Args) -> Iterator[rules.SumLine]:
    is_loop = args[-1] == "LOOP"
    yield rules.SumLine(scope.cells(args[1 : len(args) - is_loop]), number(args[0]), is_loop)


def _entropic(scope: Scope, args: Args) -> Iterator[Meaning]:
    _check_nine(scope)
    return meanings.entropic(scope.cells(args))


def _quad(scope: Scope, args: Args) -> Iterator[rules.Contains]:
    (cell,) = scope.cells(args[:1])
    row, column = divmod(cell, scope.draft.columns)
    if not scope.draft.inside(row + 1, column + 1):
        raise FormatError(f"expected the first of four cells, got {shown(args[0])}")
    yield rules.Contains(scope.draft.square(row, column, 2, 2), tuple(map(number, args[1:])))


def _contain(*, exactly: bool) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[rules.Contains]:
        values = tuple(number(value) for value in args[0].split("_") if value)
        yield rules.Contains(scope.cells(args[1:]), values, exactly)

    return read


def _look_and_say(scope: Scope, args: Args) -> Iterator[Meaning]:
    digits = args[0]
    if not digits.isdecimal() or len(digits) % 2:
        raise FormatError(f"expected pairs of a count and a value, got {shown(digits)}")
    counts = [[int(digits[start]), int(digits[start + 1])] for start in range(0, len(digits), 2)]
    return meanings.look_and_say(scope.cells(args[1:]), counts, scope.draft)


def _same_values(scope: Scope, args: Args) -> Iterator[Meaning]:
    count, cells = number(args[0]), scope.cells(args[1:])
    if count < 1 or len(cells) % count:
        raise FormatError(f"expected a multiple of {count} cells, got {len(cells)}")
    size = len(cells) // count
    if size == 1:
        return meanings.equal(combinations(cells, 2))
    if count == 1:
        return iter(())
    return meanings.same_values([cells[k : k + size] for k in range(0, len(cells), size)])


def _count_distinct(scope: Scope, args: Args) -> Iterator[rules.CountDistinct]:
    control, *cells = scope.cells(args)
    yield rules.CountDistinct((control,), tuple(cells))


def _named(args: Args) -> Iterator[tuple[str, Args]]:
    """Yield the names and the lists of cells of a pair table or an automaton."""
    name, cells = "", []
    for arg in (*args, ""):
        if arg and not arg.startswith("_"):
            cells.append(arg)
            continue
        if cells:
            yield name, cells
            cells = []
        if arg:
            name = one_line(unquote(arg[1:]))


def _pairs(*, chain: bool, swapped: bool = False) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Meaning]:
        key = args[0].translate(str.maketrans("-_", "_-")) if swapped else args[0]
        values, bits = scope.draft.values, sixes(key)
        n, low = len(values), scope.draft.low
        related = [
            [low + index // n, low + index % n]
            for index in range(n * n)
            if index // 6 < len(bits) and bits[index // 6] >> index % 6 & 1
        ]
        for name, names in _named(args[1:]):
            cells = scope.cells(names)
            pairs = pairwise(cells) if chain else combinations(cells, 2)
            yield from meanings.in_table(pairs, related, name or "relation")

    return read


def _nfa(scope: Scope, args: Args) -> Iterator[rules.Line]:
    machine = automaton_of_nfa(args[0], scope.draft.low, len(scope.draft.values))
    for name, cells in _named(args[1:]):
        named = machine._replace(name=name) if name else machine
        yield meanings.line_of(named, _segments(scope, cells))


def _regex(scope: Scope, args: Args) -> Iterator[rules.Line]:
    machine = automaton_of_regex(args[0], scope.draft.values)
    for _, cells in _named(args[1:]):
        yield meanings.line_of(machine, [scope.cells(cells)])


def _segments(scope: Scope, args: Args) -> list[tuple[int, ...]]:
    """Return the cells of lists with a dash between them."""
    parts: list[list[str]] = [[]]
    for arg in args:
        if arg == "-":
            parts.append([])
        else:
            parts[-1].append(arg)
    return [scope.cells(part) for part in parts]


def _connected(scope: Scope, args: Args) -> Iterator[rules.Connected]:
    prefix, region, size = (*args, "", "")[:3]
    cells, columns = scope.group(prefix)
    values = tuple(map(number, region.split("_")))
    yield rules.Connected(cells, values, columns, number(size) if size else None)


def _chaos(scope: Scope, args: Args) -> Iterator[rules.ChaosConstruction]:
    size, (cells, _) = scope.size, scope.group(_GROUP)
    if size < 2 or len(cells) % size:
        raise FormatError(f"expected regions of one size, got {len(cells)} cells for {size} each")
    yield rules.ChaosConstruction(tuple(scope.draft.cells), cells, scope.draft.columns, size)


def _clue(scope: Scope, args: Args) -> tuple[int, bool, list[tuple[int, ...]]]:
    """Return (clue cell, excludes the first region cell, region cells of each arm)."""
    (cell,) = scope.cells(args[:1])
    offset = number(args[1]) if args[1:] and args[1] else 0
    if offset not in (0, 1):
        raise FormatError(f"expected an offset of 0 or 1, got {offset}")
    lists = _segments(scope, args[2:]) if args[2:] else []
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


def _chaos_arrow(scope: Scope, args: Args) -> Iterator[rules.RegionRun]:
    cell, without_first, arms = _clue(scope, args)
    if not arms:
        position = divmod(cell, scope.draft.columns)
        arms = [_regions(scope, scope.draft.run(*position, *side)) for side in _ARMS]
    yield meanings.region_run(cell, arms, without_first=without_first)


def _chaos_count(scope: Scope, args: Args) -> Iterator[rules.RegionCount]:
    cell, without_first, lists = _clue(scope, args)
    if lists:
        (cells,) = lists
    else:
        row, column = divmod(cell, scope.draft.columns)
        near = [scope.draft.run(row, column, *side)[1:2] for side in (*_ARMS, *CORNERS)]
        cells = _regions(scope, [cell, *chain(*near)])
    yield rules.RegionCount((cell,), cells, without_first)


def _regions(scope: Scope, cells: Sequence[int]) -> tuple[int, ...]:
    """Return the cells that hold the regions of cells of the grid."""
    regions, _ = scope.group(_GROUP)
    return tuple(regions[cell] for cell in cells)


def _hint(scope: Scope, args: Args) -> tuple[()]:
    scope.draft.report.drop("SearchPriority, a hint for its search")
    return ()


def _check_nine(scope: Scope) -> None:
    """Refuse a board whose low, middle and high values ISS does not define.

    Raises:
        FormatError: its values are not 1 to 9.
    """
    if [*scope.draft.values] != [*range(1, 10)]:
        raise FormatError("expected values 1 to 9")


def _squares(scope: Scope, classes: list[list[int]]) -> Iterator[Meaning]:
    return meanings.squares_hit(scope.draft.fours(), classes)


def _entropy(scope: Scope, args: Args) -> Iterator[Meaning]:
    _check_nine(scope)
    return _squares(scope, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])


def _mod_three(scope: Scope, args: Args) -> Iterator[Meaning]:
    values = scope.draft.values
    return _squares(scope, [[v for v in values if v % 3 == rest] for rest in (1, 2, 0)])


def _marks(make: Callable[[tuple[Pair]], PairRule], mark: str = "") -> Read:
    """Return the reader of marks between adjacent cells."""

    def read(scope: Scope, args: Args) -> Iterator[PairRule]:
        for pair in scope.adjacent(scope.cells(args)):
            if mark:
                if scope.is_branch and scope.strict:
                    raise FormatError("expected no marks in an Or, beside strict ones")
                scope.marked[mark].append(pair)
            yield make((pair,))

    return read


def _strict(name: str) -> Read:
    def read(scope: Scope, args: Args) -> tuple[()]:
        scope.strict.append(name)
        return ()

    return read


def strict_rules(scope: Scope) -> Iterator[PairRule]:
    """Yield the rules about all adjacent cells without a mark, if the constraints have them."""
    draft = scope.draft
    for name in dict.fromkeys(scope.strict):
        mark = "dot" if name == "StrictKropki" else "letter"
        pairs = draft.adjacent(scope.marked[mark])
        if mark == "dot":
            draft.report.read_as(
                "StrictKropki: cells without a dot do not differ by 1, and are not in a ratio of 2"
            )
            yield rules.DiffersBy(pairs, 1, never=True)
            yield rules.Ratio(pairs, 2, never=True)
        else:
            draft.report.read_as("StrictXV: cells without a letter sum to neither 5 nor 10")
            yield rules.PairSum(pairs, 5, never=True)
            yield rules.PairSum(pairs, 10, never=True)


def _consecutive(scope: Scope, args: Args) -> Iterator[rules.DiffersBy]:
    scope.draft.report.read_as("AntiConsecutive excepts no cells, with a dot or without")
    yield rules.DiffersBy(scope.draft.adjacent(), 1, never=True)


def _moves(name: str, moves: Iterable[tuple[int, int]]) -> Read:
    return lambda scope, args: (different(pair, name) for pair in scope.draft.steps(moves))


def _diagonal(scope: Scope, args: Args) -> Iterator[Unit]:
    falling, rising = scope.draft.diagonals()
    yield different(rising if number(args[0]) > 0 else falling)


def _windows(scope: Scope, args: Args) -> Iterator[Unit]:
    draft = scope.draft
    if not (boxes := draft.boxes_of(scope.size)):
        return
    width = sum(cell < draft.columns for cell in boxes[0])
    height = scope.size // width
    for left in range(1, draft.columns - width, width + 1):
        for top in range(1, draft.rows - height, height + 1):
            yield different(draft.square(top, left, height, width), "window")


def _little_killer(scope: Scope, args: Args) -> Iterator[rules.SumOfCells]:
    """Yield the sum of the diagonal from a cell."""
    total, line = number(args[0]), diagonal_from(scope.draft, scope.cell(args[1]))
    if not line:
        raise FormatError(f"expected the first cell of a diagonal, got {shown(args[1])}")
    if len(line) < 2:
        raise FormatError("expected a diagonal of two cells or more")
    yield rules.SumOfCells(line, total)


def _sandwich(scope: Scope, args: Args) -> Iterator[rules.Sandwich | rules.Lunchbox]:
    line = scope.line(args[1], 1)
    is_whole = len(line) == len(scope.draft.values)
    yield (rules.Sandwich if is_whole else rules.Lunchbox)(line, number(args[0]))


def _outside(
    kind: type[rules.XSum | rules.Skyscraper | rules.HiddenSkyscraper | rules.NumberedRoom],
) -> Read:
    """Return the reader of clues at both ends of a line."""

    def read(scope: Scope, args: Args) -> Iterator[Meaning]:
        for clue, end in zip(args[1:3], (1, -1), strict=False):
            if clue:
                yield kind(scope.line(args[0], end), number(clue))

    return read


def _full_rank(scope: Scope, args: Args) -> Iterator[Meaning]:
    for clue, end in zip(args[1:3], (1, -1), strict=False):
        if clue:
            clues = [(scope.line(args[0], end), number(clue))]
            # That no two lines are equal at all, `_ties` says once.
            ties = "any" if scope.ties == "any" else "only-unclued"
            yield from meanings.full_ranks(clues, ties, scope.draft)


def _ties(scope: Scope, args: Args) -> Iterable[Meaning]:
    return meanings.full_ranks([], "none", scope.draft) if scope.ties == "none" else ()


def _doppelganger(scope: Scope, args: Args) -> Iterator[Meaning]:
    """Yield that each line and box lacks one value, and the rules about the missing values."""
    draft = scope.draft
    size = draft.rows
    if draft.rows != draft.columns or draft.low != 0 or draft.high != size:
        raise FormatError("expected a square with values from 0 to its side")
    (zero,) = scope.cells(["DGZ"])
    yield Domain([zero], [0])
    lines = draft.lines()
    groups: dict[str, Sequence[Sequence[int]]]
    groups = {"DGC": lines[:size], "DGR": lines[size:], "DGB": draft.regions}
    lacking: dict[int, list[int]] = {cell: [] for cell in draft.cells}
    for prefix, regions in groups.items():
        missing = scope.cells([f"{prefix}{index + 1}" for index in range(len(regions))])
        for region, cell in zip(regions, missing, strict=True):
            yield different([*region, cell])
            for each in region:
                lacking[each].append(cell)
        if missing:
            yield different([*missing, zero])
    for cell, cells in lacking.items():
        yield rules.DifferWhere((cell,), 0, tuple(cells))


def _regions_alike(scope: Scope, args: Args) -> Iterable[Meaning]:
    draft = scope.draft
    regions = [*draft.lines(), *draft.regions]
    most = max(map(len, regions))
    sets = [region for region in regions if len(region) == most]
    return meanings.same_values(sets) if most != len(draft.values) else ()


def _indexing(scope: Scope, args: Args) -> Iterator[Meaning]:
    draft = scope.draft
    cells = tuple(dict.fromkeys(scope.cells(args[1:])))
    if max(cells, default=0) >= len(draft.cells):
        raise FormatError(f"expected cells of the grid, got {shown(args[-1])}")
    if cells:
        yield rules.Index(cells, "row" if args[0] == "R" else "column")


RULES: Mapping[str, Read] = {
    **dict.fromkeys(("Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var"), lambda *_: ()),
    "Given": _given,
    "Thermo": _line(rules.Thermo),
    "Whisper": _whisper,
    "Renban": _line(rules.Renban),
    "Palindrome": _line(rules.Palindrome),
    "Between": _line(rules.Between),
    "Lockout": _numbered(rules.Lockout, 2),
    "Zipper": _line(rules.Zipper, 3),
    "SumLine": _sum_line,
    "RegionSumLine": _region_sums,
    "EqualSum": lambda scope, args: meanings.same_sums(_segments(scope, args)),
    "Modular": lambda scope, args: meanings.modular(scope.cells(args[1:]), number(args[0])),
    "Entropic": _entropic,
    "Arrow": _arrow,
    "DoubleArrow": _line(rules.DoubleArrow, 3),
    "PillArrow": _pill,
    "Cage": _cage,
    "RellikCage": _numbered(rules.Rellik),
    "EqualityCage": _line(rules.EqualityCage),
    "Sum": _sum,
    "Lunchbox": _numbered(rules.Lunchbox, 2),
    "AllDifferent": _line(lambda cells: [different(cells)]),
    "Quad": _quad,
    "ContainAtLeast": _contain(exactly=False),
    "ContainExact": _contain(exactly=True),
    "LookAndSay": _look_and_say,
    "SameValues": _same_values,
    "ValueIndexing": _line(meanings.value_indexing, 3),
    "CountingCircles": _line(rules.CountingCircles, 1),
    "CountDistinct": _count_distinct,
    "Pair": _pairs(chain=True),
    "PairX": _pairs(chain=False),
    "Binary": _pairs(chain=True, swapped=True),
    "BinaryX": _pairs(chain=False, swapped=True),
    "NFA": _nfa,
    "Regex": _regex,
    "SearchPriority": _hint,
    "ConnectedValues": _connected,
    "ChaosConstruction": _chaos,
    "ChaosArrow": _chaos_arrow,
    "ChaosCount": _chaos_count,
    "WhiteDot": _marks(rules.DiffersBy, "dot"),
    "BlackDot": _marks(rules.Ratio, "dot"),
    "X": _marks(rules.PairSum, "letter"),
    "V": _marks(lambda pairs: rules.PairSum(pairs, 5), "letter"),
    "GreaterThan": _marks(rules.Greater),
    "StrictKropki": _strict("StrictKropki"),
    "StrictXV": _strict("StrictXV"),
    "AntiConsecutive": _consecutive,
    "AntiKnight": _moves("anti-knight", [(1, 2), (2, 1), (1, -2), (2, -1)]),
    "AntiKing": _moves("anti-king", KING),
    "AntiTaxicab": lambda scope, args: [
        rules.Taxicab(tuple(scope.draft.cells), scope.draft.columns)
    ],
    "GlobalEntropy": _entropy,
    "GlobalMod": _mod_three,
    "DutchFlatmates": lambda scope, args: meanings.flatmates(scope.draft),
    "Diagonal": _diagonal,
    "Windoku": _windows,
    "DisjointSets": lambda scope, args: (
        different(cells, "disjoint")
        for cells in zip(*scope.draft.boxes_of(scope.size), strict=True)
    ),
    "Doppelganger": _doppelganger,
    "LittleKiller": _little_killer,
    "Sandwich": _sandwich,
    "XSum": _outside(rules.XSum),
    "Skyscraper": _outside(rules.Skyscraper),
    "HiddenSkyscraper": _outside(rules.HiddenSkyscraper),
    "NumberedRoom": _outside(rules.NumberedRoom),
    "FullRank": _full_rank,
    "FullRankTies": _ties,
    "RegionSameValues": _regions_alike,
    "Indexing": _indexing,
}
"""The reader of each constraint; a constraint that is missing here is reported."""
