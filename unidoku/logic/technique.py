"""A technique: a way to find steps, with its name and difficulty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial

from unidoku.core.layout import Layout
from unidoku.logic.state import State
from unidoku.logic.step import Step


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
        also: other names by which it can be found.
        needs_uniqueness: whether it holds only for boards with one solution.
        refuses: returns why the technique does not hold on a layout, empty if it does.
    """

    name: str
    find: Callable[[State], Iterator[Step]]
    rating: float
    score: int
    also: tuple[str, ...] = ()
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
