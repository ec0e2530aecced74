"""Facts in words: what cells hold and do not hold, also hidden cells, which have no names.

Every sentence of a step says so by these functions: a hidden cell is told by what it means, such
as ``A2 is in region 3``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from unidoku.core.layout import Layout
from unidoku.support.language import listing, message


def holds(layout: Layout, cell: int, value: int) -> str:
    """Return that a cell holds a value: ``A2 is 5``, ``A2 is in region 3``."""
    return _fact(layout, cell, _value(layout, cell, value), "{cell} is {value}", "{cell} is {fact}")


def holds_one_of(layout: Layout, cell: int, values: Iterable[int]) -> str:
    """Return that a cell holds one of some values: ``A2 is 5 or 7``."""
    text = _values(layout, cell, values)
    return _fact(layout, cell, text, "{cell} is {value}", "{cell} is {fact}")


def holds_none_of(layout: Layout, cell: int, values: Iterable[int]) -> str:
    """Return that a cell holds none of some values: ``A2 is not 5 or 7``."""
    gone = [*values]
    if (other := _other_of_two(layout, cell, gone)) is not None:
        return holds(layout, cell, other)
    if rest := _rest_of_one_kind(layout, cell, gone):
        return holds_one_of(layout, cell, rest)
    text = _values(layout, cell, gone)
    return _fact(layout, cell, text, "{cell} is not {value}", "{cell} is not {fact}")


def cannot_hold(layout: Layout, cell: int, value: int) -> str:
    """Return that a cell cannot hold a value: ``A2 cannot be 5``."""
    text = _value(layout, cell, value)
    return _fact(layout, cell, text, "{cell} cannot be {value}", "{cell} cannot be {fact}")


def _fact(layout: Layout, cell: int, value: str, of_drawn: str, of_hidden: str) -> str:
    if cell in layout.hidden_cells:
        return message(of_hidden, cell=_subject(layout, cell), fact=value)
    return message(of_drawn, cell=layout.names[cell], value=value)


def consequences(
    layout: Layout, placed: Iterable[tuple[int, int]], removed: Iterable[tuple[int, int]]
) -> list[str]:
    """Return what a step places and removes: ``A2 is 5``, ``3 and 7 leave A1, A9``."""
    together: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    for cell, value in placed:
        key = _value(layout, cell, value), cell in layout.hidden_cells
        together[key].append(_subject(layout, cell))
    texts = [
        _of_cells(cells, value, "{cell} is {fact}", "{cells} are {fact}")
        if is_hidden
        else _of_cells(cells, value, "{cell} is {value}", "{cells} are {value}")
        for (value, is_hidden), cells in together.items()
    ]
    values_of_cell: defaultdict[int, list[int]] = defaultdict(list)
    for cell, value in sorted(removed):
        values_of_cell[cell].append(value)
    drawn: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
    hidden: defaultdict[str, list[str]] = defaultdict(list)
    for cell, values in values_of_cell.items():
        if (other := _other_of_two(layout, cell, values)) is not None:
            texts.append(holds(layout, cell, other))
        elif rest := _rest_of_one_kind(layout, cell, values):
            texts.append(holds_one_of(layout, cell, rest))
        elif cell in layout.hidden_cells:
            hidden[_values(layout, cell, values)].append(_subject(layout, cell))
        else:
            drawn[tuple(values)].append(layout.names[cell])
    for gone, cells in sorted(drawn.items()):
        texts.append(
            message(
                "{values} leaves {cells}" if len(gone) == 1 else "{values} leave {cells}",
                values=in_runs(layout, gone),
                cells=", ".join(cells),
            )
        )
    texts += [
        _of_cells(cells, gone, "{cell} is not {fact}", "{cells} are not {fact}")
        for gone, cells in hidden.items()
    ]
    return texts


def in_runs(layout: Layout, values: Iterable[int], last: str = "and") -> str:
    """Return values in ascending order as a phrase, with runs by their ends: ``1 to 6 and 8``.

    Of the contents of cells that may hold two digits, only single digits have an order to people.

    >>> from unidoku.core.variants import layout
    >>> in_runs(layout("classic"), [1, 2, 3, 5, 6, 7, 8, 9], "or")
    '1, 2, 3 or 5 to 9'
    """
    ordered = layout.n if layout.size == layout.n else layout.size + 1
    return listing(_runs(values, layout.shown.__getitem__, ordered), last)


def _runs(values: Iterable[int], shown_of: Callable[[int], str], largest: int) -> list[str]:
    """Return ascending values, those of longer runs, up to the largest, by their ends."""
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1 and value <= largest:
            runs[-1].append(value)
        else:
            runs.append([value])
    texts: list[str] = []
    for run in runs:
        names = [*map(shown_of, run)]
        if len(run) < _SHORTEST_RUN:
            texts += names
        else:
            texts.append(message("{first} to {last}", first=names[0], last=names[-1]))
    return texts


_SHORTEST_RUN = 4
"""The number of consecutive values from which on only the ends are named."""


def _of_cells(cells: Sequence[str], value: str, of_one: str, of_several: str) -> str:
    text = of_one if len(cells) == 1 else of_several
    return message(text, cell=cells[0], cells=", ".join(cells), value=value, fact=value)


def _other_of_two(layout: Layout, cell: int, gone: Collection[int]) -> int | None:
    """Return the value left of a hidden cell that has two: what it denies needs no words."""
    meaning = layout.hidden_cells.get(cell)
    left = {1, 2}.difference(gone)
    return (
        left.pop() if meaning is not None and len(meaning.values) == 2 and len(left) == 1 else None
    )


def _rest_of_one_kind(layout: Layout, cell: int, gone: Collection[int]) -> list[int]:
    """Return the values left if the first one is gone and means something else than all others.

    A cell that is not ``no doubler, or one with 1`` is ``a doubler with 2, 3 or 4``.
    """
    meaning = layout.hidden_cells.get(cell)
    if meaning is None or 1 not in gone or len(meaning.values) < 3:
        return []
    first, *others = [value.rpartition(" ")[0] for value in meaning.values]
    if len({*others}) > 1 or first == others[0]:
        return []
    return [value for value in range(2, len(meaning.values) + 1) if value not in gone]


def _subject(layout: Layout, cell: int) -> str:
    meaning = layout.hidden_cells.get(cell)
    return layout.names[cell] if meaning is None else meaning.subject


def _value(layout: Layout, cell: int, value: int) -> str:
    meaning = layout.hidden_cells.get(cell)
    return layout.shown[value] if meaning is None else meaning.values[value - 1]


def _values(layout: Layout, cell: int, values: Iterable[int]) -> str:
    """Return values as a phrase: ``3 or 4``, ``1 to 6``, ``in region 3 or 4``."""
    if cell not in layout.hidden_cells:
        return in_runs(layout, values, "or")
    texts = {value: _value(layout, cell, value) for value in values}
    starts = {text.rpartition(" ")[0] for text in texts.values()}
    if len(starts) > 1:
        return listing(texts.values(), "or")
    runs = _runs(texts, lambda value: texts[value].rpartition(" ")[2], layout.n)
    return " ".join([*filter(None, starts), listing(runs, "or")])  # the common words once
