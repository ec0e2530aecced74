"""How fast does Unidoku decide puzzles with rules, compared with other programs, kind by kind?

Unidoku and the other programs get the puzzles of a file one after the other, alternately and each
in its own process, and count up to two solutions of each. They exchange lines of JSON, like the
programs of language json that are backends (docs/languages.md), and are started like these;
benchmarks/programs/iss.mjs is one. A program gets each puzzle in the neutral form, or as a text in
the format of ``--input``: that of ``--with`` if there is one, otherwise what our writer writes. The
time of a search is the least of its repetitions, and so is the time to build the model, which is
reported separately. Times under 5 µs count as 5 µs. With ``--cold`` each puzzle is asked once more
in new processes, which know nothing of other puzzles: their first build and first search.

Usage: python benchmarks/beside.py FILE --program 'NAME=COMMAND'... [--input NAME=FORMAT]...
       [--with FILE]... [--backend NAME] [--time-limit SECONDS] [--repeats N]
       [--rounds N] [--cold] [--kind KIND]... [--write [--force]]
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import geometric_mean
from textwrap import shorten
from typing import Any

from measuring.boards import kinds_of, neutral_puzzles
from measuring.machine import processor, say
from measuring.page import UnfitError, bullets, figure, page_parser, publish, table

from unidoku import Request
from unidoku.backends.programs.command import Command
from unidoku.backends.programs.protocol import read_message
from unidoku.backends.programs.session import Greeting, Session
from unidoku.backends.programs.sheet import InputWriter
from unidoku.backends.toolkit.budget import Budget
from unidoku.errors import BackendError, FormatError, UnsupportedError
from unidoku.formats.neutral import Unread, puzzle_from_neutral

RESULTS = Path(__file__).parent / "results" / "beside.md"

OURS = "unidoku"

LEAST = 5e-6
"""Least time in seconds: clocks and calls take as long."""

FEWEST = 3
"""Number of puzzles from which a kind has its own row."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a program about a puzzle.

    Args:
        count: number of solutions, at most two; None if it refused the puzzle.
        decided: whether it was done before the time limit.
        build: least time in seconds to build what is searched.
        search: least time in seconds of a search.
        nodes: nodes of the search, as the program counts them.
        refused: why it refused the puzzle; empty if it did not.
    """

    count: int | None = None
    decided: bool = False
    build: float = 0.0
    search: float = 0.0
    nodes: int = 0
    refused: str = ""

    @classmethod
    def of(cls, message: Mapping[str, Any]) -> Answer:
        """Return the answer that a line of JSON is."""
        if "refused" in message:
            return cls(refused=str(message["refused"]))
        build, search = (min(message[part]) for part in ("build", "search"))
        return cls(message["count"], message["decided"], build, search, message.get("nodes", 0))

    def counted(self) -> Answer:
        """Return the same with times that are at least `LEAST`."""
        return replace(self, build=max(self.build, LEAST), search=max(self.search, LEAST))

    def or_faster(self, other: Answer | None) -> Answer:
        """Return the same with the least times of two, if both are decided."""
        if other is None or not (self.decided and other.decided):
            return self if other is None or self.decided else other
        build, search = min(self.build, other.build), min(self.search, other.search)
        return Answer(self.count, True, build, search, self.nodes)


class Program:
    """A program that answers questions, in a process of its own."""

    def __init__(self, name: str, command: Sequence[str], format: str = "") -> None:
        """Start it, and wait until it is ready.

        Args:
            name: in the report.
            command: words of its command.
            format: format of the puzzles that it reads; empty for the neutral form.

        Raises:
            BackendError: it cannot be started, or does not say that it is ready.
            InputError: there is no such format, or it is not written.
        """
        self.name = name
        self.writer = InputWriter(format=format) if format else None
        self.says = "nothing of itself"
        self._command = tuple(command)
        self.start()

    def start(self) -> None:
        """Start its process, and wait until it is ready."""
        greeting = Greeting("", self._is_ready, 'a line such as {"ready": "Solver 1.0"}')
        self._session = Session(self._command, self.name, greeting)
        try:
            self._session.wait_until_ready(Budget(Request()))
        except BackendError:
            self.end()
            raise

    def ask(self, puzzle: Mapping[str, Any], texts: Mapping[str, str], **limits: float) -> Answer:
        """Ask about a puzzle.

        Args:
            puzzle: puzzle in the neutral form.
            texts: texts of the same puzzle by their format.
            limits: further fields of the question.

        Raises:
            BackendError: it ended.
            ValueError: its answer is none.
        """
        text: str | None = None
        if self.writer:
            try:
                text = texts.get(self.writer.format) or text_of(puzzle, self.writer)
            except UnsupportedError as error:
                return Answer(refused=shorten(str(error), 120))
        question = {"puzzle": text or puzzle, **limits}
        line = self._session.ask(json.dumps(question), Budget(Request()))
        try:
            return Answer.of(read_message(line))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{self.name}: expected an answer, got {line[:80]}") from error

    def end(self) -> None:
        """End it."""
        self._session.end()

    def _is_ready(self, line: str) -> bool:
        try:
            message = read_message(line)
        except FormatError:
            return False
        self.says = str(message.get("ready", self.says))
        return True


def text_of(puzzle: Mapping[str, Any], writer: InputWriter) -> str:
    """Return a puzzle of the neutral form as a text in another format.

    Raises:
        UnsupportedError: it is not read here, or the format lacks a part of it.
    """
    # Formats of rectangles have no holes: a blocked cell becomes a given that no unit contains.
    holes = puzzle.get("blocked", ())
    candidates = puzzle.get("candidates", {}) | {str(cell): puzzle["values"][:1] for cell in holes}
    givens = "".join("." if k in holes else symbol for k, symbol in enumerate(puzzle["givens"]))
    rectangle = {"blocked": [], "givens": givens, "candidates": candidates, "solution": None}
    read_puzzle = puzzle_from_neutral({**puzzle, **rectangle})
    if isinstance(read_puzzle, Unread):
        raise UnsupportedError(read_puzzle.message, read_puzzle.reasons)
    return writer.write(read_puzzle.board)


Answers = dict[str, dict[str, Answer]]
"""For each puzzle, by name, the answer of each program, by its name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write where asked; return the exit code."""
    return publish(_measured, _options(arguments), RESULTS)


def _measured(options: argparse.Namespace) -> Iterable[str]:
    """Measure; return the lines of the report."""
    puzzles = _puzzles(options)
    programs: list[Program] = []
    answers: Answers = {}
    cold: Answers = {}
    try:
        commands = _commands(options)
        formats = _by_name(options.input, "--input: expected NAME=FORMAT of a --program")
        if unknown := {*formats} - {*commands}:
            raise ValueError(f"--input: expected the name of a --program, got {unknown.pop()!r}")
        for name, command in commands.items():
            programs.append(Program(name, command, formats.get(name, "")))
        measure(puzzles, programs, options, answers)
        if options.cold:
            measure_cold(puzzles, programs, options, cold)
    except KeyboardInterrupt:
        why = "stopped; these are the puzzles measured before"
        raise UnfitError(130, why, report(puzzles, programs, answers, cold, options)) from None
    finally:
        for program in programs:
            program.end()
    return report(puzzles, programs, answers, cold, options)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = page_parser(__doc__, RESULTS)
    parser.add_argument("file", type=Path, metavar="FILE", help="puzzles in the neutral form")
    parser.add_argument(
        "--program", action="append", default=[], metavar="NAME=COMMAND", help="to put beside"
    )
    parser.add_argument(
        "--input", action="append", default=[], metavar="NAME=FORMAT", help="that a program reads"
    )
    parser.add_argument(
        "--with",
        dest="texts",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="""texts of puzzles: lines such as {"name": "Killer", "iss": ".Cage~…"}""",
    )
    parser.add_argument("--backend", default="native[engine=single]", help="of Unidoku")
    parser.add_argument("--time-limit", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--repeats", type=int, default=5, help="of each search in a round")
    parser.add_argument("--rounds", type=int, default=2, help="over all puzzles")
    parser.add_argument("--cold", action="store_true", help="each puzzle in new processes too")
    parser.add_argument("--kind", action="append", help="only puzzles with such a rule")
    return parser.parse_args(arguments)


def _commands(options: argparse.Namespace) -> dict[str, list[str]]:
    ours = Path(__file__).resolve().parent / "programs" / "ours.py"
    others = _by_name(options.program, "--program: expected NAME=COMMAND and a new name")
    return {OURS: [sys.executable, str(ours), options.backend]} | {
        name: Command.parse(command, name, ".", reads_boards=True).typed
        for name, command in others.items()
    }


def _by_name(options: Iterable[str], expected: str) -> dict[str, str]:
    """Return options ``NAME=TEXT`` by name."""
    texts: dict[str, str] = {}
    for option in options:
        name, _, text = option.partition("=")
        if not (name and text) or name in (OURS, *texts):
            raise ValueError(f"{expected}, got {option!r}")
        texts[name] = text
    return texts


def _puzzles(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the puzzles by name."""
    wanted = options.kind and set(options.kind)
    return {
        puzzle["name"]: puzzle
        for puzzle in neutral_puzzles(options.file)
        if not wanted or wanted & set(kinds_of(puzzle))
    }


