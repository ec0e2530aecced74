"""``unidoku rate``: how hard a board is, by techniques and by search nodes."""

from __future__ import annotations

import click

from unidoku.analysis.rate import (
    SCALES,
    Difficulty,
    Scale,
    rate_and_measure,
    rating_table,
    steps_table,
)
from unidoku.api import configured
from unidoku.backends.options import split_labels
from unidoku.cli.asking import Each
from unidoku.cli.common import (
    numbered,
    print_figures,
    print_json,
    print_rich,
    settings_for,
    terminal_width,
    time_limit_of,
    with_backends,
    with_json,
    with_source,
    with_techniques,
    with_time_limit,
)
from unidoku.cli.consent import with_trust
from unidoku.cli.printing import example, say
from unidoku.files.source import Sources
from unidoku.logic import chosen
from unidoku.support.table import to_rich


@click.command("rate", epilog=example("rate boards.txt --backends native"))
@with_source
@with_techniques
@click.option(
    "--scale",
    type=click.Choice(SCALES),
    default="unidoku",
    help="Scale of the ratings: explainer for Sudoku Explainer's own, on classic boards.",
)
@with_backends(
    "Backends whose search nodes are counted; they must report nodes.", default="native,norvig"
)
@click.option(
    "--isomorphs",
    type=click.IntRange(min=2),
    default=20,
    help="Number of symmetric copies of the board to search.",
)
@click.option("--seed", type=int, default=0, help="Seed of the random symmetries.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    help="Confidence of the intervals around the means.",
)
@click.option(
    "--levels",
    is_flag=True,
    help="Instead, show which levels of consistency solve the boards without search.",
)
@click.option("--no-measure", is_flag=True, help="Rate by techniques only, without a search.")
@with_time_limit
@with_json
@with_trust
def command(
    sources: Sources,
    techniques: str,
    scale: Scale,
    backends: str,
    confidence: float,
    levels: bool,
    no_measure: bool,
    time_limit: float | None,
    as_json: bool,
    **sampling: int,
) -> int:
    """Rate how hard PUZZLE is, for people and for solvers.

    It prints the hardest technique that PUZZLE needs, and the search nodes of backends. The rating
    is that of Sudoku Explainer for the hardest step, the score that of HoDoKu for all steps. The
    nodes are geometric means over symmetric copies of the board, with confidence intervals, because
    a single search depends on luck. The exit code is 1 if the techniques do not solve a board, or
    if a time limit was reached.

    --scale explainer rates classic boards by Sudoku Explainer's own techniques, in its own order:
    the rating, the pearl (up to the first value) and the diamond (up to the first elimination).

    --levels shows the share of the boards that propagation alone decides, by how much of each
    all-different constraint it propagates, without and with shaving.
    """
    limit = time_limit_of(time_limit)
    if levels:
        return _levels(sources, limit, as_json=as_json)
    rows = chosen(techniques)
    if scale == "explainer" and techniques != "usual":
        raise click.UsageError("--techniques is for --scale unidoku; leave it out")
    solvers = (
        []
        if no_measure
        else [configured(label, settings_for(label)) for label in split_labels(backends)]
    )
    ratings = []
    for _, puzzle in (each := Each(numbered(sources), as_json=as_json)):
        with each.going_on():
            rating = rate_and_measure(
                puzzle.board,
                solvers,
                name=puzzle.name,
                techniques=rows,
                scale=scale,
                time_limit=limit,
                confidence=confidence,
                **sampling,
            )
            ratings.append(rating)
            each.answer(rating.is_complete)
            if as_json:
                print_json(rating.record())
    if ratings and not as_json:
        print_figures(rating_table(ratings, confidence, scale=scale))
        if len(ratings) == 1 and (difficulty := ratings[0].difficulty) and difficulty.counts:
            say()
            print_figures(steps_table(difficulty))
            if isinstance(difficulty, Difficulty):
                say(f"\n{difficulty.course}")
    return each.code()


def _levels(sources: Sources, limit: float | None, *, as_json: bool) -> int:
    from unidoku.analysis.consistency import levels_table, solving_levels

    results = []
    for _, puzzle in (each := Each(numbered(sources), as_json=as_json)):
        with each.going_on():
            levels = solving_levels(puzzle.board, time_limit=limit)
            results.append(levels)
            if as_json:
                print_json({**puzzle.board.record(puzzle.name), "levels": levels})
    if results and not as_json:
        print_rich(to_rich(levels_table(results)), width=terminal_width(100))
    return each.code()
