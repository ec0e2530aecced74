"""``unidoku generate``: puzzles of any variant."""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import click

from unidoku.cli import completers
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    DEFAULT_TIME_LIMIT,
    notes_printed,
    print_notes,
    progress_bar,
    seconds_of,
    two_labels,
    with_force,
    with_form,
    with_output,
    with_scheduler,
)
from unidoku.cli.printing import example, put, say, showing
from unidoku.errors import InputError, nearest
from unidoku.files.ruled import write
from unidoku.files.writer import FORMS, Form, open_writer
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import format_to_write
from unidoku.formats.lines import write_lines
from unidoku.generation import Discrimination, Generation, PuzzleRequest, TellingBoard
from unidoku.generation.instances import INSTANCE_FAMILIES, InstanceGeneration, InstanceRequest
from unidoku.generation.maker import framed_text
from unidoku.generation.request import SYMMETRIES
from unidoku.generation.ruled import FAMILIES, PLACEABLE_KINDS, RuledGeneration
from unidoku.parallel.executors import executor_for
from unidoku.support.atomic_write import check_target
from unidoku.support.text import plural

_Number = TypeVar("_Number", int, float)

_Run: TypeAlias = Generation | RuledGeneration | InstanceGeneration


def _range_of(
    number: str, kind: type[_Number], example: str
) -> Callable[..., tuple[_Number, _Number] | None]:
    """Return the function that reads a number, or two with a dash between them.

    Args:
        number: the pattern of a number.
        kind: its type.
        example: a range, for messages.
    """

    def read(
        _context: object, parameter: click.Parameter, text: str | None
    ) -> tuple[_Number, _Number] | None:
        if text is None:
            return None
        if (match := re.fullmatch(f"({number})(?:-({number}))?", text)) is None:
            option = parameter.opts[0]
            raise InputError(
                f"{option}: expected a number or a range such as {example}, got {text!r}"
            )
        return kind(match[1]), kind(match[2] or match[1])

    return read


def _amounts(
    _context: object, parameter: click.Parameter, text: str | None
) -> tuple[int | float, ...]:
    """Read numbers of cells, and shares: with a dot, or in percent."""
    return () if text is None else tuple(_amount(parameter, part) for part in text.split(","))


def _amount(parameter: click.Parameter, text: str) -> int | float:
    if re.fullmatch(r"[0-9]{1,5}", text):
        return int(text)
    if match := re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,9})?)%", text):
        return float(match[1]) / 100
    if re.fullmatch(r"[01]?\.[0-9]{1,9}", text):
        return float(text)
    raise InputError(
        f"{parameter.opts[0]}: expected numbers of cells such as 168, or shares such as 42% or "
        f"0.42, with commas between them, got {text!r}"
    )


_BUDGET = 100
"""Boards that a walk measures, unless a number is given."""

_FAMILIES = (*FAMILIES, *INSTANCE_FAMILIES)

_OF_INSTANCES = ("holes", "filled", "balanced", "solutions")
"""Options of boards for experiments, as fields of `InstanceRequest`."""