def _texts(files: Iterable[Path]) -> dict[str, dict[str, str]]:
    """Return the texts of puzzles, by name and format."""
    texts: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for file in files:
        for entry in neutral_puzzles(file):
            texts[entry["name"]] |= entry
    return texts


def measure(
    puzzles: Mapping[str, Mapping[str, Any]],
    programs: Sequence[Program],
    options: argparse.Namespace,
    answers: Answers,
) -> None:
    """Ask each program about each puzzle, in turn, and keep the best of all rounds."""
    texts = _texts(options.texts)
    limits = {"solutions": 2, "seconds": options.time_limit, "repeats": options.repeats}
    for number in range(options.rounds):
        for index, name in _in_turn(puzzles, f"round {number + 1}"):
            of_puzzle = answers.setdefault(name, {})
            for program in programs if index % 2 else reversed(programs):
                if number and not of_puzzle[program.name].decided:
                    continue
                answer = program.ask(puzzles[name], texts.get(name, {}), **limits)
                of_puzzle[program.name] = answer.or_faster(of_puzzle.get(program.name))


def measure_cold(
    puzzles: Mapping[str, Mapping[str, Any]],
    programs: Sequence[Program],
    options: argparse.Namespace,
    answers: Answers,
) -> None:
    """Ask each program about each puzzle once, in a process that has had no other."""
    texts = _texts(options.texts)
    limits = {"solutions": 2, "seconds": options.time_limit, "repeats": 1}
    for _, name in _in_turn(puzzles, "cold"):
        of_puzzle = answers.setdefault(name, {})
        for program in programs:
            program.end()
            program.start()
            of_puzzle[program.name] = program.ask(puzzles[name], texts.get(name, {}), **limits)


