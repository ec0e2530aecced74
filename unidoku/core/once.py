"""A property that is computed once, faster than `functools.cached_property` of Python 3.11.

That one takes a lock before it computes anything, which from Python 3.12 on none does.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    once = cached_property
else:
    T = TypeVar("T")

    class once(cached_property[T]):  # noqa: N801 - a decorator, as the one it extends
        """A property that is computed once for an object, and stored in its ``__dict__``.

        Several threads may compute it at the same time; then one result is kept.
        """

        def __get__(self, one: Any, kind: type | None = None) -> Any:
            """Compute the property: after that, it is found without this call."""
            if one is None:
                return self
            made = one.__dict__[self.attrname] = self.func(one)
            return made
