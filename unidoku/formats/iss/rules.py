"""The constraints of Interactive Sudoku Solver: the neutral form of each, one row for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any

from unidoku.errors import FormatError
from unidoku.formats.draft import one_line
from unidoku.formats.iss.grid import GRID, thirds
from unidoku.formats.iss.machines import automaton_of_nfa, automaton_of_regex, sixes
from unidoku.formats.iss.regions import REGIONS, segments
from unidoku.formats.iss.scope import Args, Fact, Read, Scope, number
from unidoku.support.schema import shown


def _line(kind: str, fewest: int = 2) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        cells = scope.cells(args)
        if len(cells) >= fewest:
            yield {"kind": kind, "cells": cells}

    return read


def _numbered(kind: str, key: str, fewest: int = 1) -> Read:
    """Return the reader of a constraint with a number before its cells."""

    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        cells = scope.cells(args[1:])
        if len(cells) >= fewest:
            yield {"kind": kind, "cells": cells, key: number(args[0])}

    return read


def _given(scope: Scope, args: Args) -> Iterator[Fact]:
    for arg in args:
        name, *values = arg.split("_")
        held = [number(value) for value in values if value]
        yield {"kind": "given", "cell": scope.cells([name])[0], "values": held}


def _cage(scope: Scope, args: Args) -> Iterator[Fact]:
    total = number(args[0] or "0")
    if args[0] and not total:
        scope.draft.report.read_as("a cage with a sum of 0 has none")
    if cells := scope.cells(args[1:]):
        yield {"kind": "killer", "cells": cells, "sum": total or None}


def _sum(scope: Scope, args: Args) -> Iterator[Fact]:
    total, *more = args[0].split("_")
    fact: dict[str, Any] = {"kind": "sum", "cells": scope.cells(args[1:]), "sum": number(total)}
    if more:
        if more[0] != "=" or len(more) - 1 != len(fact["cells"]):
            raise FormatError(f"expected a coefficient for each cell, got {shown(args[0])}")
        fact["coeffs"] = [number(one) for one in more[1:]]
    yield fact


def _whisper(scope: Scope, args: Args) -> Iterator[Fact]:
    has_number = args[0][:1].isdecimal()
    if not has_number:
        scope.draft.report.read_as("whispers without a number differ by at least 5")
    cells = scope.cells(args[has_number:])
    if len(cells) > 1:
        least = number(args[0]) if has_number else 5
        yield {"kind": "whisper", "cells": cells, "difference": least}


def _arrow(scope: Scope, args: Args) -> Iterator[Fact]:
    circle, *shaft = scope.cells(args)
    yield {"kind": "arrow", "circle": [circle], "cells": shaft}


def _pill(scope: Scope, args: Args) -> Iterator[Fact]:
    size, cells = number(args[0]), scope.cells(args[1:])
    if size not in (2, 3) or len(cells) <= size:
        raise FormatError("expected 2 or 3 cells of a pill, and others")
    scope.draft.report.read_as("the digits of a number in a pill are in reading order")
    yield {"kind": "arrow", "circle": sorted(cells[:size]), "cells": cells[size:]}


def _region_sums(scope: Scope, args: Args) -> Iterator[Fact]:
    cells = scope.cells(args)
    parts = scope.draft.segments(cells)
    if scope.draft.regions and len(parts) > 1:
        yield {"kind": "region_sum_line", "cells": cells, "segments": parts}


def _sum_line(scope: Scope, args: Args) -> Iterator[Fact]:
    is_loop = args[-1] == "LOOP"
    cells = scope.cells(args[1 : len(args) - is_loop])
    yield {"kind": "sum_line", "cells": cells, "sum": number(args[0]), "loop": is_loop}


def _equal_sums(scope: Scope, args: Args) -> Iterator[Fact]:
    yield {"kind": "equal_sums", "segments": segments(scope, args)}


def _modular(scope: Scope, args: Args) -> Iterator[Fact]:
    mod = number(args[0])
    if mod > 1:
        yield {"kind": "modular", "cells": scope.cells(args[1:]), "mod": mod}


def _entropic(scope: Scope, args: Args) -> Iterator[Fact]:
    yield {"kind": "entropic", "cells": scope.cells(args), "classes": thirds(scope)}


def _different(scope: Scope, args: Args) -> Iterator[Fact]:
    if len(cells := scope.cells(args)) > 1:
        yield {"kind": "different", "cells": cells}


def _quad(scope: Scope, args: Args) -> Iterator[Fact]:
    (cell,) = scope.cells(args[:1])
    columns = scope.draft.columns
    if not scope.draft.inside(cell // columns + 1, cell % columns + 1):
        raise FormatError(f"expected the first of four cells, got {shown(args[0])}")
    cells = [cell, cell + 1, cell + columns, cell + columns + 1]
    yield {"kind": "quadruple", "cells": cells, "values": [number(arg) for arg in args[1:]]}


def _contain(kind: str) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        values = [number(one) for one in args[0].split("_") if one]
        yield {"kind": kind, "cells": scope.cells(args[1:]), "values": values}

    return read


def _look_and_say(scope: Scope, args: Args) -> Iterator[Fact]:
    digits = args[0]
    if not digits.isdecimal() or len(digits) % 2:
        raise FormatError(f"expected pairs of a count and a value, got {shown(digits)}")
    counts = [[int(digits[at]), int(digits[at + 1])] for at in range(0, len(digits), 2)]
    yield {"kind": "look_and_say", "cells": scope.cells(args[1:]), "counts": counts}


def _same_values(scope: Scope, args: Args) -> Iterator[Fact]:
    count, cells = number(args[0]), scope.cells(args[1:])
    if count < 1 or len(cells) % count:
        raise FormatError(f"expected a multiple of {count} cells, got {len(cells)}")
    size = len(cells) // count
    if size == 1:
        yield {"kind": "equal", "cells": cells}
    elif count > 1:
        sets = [cells[at : at + size] for at in range(0, len(cells), size)]
        yield {"kind": "same_multiset", "sets": sets}


def _count_distinct(scope: Scope, args: Args) -> Iterator[Fact]:
    control, *cells = scope.cells(args)
    yield {"kind": "count_distinct", "count": control, "cells": cells}


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
            name = one_line(arg[1:])


def _pairs(*, chain: bool, swapped: bool = False) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Fact]:
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
            one: dict[str, Any] = {"table": related} | ({"name": name} if name else {})
            if chain:
                pairs = [[a, b] for a, b in pairwise(cells)]
                yield {"kind": "relation", "pairs": pairs, **one}
            elif len(cells) > 1:
                yield {"kind": "relation", "pairs": [*map(list, combinations(cells, 2))], **one}

    return read


def _nfa(scope: Scope, args: Args) -> Iterator[Fact]:
    machine = automaton_of_nfa(args[0], scope.draft.low, len(scope.draft.values))
    for name, cells in _named(args[1:]):
        parts = segments(scope, cells)
        one = {"cells": parts[0]} if len(parts) == 1 else {"segments": parts}
        yield {"kind": "automaton", "name": name or "automaton", **one, **machine}


def _regex(scope: Scope, args: Args) -> Iterator[Fact]:
    machine = automaton_of_regex(args[0], scope.draft.values)
    for _, cells in _named(args[1:]):
        yield {"kind": "automaton", "cells": scope.cells(cells), **machine}


def _dropped(what: str) -> Read:
    def read(scope: Scope, args: Args) -> Iterator[Fact]:
        scope.draft.report.drop(what)
        yield from ()

    return read


def _nothing(scope: Scope, args: Args) -> Iterator[Fact]:
    yield from ()


RULES: Mapping[str, Read] = MappingProxyType(
    {
        **GRID,
        **dict.fromkeys(("Shape", "NoBoxes", "RegionSize", "Jigsaw", "Var"), _nothing),
        "Given": _given,
        "Thermo": _line("thermo"),
        "Whisper": _whisper,
        "Renban": _line("renban"),
        "Palindrome": _line("palindrome"),
        "Between": _line("between"),
        "Lockout": _numbered("lockout", "difference", 2),
        "Zipper": _line("zipper", 3),
        "SumLine": _sum_line,
        "RegionSumLine": _region_sums,
        "EqualSum": _equal_sums,
        "Modular": _modular,
        "Entropic": _entropic,
        "Arrow": _arrow,
        "DoubleArrow": _line("double_arrow", 3),
        "PillArrow": _pill,
        "Cage": _cage,
        "RellikCage": _numbered("rellik", "sum"),
        "EqualityCage": _line("equality_cage"),
        "Sum": _sum,
        "Lunchbox": _numbered("lunchbox", "sum", 2),
        "AllDifferent": _different,
        "Quad": _quad,
        "ContainAtLeast": _contain("contain_at_least"),
        "ContainExact": _contain("contain_exactly"),
        "LookAndSay": _look_and_say,
        "SameValues": _same_values,
        "ValueIndexing": _line("value_indexing", 3),
        "CountingCircles": _line("counting_circles", 1),
        "CountDistinct": _count_distinct,
        "Pair": _pairs(chain=True),
        "PairX": _pairs(chain=False),
        "Binary": _pairs(chain=True, swapped=True),
        "BinaryX": _pairs(chain=False, swapped=True),
        "NFA": _nfa,
        "Regex": _regex,
        "SearchPriority": _dropped("SearchPriority, a hint for its search"),
        **REGIONS,
    }
)
"""The reader of each constraint; a constraint that is missing here is reported."""