@click.command("generate", epilog=example("generate --variant x --count 2 --seed 3"))
@click.option(
    "--variant",
    default="classic",
    metavar="NAME",
    shell_complete=completers.variants,
    help="Layout of the puzzles.",
)
@click.option(
    "--rules",
    metavar="KIND,...",
    shell_complete=completers.rules_to_lay,
    help=f"Kinds of rules to add to the puzzles: {', '.join(PLACEABLE_KINDS)}.",
)
@click.option(
    "--family",
    metavar="NAME",
    shell_complete=completers.families,
    help=f"Family of the puzzles: {', '.join(_FAMILIES)}.",
)
@click.option(
    "--size",
    "n",
    type=click.IntRange(min=1),
    help="Number of values; the default is 9, or the usual size of a family.",
)
@click.option(
    "--holes",
    metavar="N|SHARE,...",
    callback=_amounts,
    help="Boards for experiments: full grids with so many cells emptied, such as 168 or 42%.",
)
@click.option(
    "--filled",
    metavar="N|SHARE,...",
    callback=_amounts,
    help="Boards for experiments: so many cells filled at random, perhaps without a solution.",
)
@click.option("--balanced", is_flag=True, help="With --holes: as many in each row and column.")
@click.option(
    "--solutions",
    metavar="K",
    type=click.IntRange(min=0),
    help="Boards for experiments: exactly so many solutions; 0 for none.",
)
@click.option(
    "--clues",
    metavar="N|N-M",
    callback=_range_of("[0-9]{1,4}", int, "24-28"),
    help="Number of givens, or a range.",
)
@click.option(
    "--symmetry",
    type=click.Choice(list(SYMMETRIES)),
    default="none",
    help="Symmetry of the positions of the givens.",
)
@click.option("--minimal", is_flag=True, help="Remove every given and rule that is not needed.")
@click.option(
    "--difficulty",
    metavar="LEVEL|TECHNIQUE",
    shell_complete=completers.difficulty,
    help="easy, medium, hard, unfair or extreme; or the hardest technique that is needed.",
)
@click.option(
    "--rating",
    metavar="R|R-R",
    callback=_range_of(r"[0-9]{1,2}(?:\.[0-9])?", float, "7.0-7.5"),
    help="Rating on Sudoku Explainer's scale, or a range (see unidoku rate --scale explainer).",
)
@click.option(
    "--walk", is_flag=True, help="Exchange givens until there are as few as --clues asks for."
)
@click.option(
    "--discriminate",
    metavar="LABEL,LABEL",
    shell_complete=completers.backends,
    help="A board that is hard for the first backend and easy for the second.",
)
@click.option(
    "--budget",
    metavar="BOARDS",
    type=click.IntRange(min=1),
    help="With --discriminate: number of boards that are measured; the default is 100.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=1,
    help="Number of puzzles to make; with --holes or --filled, for each number of cells.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    help="Seed of the random choices; by default a new one, which the summary names.",
)
@click.option(
    "--per-layout",
    type=click.IntRange(min=1),
    default=1,
    help="Number of puzzles that share their regions, for jigsaws without a map.",
)
@click.option(
    "--backend",
    metavar="LABEL",
    shell_complete=completers.backends,
    help="Backend that counts solutions; the default is native.",
)
@click.option(
    "--cross-check/--no-cross-check",
    default=None,
    help="Have a second backend confirm the number of solutions; the default if --count is 1, and "
    "with --solutions.",
)
@click.option(
    "--cross-check-backend",
    metavar="LABEL",
    default="sat",
    shell_complete=completers.backends,
    help="Second backend, which confirms the number of solutions.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    default=1,
    help="Number of threads.",
)
@click.option(
    "--time-limit",
    metavar="SECONDS|none",
    default=f"{DEFAULT_TIME_LIMIT:g}",
    callback=seconds_of,
    help="Time limit for all puzzles together.",
)
@with_form("Form of the puzzles; the default is framed for one, and one line each for several.")
@with_output(
    "Write puzzles to this file, one on each line: text or .csv (with solutions), also .gz; "
    "or .npy; puzzles with rules as a puzzle file, or in another format that the ending names.",
)
@with_force
@with_scheduler
def command(
    rules: str | None,
    family: str | None,
    n: int | None,
    discriminate: str | None,
    budget: int | None,
    count: int,
    seed: int | None,
    cross_check: bool | None,
    cross_check_backend: str,
    form: str | None,
    output: str | None,
    force: bool,
    scheduler: str | None,
    **options: Any,
) -> int:
    """Make puzzles with exactly one solution, which is proved.

    Puzzles go to standard output, a summary to standard error. Many puzzles are made and refused
    where few meet the request; the summary counts them. The exit code is 1 if the time limit was
    reached before there were enough puzzles.

    --holes, --filled and --solutions make boards for experiments, which may have no solution or
    several: quasigroups with holes, quasigroup completion, boards with exactly K solutions.

    --discriminate walks towards a board of any of these kinds that is hard for one backend and easy
    for another, by the failures or nodes of their searches.

    The same seed and the same arguments give the same puzzles.
    """
    if family is not None and family not in _FAMILIES:
        hint = nearest(family, _FAMILIES)
        raise InputError(f"family: expected a known one, got {family!r}; {hint}")
    request = PuzzleRequest(**{name: options.pop(name) for name in PuzzleRequest.__slots__})
    instances = InstanceRequest(**{name: options.pop(name) for name in _OF_INSTANCES})
    if cross_check is None:
        cross_check = count == 1 or instances.solutions is not None
    second = cross_check_backend if cross_check else None
    options |= {
        "count": count,
        "seed": secrets.randbits(32) if seed is None else seed,
        "cross_check": second,
    }
    if scheduler is not None:
        resource = executor_for(scheduler)
        options["executor"] = click.get_current_context().with_resource(resource)
    boards = budget or _BUDGET
    if discriminate is not None:
        unfit = {"--count": count != 1, "--scheduler": scheduler is not None}
        _refuse(options, form, "boards without --discriminate", unfit)
        options |= {"count": None, "cross_check": None}
    elif budget is not None:
        raise click.UsageError("--budget is for --discriminate; leave it out")
    run: _Run
    if instances != InstanceRequest() or family in INSTANCE_FAMILIES:
        others = {"--rules": rules is not None} | _given(request)
        _refuse(options, form, "puzzles with one solution", others)
        options["count"] = options["count"] or boards
        variant = options.pop("variant")
        instances = replace(instances, family=family or "", variant=variant, n=n)
        run = InstanceGeneration(request=instances, **options)
    elif rules is not None or family is not None:
        _refuse(options, form, "boards without rules", {})
        kinds = tuple(filter(None, re.split(r"[,\s]+", rules or "")))
        run = RuledGeneration(rules=kinds, family=family or "", n=n, request=request, **options)
    else:
        run = Generation(n=n or 9, request=request, **options)
    if discriminate is not None:
        pair = two_labels("--discriminate", discriminate)
        walk = Discrimination(run=run, backends=pair, boards=boards, cross_check=second)
        return _write_telling(walk, output, force)
    if not isinstance(run, Generation):
        return _write_puzzles(run, output, force)
    if output and form == "framed":
        raise click.UsageError(
            "--format framed: expected no --output, which has one puzzle on each line"
        )
    try:
        if form == "framed" or (form is None and count == 1 and not output):
            _print_framed(run)
        else:
            _write_each_line(run, output, force)
    finally:
        _summarise(run)
    return answer(run.progress.made == count)