def _in_turn(puzzles: Collection[str], title: str) -> Iterator[tuple[int, str]]:
    """Yield the puzzles by number and name, and say now and then how many are done."""
    for index, name in enumerate(puzzles):
        if index % 50 == 0:
            say(f"{title}: {index} of {len(puzzles)} puzzles")
        yield index, name


def report(
    puzzles: Mapping[str, Mapping[str, Any]],
    programs: Sequence[Program],
    answers: Answers,
    cold: Answers,
    options: argparse.Namespace,
) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from ("# Puzzles with rules, beside other programs", "")
    texts = ", ".join(file.name for file in options.texts)
    yield (
        f"{options.file.name}: {len(answers)} puzzles, two solutions asked, "
        f"{options.time_limit:g} s each; {processor()}; "
        f"{'; '.join(f'{program.name}: {program.says}' for program in programs)}; "
        f"texts for other programs: {texts or 'what our writers make of the puzzles'}. "
        "Made by `python benchmarks/beside.py`; [what is measured]"
        "(../../docs/benchmarks.md#beside-other-programs)."
    )
    yield ""
    for program in programs[1:]:
        other = program.name
        yield from (f"## {OURS} and {other}", "")
        yield (
            "Milliseconds, geometric means of the puzzles of a kind that both decide. *Times as "
            f"fast*: the time of {other} by that of {OURS}. A puzzle of several kinds counts for "
            "each."
        )
        yield ""
        pairs = _counted(_pairs(other, answers))
        yield from _by_kind(other, puzzles, pairs)
        yield from (_as_measured(other, _pairs(other, answers)), "")
        yield from _lists(other, pairs)
        if cold:
            yield from (f"## {OURS} and {other}, cold", "")
            yield "The first build and the first search of new processes, once for each puzzle."
            yield ""
            yield from _by_kind(other, puzzles, _counted(_pairs(other, cold)))


