"""The size of a model while it is built: each encoder counts what it writes.

What a rule becomes may be a thousand times as large as the rule. So everything that an encoder
writes goes through a `ModelSize`, which looks at the clock every few thousand literals, also inside
a single constraint, and refuses a model that would fill the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from unidoku.errors import UnsupportedError
from unidoku.support.deadline import check_time_limit

S = TypeVar("S", bound=Sized)
T = TypeVar("T")

MOST_LITERALS = 1 << 25
"""The largest number of literals, or of terms, of a model."""

_OFTEN = 1 << 12
"""Literals between two looks at the clock: a few milliseconds in the slowest library."""


class ModelSize:
    """Counts the size of a model while it is built, and refuses a model that is too large.

    A clause counts as its literals and one more, a row of a program as its terms and one more.

    >>> size = ModelSize()
    >>> list(size.counted([[1, 2], [-1]]))
    [[1, 2], [-1]]
    >>> size.literals
    5

    Attributes:
        literals: the number of literals so far.
    """

    __slots__ = ("_next_look", "literals")

    def __init__(self) -> None:
        """Start with an empty model."""
        self.literals = 0
        self._next_look = 0

    def add(self, literals: int) -> None:
        """Count an item of that many literals.

        Raises:
            LimitReached: the time limit of the search has passed.
            UnsupportedError: the model is larger than `MOST_LITERALS`.
        """
        self.literals += literals + 1
        if self.literals >= self._next_look:
            self._look()

    def counted(self, items: Iterable[S]) -> Iterator[S]:
        """Yield items, and count each with its length; raise as `add`."""
        for item in items:
            self.literals += len(item) + 1
            if self.literals >= self._next_look:
                self._look()
            yield item

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """Yield items, and count each as one; raise as `add`."""
        for item in items:
            self.literals += 1
            if self.literals >= self._next_look:
                self._look()
            yield item

    def _look(self) -> None:
        check_time_limit()
        self._next_look = self.literals + _OFTEN
        if self.literals > MOST_LITERALS:
            reason = f"supports models of up to {MOST_LITERALS:,} literals, the rules need more"
            raise UnsupportedError(reason, (reason,))
