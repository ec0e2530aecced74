"""A draft of a puzzle, which readers of other formats fill, and help for reading their texts."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unidoku.core.bits import all_values, mask_of
from unidoku.core.board import Board
from unidoku.core.constraints.primitives import Pair
from unidoku.core.layout import Layout, Position, Unit
from unidoku.core.rules import Pairs, Rule
from unidoku.core.rules.equal_sums import cut_at_regions
from unidoku.core.text.symbols import DIGITS_FIRST
from unidoku.core.variants import ADDITIONS
from unidoku.core.variants import layout as named_layout
from unidoku.errors import FormatError, InputError, LayoutError
from unidoku.formats.cosmetics import Cosmetic, Fog
from unidoku.formats.frame import KING, KNIGHT, MOST_SIDE, Frame
from unidoku.formats.losses import Report
from unidoku.formats.meanings import Domain, Meaning
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.sentences import rules_text
from unidoku.formats.toml.table import PLAIN
from unidoku.support.schema import shown

_LARGEST_NUMBER = 100_000
"""The largest clue: above any sum on a board, and a bound on the tables made for it."""

_LONGEST_LINE = 200

_BLANKS = re.compile(r"\s*")

_LONGEST_TEXT = 20_000
"""The most characters of rules in words."""

_BLOCKED = -1
"""The number of a cell that does not exist: rules and units with it are rejected."""


class Draft(Frame):
    """A puzzle that is being read: its cells and values, units and rules, and the losses so far.

    Hidden cells have the numbers after those of the grid. It starts with a unit for each row and
    each column, and nothing else.

    Args:
        form: the name of the format, for messages.
        rows: number of rows.
        columns: number of columns.
        low: the smallest value.
        high: the largest value; if None, there are as many values as the longer side has cells.
    """

    def __init__(
        self, form: str, rows: int, columns: int, low: int = 1, high: int | None = None
    ) -> None:
        """Start with a unit for each row and each column, and nothing else."""
        super().__init__(rows, columns, low, high)
        self.form = form
        self.report = Report()
        self.name = self.author = self.rules_text = ""
        self.hidden = 0
        self.blocked: set[int] = set()
        self.units: list[Sequence[int]] = [*self.lines()]
        self.regions: list[Sequence[int]] = []
        self.areas: list[Sequence[int]] = []
        self.rules: list[Rule] = []
        self.solution: Sequence[int] | None = None
        self.cosmetics: list[Cosmetic] = []
        self.fog: Fog | None = None
        self._rule_units: list[Unit] = []
        self._candidates: dict[int, set[int]] = {}

    def add(self, *meanings: Meaning) -> None:
        """Add rules, units, and restrictions of single cells."""
        for meaning in meanings:
            match meaning:
                case Unit():
                    self._rule_units.append(meaning)
                case Domain(cells, values):
                    allowed = {*values}
                    for cell in cells:
                        self.keep(cell, allowed)
                case _:
                    self.rules.append(meaning)

    def keep(self, cell: int, values: Iterable[int]) -> None:
        """Restrict a cell to these values."""
        allowed = {*values}
        self._candidates[cell] = self._candidates.get(cell, allowed) & allowed

    def segments(self, line: Sequence[int]) -> list[list[int]]:
        """Cut a line where it leaves a region; cells without a region count as one region."""
        region_of = {cell: k for k, region in enumerate(self.regions) for cell in region}
        return cut_at_regions(line, region_of)

    def flag(self, flags: Mapping[str, object]) -> None:
        """Add the units of those flags that are set, by the names that drawing programs share."""
        for key, diagonal in zip(("diagonal-", "diagonal+"), self.diagonals(), strict=True):
            if flags.get(key):
                self.units.append(diagonal)
        for key, moves in (("antiking", KING), ("antiknight", KNIGHT)):
            if flags.get(key):
                self.units += self.steps(moves)

    def own_rules_text(self, board: Board) -> str:
        """Return the rules in the words of the setter; empty if they are those that we write."""
        text = self.rules_text
        return "" if text and text == rules_text(board) else text

    def puzzle(self) -> Puzzle:
        """Return the puzzle.

        Raises:
            FormatError: the text is not valid; the message states why.
        """
        with readable(self.form):
            board = self.board()
        solution = None
        if self.solution is not None:
            values = [self.solution[cell] for cell in self.cells if cell not in self.blocked]
            if all(value in self.values for value in values):
                solution = tuple(value - self.low + 1 for value in values)
            elif len(set(values)) > 1:
                self.report.drop("the solution, which is incomplete")
        return Puzzle(
            board,
            self.name,
            1,
            self.author,
            solution=solution,
            losses=self.report.losses,
            rules_text=self.own_rules_text(board),
            cosmetics=tuple(self.cosmetics),
            fog=self.fog,
        )

    def board(self) -> Board:
        """Return the board; its layout is that of a named variant if it has exactly its units.

        Raises:
            FormatError: a cell that does not exist has values.
            LayoutError: there is no such layout.
            IndexError: a rule or a unit is about a cell beyond all.
        """
        n, count = len(self.values), len(self.cells) + self.hidden
        new = itertools.count()
        numbers = [_BLOCKED if cell in self.blocked else next(new) for cell in range(count)]
        masks = [all_values(n)] * next(new)
        for cell, values in self._candidates.items():
            if numbers[cell] == _BLOCKED:
                raise FormatError(f"expected values of cells that exist, got some of {cell}")
            masks[numbers[cell]] &= mask_of(
                value - self.low + 1 for value in values if value in self.values
            )
        layout = self._layout(numbers, masks[len(masks) - self.hidden :])
        rules = [rule.moved(numbers) for rule in joined(self.rules)]
        return Board(layout.with_rules(*rules), tuple(masks[: len(layout)]))

    def _layout(self, numbers: Sequence[int], hidden: Sequence[int]) -> Layout:
        """Return the layout without the rules, and with our number for each cell."""
        regions = {frozenset(region) for region in self.regions}
        cells = dict.fromkeys(tuple(sorted(unit)) for unit in (*self.units, *self.regions))
        units = [Unit(unit, self._kind(unit, regions)) for unit in cells]
        layout = Layout.from_units(
            len(self.values),
            [
                Unit(tuple(sorted(numbers[cell] for cell in unit)), unit.kind, unit.name)
                for unit in (*units, *self._rule_units)
            ],
            positions=[
                divmod(cell, self.columns) for cell in self.cells if numbers[cell] != _BLOCKED
            ],
            name="own",
            first_value=self.low,
            hidden=hidden,
            areas=sorted(sorted(numbers[cell] for cell in area) for area in self.areas),
        )
        return usual_layout(layout)

    def _kind(self, unit: tuple[int, ...], regions: set[frozenset[int]]) -> str:
        """Return the kind of a unit, which its cells determine."""
        if unit[-1:] >= (len(self.cells),):
            return PLAIN
        if frozenset(unit) in regions:
            return "region"
        return kind_of_unit([divmod(cell, self.columns) for cell in unit])


def kind_of_unit(positions: Sequence[Position]) -> str:
    """Return the kind of a unit with cells at these positions: a row, a column, or any other."""
    if len({row for row, _ in positions}) == 1:
        return "row"
    return "column" if len({column for _, column in positions}) == 1 else PLAIN


def joined(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules; pairs of one name and table are one rule: each index has a pair for a place."""
    tables: dict[tuple[str, tuple[int, ...]], dict[Pair, None]] = {}
    for rule in rules:
        if isinstance(rule, Pairs) and isinstance(rule.related, tuple):
            tables.setdefault((rule.name, rule.related), {}).update(dict.fromkeys(rule.pairs))
        else:
            yield rule
    for (name, table), pairs in tables.items():
        yield Pairs(tuple(pairs), table, name)


