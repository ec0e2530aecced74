"""Figures for papers, as files: distributions, a scatter of two backends, phases, curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku.comparison.report.findings import Findings
from unidoku.comparison.report.tables import curves_of
from unidoku.comparison.report.view import ReportView
from unidoku.comparison.results import Results
from unidoku.comparison.statistics.curves import Curve
from unidoku.comparison.statistics.distributions import Distribution, distributions, pooled
from unidoku.comparison.statistics.pairs import pair
from unidoku.comparison.statistics.summary import phases
from unidoku.comparison.statistics.times import Times, cdf
from unidoku.errors import InputError
from unidoku.support import text
from unidoku.support.atomic_write import check_target, make_folder, new_file
from unidoku.support.extras import command, not_installed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
"""The file formats of figures."""

NAMES = ("cdf", "cactus", "phases", "scatter")
"""The names of figures."""

FURTHER = ("curve", "survival")
"""The names of figures that a view asks for, or that need symmetric images."""

_COLOURS = ("#7c87f8", "#bf870d", "#31867a", "#8722a2", "#9b0005", "#434658")
"""Colours of backends, as on the page; they differ for colour-blind readers of all kinds."""

_DASHES = ("-", "--", ":")
_MARKERS = "os^DvP"
_INK = "#5c626d"
_GRID = "#e2dfd9"

_PHASES = {"init": "#d9a441", "solve": "#2b6cb0", "decode": "#7fb8a4"}

# Any, because the stubs of matplotlib list the names of all settings, including newer ones.
_STYLE: Any = {
    "font.size": 9,
    "font.family": "sans-serif",
    "text.color": "#1c1e22",
    "axes.edgecolor": _GRID,
    "axes.labelcolor": _INK,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "svg.hashsalt": "unidoku",  # equal results give equal files
    "pdf.fonttype": 42,  # fonts that editors and journals accept
}

_UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""Metadata without a date, so that a file changes only with the results."""

_Drawing: TypeAlias = "Callable[[Figure], None]"


def check_figures(folder: Path, formats: Iterable[str] = FORMATS, *, force: bool = False) -> None:
    """Raise if `write_figures` could not write figures, before the work for them.

    Raises:
        InputError, OutputError: as in `write_figures`.
    """
    for name in formats:
        if name not in FORMATS:
            raise InputError(f"expected a format of {', '.join(FORMATS)}, got {name!r}")
    try:
        import matplotlib  # noqa: F401 - checks only that it is installed
    except ImportError as error:
        raise not_installed("figures need matplotlib", command("figures")) from error
    make_folder(folder)
    for path in (folder / f"{name}.{ending}" for name in (*NAMES, *FURTHER) for ending in formats):
        check_target(path, force=force)


def write_figures(
    folder: Path,
    results: Results,
    formats: Iterable[str] = FORMATS,
    *,
    view: ReportView = ReportView(),  # noqa: B008 - a view never changes
    force: bool = False,
) -> list[Path]:
    """Write figures into a folder, each in every format; return the paths of the files.

    These are ``cdf``, ``cactus``, ``phases``; ``scatter``, of the backends that the view names or
    else of the two best, if there are two; ``curve`` if the view names a number of the boards; and
    ``survival`` if symmetric images were run. The folder is created if it does not exist; files of
    these names are replaced only with ``force``.

    Raises:
        InputError: matplotlib is not installed, a format is unknown, or the results lack what the
            view names.
        OutputError: a file exists or cannot be written.
    """
    formats = tuple(formats)
    findings = Findings.of(results, view)
    check_figures(folder, formats, force=force)
    times = findings.times

    def whole_figure(draw: Callable[[Axes, Times], None]) -> _Drawing:
        return lambda figure: draw(figure.add_subplot(), times)

    drawings: dict[str, tuple[_Drawing, tuple[float, float]]] = {
        "cdf": (whole_figure(_draw_cdf), (6.4, 3.6)),
        "cactus": (whole_figure(_draw_cactus), (6.4, 3.6)),
        "phases": (whole_figure(_draw_phases), (6.4, 1.1 + 0.3 * len(times.backends))),
    }
    if len(times.competitors) > 1:
        labels = [label for label in findings.labels if label != times.self_test_twin]
        first, second = view.scatter or labels[:2]
        scatter = partial(_draw_scatter, first=first, second=second)
        drawings["scatter"] = (whole_figure(scatter), (4.4, 4.4))
    if view.x is not None and len(results):
        curves = curves_of(findings)
        size = 6.4, 0.6 + 3 * len(curves)
        drawings["curve"] = (partial(_draw_curves, curves=curves, view=view), size)
    if spreads := distributions(results):
        drawings["survival"] = (partial(_draw_survival, spreads=spreads), (6.4, 3.6))
    written = []
    for name, (draw, size) in drawings.items():
        paths = [folder / f"{name}.{ending}" for ending in formats]
        _write(draw, size, paths, force)
        written += paths
    return written


