"""Figures for papers, as files: the curves, a scatter of the two best backends, the phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unidoku import text
from unidoku.comparison.results import Results
from unidoku.comparison.statistics import Times, cdf, pair, phases, summarise, times_of
from unidoku.errors import InputError
from unidoku.extras import command, not_installed
from unidoku.writing import check_target, make_folder, new_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FORMATS", "NAMES", "check_figures", "write_figures"]

FORMATS = ("png", "svg", "pdf")
"""The file formats of figures."""

NAMES = ("cdf", "cactus", "phases", "scatter")
"""The names of figures."""

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

_Drawing: TypeAlias = "Callable[[Axes, Times], None]"


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
    for path in (folder / f"{name}.{ending}" for name in NAMES for ending in formats):
        check_target(path, force=force)


def write_figures(
    folder: Path, results: Results, formats: Iterable[str] = FORMATS, *, force: bool = False
) -> list[Path]:
    """Write ``cdf``, ``cactus``, ``phases`` and ``scatter``, each in every format.

    The scatter shows the two best backends, and is left out if there is only one. The folder is
    created if it does not exist; files of these names are replaced only with ``force``. Returns the
    paths of the files.

    Raises:
        InputError: matplotlib is not installed, or a format is unknown.
        OutputError: a file exists or cannot be written.
    """
    formats = tuple(formats)
    check_figures(folder, formats, force=force)
    times = times_of(results)
    drawings: dict[str, tuple[_Drawing, tuple[float, float]]] = {
        "cdf": (_draw_cdf, (6.4, 3.6)),
        "cactus": (_draw_cactus, (6.4, 3.6)),
        "phases": (_draw_phases, (6.4, 1.1 + 0.3 * len(times.backends))),
    }
    if len(times.competitors) > 1:
        drawings["scatter"] = (_draw_scatter, (4.4, 4.4))
    written = []
    for name, (draw, size) in drawings.items():
        paths = [folder / f"{name}.{ending}" for ending in formats]
        _write(draw, times, size, paths, force)
        written += paths
    return written


def _write(
    draw: _Drawing, times: Times, size: tuple[float, float], paths: list[Path], force: bool
) -> None:
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_STYLE):
        # pyplot would keep the figure and might open a window.
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure.add_subplot(), times)
        # The layout is computed once: each format would move things a little, so that a file
        # would depend on the formats written before it.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        for path in paths:
            ending = path.suffix[1:]
            with new_file(path, force=force) as file:
                figure.savefig(file, format=ending, dpi=200, metadata=_UNDATED.get(ending))


def _look(number: int) -> dict[str, Any]:
    """Return the colour, dash and marker of a backend, by its index in the results."""
    turn = number // len(_COLOURS)
    return {
        "color": _COLOURS[number % len(_COLOURS)],
        "linestyle": _DASHES[turn % len(_DASHES)],
        "marker": _MARKERS[(number + turn) % len(_MARKERS)],
        "markersize": 4,
    }


def _marked(count: int) -> list[int]:
    """Return the steps of a curve that have markers: all, or nine of them if it is long."""
    if count <= 20:
        return [*range(count)]
    return [round((k + 0.5) / 9 * (count - 1)) for k in range(9)]


def _time_axis(axes: Axes, which: str) -> None:
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis.set_major_formatter(FuncFormatter(lambda value, _: text.seconds(value)))
    axis.set_minor_formatter(NullFormatter())
    axes.tick_params(length=0, which="both")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


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
    for number, label in enumerate(times.backends):
        seconds, part = cdf(times, label)
        if len(seconds):
            yield seconds, part, _look(number) | {"label": label, "markevery": _marked(len(part))}


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
    _legend(axes)


def _draw_cactus(axes: Axes, times: Times) -> None:
    _time_axis(axes, "y")
    _limit_line(axes, times, "y")
    for seconds, _, look in _curves(times):
        axes.plot(np.arange(1, len(seconds) + 1), seconds, **look)
    axes.set(xlabel="cases solved", ylabel="time a case")
    axes.set_xlim(left=0)
    _legend(axes)


def _legend(axes: Axes) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))


def _draw_phases(axes: Axes, times: Times) -> None:
    """Draw the phases of each backend as shares, because times differ by orders of magnitude."""
    from matplotlib.ticker import PercentFormatter

    rows = [row for row in phases(times) if not np.isnan(row.solve)]
    for place, row in enumerate(rows):
        parts = {name: getattr(row, name) for name in _PHASES}
        whole = sum(parts.values()) or 1.0
        left = 0.0
        for name, part in parts.items():
            label = name if place == 0 else None
            axes.barh(place, part / whole, left=left, height=0.55, color=_PHASES[name], label=label)
            left += part / whole
        axes.text(1.02, place, text.seconds(whole), va="center", color=_INK)
    axes.set_yticks(range(len(rows)), [row.backend for row in rows])
    axes.set(xlim=(0, 1), xlabel="share of the median phases; at the right their sum")
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if rows:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(_PHASES))


def _draw_scatter(axes: Axes, times: Times) -> None:
    """Draw the two best backends case by case; unsolved cases are on rails outside the axes."""
    first, second = [row.backend for row in summarise(times) if row.backend != times.twin][:2]
    one, other = times.backends.index(first), times.backends.index(second)
    ran = (times.outcome[one] >= 0) & (times.outcome[other] >= 0)
    solved = times.seconds[[one, other]][times.solved[[one, other]]]
    low, high = (solved.min(), solved.max()) if len(solved) else (1e-3, 1.0)
    low, high = max(low, 1e-9) / 1.5, max(high, 1e-9) * 1.5
    rail = high * (high / low) ** 0.06
    x, y = (np.where(times.solved[row, ran], times.seconds[row, ran], rail) for row in (one, other))
    _time_axis(axes, "x")
    _time_axis(axes, "y")
    end = high * (high / low) ** 0.12
    for shade in (axes.axvspan, axes.axhspan):
        shade(high, end, color=_GRID, alpha=0.5, linewidth=0)
    for factor, dash in ((1, "-"), (2, "--"), (0.5, "--"), (10, ":"), (0.1, ":")):
        ends = np.array([max(low, low / factor), min(high, high / factor)])
        axes.plot(ends, ends * factor, dash, color=_INK, linewidth=0.7)
    for here, number in ((x < y, one), (x >= y, other)):
        look = {name: _look(number)[name] for name in ("color", "marker")}
        axes.scatter(x[here], y[here], s=14, alpha=0.6, linewidth=0, **look)
    found = pair(times, first, second)
    title = f"{second} takes {text.ratio(found.ratio)} times the time of {first}"
    axes.set(xlim=(low, end), ylim=(low, end), xlabel=f"{first}; rail: not solved", ylabel=second)
    axes.set_title(title, fontsize=9, loc="left")
    axes.set_aspect("equal")
