"""The techniques, from the easiest to the hardest, how they are named, and levels by their scores.

Ratings are those of Sudoku Explainer 1.2.1. For a technique that it does not have, the rating is
that of a revision of Sudoku Explainer or lies near that of a related technique. Scores and levels
of difficulty are those of HoDoKu.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import lru_cache, partial

from unidoku.core.layout import Layout
from unidoku.errors import InputError, UnsupportedError, nearest
from unidoku.logic.reasons import reasoning
from unidoku.logic.ruled import combinations, compared, nonogram, overlap, remainders, single_rule
from unidoku.logic.state import State
from unidoku.logic.step import Step
from unidoku.logic.techniques import (
    chains,
    colouring,
    fish,
    forcing,
    intersections,
    leftovers,
    set_loops,
    singles,
    subsets,
    together,
    turbot,
    uniqueness,
    wings,
)


def _anywhere(_layout: Layout) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Technique:
    """A row of the catalogue of techniques.

    Args:
        name: the standard name.
        find: yields the steps that a state allows, each of which changes the state; sets no names,
            and ratings only for steps that differ from the usual rating.
        rating: rating on the scale of Sudoku Explainer 1.2.1, or between its neighbours there.
        score: score on the scale of HoDoKu 2.2, or that of a related technique there.
        aliases: other names by which it can be found.
        needs_uniqueness: whether it holds only for boards with one solution.
        refuses: returns why the technique does not hold on a layout, empty if it does.
    """

    name: str
    find: Callable[[State], Iterator[Step]]
    rating: float
    score: int
    aliases: tuple[str, ...] = ()
    _: KW_ONLY
    needs_uniqueness: bool = False
    refuses: Callable[[Layout], str] = _anywhere

    @property
    def family(self) -> str:
        """The module of its function, such as ``wings``."""
        function = self.find.func if isinstance(self.find, partial) else self.find
        return function.__module__.rpartition(".")[2]

    def steps(self, state: State) -> Iterator[Step]:
        """Yield the steps that a state allows, with name and rating."""
        for step in self.find(state):
            yield replace(step, technique=self.name, rating=step.rating or self.rating)


_LOCKED = ("locked candidates", "sub-group exclusion rule")
_PERMUTATION = ("general permutation rule",)
"""Names that several techniques share."""

TECHNIQUES: tuple[Technique, ...] = (
    # Name, function, rating, score, other names.
    Technique("full house", singles.full_house, 1.0, 4),
    Technique("last cell of a rule", single_rule.last_cell, 1.1, 4),
    Technique("hidden single", singles.hidden_single, 1.5, 14, ("only choice",)),
    Technique("cells of a rule", single_rule.marked, 1.6, 14),
    Technique(
        "line bounds", single_rule.line_bounds, 1.7, 20, ("thermometer bounds", "inequality bounds")
    ),
    Technique("run overlap", nonogram.overlaps, 1.8, 20, ("nonogram overlap",)),
    Technique(
        "related cells",
        single_rule.related_cells,
        1.9,
        25,
        ("kropki pair", "XV pair", "whisper line"),
    ),
    Technique(
        "combinations",
        combinations.combinations,
        2.0,
        30,
        ("cage combinations", "killer combinations", "renban sets"),
    ),
    Technique(
        "sum bounds",
        single_rule.sum_bounds,
        2.2,
        30,
        ("arrow bounds", "little killer bounds"),
    ),
    Technique("naked single", singles.naked_single, 2.3, 4, ("eliminate",)),
    Technique("pointing", intersections.pointing, 2.6, 50, _LOCKED),
    Technique(
        "innies and outies",
        remainders.innies_and_outies,
        2.7,
        60,
        ("innies", "outies", "rule of 45"),
    ),
    Technique("claiming", intersections.claiming, 2.8, 50, _LOCKED),
    Technique("generalised intersection", intersections.common_peers, 2.9, 50),
    Technique(
        "naked pair", partial(subsets.naked, size=2), 3.0, 60, ("naked twins", *_PERMUTATION)
    ),
    Technique("law of leftovers", leftovers.law_of_leftovers, 3.1, 100, ("hidden unit",)),
    Technique(
        "rule pointing", overlap.rule_pointing, 3.1, 60, ("cage pointing", "cage-unit overlap")
    ),
    Technique(
        "unit in a rule", overlap.unit_in_rule, 3.2, 60, ("cage claiming", "cage-unit overlap")
    ),
    Technique("X-wing", partial(fish.fish, size=2), 3.2, 140),
    Technique("same values", single_rule.same_values, 3.3, 80),
    Technique("sum arrangements", single_rule.sum_arrangements, 3.3, 80),
    Technique(
        "line arrangements",
        single_rule.line_arrangements,
        3.4,
        80,
        ("sandwich arrangements", "automaton"),
    ),
    Technique("hidden pair", partial(subsets.hidden, size=2), 3.4, 70, ("hidden twins",)),
    Technique("naked triple", partial(subsets.naked, size=3), 3.6, 80, _PERMUTATION),
    Technique("either way", single_rule.either_way, 3.6, 100, ("alternatives",)),
    Technique("sums compared", compared.compared_sums, 3.7, 100, ("star battle counting",)),
    Technique("swordfish", partial(fish.fish, size=3), 3.8, 150),
    Technique("arrangements", combinations.arrangements, 3.8, 120, ("cage arrangements",)),
    Technique("skyscraper", turbot.skyscraper, 4.0, 130),
    Technique("hidden triple", partial(subsets.hidden, size=3), 4.0, 100),
    Technique("two-string kite", turbot.two_string_kite, 4.1, 150, ("2-string kite",)),
    Technique("turbot fish", turbot.turbot_fish, 4.2, 120, ("turbot",)),
    Technique("XY-wing", wings.xy_wing, 4.2, 160, ("Y-wing",)),
    Technique("finned X-wing", partial(fish.finned_fish, size=2), 4.3, 130, ("sashimi X-wing",)),
    Technique("XYZ-wing", wings.xyz_wing, 4.4, 180),
    Technique("W-wing", wings.w_wing, 4.4, 150),
    Technique(
        "finned swordfish", partial(fish.finned_fish, size=3), 4.5, 200, ("sashimi swordfish",)
    ),
    Technique(
        "unique rectangle",
        uniqueness.unique_rectangle,
        4.5,
        100,
        needs_uniqueness=True,
        refuses=uniqueness.no_rectangle,
    ),
    Technique(
        "relation chain", together.relation_chain, 4.6, 160, ("kropki chain", "whisper chain")
    ),
    Technique("remote pair", colouring.remote_pair, 5.0, 110),
    Technique("naked quad", partial(subsets.naked, size=4), 5.0, 120, _PERMUTATION),
    Technique("jellyfish", partial(fish.fish, size=4), 5.2, 160),
    Technique("hidden quad", partial(subsets.hidden, size=4), 5.4, 150),
    Technique(
        "finned jellyfish", partial(fish.finned_fish, size=4), 5.5, 240, ("sashimi jellyfish",)
    ),
    Technique("naked set", partial(subsets.naked, size=5, larger=True), 5.6, 120, _PERMUTATION),
    Technique(
        "BUG",
        uniqueness.bug,
        5.6,
        100,
        ("BUG+1", "bivalue universal grave"),
        needs_uniqueness=True,
        refuses=uniqueness.no_bug,
    ),
    Technique("mutant X-wing", partial(fish.mutant_fish, size=2), 5.7, 300, ("Franken X-wing",)),
    Technique("larger fish", partial(fish.fish, size=5, larger=True), 5.8, 470, ("squirmbag",)),
    Technique("rules together", together.rules_together, 5.8, 250, ("cages of a unit",)),
    Technique("hidden set", partial(subsets.hidden, size=5, larger=True), 6.0, 150),
    Technique(
        "mutant swordfish", partial(fish.mutant_fish, size=3), 6.0, 450, ("Franken swordfish",)
    ),
    Technique("larger finned fish", partial(fish.finned_fish, size=5, larger=True), 6.1, 470),
    Technique(
        "mutant jellyfish", partial(fish.mutant_fish, size=4), 6.4, 470, ("Franken jellyfish",)
    ),
    Technique("simple colouring", colouring.simple_colouring, 6.5, 150, ("simple coloring",)),
    Technique("X-chain", chains.x_chain, 6.6, 260),
    Technique("XY-chain", chains.xy_chain, 7.0, 260),
    Technique(
        "AIC", chains.alternating_chain, 7.0, 280, ("alternating inference chain", "nice loop")
    ),
    Technique("AIC through rules", chains.chain_through_rules, 7.0, 290, ("ruled AIC",)),
    Technique("grouped AIC", chains.grouped_chain, 7.1, 300, ("grouped nice loop",)),
    Technique("SK loop", set_loops.set_loop, 7.2, 350, ("domino loop", "loop of sets")),
    Technique(
        "short reason", reasoning.short_reason, 7.5, 500, ("minimal unsatisfiable subset", "MUS")
    ),
    Technique(
        "forcing contradiction", forcing.forcing, 8.5, 700, ("forcing chain", "trial and error")
    ),
    Technique("nested forcing", forcing.nested_forcing, 9.5, 1000, ("nested forcing chain",)),
)
"""All techniques, in the order in which they are tried."""


def usual() -> tuple[Technique, ...]:
    """Return the techniques that hold on every board: all but those that need uniqueness."""
    return tuple(row for row in TECHNIQUES if not row.needs_uniqueness)


def technique(name: str) -> Technique:
    """Return the technique of a name; several share some other names, the first is returned.

    Raises:
        InputError: there is no technique of this name.
    """
    return _named(name)[0]


def up_to(name: str) -> tuple[Technique, ...]:
    """Return the usual techniques up to and including one, in order; raises as `technique`."""
    last = _named(name)[-1]
    easier = TECHNIQUES[: TECHNIQUES.index(last)]
    return (*(row for row in easier if not row.needs_uniqueness), last)


def chosen(names: str | Iterable[str]) -> tuple[Technique, ...]:
    """Return techniques by name, in the order of the catalogue.

    >>> [row.name for row in chosen("only choice, eliminate")]
    ['hidden single', 'naked single']

    Args:
        names: names joined by commas, or one by one; ``usual`` stands for the techniques that
            hold on every board, ``all`` for all, ``..name`` for the usual ones up to a name.

    Raises:
        InputError: a name is unknown, or there are no names.
    """
    words = names.split(",") if isinstance(names, str) else names
    wanted: set[str] = set()
    for word in map(str.strip, words):
        wanted.update(row.name for row in _group(word))
    if not wanted:
        raise InputError("expected the names of techniques, got none")
    return tuple(row for row in TECHNIQUES if row.name in wanted)


def check_layout(techniques: Iterable[Technique], layout: Layout) -> None:
    """Raise `UnsupportedError`, with the reason, if a technique does not hold on a layout."""
    for row in techniques:
        if reason := row.refuses(layout):
            raise UnsupportedError(
                f"{row.name} is not valid on {layout.name} boards: {reason}; leave it out"
            )


def _group(word: str) -> tuple[Technique, ...]:
    if word == "usual":
        return usual()
    if word == "all":
        return TECHNIQUES
    return up_to(word[2:]) if word.startswith("..") else _named(word)


@lru_cache(maxsize=256)
def _named(name: str) -> tuple[Technique, ...]:
    """Return all techniques of a name, or other name."""
    key = _plain(name)
    rows = tuple(row for row in TECHNIQUES if key in map(_plain, (row.name, *row.aliases)))
    if not rows:
        what_exists = nearest(
            name, technique_names(), "unidoku hint --techniques list prints them all"
        )
        raise InputError(f"expected a technique, got {name!r}; {what_exists}")
    return rows


def technique_names() -> frozenset[str]:
    """Return the names of all techniques, with their other names."""
    return frozenset(word for row in TECHNIQUES for word in (row.name, *row.aliases))


def _plain(name: str) -> str:
    """Return a name in lower case, without blanks, dashes and the plural ending."""
    return re.sub(r"[\s_-]+", " ", name.strip().lower()).removesuffix("s")


_BOUNDS = (
    ("easy", 14, 800),
    ("medium", 100, 1000),
    ("hard", 200, 1600),
    ("unfair", 400, 1800),
)
"""HoDoKu's levels, each with its highest score of a technique and its highest sum of scores; a
board above all of them is ``extreme``."""

LEVELS = (*(level for level, _, _ in _BOUNDS), "extreme")
"""The levels, from the easiest to the hardest."""

_VALUES = 9
"""The number of values of the boards without rules for which HoDoKu's sums are made."""

