"""The phase transition of Latin squares: makes boards, measures them, writes page and picture.

Usage: python benchmarks/phase_transition.py [--measure] [--small] [--docs FOLDER]
       [--results FOLDER]

Without options, docs/phase-transition.md and its picture are made from the published tables, which
have a row for each board. --measure makes the tables first, from journals of the commands that the
page shows.
"""

from __future__ import annotations

import argparse
import csv
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from measuring.curves import Panel, curves
from measuring.table import table

from unidoku.comparison import Case
from unidoku.comparison.reading import read_journal
from unidoku.comparison.record import Outcome
from unidoku.generation import InstanceRequest
from unidoku.support.text import listed, plural

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "phase-transition"
PICTURE = "images/phase-transition.svg"

BACKENDS = "native[engine=single],choco"
"""The backends; the effort is that of the first."""

COLUMNS = ("size", "holes", "attempt", "satisfiable", "native", "choco")
"""The columns of a table: the last two have the failures of the backends, empty if undecided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Boards of several orders, with several shares of cells emptied or filled.

    Args:
        name: name of the journal and the table.
        family: the family, as an argument of ``unidoku generate``.
        option: the option of the shares.
        orders: the numbers of values.
        percents: the shares, in percent.
        boards: number of boards for each order and share.
    """

    name: str
    family: str
    option: str
    orders: tuple[int, ...]
    percents: tuple[int, ...]
    boards: int = 30

    def commands(self) -> list[list[str]]:
        """Return the commands that make the boards and the journal, each as words."""
        files = [f"{self.name}{order}.toml" for order in self.orders]
        shares = ",".join(f"{percent}%" for percent in self.percents)
        head = ["unidoku", "generate", "--family", self.family]
        tail = ["--count", str(self.boards), "--seed", "1", "--time-limit", "none", "-o"]
        made = [
            [*head, "--size", str(order), f"--{self.option}", shares, *tail, file]
            for order, file in zip(self.orders, files, strict=True)
        ]
        how = ["--solutions", "1", "--repeats", "1", "--sample-ms", "0", "--time-limit", "10"]
        compared = ["unidoku", "compare", *files, "--backends", BACKENDS, *how]
        return [*made, [*compared, "--output", f"{self.name}.jsonl"]]