def usual_layout(layout: Layout) -> Layout:
    """Return the variant with exactly the units of a layout without rules, such as ``x``.

    If it has further units, those of the variant come first, by their names. Other layouts are
    returned as they are.
    """
    if layout.first_value != 1 or layout.hidden or layout.areas:
        return layout
    cells = {unit.cells for unit in layout.units}
    for base in filter(None, ("classic", "latin", _jigsaw(layout))):
        variant = _variant_within(layout, base, cells)
        if variant is not None:
            units = {unit.cells for unit in variant.units}
            named = {
                unit.cells: unit
                for part in ("x", "windoku")
                for unit in _units_of(f"{base}+{part}", layout.n)
            }
            others = [
                named.get(unit.cells, unit) for unit in layout.units if unit.cells not in units
            ]
            if not others:
                return variant
            if base != "latin" or not layout.regions:
                name = f"{variant.name} with units"
                return replace(variant, units=(*variant.units, *others), name=name)
    return layout


def _variant_within(layout: Layout, base: str, cells: Collection[tuple[int, ...]]) -> Layout | None:
    """Return the variant of a base with the most units of a layout; None if it lacks the base."""
    plain = _named_within(base, layout, cells)
    if plain is None or len(plain.units) == len(cells):
        return plain
    added = {
        name: {unit.cells for unit in addition.units}
        for name in ADDITIONS
        if (addition := _named_within(f"{base}+{name}", layout, cells)) is not None
    }
    # Disjoint groups contain the centre dot.
    names = [
        name for name, new in added.items() if not any(new < others for others in added.values())
    ]
    return named_layout("+".join([*[base] * (base != "classic" or not names), *names]), layout.n)


