"""The techniques, from the easiest to the hardest, and how they are named.

Ratings are those of Sudoku Explainer 1.2.1. For a technique that it does not have, the rating is
that of a revision of Sudoku Explainer or lies near that of a related technique. Scores are those
of HoDoKu.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache, partial

from unidoku.core.layout import Layout
from unidoku.errors import InputError, UnsupportedError, nearest
from unidoku.logic import (
    chains,
    colouring,
    fish,
    forcing,
    intersections,
    leftovers,
    mutant,
    singles,
    subsets,
    turbot,
    uniqueness,
    wings,
)
from unidoku.logic.technique import Technique

__all__ = ["TECHNIQUES", "check_layout", "chosen", "technique", "up_to", "usual"]

TECHNIQUES: tuple[Technique, ...] = (
    Technique(name="full house", find=singles.full_house, rating=1.0, score=4),
    Technique(
        name="hidden single",
        find=singles.hidden_single,
        rating=1.5,
        score=14,
        also=("only choice",),
    ),
    Technique(
        name="naked single", find=singles.naked_single, rating=2.3, score=4, also=("eliminate",)
    ),
    Technique(
        name="pointing",
        find=intersections.pointing,
        rating=2.6,
        score=50,
        also=("locked candidates", "sub-group exclusion rule"),
    ),
    Technique(
        name="claiming",
        find=intersections.claiming,
        rating=2.8,
        score=50,
        also=("locked candidates", "sub-group exclusion rule"),
    ),
    Technique(
        name="generalised intersection", find=intersections.common_peers, rating=2.9, score=50
    ),
    Technique(
        name="naked pair",
        find=partial(subsets.naked, size=2),
        rating=3.0,
        score=60,
        also=(
            "naked twins",
            "general permutation rule",
        ),
    ),
    Technique(
        name="law of leftovers",
        find=leftovers.law_of_leftovers,
        rating=3.1,
        score=100,
        also=("hidden unit",),
    ),
    Technique(name="X-wing", find=partial(fish.fish, size=2), rating=3.2, score=140),
    Technique(
        name="hidden pair",
        find=partial(subsets.hidden, size=2),
        rating=3.4,
        score=70,
        also=("hidden twins",),
    ),
    Technique(
        name="naked triple",
        find=partial(subsets.naked, size=3),
        rating=3.6,
        score=80,
        also=("general permutation rule",),
    ),
    Technique(name="swordfish", find=partial(fish.fish, size=3), rating=3.8, score=150),
    Technique(name="skyscraper", find=turbot.skyscraper, rating=4.0, score=130),
    Technique(name="hidden triple", find=partial(subsets.hidden, size=3), rating=4.0, score=100),
    Technique(
        name="two-string kite",
        find=turbot.two_string_kite,
        rating=4.1,
        score=150,
        also=("2-string kite",),
    ),
    Technique(name="turbot fish", find=turbot.turbot_fish, rating=4.2, score=120, also=("turbot",)),
    Technique(name="XY-wing", find=wings.xy_wing, rating=4.2, score=160, also=("Y-wing",)),
    Technique(
        name="finned X-wing",
        find=partial(fish.finned_fish, size=2),
        rating=4.3,
        score=130,
        also=("sashimi X-wing",),
    ),
    Technique(name="XYZ-wing", find=wings.xyz_wing, rating=4.4, score=180),
    Technique(name="W-wing", find=wings.w_wing, rating=4.4, score=150),
    Technique(
        name="finned swordfish",
        find=partial(fish.finned_fish, size=3),
        rating=4.5,
        score=200,
        also=("sashimi swordfish",),
    ),
    Technique(
        name="unique rectangle",
        find=uniqueness.unique_rectangle,
        rating=4.5,
        score=100,
        needs_uniqueness=True,
        refuses=uniqueness.no_rectangle,
    ),
    Technique(name="remote pair", find=colouring.remote_pair, rating=5.0, score=110),
    Technique(
        name="naked quad",
        find=partial(subsets.naked, size=4),
        rating=5.0,
        score=120,
        also=("general permutation rule",),
    ),
    Technique(name="jellyfish", find=partial(fish.fish, size=4), rating=5.2, score=160),
    Technique(name="hidden quad", find=partial(subsets.hidden, size=4), rating=5.4, score=150),
    Technique(
        name="finned jellyfish",
        find=partial(fish.finned_fish, size=4),
        rating=5.5,
        score=240,
        also=("sashimi jellyfish",),
    ),
    Technique(
        name="naked set",
        find=partial(subsets.naked, size=5, larger=True),
        rating=5.6,
        score=120,
        also=("general permutation rule",),
    ),
    Technique(
        name="BUG",
        find=uniqueness.bug,
        rating=5.6,
        score=100,
        also=("BUG+1", "bivalue universal grave"),
        needs_uniqueness=True,
        refuses=uniqueness.no_bug,
    ),
    Technique(
        name="mutant X-wing",
        find=partial(mutant.mutant_fish, size=2),
        rating=5.7,
        score=300,
        also=("Franken X-wing",),
    ),
    Technique(
        name="larger fish",
        find=partial(fish.fish, size=5, larger=True),
        rating=5.8,
        score=470,
        also=("squirmbag",),
    ),
    Technique(
        name="hidden set", find=partial(subsets.hidden, size=5, larger=True), rating=6.0, score=150
    ),
    Technique(
        name="mutant swordfish",
        find=partial(mutant.mutant_fish, size=3),
        rating=6.0,
        score=450,
        also=("Franken swordfish",),
    ),
    Technique(
        name="larger finned fish",
        find=partial(fish.finned_fish, size=5, larger=True),
        rating=6.1,
        score=470,
    ),
    Technique(
        name="mutant jellyfish",
        find=partial(mutant.mutant_fish, size=4),
        rating=6.4,
        score=470,
        also=("Franken jellyfish",),
    ),
    Technique(
        name="simple colouring",
        find=colouring.simple_colouring,
        rating=6.5,
        score=150,
        also=("simple coloring",),
    ),
    Technique(name="X-chain", find=chains.x_chain, rating=6.6, score=260),
    Technique(name="XY-chain", find=chains.xy_chain, rating=7.0, score=260),
    Technique(
        name="AIC",
        find=chains.alternating_chain,
        rating=7.0,
        score=280,
        also=("alternating inference chain", "nice loop"),
    ),
    Technique(
        name="grouped AIC",
        find=chains.grouped_chain,
        rating=7.1,
        score=300,
        also=("grouped nice loop",),
    ),
    Technique(
        name="forcing contradiction",
        find=forcing.forcing,
        rating=8.5,
        score=700,
        also=("forcing chain", "trial and error"),
    ),
    Technique(
        name="nested forcing",
        find=forcing.nested_forcing,
        rating=9.5,
        score=1000,
        also=("nested forcing chain",),
    ),
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
    """Return the usual techniques up to and including one, in order.

    Raises:
        InputError: there is no technique of this name.
    """
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
    """Refuse techniques that do not hold on a layout.

    Raises:
        UnsupportedError: a technique does not hold; the message says why.
    """
    for row in techniques:
        if reason := row.refuses(layout):
            raise UnsupportedError(
                f"{row.name} does not hold on {layout.name} boards: {reason}; leave it out"
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
    rows = tuple(row for row in TECHNIQUES if key in map(_plain, (row.name, *row.also)))
    if not rows:
        known = {word for row in TECHNIQUES for word in (row.name, *row.also)}
        raise InputError(f"expected a technique, got {name!r}; {nearest(name, known)}")
    return rows


def _plain(name: str) -> str:
    """Return a name in lower case, without blanks, dashes and the plural ending."""
    return re.sub(r"[\s_-]+", " ", name.strip().lower()).removesuffix("s")
