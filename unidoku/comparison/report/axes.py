"""The look of figures: colours, markers, axes of times, legends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unidoku.support import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("#7c87f8", "#bf870d", "#31867a", "#8722a2", "#9b0005", "#434658")
"""Colours of backends, as on the page; they differ for colour-blind readers of all kinds."""

_DASHES = ("-", "--", ":")
_MARKERS = "os^DvP"
INK = "#5c626d"
GRID = "#e2dfd9"


def style_of(index: int) -> dict[str, Any]:
    """Return the colour, dash and marker of a backend, by its index in the results."""
    turn = index // len(_COLOURS)
    return {
        "color": _COLOURS[index % len(_COLOURS)],
        "linestyle": _DASHES[turn % len(_DASHES)],
        "marker": _MARKERS[(index + turn) % len(_MARKERS)],
        "markersize": 4,
    }


def marked_steps(count: int) -> list[int]:
    """Return the steps of a curve that have markers: all, or nine of them if it is long."""
    if count <= 20:
        return [*range(count)]
    return [round((k + 0.5) / 9 * (count - 1)) for k in range(9)]


def time_axis(axes: Axes, which: str) -> None:
    """Make the axis ``x`` or ``y`` one of times: logarithmic, with their units."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis.set_major_formatter(FuncFormatter(lambda value, _: text.seconds(value)))
    axis.set_minor_formatter(NullFormatter())
    axes.tick_params(length=0, which="both")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def add_legend(axes: Axes) -> None:
    """Draw the legend at the right, if something has a label."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
