"""Figures of lines, over a number of the boards or of tails of distributions, and their look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unidoku.comparison.report.view import ReportView
from unidoku.comparison.statistics.curves import Curve
from unidoku.comparison.statistics.distributions import Distribution, pooled
from unidoku.support import text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_curves(figure: Figure, *, curves: Sequence[tuple[str, Curve]], view: ReportView) -> None:
    """Draw the median of each backend over the number, one below the other for each group.

    A grey line shows the share of cases that have a solution, if it changes.
    """
    first: Axes | None = None
    for position, (group, curve) in enumerate(curves, start=1):
        axes = figure.add_subplot(len(curves), 1, position, sharex=first, sharey=first)
        first = first or axes
        if view.curve_figure == "median":
            time_axis(axes, "y")
        else:
            _count_axis(axes)
        middles = np.array([point.middle for point in curve.points])
        for index, label in enumerate(curve.backends):
            figures = np.array([point.figures[index] for point in curve.points])
            there = ~np.isnan(figures)
            if view.curve_figure != "median":  # a logarithm of 0 is nowhere
                there &= figures > 0
            if there.any():
                axes.plot(middles[there], figures[there], **style_of(index), label=label)
        named = "median time" if view.curve_figure == "median" else f"median {view.curve_figure}"
        axes.set(xlabel=curve.number, ylabel=named)
        axes.set_title(group, fontsize=9, loc="left")
        _draw_satisfiable(axes, curve)
        if position == 1:
            add_legend(axes)


def _count_axis(axes: Axes) -> None:
    axes.set_yscale("log")
    axes.tick_params(length=0, which="both")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def _draw_satisfiable(axes: Axes, curve: Curve) -> None:
    from matplotlib.ticker import PercentFormatter

    shares = np.array([point.satisfiable for point in curve.points])
    there = ~np.isnan(shares)
    if len(set(shares[there].tolist())) < 2:
        return
    middles = np.array([point.middle for point in curve.points])
    right = axes.twinx()
    right.plot(middles[there], shares[there], color=INK, linewidth=0.9, linestyle=(0, (4, 4)))
    right.yaxis.set_major_formatter(PercentFormatter(1))
    right.set(ylim=(-0.02, 1.02), ylabel="satisfiable (dashed)")
    right.grid(visible=False)
    right.tick_params(length=0)
    for spine in right.spines.values():
        spine.set_visible(False)


def draw_survival(figure: Figure, *, spreads: list[Distribution]) -> None:
    """Draw the share of images that take at least a time, on logarithmic axes.

    With several boards, each time is divided by the median of its board's images.
    """
    axes = figure.add_subplot()
    boards = {distribution.case.id for distribution in spreads}
    time_axis(axes, "x")
    if len(boards) > 1:
        axes.xaxis.set_major_formatter(lambda value, _: f"{text.ratio(value)}×")
    _count_axis(axes)
    for index, label in enumerate(dict.fromkeys(distribution.backend for distribution in spreads)):
        if len(boards) == 1:
            mine = next(distribution for distribution in spreads if distribution.backend == label)
            times, shares = mine.survival
        else:
            times, images = pooled(spreads, label)
            shares = 1 - np.arange(len(times)) / max(images, 1)
        if len(times):
            style = style_of(index) | {"markevery": marked_steps(len(times))}
            axes.step(times, shares, where="pre", label=label, **style)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    if len(boards) == 1:
        axes.set(xlabel="time an image", title=spreads[0].case.name)
    else:
        axes.set(xlabel=f"time over the median of the board's images, {len(boards)} boards")
    axes.set_ylabel("images that take at least as long")
    add_legend(axes)


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