def _write(draw: _Drawing, size: tuple[float, float], paths: list[Path], force: bool) -> None:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        # pyplot would keep the figure and might open a window.
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure)
        # The layout is computed once: each format would move things a little, so that a file
        # would depend on the formats written before it.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for path in paths:
            ending = path.suffix[1:]
            with new_file(path, force=force) as file:
                figure.savefig(file, format=ending, dpi=200, metadata=_UNDATED.get(ending))


def _limit_line(axes: Axes, times: Times, which: str) -> None:
    """Draw the time limit if the curves end there."""
    if _end(times) == times.time_limit:
        draw = axes.axvline if which == "x" else axes.axhline
        draw(_end(times), color=_INK, linestyle=(0, (4, 4)), linewidth=0.9)


def _end(times: Times) -> float:
    """Return the time at which curves end: the limit, or the last time if it is far below."""
    last = float(times.seconds[times.solved].max(initial=0.0))
    limit = times.time_limit
    return last if limit is None or last * 30 < limit else max(limit, last)


def _curves(times: Times) -> Iterator[tuple[NDArray[Any], NDArray[Any], dict[str, Any]]]:
    """Yield the distribution of each backend that solved something, and its look."""
    for index, label in enumerate(times.backends):
        seconds, part = cdf(times, label)
        if len(seconds):
            yield (
                seconds,
                part,
                _style_of(index) | {"label": label, "markevery": _marked_steps(len(part))},
            )


def _draw_cdf(axes: Axes, times: Times) -> None:
    from matplotlib.ticker import PercentFormatter

    _time_axis(axes, "x")
    _limit_line(axes, times, "x")
    for seconds, part, look in _curves(times):
        # The curve is flat after the last solved case.
        seconds, part = np.append(seconds, _end(times)), np.append(part, part[-1])
        axes.step(seconds, part, where="post", **look)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set(ylim=(0, 1.02), xlabel="time a case", ylabel="solved, of all cases")
    _add_legend(axes)


def _draw_cactus(axes: Axes, times: Times) -> None:
    _time_axis(axes, "y")
    _limit_line(axes, times, "y")
    for seconds, _, look in _curves(times):
        axes.plot(np.arange(1, len(seconds) + 1), seconds, **look)
    axes.set(xlabel="cases solved", ylabel="time a case")
    axes.set_xlim(left=0)
    _add_legend(axes)


def _draw_phases(axes: Axes, times: Times) -> None:
    """Draw the phases of each backend as shares, because times differ by orders of magnitude."""
    from matplotlib.ticker import PercentFormatter

    rows = [row for row in phases(times) if not np.isnan(row.solve)]
    for index, row in enumerate(rows):
        parts = {name: getattr(row, name) for name in _PHASES}
        whole = sum(parts.values()) or 1.0
        left = 0.0
        for name, part in parts.items():
            label = name if index == 0 else None
            axes.barh(index, part / whole, left=left, height=0.55, color=_PHASES[name], label=label)
            left += part / whole
        axes.text(1.02, index, text.seconds(whole), va="center", color=_INK)
    axes.set_yticks(range(len(rows)), [row.backend for row in rows])
    axes.set(xlim=(0, 1), xlabel="share of the median phases; at the right their sum")
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.invert_yaxis()
    axes.grid(visible=False)
    _bare(axes)
    if rows:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_PHASES))


def _draw_scatter(axes: Axes, times: Times, *, first: str, second: str) -> None:
    """Draw two backends case by case; unsolved cases are on rails outside the axes."""
    first_index, second_index = times.backends.index(first), times.backends.index(second)
    ran = (times.outcome[first_index] >= 0) & (times.outcome[second_index] >= 0)
    solved = times.seconds[[first_index, second_index]][times.solved[[first_index, second_index]]]
    low, high = (solved.min(), solved.max()) if len(solved) else (1e-3, 1.0)
    low, high = max(low, 1e-9) / 1.5, max(high, 1e-9) * 1.5
    rail = high * (high / low) ** 0.06
    x, y = (
        np.where(times.solved[row, ran], times.seconds[row, ran], rail)
        for row in (first_index, second_index)
    )
    _time_axis(axes, "x")
    _time_axis(axes, "y")
    end = high * (high / low) ** 0.12
    for shade in (axes.axvspan, axes.axhspan):
        shade(high, end, color=_GRID, alpha=0.5, linewidth=0)
    for factor, dash in ((1, "-"), (2, "--"), (0.5, "--"), (10, ":"), (0.1, ":")):
        ends = np.array([max(low, low / factor), min(high, high / factor)])
        axes.plot(ends, ends * factor, dash, color=_INK, linewidth=0.7)
    for is_faster, index in ((x < y, first_index), (x >= y, second_index)):
        look = {name: _style_of(index)[name] for name in ("color", "marker")}
        axes.scatter(x[is_faster], y[is_faster], s=14, alpha=0.6, linewidth=0, **look)
    paired = pair(times, first, second)
    title = f"{second} takes {text.ratio(paired.ratio)} times the time of {first}"
    axes.set(xlim=(low, end), ylim=(low, end), xlabel=f"{first}; rail: not solved", ylabel=second)
    axes.set_title(title, fontsize=9, loc="left")
    axes.set_aspect("equal")


