"""Rules that relate the values of two cells, in many pairs of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, cast

from unidoku.core.constraints.primitives import Pair, Relation, tabulated
from unidoku.core.rules.base import UNNAMED, Facts, Rule
from unidoku.core.rules.custom import check_colour
from unidoku.core.rules.failures import named_failures
from unidoku.core.rules.fields import PairsInOrder, PairsOfCells
from unidoku.core.rules.related import RelatedCells
from unidoku.core.rules.relation_text import relation_of
from unidoku.errors import InputError, LayoutError
from unidoku.support.language import message


@dataclass(frozen=True)
class PairRule(RelatedCells):
    """A rule about two values that applies to many pairs of cells; `holds` defines it.

    Args:
        pairs: pairs of cells, each pair once.
    """

    fact: ClassVar[str] = ""
    """The rule in words, without the cells; numbers have the names of their fields."""

    opposite: ClassVar[str] = ""
    """The words of a rule that says ``never``."""

    pairs: PairsOfCells

    def related_pairs(self) -> Iterable[Pair]:
        """Return the pairs."""
        return self.pairs

    def meaning(self) -> str:
        """Return the rule in words, without the cells."""
        text = self.opposite if getattr(self, "never", False) else self.fact
        if not text:
            raise InputError(f"rule {self.kind!r}: expected a fact, or a method meaning()")
        return message(text, **vars(self))

    def words(self, names: Sequence[str]) -> str:
        """Return the names of the cells, and the rule in words."""
        text = "{cells} each {fact}" if len(self.pairs) > 1 else "{cells} {fact}"
        return message(text, cells=_named(self.pairs, names), fact=self.meaning())

    def words_around(self, cell: int, names: Sequence[str]) -> str:
        """Return the rule about a cell and each of its partners in words."""
        return message("around {cell}: pairs {fact}", cell=names[cell], fact=self.meaning())


@dataclass(frozen=True)
class NonConsecutive(PairRule):
    """In each pair of cells the two values are not consecutive."""

    kind: ClassVar[str] = "non-consecutive"
    fact: ClassVar[str] = "hold no consecutive values"

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values are not consecutive."""
        return abs(a - b) != 1


@dataclass(frozen=True)
class Greater(PairRule):
    """In each pair of cells the first value is greater (futoshiki).

    >>> Greater([(0, 1)]).holds(3, 2)
    True
    """

    kind: ClassVar[str] = "greater"
    fact: ClassVar[str] = "hold a greater value first"
    pairs: PairsInOrder

    def holds(self, a: int, b: int) -> bool:
        """Return whether the first value is greater."""
        return a > b

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        return _named(self.pairs, names, " > ")


@dataclass(frozen=True)
class DiffersBy(PairRule):
    """In each pair of cells the values differ by a given number: a white dot of Kropki.

    Args:
        pairs: pairs of cells.
        by: the difference.
        never: whether the values must not differ by that, as between cells without a dot.
    """

    kind: ClassVar[str] = "difference"
    fact: ClassVar[str] = "differ by {by}"
    opposite: ClassVar[str] = "do not differ by {by}"
    by: int = 1
    never: bool = False

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values differ by the number."""
        return (abs(a - b) == self.by) != self.never


@dataclass(frozen=True)
class Ratio(PairRule):
    """In each pair of cells the values have a given ratio: a black dot of Kropki.

    Args:
        pairs: pairs of cells.
        times: the ratio: one of the values is this many times the other.
        never: whether the values must not have that ratio, as between cells without a dot.
    """

    kind: ClassVar[str] = "ratio"
    fact: ClassVar[str] = "are in the ratio {times}"
    opposite: ClassVar[str] = "are not in the ratio {times}"
    times: int = 2
    never: bool = False

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values have the ratio."""
        return (a == self.times * b or b == self.times * a) != self.never


@dataclass(frozen=True)
class PairSum(PairRule):
    """In each pair of cells the values sum to a total: an X is 10, a V is 5.

    Args:
        pairs: pairs of cells.
        total: the sum.
        never: whether they must not sum to that, as between cells without a letter.
    """

    kind: ClassVar[str] = "pair-sum"
    fact: ClassVar[str] = "sum to {total}"
    opposite: ClassVar[str] = "do not sum to {total}"
    total: int = 10
    never: bool = False

    def holds(self, a: int, b: int) -> bool:
        """Return whether the values sum to the total."""
        return (a + b == self.total) != self.never


