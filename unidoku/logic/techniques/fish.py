"""Fish: a value's places in k units, the bases, lie in k other units, the covers.

Each base holds the value once, and each cover at most once. So the values of the bases use up the
covers, and cells in a cover but not in a base lose the value. Bases are full units; covers need not
be. Usually the bases are disjoint units of one kind and the covers disjoint units of another: rows
and columns, but windows and regions as well. Mutant fish have bases and covers of any kinds, mixed;
those that mix areas with lines of one kind are known as Franken fish.

Templates are the ways in which the places of one value can be filled on a whole board: a fish
eliminates only places that are in none.

Sources: sudopedia.org; hodoku.sourceforge.net for fins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product

from unidoku.core.caching import by_layout
from unidoku.core.layout import Layout
from unidoku.logic.geometry import UnitCells, cells_of, geometry, is_area, lowest, union
from unidoku.logic.matching import overfull, tight
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.support.deadline import check_time_limit
from unidoku.support.language import listing, message

_USUAL = 3
"""The size up to which fish are looked for together: an X-wing is mostly looked for first."""

_LARGER = 6.7
"""The rating of the fish without a name of their own, except the smallest of them."""


@dataclass(frozen=True, slots=True)
class Fish:
    """A fish in the places of one value.

    Args:
        bases: full units, no two with a place in common.
        covers: the same number of units.
        fins: the places in the bases that no cover holds, as a set of cells.
        gone: the places that lose the value, as a set of cells.
    """

    bases: tuple[UnitCells, ...]
    covers: tuple[UnitCells, ...]
    fins: int
    gone: int

    @classmethod
    def of(
        cls, layout: Layout, places: int, bases: Iterable[UnitCells], covers: Iterable[UnitCells]
    ) -> Fish:
        """Return the fish of bases and covers; it may eliminate nothing.

        A place in a base and in two covers is eliminated as well: a value there would use up two
        covers. With fins, only places that see all of them are eliminated.
        """
        base = joined(bases) & places
        once = twice = 0
        for unit_cells in covers:
            twice |= once & unit_cells.cells
            once |= unit_cells.cells
        fins = base & ~once
        gone = places & (once & ~base | twice)
        if fins:
            gone &= geometry(layout).seen_by_all(fins)
        order = geometry(layout).units.index
        return cls(tuple(sorted(bases, key=order)), tuple(sorted(covers, key=order)), fins, gone)


def fish(state: State, size: int, *, larger: bool = False) -> Iterator[Step]:
    """Find fish without fins."""
    largest = state.layout.n if larger else max(size, _USUAL)
    return fish_steps(state, partial(_plain, largest=largest), size, larger=larger)


def finned_fish(state: State, size: int, *, larger: bool = False) -> Iterator[Step]:
    """Find fish with fins: some places in the bases are in no cover.

    Either a fin holds the value, or the fish holds without fins; so cells that the fish
    eliminates and that see all fins lose the value. This includes fish with a base of one place
    apart from the fins, called sashimi.
    """
    return fish_steps(state, _finned, size, larger=larger)


def fish_steps(
    state: State,
    find: Callable[[Layout, int], Iterable[Fish]],
    size: int,
    *,
    larger: bool = False,
) -> Iterator[Step]:
    """Yield the steps of the fish of some size, value by value.

    Args:
        state: the state before the step.
        find: returns the fish, of any size, in the places of a value.
        size: the number of bases, and of covers.
        larger: whether larger fish are returned too, the smallest first.
    """
    for value, places in enumerate(state.places):
        state.tick()
        for fish in find(state.layout, places):
            if len(fish.bases) == size or (larger and len(fish.bases) > size):
                yield _step(state, value, fish, _LARGER if len(fish.bases) > size else 0.0)


def joined(units: Iterable[UnitCells]) -> int:
    """Return the cells of all the units, as a set."""
    return union(unit_cells.cells for unit_cells in units)


def _step(state: State, value: int, fish: Fish, rating: float) -> Step:
    bases = tuple(unit_cells.unit for unit_cells in fish.bases)
    covers = tuple(unit_cells.unit for unit_cells in fish.covers)
    reason = message(
        "of {value} in {bases} by {covers}",
        value=state.layout.shown[value],
        bases=listing(unit.words for unit in bases),
        covers=listing(unit.words for unit in covers),
    )
    if fish.fins:
        several = fish.fins & (fish.fins - 1)
        text = "{fish} with fins {cells}" if several else "{fish} with fin {cells}"
        reason = message(text, fish=reason, cells=state.named(fish.fins))
    return Step(
        layout=state.layout,
        reason=reason,
        eliminations=state.among(value, fish.gone),
        units=bases,
        covers=covers,
        pattern=state.among(value, joined(fish.bases)),
        fins=state.among(value, fish.fins),
        rating=rating,
    )


@dataclass(frozen=True, slots=True)
class _Family:
    """Disjoint units of one kind.

    Args:
        units: the units.
        bits: the unit of each cell as a bit, 0 for a cell in no unit.
    """

    units: tuple[UnitCells, ...]
    bits: tuple[int, ...]

    def crossed(self, others: Iterable[UnitCells], places: int) -> list[tuple[UnitCells, int]]:
        """Return other units, each with the units here that hold its places, as bits.

        Units without places are left out, and units with a place outside this family.
        """
        crossed = []
        for other in others:
            crossing = 0
            for cell in cells_of(other.cells & places):
                if not (bits := self.bits[cell]):
                    break
                crossing |= bits
            else:
                if crossing:
                    crossed.append((other, crossing))
        return crossed

    def chosen(self, bits: int) -> list[UnitCells]:
        """Return the units of a set of bits."""
        return [self.units[index] for index in cells_of(bits)]


@by_layout()
def _families(layout: Layout) -> tuple[_Family, ...]:
    """Return families of units, lines before areas: each unit is in one at least.

    Overlapping units of a kind, such as the rows of overlapping grids, make several families to
    which no unit can be added; not all possible ones.
    """
    families: list[_Family] = []
    kinds: dict[str, list[UnitCells]] = {}
    for unit_cells in sorted(
        geometry(layout).units, key=lambda unit_cells: is_area(unit_cells.unit)
    ):
        kinds.setdefault(unit_cells.unit.kind, []).append(unit_cells)
    for kind in kinds.values():
        covered: set[UnitCells] = set()
        for start, unit_cells in enumerate(kind):
            if unit_cells not in covered:
                # From here on, so that the units of one grid come together.
                families.append(_family(layout, kind[start:] + kind[:start]))
                covered.update(families[-1].units)
    return tuple(families)


def _family(layout: Layout, kind: list[UnitCells]) -> _Family:
    """Return the first unit, and each that overlaps with none before it."""
    units: list[UnitCells] = []
    bits = [0] * len(layout)
    for unit_cells in kind:
        if not any(bits[cell] for cell in unit_cells.unit.cells):
            for cell in unit_cells.unit.cells:
                bits[cell] = 1 << len(units)
            units.append(unit_cells)
    return _Family(tuple(units), tuple(bits))


@by_layout()
def _pairs(layout: Layout) -> tuple[tuple[tuple[UnitCells, ...], _Family], ...]:
    """Return the full units of each family with each other family, which may cover them."""
    families = _families(layout)
    bases = [tuple(each for each in family.units if each.full) for family in families]
    return tuple(
        (units, covers)
        for (units, family), covers in product(zip(bases, families, strict=True), families)
        if family is not covers and len(units) > 1
    )


@by_layout(1 << 8)
def _plain(layout: Layout, places: int, largest: int) -> tuple[Fish, ...]:
    """Return the fish without fins that eliminate, of up to a size, the smallest first."""
    fishes: dict[Fish, None] = {}
    for units, covers in _pairs(layout):
        few = [each for each in covers.crossed(units, places) if each[1].bit_count() <= largest]
        for group in tight(tuple([bits for _, bits in few])):
            bases = [few[index][0] for index in group]
            by = covers.chosen(union(few[index][1] for index in group))
            if places & joined(by) & ~joined(bases):
                fishes.setdefault(Fish.of(layout, places, bases, by))
    useful = _sorted(fishes)
    return useful if useful and in_no_template(layout, places) else ()


@by_layout(1 << 8)
def _finned(layout: Layout, places: int) -> tuple[Fish, ...]:
    """Return the fish with fins that eliminate, the smallest first.

    If the value were in an eliminated cell, the fins and one cover could not hold it, and the
    bases would have one cover too few: a matching shows this.
    """
    fishes: dict[Fish, None] = {}
    for target in cells_of(in_no_template(layout, places)):
        outside = places & ~geometry(layout).sees[target]
        for units, covers in _pairs(layout):
            target_bits = covers.bits[target]
            others = [unit for unit in units if not unit.cells >> target & 1]
            crossed = covers.crossed(others, outside) if target_bits else []
            for group, by in overfull([bits for _, bits in crossed]):
                bases = [crossed[index][0] for index in group]
                finned = Fish.of(layout, places, bases, covers.chosen(by | target_bits))
                if finned.fins and places & joined(bases) & joined(covers.chosen(target_bits)):
                    fishes.setdefault(finned)
    return _sorted(fishes)


def _sorted(fishes: Iterable[Fish]) -> tuple[Fish, ...]:
    """Return the fish of two or more bases that eliminate, the smallest first."""
    useful = [each for each in fishes if each.gone and len(each.bases) > 1]
    return tuple(sorted(useful, key=lambda each: len(each.bases)))


_MOST_FISH_NODES = 2000
"""The largest number of nodes of the search for a fish that eliminates one place."""


def mutant_fish(state: State, size: int) -> Iterator[Step]:
    """Find fish of bases and covers of any kinds, one for each place that is eliminated.

    Places that smaller fish or locked candidates eliminate are left to these techniques.

    Cost: a bounded depth-first search for each place that no template has (see
        `unidoku.logic.techniques.fish`); nothing for a value whose places were searched before.
    """
    return fish_steps(state, partial(_mutants, size=size), size)


@by_layout(1 << 8)
def _mutants(layout: Layout, places: int, size: int) -> tuple[Fish, ...]:
    """Return fish up to a size that together eliminate what all fish of these sizes do."""
    fishes = _mutants(layout, places, size - 1) if size > 2 else ()
    for target in cells_of(in_no_template(layout, places)):
        if not any(mutant.gone >> target & 1 for mutant in fishes):
            mutant = _FishSearch(layout, places, target, size).start()
            fishes += (mutant,) if mutant is not None else ()
    return fishes


class _FishSearch:
    """A depth-first search for a fish that eliminates a place.

    It begins with covers of the place. While a place of the bases is uncovered, one of its units
    becomes a cover. Otherwise, while there are fewer bases than covers, a base that meets the
    covers is added: one of the missing bases must, or they would have too few covers.
    """

    def __init__(self, layout: Layout, places: int, target: int, size: int) -> None:
        self.layout, self.places, self.target, self.size = layout, places, target, size
        self.seen: set[tuple[frozenset[UnitCells], frozenset[UnitCells]]] = set()
        self.bases = [unit for unit in geometry(layout).full if unit.cells & places]

    def start(self) -> Fish | None:
        """Return a fish whose covers eliminate the place, or None if there is none."""
        units = geometry(self.layout).units_of[self.target]
        for covers in (*combinations(units, 1), *combinations(units, 2)):
            if mutant := self.extend(frozenset(), frozenset(covers)):
                return mutant
        return None

    def extend(self, bases: frozenset[UnitCells], covers: frozenset[UnitCells]) -> Fish | None:
        """Return a fish with these bases and covers and perhaps more."""
        if (bases, covers) in self.seen or len(self.seen) > _MOST_FISH_NODES:
            return None
        self.seen.add((bases, covers))
        base_places = joined(bases) & self.places
        area = joined(covers)
        if opened := base_places & ~area:
            if len(covers) < self.size:
                for unit in geometry(self.layout).units_of[lowest(opened)]:
                    if unit not in bases and (mutant := self.extend(bases, covers | {unit})):
                        return mutant
        elif len(bases) == len(covers):
            return Fish.of(self.layout, self.places, bases, covers)
        else:
            for unit in self.next_bases(base_places, area, covers):
                if mutant := self.extend(bases | {unit}, covers):
                    return mutant
        return None

    def next_bases(
        self, base_places: int, area: int, covers: frozenset[UnitCells]
    ) -> list[UnitCells]:
        """Return the bases that share no place with the others and meet the covers."""
        twice = sum(unit.cells >> self.target & 1 for unit in covers) > 1
        used = base_places if twice else base_places | 1 << self.target
        return [
            unit
            for unit in self.bases
            if not unit.cells & used and unit.cells & self.places & area and unit not in covers
        ]


_MOST_TEMPLATE_NODES = 1000
"""The largest number of nodes of a search for one template; classic boards take a dozen."""


@by_layout(1 << 9)
def in_no_template(layout: Layout, places: int) -> int:
    """Return the places of a value that are in no template, so that none of them holds it.

    A template has one place in each full unit that has places, and at most one in each other
    unit. Techniques about a single value eliminate only places returned here; if there are none,
    they need not be tried.

    Cost: a search for each place that is in no template found so far. A search that takes too
    long is given up, and its place is not returned.
    """
    around = geometry(layout)
    units = [unit_cells.cells for unit_cells in around.full if unit_cells.cells & places]
    covered = missing = 0
    for cell in cells_of(places):
        check_time_limit()
        if not covered >> cell & 1:
            search = _TemplateSearch(around.sees, covered)
            template = search.complete(0, places, units, cell)
            covered |= template or (1 << cell if search.nodes > _MOST_TEMPLATE_NODES else 0)
            if not covered >> cell & 1:
                missing |= 1 << cell
    return missing


class _TemplateSearch:
    """A depth-first search for one template, which prefers cells of no known template."""

    def __init__(self, sees: Sequence[int], known: int) -> None:
        self.sees = sees
        self.known = known
        self.nodes = 0

    def complete(self, filled: int, places: int, units: list[int], cell: int) -> int:
        """Return a template of the cells taken, one more and some of the places, 0 if none."""
        self.nodes += 1
        if self.nodes > _MOST_TEMPLATE_NODES:
            return 0
        filled |= 1 << cell
        places &= ~(self.sees[cell] | filled)
        units = [unit for unit in units if not unit >> cell & 1]
        if not units:
            return filled
        choices = min((places & unit for unit in units), key=int.bit_count)
        for choice in (*cells_of(choices & ~self.known), *cells_of(choices & self.known)):
            if template := self.complete(filled, places, units, choice):
                return template
            places &= ~(1 << choice)
        return 0
