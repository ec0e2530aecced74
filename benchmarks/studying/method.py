"""How a study was measured, what it does not say, and how to dispute it, in words."""

from __future__ import annotations

from collections.abc import Iterator

from studying.read import Published
from unidoku.text import listed, plural, seconds

__all__ = ["STAGES", "method"]

STAGES = {
    "first": "All backends on all boards",
    "options": "Ways of one solver",
    "second": "The best of each family",
}


def method(study: Published) -> Iterator[str]:
    """Yield the lines of the sections on the method, its limits, and how to dispute it."""
    facts, plan = study.facts, study.first.results.plan
    stages = facts["stages"]
    second = study.comparisons.get("second")
    done = sum(stage["done"] for stage in stages)
    minutes = f"{facts['seconds'] / 60:.0f} minutes"
    if any(stage.get("before") for stage in stages):
        minutes = f"several calls, the last of {minutes}"
    yield from ("## How it was measured", "")
    yield (
        "- `make study` makes the boards of [study.toml](../benchmarks/study.toml) from seed "
        f"{plan['seed']}, measures them by [the comparison](comparison.md) ({plural(done, 'run')} "
        f"in {minutes}) and writes this page. Ctrl-C stops it, and the same command goes on. "
        "`make study-long` takes more boards, time and repeats; "
        "`python benchmarks/study.py --scheduler tcp://…` sends the runs to a Dask cluster."
    )
    yield (
        f"- Each run looks for {plural(plan['solutions'], 'solution')}: it finds the solution of a "
        "puzzle and proves that there is no other. Every grid is checked."
    )
    if second is not None:
        yield (
            f"- In the first stage all backends have {seconds(plan['time_limit'])} for each board, "
            "once. Those that solved the most boards of a family, and of these the fastest, come "
            f"to the second: {seconds(second.results.time_limit or 0)}, "
            f"{plural(second.results.plan['repeats'], 'repeat')}, of which the median counts."
        )
    yield (
        f"- {plural(facts['workers'], 'worker')} measure in random order, board by board, each "
        "pinned to a core of its own where there are enough. A search that overruns its limit by "
        "more than a second and a tenth is killed, also while it builds its model."
    )
    yield (
        "- A model is made once a layout. It counts where each board has a layout of its own, as "
        "killers have: then a time is that of the first search of the board, with what the library "
        "does at its first use in a new process. Where boards share a layout, it does not count, "
        "except for programs, which are started again for each search."
    )
    yield from _disturbed(study)
    yield from _left_out(study)
    yield ""
    yield from _LIMITS
    yield from _DISPUTE


def _disturbed(study: Published) -> Iterator[str]:
    """Yield what made times doubtful; the load of later comparisons is that of those before."""
    first, *later = study.facts["stages"]
    told = list(first.get("disturbances", ()))
    told += [text for one in later for text in one.get("disturbances", ()) if "start" not in text]
    if told:
        yield f"- The machine was disturbed: {listed(dict.fromkeys(told))}."


def _left_out(study: Published) -> Iterator[str]:
    stages = study.facts["stages"]
    parts = []
    for name, words in STAGES.items():
        held = [stage for stage in stages if stage["journal"] == name]
        lacking = [stage for stage in held if stage["done"] < stage["planned"]]
        if lacking:
            runs = sum(stage["planned"] - stage["done"] for stage in held)
            total = sum(stage["planned"] for stage in held)
            which = f" ({listed(stage['name'] for stage in lacking)})" if len(held) > 1 else ""
            parts.append(f"{runs:,} of {total:,} runs of the stage “{words}”{which}")
    if not parts:
        yield "- All that was planned was measured."
        return
    yield (
        f"- It stopped after its {study.facts['budget']:g} minutes, or was interrupted. Left out: "
        f"{'; '.join(parts)}. Boards come in random order, so those that were measured are a "
        "sample of what was planned."
    )


_LIMITS = """\
## What it does not say

- The boards are made by Unidoku's own generator: other collections, above all of boards that
  were chosen for being hard, may turn the order around. There are few of each size, and the
  intervals say how much that leaves open. They know nothing of boards of another kind.
- A limit of a second favours what starts fast. A program that is started again for each board
  pays for that in every figure; a solver that learns may win later.
- The backends are Unidoku's adapters, with the options that are their defaults here. A solver
  used in another way may be faster, as the section on ways of one solver shows.
- Boards that nobody solved within the limit are in PAR2 of all alike, and in no ratio.
- Intervals are for each comparison alone; of a hundred true ones, five miss.
""".splitlines()
_LIMITS.append("")

_DISPUTE = """\
## Dispute it

```sh
unidoku report benchmarks/results/study/first.jsonl.gz --report page.html  # every run
unidoku report benchmarks/results/study/second.jsonl.gz --runs runs.csv    # as a table
unidoku replay KEY benchmarks/results/study/first.jsonl.gz                 # one run again
python benchmarks/study.py --page                                          # this page again
```

The first page lets you filter by board and by backend. `figures.csv` beside the journals has
the figures of each family.
""".splitlines()