@dataclass(frozen=True)
class Pairs(Rule):
    """In each pair of cells the two values are related by a relation of your own.

    >>> from unidoku import Board, Layout, solve
    >>> far = Pairs([(0, 1), (1, 2)], lambda a, b: abs(a - b) >= 3, "far apart")
    >>> row = Layout.from_units(4, [], shape=(1, 3), rules=[far])
    >>> sorted(solve(Board.empty(row), solutions=None).solutions)
    [(1, 4, 1), (4, 1, 4)]

    The relation is tabulated once for the values of the layout, and the table is stored, so that
    the rule can be compared, written to files and sent to other processes.

    Args:
        pairs: pairs of cells.
        related: function of a value of the first cell and a value of the second that returns
            whether they are related; or one line of text, such as ``a, b: abs(a - b) >= 3``; or a
            table with the set of second values for each first value, a number whose lowest bit is
            that of the layout's first value.
        name: name in messages.
        text: the line of text that the table was made from.
        colour: the colour of its line in drawings: `red`, `indigo`, `green`, `black` or `magenta`;
            by default one that no other line has.
    """

    kind: ClassVar[str] = "pairs"
    pairs: PairsInOrder
    related: Callable[[int, int], object] | str | tuple[int, ...]
    name: str = "pairs"
    text: str = field(default="", repr=False)
    colour: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Accept a list as a table and a text as a function, and refuse anything else."""
        super().__post_init__()
        check_colour(self.kind, self.colour)
        if isinstance(self.related, str):
            relation = relation_of(self.related)
            named = self.name if self.name != self.kind else relation.text
            for key, value in (("related", relation), ("text", relation.text), ("name", named)):
                object.__setattr__(self, key, value)
        elif self.text:
            relation_of(self.text)
        if not callable(self.related):
            table = tuple(cast("tuple[int, ...]", self.related))
            object.__setattr__(self, "related", table)
            if not all(type(mask) is int and 0 <= mask < 1 << len(table) for mask in table):
                raise LayoutError(f"pairs: related: expected a set of values each, got {table}")

    def bind(self, facts: Facts) -> Pairs:
        """Return the rule with its table."""
        if callable(self.related):
            with named_failures(self, "related"):
                table = tabulated(facts.n, self.related, facts.first_value)
            return replace(self, related=table)
        assert isinstance(self.related, tuple), "a text is a function by now"
        if len(self.related) > facts.n:
            # The layout has lost its largest values.
            everything = (1 << facts.n) - 1
            return replace(self, related=tuple(m & everything for m in self.related[: facts.n]))
        if len(self.related) < facts.n:
            raise LayoutError(f"pairs: related: expected {facts.n} sets, got {len(self.related)}")
        return self

    @property
    def size(self) -> int:
        """A measure of the rule: pairs of cells, and pairs of values that are not related."""
        table = self.related if isinstance(self.related, tuple) else ()
        return super().size + len(table) ** 2 - sum(map(int.bit_count, table))

    def smaller(self) -> Iterator[Pairs]:
        """Yield rules of fewer cells, then rules with one more pair of related values."""
        yield from super().smaller()
        table = self.related if isinstance(self.related, tuple) else ()
        for row, mask in enumerate(table):
            for value in range(len(table)):
                if not mask >> value & 1:
                    related = (*table[:row], mask | 1 << value, *table[row + 1 :])
                    yield replace(self, related=related)

    def broken(self, values: Sequence[int], first_value: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the pairs whose values are not related."""
        assert isinstance(self.related, tuple), "a rule of a layout has its table"
        for a, b in self.pairs:
            if values[a] and values[b] and not self.related[values[a] - 1] >> values[b] - 1 & 1:
                yield a, b

    def constraints(self, facts: Facts) -> Iterator[Relation]:
        """Yield a relation of all pairs."""
        assert isinstance(self.related, tuple), "a rule of a layout has its table"
        yield Relation(self.related, self.pairs)

    def words(self, names: Sequence[str]) -> str:
        """Return the rule in words."""
        rule = self.name or message(UNNAMED)
        return message("{cells}: {rule}", cells=_named(self.pairs, names), rule=rule)

    def words_around(self, cell: int, names: Sequence[str]) -> str:
        """Return the rule about a cell and each of its partners in words."""
        rule = self.name or message(UNNAMED)
        return message("around {cell}: {rule}", cell=names[cell], rule=rule)


def _named(pairs: Sequence[tuple[int, int]], names: Sequence[str], between: str = "") -> str:
    """Return the first few pairs by name."""
    between = between or f" {message('and')} "
    texts = [f"{names[a]}{between}{names[b]}" for a, b in pairs[:_MOST_NAMED]]
    return ", ".join(texts) + (", …" if len(pairs) > _MOST_NAMED else "")


_MOST_NAMED = 4
"""Number of pairs listed by name: a rule may apply to all neighbours of a board."""