def _units_of(name: str, n: int) -> tuple[Unit, ...]:
    """Return the units of a variant; none if it does not exist in that size."""
    with contextlib.suppress(LayoutError):
        return named_layout(name, n).units
    return ()


def _named_within(name: str, layout: Layout, cells: Collection[tuple[int, ...]]) -> Layout | None:
    """Return a variant if a layout has all its units; None if not, or if there is none."""
    with contextlib.suppress(LayoutError):
        variant = named_layout(name, layout.n)
        fits = variant.positions == layout.positions
        if fits and all(unit.cells in cells for unit in variant.units):
            return variant
    return None


def _jigsaw(layout: Layout) -> str:
    """Return the name of the jigsaw with the regions of a layout; empty if they do not fill it."""
    region_of = {cell: k for k, region in enumerate(layout.regions) for cell in region.cells}
    whole = len(region_of) == len(layout) and {len(r.cells) for r in layout.regions} == {layout.n}
    if not whole or layout.n > MOST_SIDE:
        return ""
    return "jigsaw:" + "".join(DIGITS_FIRST[region_of[cell]] for cell in layout.cells)


@contextlib.contextmanager
def readable(form: str) -> Iterator[None]:
    """Turn errors of rules and layouts, while a text is read, into errors of that text.

    It is a context manager, and a decorator of readers.

    Args:
        form: the format, for the message.

    Raises:
        FormatError: the text states a rule or a layout that is not possible.
    """
    try:
        yield
    except FormatError:
        raise
    except InputError as error:
        raise FormatError(f"expected a puzzle of {form}: {error}") from error


def one_line(text: object) -> str:
    """Return a text from outside in one line, with blanks for characters that do not print."""
    if not isinstance(text, str):
        return ""
    line = "".join(symbol if symbol.isprintable() else " " for symbol in text[: 4 * _LONGEST_LINE])
    return " ".join(line.split())[:_LONGEST_LINE]


def several_lines(text: object) -> str:
    """Return a text from outside, with blanks for characters that do not print, up to a length."""
    lines = text if isinstance(text, list) else [text]
    joined = "\n".join(line for line in lines if isinstance(line, str))[:_LONGEST_TEXT]
    return "\n".join(
        "".join(symbol if symbol.isprintable() else " " for symbol in line).rstrip()
        for line in joined.splitlines()
    ).strip()


def whole_number(value: object) -> int | None:
    """Return a number, or the number that a text states; None for anything else.

    Raises:
        FormatError: it is larger than any number in puzzles.
    """
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, str) and len(value) < 20 and value.strip().isascii():
        digits = value.strip()
        value = int(digits) if digits.removeprefix("-").isdigit() else None
    if type(value) is not int:
        return None
    if abs(value) > _LARGEST_NUMBER:
        raise FormatError(f"expected a number up to {_LARGEST_NUMBER:,}, got {shown(value)}")
    return value


def json_objects(text: str, form: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each table of a text of tables in JSON, with the number of its first line.

    Raises:
        FormatError: the text is not valid.
    """
    decoder, start, line = json.JSONDecoder(), 0, 1
    while start < len(text):
        try:
            table, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"expected JSON of {form}: {one_line(str(error))}") from error
        if not isinstance(table, dict):
            raise FormatError(f"expected an object in JSON of {form}, got {shown(table)}")
        yield line, table
        following = _BLANKS.match(text, end)
        end = following.end() if following else end
        line += text.count("\n", start, end)
        start = end


def json_object(text: str, form: str) -> dict[str, Any]:
    """Return a text in JSON as a table.

    Raises:
        FormatError: the text is not valid.
    """
    try:
        table = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"expected JSON of {form}: {one_line(str(error))}") from error
    if not isinstance(table, dict):
        raise FormatError(f"expected an object in JSON of {form}, got {shown(table)}")
    return table
