"""Figures of lines: over a number of the boards, and the tails of run-time distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from unidoku.comparison.report.axes import INK, add_legend, marked_steps, style_of, time_axis
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.statistics import Curve, Distribution, pooled
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


def draw_survival(figure: Figure, *, found: list[Distribution]) -> None:
    """Draw the share of images that take at least a time, on logarithmic axes.

    With several boards, each time is divided by the median of its board's images.
    """
    axes = figure.add_subplot()
    boards = {distribution.case.id for distribution in found}
    time_axis(axes, "x")
    if len(boards) > 1:
        axes.xaxis.set_major_formatter(lambda value, _: f"{text.ratio(value)}×")
    _count_axis(axes)
    for index, label in enumerate(dict.fromkeys(distribution.backend for distribution in found)):
        if len(boards) == 1:
            mine = next(distribution for distribution in found if distribution.backend == label)
            times, shares = mine.survival
        else:
            times, images = pooled(found, label)
            shares = 1 - np.arange(len(times)) / max(images, 1)
        if len(times):
            style = style_of(index) | {"markevery": marked_steps(len(times))}
            axes.step(times, shares, where="pre", label=label, **style)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    if len(boards) == 1:
        axes.set(xlabel="time an image", title=found[0].case.name)
    else:
        axes.set(xlabel=f"time over the median of the board's images, {len(boards)} boards")
    axes.set_ylabel("images that take at least as long")
    add_legend(axes)