Pairs = Mapping[str, tuple[Answer, Answer]]
"""By the name of a puzzle, the answers of Unidoku and of another program."""


def _pairs(other: str, answers: Answers) -> Pairs:
    return {
        name: (of_puzzle[OURS], of_puzzle[other])
        for name, of_puzzle in answers.items()
        if {OURS, other} <= {*of_puzzle}
    }


def _counted(pairs: Pairs) -> Pairs:
    return {name: (ours.counted(), theirs.counted()) for name, (ours, theirs) in pairs.items()}


def _by_kind(other: str, puzzles: Mapping[str, Mapping[str, Any]], pairs: Pairs) -> Iterator[str]:
    """Yield the table of all puzzles and of those of each kind."""
    kinds: defaultdict[str, list[str]] = defaultdict(list)
    for name in pairs:
        for kind in kinds_of(puzzles[name]):
            kinds[kind].append(name)
    rows = [_row("**all**", pairs.values())]
    for kind, names in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(names) >= FEWEST:
            rows.append(_row(kind, [pairs[name] for name in names]))
    yield from table(
        [
            "kind",
            "puzzles",
            f"decided: {OURS}",
            other,
            f"search, ms: {OURS}",
            other,
            "times as fast",
            f"build, ms: {OURS}",
            other,
            "with building, times as fast",
        ],
        rows,
    )


def _row(kind: str, pairs: Iterable[tuple[Answer, Answer]]) -> list[str]:
    pairs = list(pairs)
    sides = zip(*pairs, strict=True)
    row = [kind, str(len(pairs)), *(str(sum(answer.decided for answer in side)) for side in sides)]
    both = [pair for pair in pairs if pair[0].decided and pair[1].decided]
    if not both:
        return [*row, *["–"] * 6]
    for part in ("search", "build"):
        means = [
            geometric_mean(getattr(answer, part) for answer in side)
            for side in zip(*both, strict=True)
        ]
        row += [figure(mean * 1e3) for mean in means]
        if part == "search":
            row.append(figure(means[1] / means[0]))
    totals = [
        geometric_mean(answer.build + answer.search for answer in side)
        for side in zip(*both, strict=True)
    ]
    return [*row, figure(totals[1] / totals[0])]


def _as_measured(other: str, pairs: Pairs) -> str:
    """Return how many searches are shorter than `LEAST`, and the ratio of all as measured."""
    both = [pair for pair in pairs.values() if pair[0].decided and pair[1].decided]
    ours, theirs = (sum(pair[side].search < LEAST for pair in both) for side in (0, 1))
    text = (
        f"Times below {LEAST * 1e6:g} µs count as that, since clocks and calls take as long: "
        f"{ours} searches of {OURS} and {theirs} of {other}."
    )
    if not both or not all(answer.search for pair in both for answer in pair):
        return text
    ratio = geometric_mean(theirs.search / ours.search for ours, theirs in both)
    return f"{text} As they were measured, all searches are {figure(ratio)} times as fast."


def _lists(other: str, pairs: Pairs) -> Iterator[str]:
    """Yield by name what one of the two alone decides, what they refuse, and contradictions."""
    both = {name: pair for name, pair in pairs.items() if pair[0].decided and pair[1].decided}
    behind = {name: theirs.search / ours.search for name, (ours, theirs) in both.items()}
    lists = {
        f"Decided by {OURS} alone": _names(pairs, lambda a, b: a.decided and not b.decided),
        f"Decided by {other} alone": _names(pairs, lambda a, b: b.decided and not a.decided),
        f"Searched sooner by {other}": [
            f"{name} ({figure(behind[name])})"
            for name in sorted(behind, key=behind.__getitem__)
            if behind[name] < 1
        ],
        f"Refused by {OURS}": [f"{n}: {a.refused}" for n, (a, _) in pairs.items() if a.refused],
        f"Refused by {other}": [f"{n}: {b.refused}" for n, (_, b) in pairs.items() if b.refused],
        "Contradictions": [
            f"{name}: {ours.count} and {theirs.count}"
            for name, (ours, theirs) in both.items()
            if ours.count != theirs.count
        ],
    }
    for title, names in lists.items():
        yield from bullets(f"### {title}", names)


def _names(pairs: Pairs, test: Any) -> list[str]:
    return [name for name, (ours, theirs) in pairs.items() if test(ours, theirs)]


if __name__ == "__main__":
    sys.exit(main())
