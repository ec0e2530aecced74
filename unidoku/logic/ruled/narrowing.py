"""The steps of all techniques on rules: the candidates that are left in some cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unidoku.core.bits import value_of, values_of
from unidoku.core.constraints.shapes import Shape
from unidoku.core.constraints.shaping import cells_of
from unidoku.core.layout import Layout, Unit
from unidoku.logic.saying import Saying, sayings_of
from unidoku.logic.scene import Left, Scene
from unidoku.logic.state import State
from unidoku.logic.step import Candidate, Step
from unidoku.support.text import plural

_NAMED = 4
"""The largest number of rules quoted in a sentence; further rules are counted."""

_SAID = 4
"""The largest number of arrangements in a sentence."""

_MARKED = 9
"""The largest number of open cells whose candidates a picture marks as used by a step."""


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why some candidates of cells are removed.

    Args:
        saying: the rules of the reason.
        words: text in addition to the rules' own words; may be empty.
        units: the units that the reason uses.
        covers: the units along which it removes candidates.
        rating: rating of the step; 0 for the usual rating of its technique.
    """

    saying: Sequence[Saying]
    words: str = ""
    units: tuple[Unit, ...] = ()
    covers: tuple[Unit, ...] = ()
    rating: float = 0.0

    def __str__(self) -> str:
        """Return the reason in words: ``of 1+3 (the cage A1 A2 sums to 4)``."""
        said = [*dict.fromkeys(saying.words for saying in self.saying)]
        more = len(said) - _NAMED
        rules = "; ".join(said[:_NAMED]) + (
            f"; and {plural(more, 'rule')} more" if more > 0 else ""
        )
        return f"{self.words} ({rules})" if self.words and rules else self.words or f"({rules})"


def telling(state: State, *kinds: type[Shape]) -> Iterator[tuple[Saying, Left]]:
    """Yield statements with shapes of some kinds about several open cells, and what they leave.

    Each is considered separately and yielded only if it removes candidates.
    """
    for saying in sayings_of(state.layout):
        if isinstance(saying.shape, kinds) and openly(state, saying.scene) > 1:
            held = saying.scene.held(state.candidates)
            left = saying.scene.simple(held)
            if left != held:
                yield saying, left


def what_rules_leave(state: State) -> Iterator[Step]:
    """Find candidates that any single rule removes, whatever its shape."""
    for saying in sayings_of(state.layout):
        held = saying.scene.held(state.candidates)
        left = saying.scene.simple(held)
        if left != held:
            yield from narrowing(state, saying.cells, left, Reason((saying,)))


def narrowing(state: State, cells: Sequence[int], left: Left, reason: Reason) -> Iterator[Step]:
    """Yield the step to the remaining candidates, if any are removed; place single values.

    If nothing is left, an open cell loses all of its candidates, which is a contradiction.
    """
    opened = [(at, cell) for at, cell in enumerate(cells) if state.empty >> cell & 1]
    if left is None:
        at = opened[0][0] if opened else 0
        left = tuple([mask if one != at else 0 for one, mask in enumerate(_held(state, cells))])
    placements: list[Candidate] = []
    eliminations: list[Candidate] = []
    kept: list[Candidate] = []
    for at, cell in opened:
        before, after = state.candidates[cell], left[at] & state.candidates[cell]
        if before != after and (value := value_of(after)):
            placements.append((cell, value))
        else:
            eliminations += [(cell, value) for value in values_of(before & ~after)]
            kept += [(cell, value) for value in values_of(after)]
    if placements or eliminations:
        yield Step(
            layout=state.layout,
            reason=str(reason),
            placements=tuple(placements),
            eliminations=tuple(eliminations),
            units=reason.units,
            covers=reason.covers,
            pattern=tuple(kept) if len(opened) <= _MARKED else (),
            rules=tuple(dict.fromkeys(saying.basis for saying in reason.saying)),
            rating=reason.rating,
        )


def _held(state: State, cells: Sequence[int]) -> tuple[int, ...]:
    return tuple([state.candidates[cell] for cell in cells])


def openly(state: State, scene: Scene) -> int:
    """Return the number of cells of a scene that are not placed."""
    return (scene.mask & state.empty).bit_count()


def arranged(saying: Saying, layout: Layout, left: Left) -> str:
    """Return the arrangements of a rule's cells in words; empty if there are many.

    Values are in the order in which the rule reads its cells: ``1 3 9 or 9 3 1``.
    """
    found = saying.scene.arrangements(left, _SAID) if left else []
    if left and any(
        {one[at] for one in found} != {*values_of(mask)} for at, mask in enumerate(left)
    ):
        return ""  # the remaining candidates say more
    order = [saying.cells.index(cell) for cell in dict.fromkeys(cells_of(saying.shape))]
    texts = [" ".join(layout.shown[one[at]] for at in order) for one in found]
    return f"of {' or '.join(texts)}" if texts else ""


def sums_of_sets(layout: Layout, masks: Sequence[int]) -> str:
    """Return sets of values in words: ``1+3 or 2+5``."""
    return " or ".join("+".join(layout.shown[value] for value in values_of(m)) for m in masks)