def _summarise(run: _Run) -> None:
    """Print the counts and the seed of a run, and what to change if it made nothing."""
    say(f"{run.progress}; seed {run.seed}", err=True)
    if not run.progress.made:
        say(_advice(run.request), err=True)


def _refuse(
    options: dict[str, Any], form: str | None, boards: str, others: Mapping[str, bool]
) -> None:
    """Remove the options that only plain puzzles have; raise if one of them or others is given."""
    unfit = {
        "--walk": options.pop("walk", False),
        "--per-layout": options.pop("per_layout", 1) != 1,
        "--threads": options.pop("threads", 1) != 1,
        "--format": form is not None,
        **others,
    }
    for name in (name for name, is_given in unfit.items() if is_given):
        raise click.UsageError(f"{name} is for {boards}; leave it out")


def _check_output(output: str | None, force: bool) -> None:
    """Refuse a file that could not be written, before the work for it."""
    if output is not None:
        format_to_write(output)
        check_target(output, force=force)


def _deliver(puzzles: Sequence[Puzzle], output: str | None, force: bool) -> None:
    """Write puzzles, if there are any, to a file or as a puzzle file to standard output."""
    if puzzles and output is not None:
        print_notes(write(puzzles, output, force=force).losses.lines())
    elif puzzles:
        put(write(puzzles, "toml").text)


