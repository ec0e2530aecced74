"""What a solver makes of a layout before it searches its boards: once for each layout."""

from __future__ import annotations

from typing import NamedTuple

from unidoku.backends.base import Capabilities
from unidoku.backends.solving.policy import refusals_of_layout
from unidoku.core.caching import layout_cache
from unidoku.core.hidden import expanded_layout
from unidoku.core.layout import Layout
from unidoku.core.transforms.implied import with_implied


class Prepared(NamedTuple):
    """A layout as a backend gets it, or why the backend must refuse its boards.

    Args:
        layout: the layout with its hidden cells below the grid, and with implied constraints if
            the solver uses them; the layout itself if it is refused.
        refusals: the reasons for a refusal; empty for none.
    """

    layout: Layout
    refusals: tuple[str, ...] = ()


def prepared(layout: Layout, capabilities: Capabilities, terms: int | None) -> Prepared:
    """Return a layout prepared for a backend.

    With rules it takes milliseconds for each new layout, and checks the time limit in force.

    Args:
        layout: layout of the boards.
        capabilities: what the backend supports.
        terms: largest number of cells of an implied sum; None for no implied constraints.
    """
    if layout.rules or layout.hidden:
        return _with_constraints(layout, capabilities, terms)
    return Prepared(layout, refusals_of_layout(capabilities, layout))


@layout_cache(maxsize=64)
def _with_constraints(layout: Layout, capabilities: Capabilities, terms: int | None) -> Prepared:
    if refused := refusals_of_layout(capabilities, layout):
        return Prepared(layout, refused)
    layout = expanded_layout(layout)
    if layout.rules and terms is not None:
        layout = with_implied(layout, capabilities.constraints, terms)
    return Prepared(layout)