COMPLETION = Experiment(
    name="qcp",
    family="qcp",
    option="filled",
    orders=(10, 15, 20, 25, 30),
    percents=tuple(range(30, 62, 2)),
)
HOLES = Experiment(
    name="qwh",
    family="quasigroup",
    option="holes",
    orders=(20, 25, 30, 35),
    percents=tuple(range(26, 54, 2)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What was found out about the boards of one order and share.

    Args:
        percent: the share in percent.
        holes_scaled: number of empty cells over n^1.55.
        boards: number of boards.
        decided: number of boards that a backend decided.
        satisfiable: number of boards for which a backend found a solution.
        failures: median number of failures of the first backend; infinity for those that it did
            not decide.
    """

    percent: int
    holes_scaled: float
    boards: int
    decided: int
    satisfiable: int
    failures: float


def rows_of(journal: Path) -> list[dict[str, str]]:
    """Return the table of a journal: a row for each board, with what its backends found."""
    cases: dict[str, Case] = {}
    found: dict[str, dict[str, str]] = {}
    for entry in read_journal(journal):
        if isinstance(entry, Case):
            cases[entry.id] = entry
            numbers = {name: f"{entry.numbers[name]:g}" for name in ("size", "holes", "attempt")}
            found[entry.id] = numbers | dict.fromkeys(COLUMNS[3:], "")
        elif entry.outcome is Outcome.SOLVED:
            place = BACKENDS.split(",").index(entry.backend)
            found[entry.case]["satisfiable"] = str(int(entry.count > 0))
            found[entry.case][COLUMNS[4 + place]] = f"{entry.statistics['failures']:.0f}"
    return sorted(found.values(), key=lambda row: [int(row[name]) for name in COLUMNS[:3]])


def points(path: Path, share: str) -> dict[int, list[Point]]:
    """Return the points of each order in a table, in ascending order of the share.

    Args:
        path: the table, as CSV.
        share: the number of a board that is its share.
    """
    groups: dict[tuple[int, int], list[dict[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            groups.setdefault((int(row["size"]), int(row["holes"])), []).append(row)
    found: dict[int, list[Point]] = {}
    for (order, holes), rows in groups.items():
        numbers = InstanceRequest(variant="latin", n=order).numbers(holes)
        point = Point(
            percent=round(100 * numbers[share]),
            holes_scaled=numbers["holes_scaled"],
            boards=len(rows),
            decided=sum(row["satisfiable"] != "" for row in rows),
            satisfiable=sum(row["satisfiable"] == "1" for row in rows),
            failures=median(float(row[COLUMNS[4]] or inf) for row in rows),
        )
        found.setdefault(order, []).append(point)
    return {order: sorted(found[order], key=lambda one: one.percent) for order in sorted(found)}


def hardest(some: Sequence[Point]) -> Point:
    """Return the point with the most failures; the first of several."""
    return max(some, key=lambda point: point.failures)


def page(results: Path) -> tuple[str, str]:
    """Return the page in Markdown and its picture as SVG, from the tables in a folder."""
    completion = points(results / "qcp.csv", "filled_share")
    holes = points(results / "qwh.csv", "holes_share")
    return "\n".join(_document(completion, holes)), _picture(completion, holes)


def _picture(completion: Mapping[int, list[Point]], holes: Mapping[int, list[Point]]) -> str:
    answered = {
        f"order {order}": [(one.percent / 100, one.satisfiable / one.boards) for one in some]
        for order, some in completion.items()
    }
    finite = {
        order: [one for one in some if not isinf(one.failures)] for order, some in holes.items()
    }
    by_share = {
        f"order {order}": [(one.percent / 100, one.failures) for one in some]
        for order, some in finite.items()
    }
    by_scaled = {
        f"order {order}": sorted((one.holes_scaled, one.failures) for one in some)
        for order, some in finite.items()
    }
    panels = [
        Panel(
            title="completion: boards with a solution",
            axis="share of filled cells",
            series=answered,
            in_percent=True,
        ),
        Panel(
            title="with holes: median failures",
            axis="share of holes",
            series=by_share,
            is_log=True,
            in_percent=True,
        ),
        Panel(
            title="with holes: median failures",
            axis="holes / n^1.55",
            series=by_scaled,
            is_log=True,
        ),
    ]
    label = "The share of boards with a solution, and the effort, through the phase transition"
    return curves(panels, label=label)


def _document(
    completion: Mapping[int, list[Point]], holes: Mapping[int, list[Point]]
) -> Iterator[str]:
    all_points = [one for part in (completion, holes) for some in part.values() for one in some]
    boards, decided = (
        sum(one.boards for one in all_points),
        sum(one.decided for one in all_points),
    )
    yield from (
        "# The phase transition of Latin squares",
        "",
        "<!-- Made by `python benchmarks/phase_transition.py` from its tables: change those. -->",
        "",
        _paragraph(f"""
            After this page you can make the classic experiment on quasigroup completion yourself:
            boards, comparison, figure. Everything below is computed from two tables that are part
            of the project, [qcp.csv](../benchmarks/results/phase-transition/qcp.csv) and
            [qwh.csv](../benchmarks/results/phase-transition/qwh.csv), with {boards:,} boards, of
            which {decided:,} were decided within 10 s. The commands below make the same boards.
        """),
        "",
        f"![Boards with a solution, and effort]({PICTURE})",
        "",
        _paragraph(f"""
            The effort is the number of failures of `{BACKENDS.partition(",")[0]}` until it finds
            one solution or proves that there is none, the median over
            {plural(all_points[0].boards, "board")}: failures depend less on the machine than times.
            A board that it does not decide counts as more than any other.
        """),
        "",
    )
    yield from _completion(completion)
    yield from _holes(holes)
    yield from _commands()


def _paragraph(text: str) -> str:
    return " ".join(text.split())


def _completion(completion: Mapping[int, list[Point]]) -> Iterator[str]:
    smallest, largest = min(completion), max(completion)
    yield from (
        "## Quasigroup completion",
        "",
        _paragraph(f"""
            Random cells of an empty square are filled with values that no cell of their row and
            column has (`--filled`), without a solution in mind. With few cells filled there are
            solutions, with many there are none: less than half of the boards have one from
            {_half(completion[smallest])} % on for order {smallest}, and from
            {_half(completion[largest])} % on for order {largest}.
        """),
        "",
        "Boards with a solution, and median failures, by share of filled cells and order:",
        "",
    )
    rows = []
    for place, percent in enumerate(one.percent for one in completion[smallest]):
        some = [completion[order][place] for order in completion]
        cells = [f"{100 * one.satisfiable / one.boards:.0f} %, {_effort(one)}" for one in some]
        rows.append([f"{percent} %", *cells])
    yield from table(["filled", *map(str, completion)], rows)
    without = [one for some in completion.values() for one in some if not one.satisfiable]
    if without:
        most = max(without, key=lambda one: one.failures)
        yield f"Where no board has a solution, the median of failures is at most {_effort(most)}."
        yield ""


def _half(some: Sequence[Point]) -> int:
    """Return the share in percent from which on less than half of the boards have a solution."""
    return next((one.percent for one in some if 2 * one.satisfiable < one.boards), some[-1].percent)


def _holes(holes: Mapping[int, list[Point]]) -> Iterator[str]:
    peaks = {order: hardest(some) for order, some in holes.items()}
    shares = listed([f"{one.percent} % (order {order})" for order, one in peaks.items()])
    scaled = [one.holes_scaled for one in peaks.values()]
    yield from (
        "## Quasigroups with holes",
        "",
        _paragraph(f"""
            Random Latin squares with cells emptied (`--holes`) always have a solution, and are hard
            in between: the most failures are at {shares} of the cells. The share depends on the
            order. Achlioptas, Gomes, Kautz and Selman (2000) divide the number of holes by n^1.55:
            on this scale the hardest squares of all orders are between {min(scaled):.2f} and
            {max(scaled):.2f}.
        """),
        "",
        "Median failures by share of holes and order; in brackets holes / n^1.55:",
        "",
    )
    rows = []
    for place, percent in enumerate(one.percent for one in holes[min(holes)]):
        some = [holes[order][place] for order in holes]
        rows.append([f"{percent} %", *(f"{_effort(one)} ({one.holes_scaled:.2f})" for one in some)])
    yield from table(["holes", *map(str, holes)], rows)


def _effort(point: Point) -> str:
    if isinf(point.failures):
        return "not decided"
    return f"{point.failures:,.0f}" if point.failures.is_integer() else f"{point.failures:,.1f}"


def _commands() -> Iterator[str]:
    generate = "unidoku generate --family qcp --size 8 --filled 20%,60% --count 5 --seed 1"
    compare = "unidoku compare small.toml --backends native,sat --solutions 1 --repeats 1"
    yield from (
        "## Make it yourself",
        "",
        "These commands make the boards and the journals, in some minutes:",
        "",
        "```sh",
        *(shlex.join(words) for one in (COMPLETION, HOLES) for words in one.commands()),
        "```",
        "",
        _paragraph("""
            In the checkout, `python benchmarks/phase_transition.py --measure --results FOLDER` runs
            them, and makes this page from what they find.
            [How the boards are made](generation.md#boards-for-experiments),
            [how they are measured](comparison.md#a-run),
            [which numbers a board has](comparison.md#numbers-of-a-board).
        """),
        "",
        "A small one takes a second:",
        "",
        "```console",
        f"$ {generate} -o small.toml 2> told; {compare} --sample-ms 0 | grep disagreement",
        "No disagreement: 10 of 10 cases were decided by several backends, all alike.",
        "```",
        "",
    )


def measure(experiment: Experiment, results: Path) -> None:
    """Run the commands of an experiment, and write the table of its journal into a folder.

    Raises:
        subprocess.CalledProcessError: a command failed, or backends disagree; the message is on
            standard error.
    """
    with TemporaryDirectory() as folder:
        for words in experiment.commands():
            print(shlex.join(words), file=sys.stderr)
            command = [sys.executable, "-m", *words]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        publish(Path(folder) / f"{experiment.name}.jsonl", results)


def publish(journal: Path, results: Path) -> None:
    """Write the table of a journal into a folder, as CSV."""
    results.mkdir(parents=True, exist_ok=True)
    with (results / f"{journal.stem}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows_of(journal))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure if that is asked, and write page and picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true", help="make the tables first")
    parser.add_argument("--small", action="store_true", help="measure a few small boards only")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", help="folder of the page")
    options = parser.parse_args(arguments)
    if options.measure:
        for experiment in (COMPLETION, HOLES):
            few = replace(experiment, orders=(5, 6), percents=(30, 50), boards=3)
            measure(few if options.small else experiment, options.results)
    text, picture = page(options.results)
    image = options.docs / PICTURE
    image.parent.mkdir(parents=True, exist_ok=True)
    (options.docs / "phase-transition.md").write_text(text, encoding="utf-8")
    image.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