def _write_puzzles(
    run: RuledGeneration | InstanceGeneration, output: str | None, force: bool
) -> int:
    """Make puzzles, and write all of them as puzzle files even if the run is interrupted."""
    _check_output(output, force)
    puzzles: list[Puzzle] = []
    try:
        with _progress(run.progress.wanted) as advance:
            for puzzle in run:
                puzzles.append(puzzle)
                advance(run.progress.made, run.progress)
    finally:
        _deliver(puzzles, output, force)
        _summarise(run)
    return answer(run.progress.missing == 0)


def _write_telling(walk: Discrimination, output: str | None, force: bool) -> int:
    """Walk to a telling board, and write the best so far even if the walk is interrupted."""
    _check_output(output, force)
    best: TellingBoard | None = None
    progress = walk.progress

    def measured() -> str:
        text = f"{progress.attempts:,} of {plural(walk.boards, 'board')} measured"
        return text if best is None else f"{best}; {text}"

    try:
        with _progress(walk.boards) as advance:
            for board in walk:
                best = board
                advance(progress.attempts, measured())
    finally:
        _deliver([best.named] if best else [], output, force)
        reasons = [f"{count:,} {reason}" for reason, count in progress.refused.most_common()]
        refused = f"; refused: {', '.join(reasons)}" if reasons else ""
        if progress.attempts or not progress.in_time:  # no error of a backend came first
            say(f"{measured()}{refused}; seed {walk.run.seed}", err=True)
    return answer(best is not None and progress.in_time)


def _given(request: PuzzleRequest) -> dict[str, bool]:
    """Return whether each option of a request is given."""
    return {
        "--clues": request.clues is not None,
        "--minimal": request.minimal,
        "--symmetry": request.symmetry != "none",
        "--difficulty": request.difficulty is not None,
        "--rating": request.rating is not None,
    }


def _advice(request: PuzzleRequest | InstanceRequest) -> str:
    """Return which constraints could be relaxed, if no puzzle met all of them."""
    if isinstance(request, InstanceRequest):
        return (
            "no board met the request; ask for another number of cells or solutions, or allow more "
            "time (--time-limit)"
        )
    names = ", ".join(name for name, is_given in _given(request).items() if is_given)
    relaxed = f"relax one of {names}, or " if names else ""
    return f"no puzzle met all constraints; {relaxed}allow more time (--time-limit)"


def _print_framed(run: Generation) -> None:
    """Print each puzzle in rows, with an empty line between two."""
    separator = ""
    with _progress(run.progress.wanted) as advance:
        for puzzles in run:
            for board in puzzles.boards():
                say(separator + framed_text(board, with_map=run.has_maps))
                separator = "\n"
            advance(run.progress.made, run.progress)


def _write_each_line(run: Generation, output: str | None, force: bool) -> None:
    """Write each puzzle as one line when it is made; CSV includes solutions."""
    forms: Sequence[Form] = ["text"] if run.has_maps else FORMS
    with (
        notes_printed(),
        open_writer(output, forms=forms, force=force) as writer,
        _progress(run.progress.wanted) as advance,
    ):
        for puzzles in run:
            if len(puzzles):
                cells, grids = puzzles.cells, puzzles.grids
                match writer.form:
                    case "text":
                        writer.write(puzzles.lines(with_map=run.has_maps))
                    case "csv":
                        writer.write(write_lines(puzzles.layout, cells, grids, empty="0"))
                    case "npy":
                        writer.write_rows(cells)
            advance(run.progress.made, run.progress)


@contextlib.contextmanager
def _progress(wanted: float | None) -> Iterator[Callable[[float, object], None]]:
    """Show a bar on a terminal, or else a line from time to time."""
    with progress_bar(wanted) as bar:
        if bar is None:
            with showing() as show:
                yield lambda _done, text: show(str(text), lasting=False)
        else:
            yield bar
