"""Reads XCSP3 instances: each variable is a cell of a board, constraints are units and rules.

The format is described by Boussemart, Lecoutre, Audemard and Piette, "XCSP3: an integrated format
for benchmarking combinatorial constrained problems" (arXiv:1611.03398), and the subset of
competitions in "XCSP3-core" (arXiv:2009.00514).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from unidoku.core.bits import mask_of
from unidoku.core.board import Board
from unidoku.core.layout import Layout, Unit
from unidoku.errors import FormatError, LayoutError
from unidoku.formats.draft import kind_of_unit, usual_layout
from unidoku.formats.losses import Report
from unidoku.formats.puzzles import Puzzle
from unidoku.formats.xcsp3 import comparisons, tables
from unidoku.formats.xcsp3.elements import Element, parsed
from unidoku.formats.xcsp3.rules import Rules
from unidoku.formats.xcsp3.scope import Reader, Scope
from unidoku.formats.xcsp3.templates import each_constraint
from unidoku.formats.xcsp3.variables import Variables

_MOST_CONSTRAINTS = 200_000

_READERS: Mapping[str, Reader] = {**comparisons.READERS, **tables.READERS}


def read(text: str, *, guess: bool = False) -> Iterator[Puzzle]:
    """Yield the board of an instance: its solutions are those of the instance.

    >>> text = '''<instance format="XCSP3" type="CSP">
    ... <variables> <array id="x" size="[2][2]"> 1..2 </array> </variables>
    ... <constraints> <allDifferent> <matrix> x[][] </matrix> </allDifferent> </constraints>
    ... </instance>'''
    >>> [puzzle.board.layout for puzzle in read(text)]
    [<Layout latin: n=2, 4 cells, 4 units>]

    Raises:
        FormatError: it is no instance, or has something that boards and rules cannot say; the
            message names it and its line.
    """
    root = parsed(text)
    if root.tag != "instance" or root.attributes.get("format") != "XCSP3":
        raise root.error('expected <instance format="XCSP3" type="CSP">')
    report = Report()
    parts: dict[str, Element] = {}
    for part in root.children:
        if part.tag in ("variables", "constraints") and part.tag not in parts:
            parts[part.tag] = part
        elif part.tag == "annotations":
            report.drop("annotations, which are advice for a search")
        elif part.tag == "objectives":
            raise part.error("objectives are not supported: a board has none")
        else:
            raise part.error(f"<{part.tag[:40]}> in <instance> is not supported")
    if "variables" not in parts:
        raise root.error("expected <variables>, got none")
    if root.attributes.get("type", "CSP") != "CSP":
        raise root.error(f'expected type="CSP", got {root.attributes["type"][:40]!r}')
    variables = Variables(parts["variables"])
    rules = Rules(variables)
    if "constraints" in parts:
        _read_constraints(parts["constraints"].children, Scope(variables, rules))
    if len(variables.places) > 1:
        report.read_as("; ".join(variables.places[:20]))
    if rules.shift:
        report.read_as(f"values are shown {rules.shift:+d}: {rules.low} as {rules.first}")
    needed = {*variables.needed()}
    cells = [cell for cell, domain in enumerate(rules.domains) if cell in needed or not domain]
    if left_out := len(rules.domains) - len(cells):
        report.read_as(f"variables of arrays in no constraint are left out: {left_out}")
    yield Puzzle(_board(variables, rules, cells), "", 1, losses=report.losses)


def _read_constraints(elements: Iterable[Element], scope: Scope) -> None:
    """Add constraints, and those of blocks, groups and slides, to the rules."""
    names_in = scope.variables.names_in
    parts = (part for element in elements for part in each_constraint(element, names_in))
    for count, part in enumerate(parts, start=1):
        reader = _READERS.get(part.tag)
        if reader is None:
            tags = " ".join(sorted(_READERS))
            raise part.error(
                f"constraint <{part.tag[:40]}> is not supported; those supported: {tags}"
            )
        if count > _MOST_CONSTRAINTS:
            raise part.error(f"expected at most {_MOST_CONSTRAINTS:,} constraints, got more")
        try:
            scope.rules.add(reader(scope, part))
        except FormatError as error:
            if error.line:
                raise
            raise part.error(f"<{part.tag}>: {error.message}") from error
        except LayoutError as error:
            raise part.error(f"<{part.tag}>: {error}") from error


def _board(variables: Variables, rules: Rules, cells: Sequence[int]) -> Board:
    """Return the board of some cells, with new numbers for them."""
    numbers = [0] * len(rules.domains)
    for number, cell in enumerate(cells):
        numbers[cell] = number
    places = variables.positions
    layout = Layout.from_units(
        rules.n,
        [
            Unit(
                tuple([numbers[cell] for cell in unit]),
                kind_of_unit([places[cell] for cell in unit]),
            )
            for unit in rules.units
        ],
        positions=[places[cell] for cell in cells],
        name="xcsp3",
        first_value=rules.first,
    )
    masks = [mask_of(value - rules.low + 1 for value in rules.domains[cell]) for cell in cells]
    moved = [rule.moved(numbers) for rule in rules.rules()]
    return Board(usual_layout(layout).with_rules(*moved), tuple(masks))
