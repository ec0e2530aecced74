"""Read one board of a text, or all boards with their names, between comments and titles."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from unidoku.core.layout import Layout
from unidoku.core.text.reader import TALLEST, Parsed, Reader, read_plain
from unidoku.core.text.symbols import TextLine, count_symbols, count_words, is_comment
from unidoku.core.variants import Variant
from unidoku.errors import FormatError

Entry: TypeAlias = tuple[Parsed, str, int]
"""A board of a text, its name there (empty if it has none), and the line where it begins."""

MOST = 1 << 18
"""In longer lines, no name is looked for after a board: this many symbols are a dozen of the
largest squares."""


def read_one(
    text: str, variant: str | Layout, *, size: int | None = None, symbols: str | None = None
) -> Parsed:
    """Read the one board of a text; see `unidoku.Board.parse`."""
    if symbols is None and (parsed := read_plain(text, variant, size)) is not None:
        return parsed
    boards = read_all(text, variant, size=size, symbols=symbols)
    if len(boards) == 1:
        return boards[0][0]
    reader = _reader(variant, size, symbols)
    try:
        # A part of the text may have as many candidates as a board has cells.
        return reader.read([line for block in _blocks(text) for line in block.lines])
    except FormatError:
        raise FormatError(
            f"expected one board, got {len(boards)}; read them with unidoku.read_puzzles"
        ) from None


def _reader(variant: str | Layout, size: int | None, symbols: str | None) -> Reader:
    return Reader(Variant.parse(variant) if isinstance(variant, str) else variant, size, symbols)


def read_all(
    text: str, variant: str | Layout, *, size: int | None = None, symbols: str | None = None
) -> list[Entry]:
    """Read all boards of a text; see `unidoku.read_puzzles`."""
    reader = _reader(variant, size, symbols)
    blocks = list(_blocks(text))
    if not blocks:
        raise FormatError("expected a board, got text without cells")
    try:
        return [board for block in blocks for board in _read_block(reader, block)]
    except FormatError as error:
        if len(blocks) == 1:
            raise
        # A frame may have blank lines between its bands: then the blocks are one board.
        together = [line for block in blocks for line in block.lines]
        try:
            return [(reader.read(together), blocks[0].name, together[0].number)]
        except FormatError:
            raise error from None


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together, and the comment or title above them."""

    lines: list[TextLine]
    name: str


_TITLE = re.compile(r"(grid|puzzle|board|sudoku)\s+#?\d+\W*|\[[^\W\d][^][,]*\]", re.IGNORECASE)


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the blocks between blank lines, comments and titles."""
    numbered = enumerate(text.lstrip("\ufeff").splitlines(), start=1)
    name = ""
    block: list[TextLine] = []
    for line in itertools.chain(itertools.starmap(TextLine, numbered), [TextLine(0, "")]):
        stripped = line.text.strip()
        title = is_comment(line) or _TITLE.fullmatch(stripped)
        if stripped and not title and set(stripped) != {"="}:
            block.append(line)
            continue
        if block:
            yield _Block(block, name)
            block = []
        name = stripped.strip("#[] \t") if title else ""


def _read_block(reader: Reader, block: _Block) -> list[Entry]:
    """Read a block as one board, as one board per line, or as boards of several lines each."""
    lines = block.lines
    # In a block of several boards, if the first line is not a board, no line is split.
    refusal = _refusal(reader, lines[0]) if len(lines) > TALLEST else None
    cut = (_cut(reader, line) for line in lines) if refusal is None else iter([None])
    parts = [part for part in itertools.takewhile(lambda part: part is not None, cut) if part]
    each = len(parts) == len(lines)
    if each and len(lines) > 1 and reader.fits(lines):
        each = _is_each(reader, lines, [board for board, _ in parts])
    if each:
        return [(reader.read([line]), name or block.name, line.number) for line, name in parts]
    if not reader.fits(lines) and (boards := _stacked(reader, lines)):
        return [(reader.read(rows), block.name, rows[0].number) for rows in boards]
    if refusal is not None:
        raise refusal
    return [(reader.read(lines), block.name, lines[0].number)]


def _refusal(reader: Reader, line: TextLine) -> FormatError | None:
    """Return why a line with as many cells as a board is not a board."""
    if (part := _cut(reader, line)) is not None:
        try:
            reader.read([part[0]])
        except FormatError as error:
            return error
    return None


def _is_each(reader: Reader, lines: list[TextLine], boards: list[TextLine]) -> bool:
    """Decide between one board and one board per line: only one of them may be readable."""
    whole = _readable(reader, [lines])
    each = _readable(reader, [[board] for board in boards])
    has_bars = any("|" in line.text or "│" in line.text for line in lines)  # as rows of a frame
    if whole and each and (has_bars or reader.is_candidate_grid(lines)):
        return False
    if whole and each:
        raise FormatError(
            f"{len(lines)} lines can be read as one board or as {len(lines)} small ones; "
            "give the size (size=…, --size)",
            lines[0].number,
        )
    return each


def _stacked(reader: Reader, lines: list[TextLine]) -> list[list[TextLine]]:
    """Return the lines in groups of equal size that are boards; empty if there are none."""
    for height in range(2, min(len(lines) // 2, TALLEST) + 1):
        if len(lines) % height == 0:
            groups = [lines[k : k + height] for k in range(0, len(lines), height)]
            if all(reader.fits(group) for group in groups):
                return groups
    return []


def _readable(reader: Reader, parts: list[list[TextLine]]) -> bool:
    try:
        for part in parts:
            reader.read(part)
    except FormatError:
        return False
    return True


def _cut(reader: Reader, line: TextLine) -> tuple[TextLine, str] | None:
    """Split a line into a board and the name after it; None if it does not begin with a board."""
    text, comment = _without_comment(line.text)
    ends: list[int] = []
    symbols = words = 0
    for match in re.finditer(r"\S+", text):
        symbols += count_symbols(match[0])
        words += count_words(match[0])
        if symbols > MOST:
            break
        if reader.may_end(symbols, words):
            ends.append(match.end())
    for end in reversed(ends):
        board = TextLine(line.number, text[:end])
        rest = text[end:].strip()
        if _is_name(reader, board, rest, comment) and reader.fits([board]):
            return board, " ".join(filter(None, [rest, comment]))
    return None


def _is_name(reader: Reader, board: TextLine, rest: str, comment: str) -> bool:
    """Return whether the text after a board on its line can be its name, not more cells."""
    words = board.text.split()
    if len(board.text.strip()) == 1:
        return not rest and not comment
    if len(words) > 1 + reader.needs_regions:
        return not rest or rest[0].isalpha()
    return not rest or len(rest.split()[0]) != len(words[0])


def _without_comment(text: str) -> tuple[str, str]:
    """Split a line at its comment; the commas of a candidate grid do not begin one."""
    joined = re.search(r"(?<![^\s|])\d{1,4}(,\d{1,4})+(?![^\s|])", text)
    marks = "#;" if joined else "#;,"
    match = re.search(f"[{marks}]", text)
    return (text[: match.start()], text[match.end() :].strip()) if match else (text, "")