def _draw_curves(figure: Figure, *, curves: Sequence[tuple[str, Curve]], view: ReportView) -> None:
    """Draw the median of each backend over the number, one below the other for each group.

    A grey line shows the share of cases that have a solution, if it changes.
    """
    first: Axes | None = None
    for position, (group, curve) in enumerate(curves, start=1):
        axes = figure.add_subplot(len(curves), 1, position, sharex=first, sharey=first)
        first = first or axes
        if view.curve_figure == "median":
            _time_axis(axes, "y")
        else:
            _count_axis(axes)
        middles = np.array([point.middle for point in curve.points])
        for index, label in enumerate(curve.backends):
            figures = np.array([point.figures[index] for point in curve.points])
            is_drawn = ~np.isnan(figures)
            if view.curve_figure != "median":  # a logarithm of 0 is nowhere
                is_drawn &= figures > 0
            if is_drawn.any():
                axes.plot(middles[is_drawn], figures[is_drawn], **_style_of(index), label=label)
        named = "median time" if view.curve_figure == "median" else f"median {view.curve_figure}"
        axes.set(xlabel=curve.number, ylabel=named)
        axes.set_title(group, fontsize=9, loc="left")
        _draw_satisfiable(axes, curve)
        if position == 1:
            _add_legend(axes)


def _count_axis(axes: Axes) -> None:
    axes.set_yscale("log")
    _bare(axes, "top", "right", "left")


def _bare(axes: Axes, *sides: str) -> None:
    """Leave out the lines at these sides of the axes, and all ticks."""
    axes.tick_params(length=0, which="both")
    for side in sides or tuple(axes.spines):
        axes.spines[side].set_visible(False)


def _draw_satisfiable(axes: Axes, curve: Curve) -> None:
    from matplotlib.ticker import PercentFormatter

    shares = np.array([point.satisfiable for point in curve.points])
    is_known = ~np.isnan(shares)
    if len(set(shares[is_known].tolist())) < 2:
        return
    middles = np.array([point.middle for point in curve.points])
    right = axes.twinx()
    right.plot(
        middles[is_known], shares[is_known], color=_INK, linewidth=0.9, linestyle=(0, (4, 4))
    )
    right.yaxis.set_major_formatter(PercentFormatter(1))
    right.set(ylim=(-0.02, 1.02), ylabel="satisfiable (dashed)")
    right.grid(visible=False)
    _bare(right)


def _draw_survival(figure: Figure, *, spreads: list[Distribution]) -> None:
    """Draw the share of images that take at least a time, on logarithmic axes.

    With several boards, each time is divided by the median of its board's images.
    """
    axes = figure.add_subplot()
    boards = {distribution.case.id for distribution in spreads}
    _time_axis(axes, "x")
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
            style = _style_of(index) | {"markevery": _marked_steps(len(times))}
            axes.step(times, shares, where="pre", label=label, **style)
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    if len(boards) == 1:
        axes.set(xlabel="time an image", title=spreads[0].case.name)
    else:
        axes.set(xlabel=f"time over the median of the board's images, {len(boards)} boards")
    axes.set_ylabel("images that take at least as long")
    _add_legend(axes)


def _style_of(index: int) -> dict[str, Any]:
    """Return the colour, dash and marker of a backend, by its index in the results."""
    turn = index // len(_COLOURS)
    return {
        "color": _COLOURS[index % len(_COLOURS)],
        "linestyle": _DASHES[turn % len(_DASHES)],
        "marker": _MARKERS[(index + turn) % len(_MARKERS)],
        "markersize": 4,
    }


def _marked_steps(count: int) -> list[int]:
    """Return the steps of a curve that have markers: all, or nine of them if it is long."""
    if count <= 20:
        return [*range(count)]
    return [round((k + 0.5) / 9 * (count - 1)) for k in range(9)]


def _time_axis(axes: Axes, which: str) -> None:
    """Make the axis ``x`` or ``y`` one of times: logarithmic, with their units."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis.set_major_formatter(FuncFormatter(lambda value, _: text.seconds(value)))
    axis.set_minor_formatter(NullFormatter())
    _bare(axes, "top", "right", "left")


def _add_legend(axes: Axes) -> None:
    """Draw the legend at the right, if something has a label."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
