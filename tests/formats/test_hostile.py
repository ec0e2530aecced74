"""Readers of formats take any text: they read it, or refuse it by documented errors."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import unidoku
from tests.formats import test_old_formats as old
from tests.formats import test_tatham as tatham
from tests.formats import test_xcsp3 as xcsp3
from tests.formats.classic import test_dzn as dzn
from tests.formats.classic import test_ipuz as ipuz
from tests.formats.classic import test_mathprog as mathprog
from tests.formats.classic import test_mzn as mzn
from tests.formats.classic import test_puzzlink as puzzlink
from tests.formats.test_catalogue import OTHERS
from tests.helpers.mutations import mutated
from tests.helpers.volume import SOAK, volume
from unidoku import Board, FormatError, InputError, UnsupportedError, layout
from unidoku.errors import UnidokuError
from unidoku.formats import Puzzle
from unidoku.formats.catalogue import FORMATS, Format
from unidoku.formats.lzstring import compressed, decompressed
from unidoku.parallel.processes import peak_bytes
from unidoku.testing.boards import random_board
from unidoku.testing.layouts import RandomLayout
from unidoku.testing.rules import with_rules

READ = [form for form in FORMATS.values() if form.reader]

FAMILIES = {
    "xcsp3": [xcsp3.SUDOKU, *(xcsp3.instance(text) for text, _ in xcsp3.CASES)],
    "dzn": [dzn.KAKURO, dzn.NONOGRAM, dzn.FUTOSHIKI, dzn.BLOCKS, dzn.LATIN],
    "hodoku": [old.HODOKU],
    "ipuz": [json.dumps(ipuz.SAMPLE)],
    "mathprog": [mathprog.PICTURE, mathprog.SUDOKU],
    "mzn": [mzn.SQUARE],
    "non": [old.DEMO, old.COLOURED],
    "puzz-link": puzzlink.LINKS,
    "tatham": [*tatham.GAME_IDS.values()],
}
"""Texts of other programs, of formats that hold more than boards with random rules."""

LAYOUTS = [("classic", 4), ("x", 4), ("latin", 5), ("classic", 6), ("anti-king", 9)]

JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    1e300,
    10**40,
    "",
    "R1C1",
    "R99C0",
    "x\x1b[2J",
    [],
    {},
    [[]],
    [{}],
]
"""What tables may hold in the place of something else."""


def seeds(form: Format, rng: random.Random) -> list[str]:
    """Texts of a format, of random boards, by those of its family that are written.

    Of formats that do not hold such boards there is one that they hold.
    """
    family = form.name.split("-")[0]
    writers = [
        small for small in FORMATS.values() if small.writer and small.name.startswith(family)
    ]
    texts = []
    for _ in range(4):
        small = layout(*rng.choice(LAYOUTS))
        board = random_board(rng, RandomLayout(with_rules(rng, small, None)))
        for writer in [writers[0]] if writers else []:
            try:
                texts.append(writer.load_writer()([Puzzle(board, "", 1)]).text)
            except InputError:
                continue
    if form.name in OTHERS:
        texts.append(form.load_writer()([Puzzle(OTHERS[form.name], "", 1)]).text)
    texts += FAMILIES.get(form.name, ())
    return texts or [json.dumps({"values": [1, 4], "n": 4}), "1..."]


def mutated_table(result: Any, rng: random.Random) -> Any:
    """Change one thing somewhere in a table."""
    keys = (
        [*result]
        if isinstance(result, dict)
        else [*range(len(result))]
        if isinstance(result, list)
        else []
    )
    if not keys or rng.random() < 0.15:
        return rng.choice(JUNK)
    key = rng.choice(keys)
    if isinstance(result, dict) and rng.random() < 0.1:
        return {**result, rng.choice(["", "x", "cells", "value", "lines"]): rng.choice(JUNK)}
    contained = result.copy()
    contained[key] = mutated_table(result[key], rng)
    return contained


def changed(text: str, rng: random.Random) -> str:
    """Change a text, or what is packed in it."""
    mark = next((mark for mark in ("?load=", "/scl") if mark in text), "")
    if mark and rng.random() < 0.8:
        front, _, packed = text.partition(mark)
        return front + mark + compressed(changed(decompressed(packed), rng))
    if text.startswith("{") and rng.random() < 0.7:
        return json.dumps(mutated_table(json.loads(text), rng))
    return mutated(text.encode(), [b"~R1C1", b'[["R1C1"]]'], rng).decode(errors="replace")


@pytest.mark.volume
@pytest.mark.parametrize("form", READ, ids=[form.name for form in READ])
def test_mutated_texts_are_read_or_refused(form: Format) -> None:
    rng = random.Random(f"{form.name}")
    read = form.load_reader()
    texts = seeds(form, rng)
    for number in range(volume(40)):
        if number % 500 == 499:
            texts = seeds(form, rng)
        text = changed(rng.choice(texts), rng)
        try:
            for puzzle in read(text, guess=bool(number % 2)):
                if isinstance(puzzle, Puzzle):
                    _is_clean(puzzle)
        except (FormatError, UnsupportedError) as error:
            assert str(error)  # noqa: PT017 - it says what was expected
            assert len(str(error)) < 2000  # noqa: PT017 - and does not repeat the payload


def _is_clean(puzzle: Puzzle) -> None:
    """Assert that nothing of an untrusted text reaches a terminal but letters, signs and blanks."""
    assert puzzle.board.layout.units is not None
    for result in (puzzle.name, puzzle.author, *puzzle.losses.lines()):
        assert result.isprintable(), result


BOMBS: list[Callable[[], str]] = [
    lambda: "https://f-puzzles.com/?load=" + compressed(" " * 20_000 + "{"),
    lambda: "https://f-puzzles.com/?load=" + compressed("[" * 20_000),
    lambda: "scl" + compressed("{'" * 20_000),
    lambda: "scl" + compressed("{ce:[" + "," * 20_000 + "]}"),
    lambda: "#m=edit&p=" + _deflated(b"\0" * 9_000_000),
    lambda: ".Or" * 6000,
    lambda: ".Regex~" + "KCgoKCgoKCgoKC" * 200 + "~R1C1",
    lambda: ".Replicate~" + "_" * 13 + ".Thermo~R1C1~R1C1.End" * 3,
    lambda: json.dumps(
        {"size": 9, "grid": [[{}] * 9] * 9, "thermometer": [{"lines": [["R1C1"] * 9]}] * 20_000}
    ),
]


@pytest.mark.parametrize("number", range(len(BOMBS)))
def test_bombs_are_refused(number: int) -> None:
    with pytest.raises(InputError):
        unidoku.read(BOMBS[number]())


def _deflated(data: bytes) -> str:
    from base64 import b64encode

    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b64encode(packer.compress(data) + packer.flush()).decode()


def test_a_link_to_elsewhere_is_no_puzzle() -> None:
    with pytest.raises(InputError):
        unidoku.read("https://example.org/?x=1")


MOST_MEMORY = 500 << 20
"""Bytes, more than before the first text."""

ALWAYS: list[Callable[[Board], object]] = [
    unidoku.svg,
    partial(unidoku.explain, time_limit=0.3),
    partial(unidoku.hint, time_limit=0.3),
    partial(unidoku.solve, time_limit=0.2),
]
WRITTEN = [name for name, form in FORMATS.items() if form.writer]


def asked(ask: Callable[[], object]) -> object:
    """Return an answer, or None if there is none: nothing but our own errors is raised."""
    try:
        return ask()
    except UnidokuError:
        return None


def first_read(form: Format, text: str, guess: bool) -> Board | None:
    """Return the first board of a text that a format reads."""
    for puzzle in form.load_reader()(text, guess=guess):
        if isinstance(puzzle, Puzzle):
            return puzzle.board
    return None


@pytest.mark.volume
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("form", READ, ids=[form.name for form in READ])
def test_what_is_read_of_mutated_texts_can_be_used(form: Format) -> None:
    rng = random.Random(f"{form.name} used {SOAK}")
    texts = seeds(form, rng)
    before = peak_bytes()
    for number in range(volume(3) * (3 if SOAK else 1)):  # 3,000 of all formats in ``make soak``
        text = changed(rng.choice(texts), rng)
        board = asked(partial(first_read, form, text, bool(number % 2)))
        if isinstance(board, Board):
            for operation in ALWAYS:
                asked(partial(operation, board))
            for name in rng.sample(WRITTEN, 3):
                asked(partial(unidoku.write, board, name))
    assert peak_bytes() - before < MOST_MEMORY