_FEW, _UNFAIR = 5, 400
"""The largest number of short contradictions that are few, and the score of a technique as hard as
they are together, which is that of an unfair board."""

FORCING = "forcing"
"""The family of techniques that try a value (see `Technique.family`)."""

REASON = "short reason"

SHORT_PARTS, SHORT_FORCING = 6, 8.8
"""The largest number of parts of a short reason, and the highest rating of forcing, that count as a
short contradiction: one that a person follows in the head."""


def is_short_contradiction(step: Step) -> bool:
    """Return whether a step tries a value, and a person follows in the head where that leads."""
    if technique(step.technique).family == FORCING:
        return step.rating <= SHORT_FORCING
    return step.technique == REASON and step.parts <= SHORT_PARTS


def level_of(steps: Sequence[Step], layout: Layout) -> str:
    """Return HoDoKu's level of a board that these steps solve."""
    short = [is_short_contradiction(step) for step in steps]
    scores = [technique(step.technique).score for step in steps]
    highest = 0
    if 0 < sum(short) <= _FEW:
        scores = [score for score, is_short in zip(scores, short, strict=True) if not is_short]
        highest = _UNFAIR
    highest = max([highest, *scores])
    total = sum(scores) if layout.n == _VALUES and not layout.rules else 0
    for level, most, limit in _BOUNDS:
        if highest <= most and total <= limit:
            return level
    return "extreme"
