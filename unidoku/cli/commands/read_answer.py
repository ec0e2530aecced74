"""``unidoku read-answer``: reads and checks a solver's output for an exported board."""

from __future__ import annotations

from pathlib import Path

import click

from unidoku.backends.languages import LANGUAGES, Answer, read_answer
from unidoku.cli import completers
from unidoku.cli.codes import answer
from unidoku.cli.common import (
    left_out,
    only_puzzle,
    print_json,
    tell_of_terminal,
    with_json,
    with_not_the_solution,
    with_source,
)
from unidoku.cli.printing import example, say
from unidoku.files.source import Sources
from unidoku.formats.stream import decoded, open_stream


@click.command(
    "read-answer",
    epilog=example('read-answer "1... ..2. .3.. ...4" --answer answer.txt --language dimacs'),
)
@with_source
@click.option(
    "--answer",
    "name",
    metavar="FILE",
    required=True,
    help="File with the output of the solver; - for standard input.",
)
@click.option(
    "--language",
    metavar="LANGUAGE",
    required=True,
    shell_complete=completers.languages,
    help=f"Language that the solver was given: {', '.join(LANGUAGES)}.",
)
@click.option(
    "--proof",
    metavar="FILE",
    help="Proof in DRAT or LRAT, as text, that there is no solution; for dimacs only.",
)
@with_not_the_solution
@with_json
def command(
    sources: Sources,
    name: str,
    language: str,
    proof: str | None,
    not_the_solution: bool,
    as_json: bool,
) -> int:
    """Check the answer of a solver to an exported PUZZLE.

    A solution is checked in the same way as the grids of all backends. A statement that there is no
    solution is checked by its proof, if one is given. The exit code is 0 only if a solution or a
    proof was checked and is correct.
    """
    puzzle = only_puzzle(sources)
    solutions = left_out(puzzle, not_the_solution)
    if name == "-":
        tell_of_terminal("an answer")
    text = _text(name)
    proof_text = None if proof is None else _text(proof, binary=True)
    reading = read_answer(puzzle.board, text, language, proof=proof_text, other_than=solutions)
    if as_json:
        grid = None if reading.grid is None else list(reading.grid)
        print_json(
            {
                "verdict": reading.verdict,
                "grid": grid,
                "faults": list(reading.faults),
                "proved": reading.proved,
            }
        )
    elif reading.holds and reading.grid is not None:
        say(puzzle.board.fill(reading.grid).text())
        say("a solution, checked", err=True)
    else:
        say(_verdict(reading))
    return answer(reading.holds)


def _text(name: str, *, binary: bool = False) -> str:
    """Return the text of a file; one that may be binary is refused by its reader."""
    with open_stream(None if name == "-" else Path(name)) as stream:
        block = b"".join(stream.blocks())
        return block.decode(errors="replace") if binary else decoded(block, 1, stream.name)


def _verdict(answer: Answer) -> str:
    if answer.proved:
        return "no solution, and the proof of that is valid"
    if answer.faults:
        wrong = answer.faults[0]
        return wrong if answer.grid is None else f"not a solution of this board: {wrong}"
    if answer.verdict == "unsatisfiable":
        return "the solver states that there is no solution; this was not checked"
    return "the answer states neither a solution nor that there is none"
