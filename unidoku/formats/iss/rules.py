"""The constraints of Interactive Sudoku Solver: the reader of each, one row for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise
from urllib.parse import unquote

from unidoku.core import rules
from unidoku.core.cells import CORNERS
from unidoku.core.layout import Unit
from unidoku.errors import FormatError
from unidoku.formats import meanings
from unidoku.formats.draft import one_line
from unidoku.formats.iss.grid import GRID, check_nine
from unidoku.formats.iss.machines import automaton_of_nfa, automaton_of_regex, sixes
from unidoku.formats.iss.scope import Args, Read, Scope, number
from unidoku.formats.meanings import Domain, Meaning
from unidoku.support.schema import shown

_GROUP = "CC"
"""How the cells are called that hold the region of each cell."""

_ARMS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def _line(
    make: Callable[[tuple[int, ...]], rules.Rule | Iterable[rules.Rule]], fewest: int = 2
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


def _equal_sums(scope: Scope, args: Args) -> Iterator[Meaning]:
    return meanings.same_sums(_segments(scope, args))


def _modular(scope: Scope, args: Args) -> Iterable[Meaning]:
    return meanings.modular(scope.cells(args[1:]), number(args[0]))


def _entropic(scope: Scope, args: Args) -> Iterator[Meaning]:
    check_nine(scope)
    return meanings.entropic(scope.cells(args))


def _different(scope: Scope, args: Args) -> Iterator[Unit]:
    if len(cells := scope.cells(args)) > 1:
        yield meanings.different(cells)


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
    counts = [[int(digits[at]), int(digits[at + 1])] for at in range(0, len(digits), 2)]
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
    return meanings.same_values([cells[at : at + size] for at in range(0, len(cells), size)])


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
            [low + at // n, low + at % n]
            for at in range(n * n)
            if at // 6 < len(bits) and bits[at // 6] >> at % 6 & 1
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


def _nothing(scope: Scope, args: Args) -> tuple[()]:
    return ()


RULES: Mapping[str, Read] = {
    **GRID,
    **dict.fromkeys(("Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var"), _nothing),
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
    "EqualSum": _equal_sums,
    "Modular": _modular,
    "Entropic": _entropic,
    "Arrow": _arrow,
    "DoubleArrow": _line(rules.DoubleArrow, 3),
    "PillArrow": _pill,
    "Cage": _cage,
    "RellikCage": _numbered(rules.Rellik),
    "EqualityCage": _line(rules.EqualityCage),
    "Sum": _sum,
    "Lunchbox": _numbered(rules.Lunchbox, 2),
    "AllDifferent": _different,
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
}
"""The reader of each constraint; a constraint that is missing here is reported."""
