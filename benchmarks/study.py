"""Which solver for which puzzle? All backends on boards of many families, in two stages.

Measures what study.toml asks, on the comparison of Unidoku; publishes the journals in
benchmarks/results/study/, and makes docs/study.md, docs/study*.html and the pictures from them.
Ctrl-C stops it, and the same command goes on.

Usage: python benchmarks/study.py [--plan | --page] [--long] [--budget MINUTES]
    [--scheduler ADDRESS] [--study FILE] [--work FOLDER] [--results FOLDER] [--docs FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import warnings
from dataclasses import replace
from pathlib import Path

from measuring.machine import say
from studying.plan import StudyPlan, read_study
from studying.run import planned, publish, study
from studying.show import show

from unidoku.errors import UnidokuError

HERE = Path(__file__).parent
ROOT = HERE.parent

_INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def main() -> int:
    """Carry out the study, or a part of it; return the exit code."""
    options = _options()
    try:
        return _run(options)
    except UnidokuError as error:
        print(f"study: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # while boards are made
        return _INTERRUPTED


def _run(options: argparse.Namespace) -> int:
    plan = read_study(options.study)
    if options.long:
        plan = plan.longer
    if options.budget:
        plan = replace(plan, budget=options.budget)
    if options.plan:
        _print_plan(plan)
        return 0
    if not options.page:
        measurement = study(plan, options.work, engine=options.engine, scheduler=options.scheduler)
        if measurement.interrupted:
            say("interrupted, and nothing published: the same command goes on")
            return _INTERRUPTED
        publish(measurement, plan, options.results)
        if not measurement.complete:
            say("not all was measured: the same command goes on")
    show(options.results, options.docs)
    say(f"written: {options.results}, {options.docs / 'study.md'}, its pages and pictures")
    return 0


def _print_plan(plan: StudyPlan) -> None:
    """Print how many runs there are, and how long they take at most."""
    runs, seconds = 0, 0.0
    for stage in planned(plan):
        minutes = f"at most {stage.seconds / 60:5.1f} minutes"
        print(f"{stage.journal:8} {stage.name:30} {stage.runs:6,} runs, {minutes}")
        runs += stage.runs
        seconds += stage.seconds
    print(
        f"{runs:,} runs, {seconds / 60:.0f} minutes if every search met its limit; "
        f"the study stops after {plan.budget:g} minutes"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--plan", action="store_true", help="print the numbers of runs, no more")
    parser.add_argument("--page", action="store_true", help="make the pages anew, measure nothing")
    parser.add_argument("--long", action="store_true", help="more boards, time and repeats")
    parser.add_argument("--budget", type=_minutes, help="minutes, as 38 or 38m")
    parser.add_argument("--engine", help="pool, spawn or inline, as of unidoku compare")
    parser.add_argument("--scheduler", help="a Dask scheduler's address, or local:N")
    parser.add_argument("--study", type=Path, default=HERE / "study.toml", help="what is asked")
    parser.add_argument("--work", type=Path, help="folder of the journals under way")
    parser.add_argument("--results", type=Path, help="folder to publish in")
    parser.add_argument("--docs", type=Path, help="folder of study.md and study.html")
    options = parser.parse_args()
    long = "study-long" if options.long else "study"
    built = ROOT / "build" / long
    options.work = options.work or built / "work"
    options.results = options.results or (
        built / "results" if options.long else HERE / "results" / "study"
    )
    options.docs = options.docs or (built if options.long else ROOT / "docs")
    return options


def _minutes(text: str) -> float:
    try:
        value = float(text.removesuffix("m"))
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected minutes above 0, as 38 or 38m, got {text!r}")
    return value


if __name__ == "__main__":
    warnings.simplefilter("default")
    sys.exit(main())
