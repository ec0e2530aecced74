"""The sentence of each kind of rule, as setters write it.

A rule that has a picture is told without its cells; any other is told with them, by row and column.
A new kind of rule needs a row in `SENTENCES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from unidoku.core import rules
from unidoku.core.layout import Layout
from unidoku.core.rules import Rule
from unidoku.formats.looks import CLUES, Looks, unmarked
from unidoku.support.language import listing, message, quantity, series

Sentences: TypeAlias = Callable[[Looks, Sequence[Any]], Iterable[str]]
"""Returns the sentences for the rules of one kind."""


def in_words(looks: Looks, group: Sequence[Rule]) -> Iterator[str]:
    """Yield each rule in words, with its cells; a rule about pairs with all of them."""
    for rule in group:
        pairs = getattr(rule, "pairs", ())
        if isinstance(rule, rules.Greater) or not pairs:
            yield f"{rule.words(looks.names)}."
            continue
        meaning = rule.meaning() if isinstance(rule, rules.PairRule) else getattr(rule, "name", "")
        cells = ["-".join(looks.names[cell] for cell in pair) for pair in pairs]
        if len(cells) > _MOST_PAIRS:
            further = quantity(len(cells) - _MOST_PAIRS, "further pair")
            first = ", ".join(cells[:_MOST_PAIRS])
            cells = [message("{cells} and {more}", cells=first, more=further)]
        yield f"{meaning}: {', '.join(cells)}."


_MOST_PAIRS = 50
"""Pairs of cells that are told."""


def _always(*lines: str) -> Sentences:
    """Return the sentences of a kind whose rules differ in nothing but their cells."""
    return lambda looks, group: map(message, lines)


def _killer(looks: Looks, group: Sequence[rules.Killer]) -> Iterator[str]:
    totals = {rule.total is not None for rule in group}
    if totals == {False}:
        yield message("Digits do not repeat in a dashed cage.")
    elif totals == {True}:
        yield message("Digits do not repeat in a dashed cage, and sum to the number in its corner.")
    else:
        yield message(
            "Digits do not repeat in a dashed cage, and sum to the number in its corner, if it has "
            "one."
        )


def _sum(looks: Looks, group: Sequence[rules.SumOfCells]) -> Iterator[str]:
    if any(rule in looks.diagonals for rule in group):
        yield message(
            "A number outside the grid with an arrow is the sum of the digits along that diagonal; "
            "they may repeat."
        )
    if any(rule not in looks.diagonals for rule in group):
        yield message("Digits in a blue cage sum to the number in its corner; they may repeat.")


def _arrow(looks: Looks, group: Sequence[rules.Arrow]) -> Iterator[str]:
    yield message("Digits along an arrow sum to the digit in its circle.")
    pills = [rule for rule in group if len(rule.circle) > 1]
    if pills:
        yield message(
            "A pill holds a number of several digits, read from the left or from the top."
        )
    for rule in pills:
        if [*rule.circle] != sorted(rule.circle):
            cells = " ".join(looks.names[cell] for cell in rule.circle)
            yield message("The number in a pill is read in the order {cells}.", cells=cells)


def _whispers(looks: Looks, group: Sequence[rules.Whispers]) -> Iterator[str]:
    for least in sorted({rule.least for rule in group}):
        colour = looks.whisper(next(rule for rule in group if rule.least == least))
        yield message(_WHISPERS[colour and colour.word], least=least)


_WHISPERS = {
    "green": "Neighbouring digits along a green line differ by at least {least}.",
    "orange": "Neighbouring digits along an orange line differ by at least {least}.",
    None: "Neighbouring digits along a light green line marked ≥{least} differ by at least "
    "{least}.",
}


def _ambiguous_arrow(looks: Looks, group: Sequence[rules.AmbiguousArrow]) -> Iterator[str]:
    ends = {rule.ends for rule in group}
    if ends == {False}:
        yield message(
            "One digit along a slate line, whichever it is, is the sum of the other digits along "
            "it."
        )
    elif False in ends:
        yield message(
            "One digit along a slate line without circles, whichever it is, is the sum of the "
            "other digits along it."
        )
    if True in ends:
        yield message(
            "One of the digits in the two circles of a slate line, whichever it is, is the sum of "
            "the other digits along it."
        )


def _sum_line(looks: Looks, group: Sequence[rules.SumLine]) -> Iterator[str]:
    (total, *others) = {rule.total for rule in group}
    if others:
        yield message(
            "A gold line divides into parts of one or more cells that each sum to the number at "
            "its start."
        )
    else:
        yield message(
            "A gold line divides into parts of one or more cells that each sum to {total}.",
            total=total,
        )


def _lockout(looks: Looks, group: Sequence[rules.Lockout]) -> Iterator[str]:
    (least, *others) = {rule.least for rule in group}
    apart = message("the number at its start") if others else f"{least}"
    yield message(
        "Digits along a line between two diamonds are neither equal to the digits in the diamonds "
        "nor between them; the digits in the diamonds differ by at least {least}.",
        least=apart,
    )


def _sandwich(looks: Looks, group: Sequence[rules.Sandwich]) -> Iterator[str]:
    yield message(
        "{clue} is the sum of the digits between {low} and {high} in its row or column.",
        clue=_outside(looks, group),
        low=looks.layout.shown[1],
        high=looks.layout.shown[-1],
    )


def _seen(text: str) -> Sentences:
    return lambda looks, group: (message(text, clue=_outside(looks, group)),)


def _outside(looks: Looks, group: Sequence[Rule]) -> str:
    """Return what the clues of a kind are called: with their places, if there are other kinds."""
    if len({type(rule) for rule in looks.clues}) < 2:
        return message("A number outside the grid")
    lines_at: dict[str, list[int]] = {}
    for rule in group:
        side, line = looks.clues[rule]
        lines_at.setdefault(side, []).append(line + 1)
    places = [
        message(text, lines=listing(sorted(lines_at[side]), "or"))
        for side, text in SIDES.items()
        if side in lines_at
    ]
    return message("A number {where}", where=", ".join(places))


SIDES: Mapping[str, str] = {
    "left": "left of row {lines}",
    "right": "right of row {lines}",
    "top": "above column {lines}",
    "bottom": "below column {lines}",
}
"""Where clues outside the grid are."""


def _dots(text: str, numbered: str, *, field: str, usual: int) -> Sentences:
    """Return the sentences of dots, which may have a number in them."""

    def tell(looks: Looks, group: Sequence[Any]) -> Iterator[str]:
        numbers = {getattr(rule, field) for rule in group}
        if usual in numbers:
            yield message(text)
        if numbers - {usual}:
            yield message(numbered)

    return tell


def _letters(looks: Looks, group: Sequence[rules.PairSum]) -> Iterator[str]:
    totals = {rule.total for rule in group}
    if 10 in totals:
        yield message("Digits with an X between them sum to 10.")
    if 5 in totals:
        yield message("Digits with a V between them sum to 5.")
    if totals - {5, 10}:
        yield message("Digits with a number between them sum to it.")


def _never(text: str, consecutive: str = "") -> Sentences:
    """Return the sentences of negative rules: about all neighbours without a mark.

    Args:
        text: the sentence, whose fields are those of a rule.
        consecutive: the sentence about neighbours that do not differ by 1, if it is another.
    """

    def tell(looks: Looks, group: Sequence[Any]) -> Iterator[str]:
        everywhere = unmarked(looks.layout)
        dots = unmarked(looks.layout, rules.DiffersBy, rules.Ratio)
        letters = unmarked(looks.layout, rules.PairSum)
        for rule in group:
            pairs = {*map(frozenset, rule.pairs)}
            marks = dict(zip(MARKS, (everywhere, dots, letters, dots & letters), strict=True))
            where = next((word for word, others in marks.items() if pairs == others), None)
            if where is None or not getattr(rule, "never", True):
                yield from in_words(looks, [rule])
                continue
            cells = message(_BESIDE_UNMARKED if where else _BESIDE, mark=message(where))
            fields = {name: getattr(rule, name, 1) for name in ("by", "times", "total")}
            is_next = consecutive and fields["by"] == 1
            yield message(consecutive if is_next else text, cells=cells, **fields)

    return tell


MARKS = ("", "dot", "letter", "mark")
"""What neighbours without a mark do not have between them."""

_BESIDE = "Cells that share a side"
_BESIDE_UNMARKED = "Cells that share a side, without a {mark} between them,"


def _line(looks: Looks, group: Sequence[rules.Line | rules.Pairs]) -> Iterator[str]:
    for rule in group:
        name = rule.name.replace("_", " ")
        if isinstance(rule, rules.Pairs) and rule.text:
            values, _, relation = rule.text.partition(":")
            first, second = map(str.strip, values.split(","))
            name = message(
                "any digit {first} and the next {second}: {relation}",
                first=first,
                second=second,
                relation=relation.strip(),
            )
        yield message(_OWN[looks.own_colours[rule].word], name=name)


_OWN = {
    "red": "Along a red line, from its dot: {name}.",
    "indigo": "Along an indigo line, from its dot: {name}.",
    "dark green": "Along a dark green line, from its dot: {name}.",
    "black": "Along a black line, from its dot: {name}.",
    "magenta": "Along a magenta line, from its dot: {name}.",
}


def _modular(looks: Looks, group: Sequence[rules.Modular]) -> Iterator[str]:
    moduli = sorted({rule.modulus for rule in group})
    for modulus in moduli:
        text = (
            "On a teal line, any {modulus} neighbouring digits have different remainders when "
            "divided by {modulus}."
        )
        if len(moduli) > 1:
            text = (
                "On a teal line marked {modulus}, any {modulus} neighbouring digits have different "
                "remainders when divided by {modulus}."
            )
        yield message(text, modulus=modulus)


def _entropic(looks: Looks, group: Sequence[rules.Entropic]) -> Iterator[str]:
    (classes, *others) = {rule.classes for rule in group}
    if others or not classes:
        yield from in_words(looks, group)
        return
    yield message(
        "On a peach line, any {count} neighbouring digits are of different groups: {groups}.",
        count=len(classes),
        groups=series(listing(values, "or") for values in classes),
    )


def _index(looks: Looks, group: Sequence[rules.Index]) -> Iterator[str]:
    kinds = {rule.of for rule in group}
    return (message(_INDEX[of]) for of in _INDEX if of in kinds)


_INDEX = {
    "row": "If a cell shaded green holds N, the cell of its column in row N holds the row number "
    "of the shaded cell.",
    "column": "If a cell shaded red holds N, the cell of its row in column N holds the column "
    "number of the shaded cell.",
    "box": "If a cell shaded blue holds N, the cell of its box in place N holds the place in the "
    "box of the shaded cell.",
}


def _taxicab(looks: Looks, group: Sequence[rules.Taxicab]) -> Iterator[str]:
    for rule in group:
        values = listing(rule.values, "or")
        if len(rule.held) < len(looks.layout):
            yield from in_words(looks, [rule])
        elif rule.steps is None:
            yield message(_OF_THEIR_STEPS if values else _OF_ALL_STEPS, values=values)
        else:
            yield message(_APART_OF if values else _APART, steps=rule.steps, values=values)


_OF_ALL_STEPS = "Two cells that both hold N are not N steps apart, along rows and columns."
_OF_THEIR_STEPS = (
    "Two cells that both hold N are not N steps apart, along rows and columns, where N is {values}."
)
_APART = (
    "Two cells that are {steps} steps apart, along rows and columns, do not hold the same digit."
)
_APART_OF = (
    "Two cells that are {steps} steps apart, along rows and columns, do not both hold {values}."
)


def _hits(looks: Looks, group: Sequence[rules.Hits]) -> Iterator[str]:
    """Yield one sentence if the rule holds in all squares of four cells."""
    layout = looks.layout
    squares = [rule for rule in group if looks.is_square(rule.held)]
    (classes, *others) = {rule.classes for rule in group}
    if (
        others
        or len(squares) < len(group)
        or len(group) != (layout.rows - 1) * (layout.columns - 1)
    ):
        yield from in_words(looks, group)
        return
    groups = [message("one of {values}", values="/".join(map(str, values))) for values in classes]
    yield message("Every 2×2 area holds {groups}.", groups=listing(groups))


def _flatmates(looks: Looks, group: Sequence[rules.Flatmates]) -> Iterator[str]:
    (first, *others) = {(rule.middle, rule.above, rule.below) for rule in group}
    if others or len(group) < looks.layout.columns:
        yield from in_words(looks, group)
        return
    middle, above, below = first
    yield message(
        "In every column, each {middle} has {above} directly above it or {below} directly below.",
        middle=middle,
        above=above,
        below=below,
    )


def _lines_differ(looks: Looks, group: Sequence[rules.LinesDiffer]) -> Iterator[str]:
    rows, columns = looks.layout.rows, looks.layout.columns
    if len(group) == rows * (rows - 1) // 2 + columns * (columns - 1) // 2:
        yield message("No two rows are the same, and no two columns.")
    else:
        yield from in_words(looks, group)


def _no_three(looks: Looks, group: Sequence[rules.NoThreeEqual]) -> Iterator[str]:
    if len(group) == looks.layout.rows + looks.layout.columns:
        yield message("No three neighbouring cells of a row or a column hold the same value.")
    else:
        yield from in_words(looks, group)


def _connected(looks: Looks, group: Sequence[rules.Connected]) -> Iterator[str]:
    for rule in group:
        if set(rule.held) != set(looks.layout.cells):
            yield from in_words(looks, [rule])
            continue
        text = "The {count} cells that hold {values} are connected by their sides."
        if rule.count is None:
            text = "The cells that hold {values} are connected by their sides."
        yield message(text, count=rule.count, values=listing(sorted(set(rule.values)), "or"))


def _chaos(looks: Looks, group: Sequence[rules.ChaosConstruction]) -> Iterator[str]:
    for rule in group:
        size = rule.count or looks.layout.n
        yield message(
            "Divide the grid into connected regions of {size} cells; digits do not repeat in a "
            "region.",
            size=size,
        )


def _doubler(looks: Looks, group: Sequence[rules.Doubler]) -> Iterator[str]:
    """Yield what is doubled; other sentences speak of digits, as setters do."""
    each = _each(looks.layout)
    for rule in group:
        noun = message(rule.noun)
        text = (
            "One cell in each {lines} is a {noun}, whose digit counts {factor} times in every sum."
        )
        if rule.factor == 2:
            text = "One cell in each {lines} is a {noun}, whose digit counts twice in every sum."
        yield message(text, lines=each, noun=noun, factor=rule.factor)
        if not rule.repeats:
            yield message("No two {noun}s hold the same digit.", noun=noun)
        if rule.at:
            yield message("A cell marked ×{factor} is a {noun}.", factor=rule.factor, noun=noun)


def _schroedinger(looks: Looks, group: Sequence[rules.Schroedinger]) -> Iterator[str]:
    """Yield which cells hold two digits, and what other rules are about."""
    for rule in group:
        yield message(
            "One cell in each {lines}, a Schrödinger cell, holds two digits, so that each of the "
            "digits 0 to {last} is there once.",
            lines=_each(looks.layout),
            last=looks.layout.size,
        )
        yield message(_VALUES_OF_S_CELLS[rule.compared])


_VALUES_OF_S_CELLS: Mapping[str, str] = {
    "sum": "The value of a Schrödinger cell is the sum of its digits; sums count it, and "
    "rules that compare cells compare it.",
    "digits": "The value of a Schrödinger cell is the sum of its digits; sums count it. Rules "
    "that compare neighbouring cells, and marks of odd and even cells, are about each of the "
    "two digits.",
}


def _each(layout: Layout) -> str:
    """Return the names of the units that hold every digit."""
    kinds = {unit.kind for unit in layout.units if len(unit.cells) == layout.size}
    return message(_EACH.get(tuple(kind for kind in _LINES if kind in kinds), "group"))


_LINES = ("row", "column", "box", "region")

_EACH: Mapping[tuple[str, ...], str] = {
    ("row", "column", "box"): "row, column and box",
    ("row", "column", "region"): "row, column and region",
    ("row", "column"): "row and column",
}


SENTENCES: Mapping[type[Rule], Sentences] = {
    rules.Killer: _killer,
    rules.SumOfCells: _sum,
    rules.Arrow: _arrow,
    rules.Product: _always("Digits in a cage marked × multiply to its number; they may repeat."),
    rules.KenKen: _always(
        "Digits in a dashed cage give the number in its corner by its operation; digits may "
        "repeat in a cage."
    ),
    rules.RegionSum: _always(
        "Borders of regions divide a blue line into parts that have the same sum."
    ),
    rules.Zipper: _always(
        "Digits at the same distance from the centre of a lavender line have the same sum, "
        "which is the digit at the centre if there is one."
    ),
    rules.DoubleArrow: _always(
        "Digits along a pink line between two circles have the same sum as the digits in these "
        "circles."
    ),
    rules.AmbiguousArrow: _ambiguous_arrow,
    rules.ProductLine: _always(
        "Digits along an ochre line multiply to the number at its start; they may repeat."
    ),
    rules.Nabner: _always("No two digits on a yellow line are the same or consecutive."),
    rules.Parity: _always("On a coral line, odd and even digits alternate."),
    rules.Modular: _modular,
    rules.Entropic: _entropic,
    rules.Index: _index,
    rules.Clone: _always("Two areas shaded in one colour hold the same digits in the same places."),
    rules.Minimum: _always(
        "A digit in a grey cell with arrows that point inwards is less than the digits beside "
        "it, except for those in such cells."
    ),
    rules.Maximum: _always(
        "A digit in a grey cell with arrows that point outwards is greater than the digits "
        "beside it, except for those in such cells."
    ),
    rules.Odd: _always("A cell with a grey circle holds an odd digit."),
    rules.Even: _always("A cell with a grey square holds an even digit."),
    rules.EqualityCage: _always(
        "In a cage marked =, digits do not repeat, as many are odd as even, as many are low as "
        "high, and none is the middle digit."
    ),
    rules.Rellik: _always(
        "In a cage marked ≠, digits do not repeat, and no one or several of them sum to its number."
    ),
    rules.CountingCircles: _always(
        "A digit in a black circle is in exactly that many black circles."
    ),
    rules.Line: _line,
    rules.Thermo: _always("Digits along a thermometer increase from the bulb."),
    rules.SlowThermo: _always(
        "Digits along a slow (blue) thermometer increase or stay the same from the bulb."
    ),
    rules.Whispers: _whispers,
    rules.Palindrome: _always("A wide grey line reads the same from both ends."),
    rules.Renban: _always("A purple line holds consecutive digits without repeats, in any order."),
    rules.SumLine: _sum_line,
    rules.Between: _always(
        "Digits along a line between two circles are between the digits in the circles."
    ),
    rules.Lockout: _lockout,
    rules.Contains: _always(
        "Digits in a white circle between four cells are among the digits of these cells, at "
        "least as often as they are listed."
    ),
    rules.Sandwich: _sandwich,
    rules.XSum: _seen(
        "{clue} is the sum of the first X digits from there, where X is the first of them."
    ),
    rules.Battlefield: _seen(
        "{clue} is the sum of the digits where the first X and the last Y cells of its row or "
        "column overlap, or of those in the gap between them. X is the first digit there, Y "
        "the last."
    ),
    rules.Skyscraper: _seen(
        "{clue} is how many digits are visible from there, where a digit hides all smaller "
        "ones behind it."
    ),
    rules.HiddenSkyscraper: _seen(
        "{clue} is the first digit that is hidden from there by an earlier digit that is not "
        "smaller."
    ),
    rules.NumberedRoom: _seen(
        "{clue} is the digit in the Nth cell from there, where N is the digit in the first cell."
    ),
    rules.FullRank: _seen(
        "{clue} is the rank of its row or column, read from there as a number, among all rows "
        "and columns read from either end: 1 for the smallest."
    ),
    rules.Greater: _always("A sign between two cells opens to the greater digit."),
    rules.DiffersBy: _dots(
        "Digits with a white dot between them are consecutive.",
        "Digits with a number n in a white dot between them differ by n.",
        field="by",
        usual=1,
    ),
    rules.Ratio: _dots(
        "Digits with a black dot between them are in the ratio 1:2.",
        "Digits with a number n in a black dot between them are in the ratio 1:n.",
        field="times",
        usual=2,
    ),
    rules.PairSum: _letters,
    rules.Pairs: _line,
    rules.Holds: _always("A cell with small digits holds one of them."),
    rules.Doubler: _doubler,
    rules.Lunchbox: _always(
        "Digits along a brown line do not repeat, and those between the smallest and the "
        "largest of them sum to the number at its start."
    ),
    rules.AnyOf: _always(
        "Digits do not repeat in a dashed cage, and sum to one of the numbers in its corner."
    ),
}
"""The sentences of the kinds that have a picture."""

GLOBAL: Mapping[type[Rule], Sentences] = {
    rules.Taxicab: _taxicab,
    rules.NonConsecutive: _never("{cells} do not hold consecutive digits."),
    rules.DiffersBy: _never(
        "{cells} do not differ by {by}.", "{cells} do not hold consecutive digits."
    ),
    rules.Ratio: _never("{cells} do not have the ratio 1:{times}."),
    rules.PairSum: _never("{cells} do not sum to {total}."),
    rules.Hits: _hits,
    rules.Flatmates: _flatmates,
    rules.LinesDiffer: _lines_differ,
    rules.NoThreeEqual: _no_three,
    rules.Doubler: _doubler,
    rules.Schroedinger: _schroedinger,
    rules.Connected: _connected,
    rules.ChaosConstruction: _chaos,
}
"""The sentences of rules about the whole grid; other rules without a picture are told in words."""

assert set(CLUES) <= set(SENTENCES)
