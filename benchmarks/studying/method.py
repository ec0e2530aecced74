"""The method of a study, its limits, and how to dispute it, in words."""

from __future__ import annotations

from collections.abc import Iterator

from studying.boards import boards_of
from studying.plan import FamilyPlan, Setting
from studying.read import Published
from unidoku.support.text import listed, plural, seconds

STAGES = {
    "first": "All backends on all boards",
    "options": "Other options of the same solver",
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
        f"in {minutes}) and writes this page. Ctrl-C stops it, and the same command continues it. "
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
            "once. The backends that solved the most boards of a family, ties by speed, take part "
            f"in the second stage: {seconds(second.results.time_limit or 0)}, "
            f"{plural(second.results.plan['repeats'], 'repeat')}, of which the median counts."
        )
    yield (
        f"- {plural(facts['workers'], 'worker')} measure in random order, board by board, each "
        "pinned to its own core if there are enough. A search that exceeds its limit by more than "
        "a second and a tenth is killed, also while it builds its model."
    )
    yield (
        "- A model is built once for each layout. If each board has its own layout, as killers do, "
        "times include the model: each search has a new solver that knows nothing of the layout. "
        "If boards share a layout, times do not include the model, and each search gets a form of "
        "the board that the solver has not seen: renamed, turned or mirrored. Programs are started "
        "again for each search, and their times include everything."
    )
    yield from _disturbed(study)
    yield from _other_boards(study)
    yield from _left_out(study)
    yield ""
    yield from _LIMITS
    yield from _DISPUTE


def _disturbed(study: Published) -> Iterator[str]:
    """Yield the disturbances; the load at later comparisons comes from earlier ones."""
    first, *later = study.facts["stages"]
    texts = list(first.get("disturbances", ()))
    texts += [
        text for stage in later for text in stage.get("disturbances", ()) if "start" not in text
    ]
    if texts:
        yield f"- The machine was disturbed: {listed(dict.fromkeys(texts))}."


def _other_boards(study: Published) -> Iterator[str]:
    """Say so if the generator of Latin squares gives other boards than those of the journals."""
    family = next((candidate for candidate in study.families if candidate.name == "latin"), None)
    if family is None:
        return
    case = min(family.first.cases, key=lambda case: len(case.board.layout))
    name, setting = Setting.of(case.name)
    plan = FamilyPlan(name=name, title=family.title, make="latin", sizes=(setting.size,))
    if case.board not in boards_of(plan, setting, study.first.results.plan["seed"]):
        yield (
            "- The Latin squares of these journals were drawn by an earlier version, not quite "
            "uniformly. [They are uniform now](generation.md#boards-for-experiments), so that the "
            "same seed gives other ones."
        )


def _left_out(study: Published) -> Iterator[str]:
    stages = study.facts["stages"]
    parts = []
    for name, words in STAGES.items():
        its_stages = [stage for stage in stages if stage["journal"] == name]
        lacking = [stage for stage in its_stages if stage["done"] < stage["planned"]]
        if lacking:
            runs = sum(stage["planned"] - stage["done"] for stage in its_stages)
            total = sum(stage["planned"] for stage in its_stages)
            which = (
                f" ({listed(stage['name'] for stage in lacking)})" if len(its_stages) > 1 else ""
            )
            parts.append(f"{runs:,} of {total:,} runs of the stage “{words}”{which}")
    if not parts:
        yield "- All planned runs were measured."
        return
    yield (
        f"- It stopped after {study.facts['budget']:g} minutes, or was interrupted. Left out: "
        f"{'; '.join(parts)}. Boards come in random order, so the measured boards are a "
        "sample of the planned ones."
    )


_LIMITS = """\
## Limits of the study

- Unidoku's own generator makes the boards: with other collections, above all of boards that
  were chosen because they are hard, the order of backends may differ. There are few boards of
  each size; the intervals show how uncertain the figures are, but only for boards of these kinds.
- A limit of a second favours backends that start fast. A program that is started again for each
  board pays for that in every figure; a solver that learns may win with more time.
- The backends are Unidoku's adapters, with their default options. A solver used in another way
  may be faster, as the section on other options shows.
- Boards that no backend solved within the limit count in PAR2 of all backends, and in no ratio.
- Intervals are for each comparison alone; of a hundred correct ones, five miss the true value.
""".splitlines()
_LIMITS.append("")

_DISPUTE = """\
## Dispute it

```sh
unidoku report benchmarks/results/study/first.jsonl.gz --by name --x size --report page.html
unidoku report benchmarks/results/study/second.jsonl.gz --runs runs.csv    # as a table
unidoku replay KEY benchmarks/results/study/first.jsonl.gz                 # one run again
python benchmarks/study.py --page                                          # this page again
```

The first command writes [the page with every board](study.html): it has the times of all backends
family by family, coloured; choose a family by its heading, and it shows the summary, the shares
solved within a time, any two backends, the phases and the growth for the boards of that family. A
click on a point opens its board, with the time of every backend. Beside the journals, `figures.csv`
has the figures of each family with their intervals, and `growth.csv` and `cross-overs.csv` the
factors of growth and the sizes at which one backend overtakes another.
""".splitlines()
