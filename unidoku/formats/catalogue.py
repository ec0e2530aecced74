"""The formats of puzzles: one row for each, whose modules are imported when it is used.

A reader is a function ``read(text, *, guess=False)`` that yields puzzles, each with its losses;
``guess`` allows it to take rules from pictures and words. A writer is a function ``write(puzzles)``
that returns a `Written`; `one_a_line` makes one from a function for a single puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast

from unidoku.errors import InputError, nearest
from unidoku.formats.losses import Losses, Written
from unidoku.formats.puzzles import Puzzle
from unidoku.support.text import listed

if TYPE_CHECKING:
    from unidoku.formats.neutral import Unread


class FormatReader(Protocol):
    """Reads a format."""

    def __call__(self, text: str, *, guess: bool = False) -> Iterator[Puzzle | Unread]:
        """Yield the puzzles of a text.

        Raises:
            FormatError: the text is not in the format; the message states what was expected.
        """


class FormatWriter(Protocol):
    """Writes a format."""

    def __call__(self, puzzles: Sequence[Puzzle]) -> Written:
        """Return one or more puzzles as a text.

        Raises:
            InputError: the format cannot express such a puzzle at all.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of puzzles.

    Args:
        name: name of the format for commands and calls.
        summary: a short description.
        endings: endings of its files' names; if formats share an ending, files are written in the
            first.
        mark: a regular expression that matches in the first block of such texts, but not of other
            formats; empty if there is no such mark.
        reader: its reader, as ``module:function``; empty if the format is only written.
        writer: its writer; empty if the format is only read.
        by_line: whether each line is a separate text, so that files of any length can be read.
        reads: the parts that are read, for the documentation; the reader reports all others.
        writes: the parts of a board that are written, likewise.
        facts: the facts of a puzzle that are written, of those that few formats have.
    """

    name: str
    summary: str
    endings: tuple[str, ...] = ()
    mark: str = ""
    reader: str = ""
    writer: str = ""
    by_line: bool = False
    reads: str = ""
    writes: str = ""
    facts: frozenset[str] = frozenset()

    def load_reader(self) -> FormatReader:
        """Return the reader.

        Raises:
            InputError: the format has no reader.
        """
        if not self.reader:
            raise InputError(f"expected a format that is read, got {self.name!r}, {_of('reader')}")
        return cast(FormatReader, _loaded(self.reader))

    def load_writer(self) -> FormatWriter:
        """Return the writer.

        Raises:
            InputError: the format has no writer.
        """
        if not self.writer:
            got = f"got {self.name!r}, {_of('writer')}"
            raise InputError(f"expected a format that is written, {got}")
        return _telling(cast(FormatWriter, _loaded(self.writer)), _FACTS - self.facts)

    def marks(self, start: bytes) -> bool:
        """Return whether a text with this beginning is of this format."""
        return bool(self.mark and re.search(self.mark.encode(), start, re.MULTILINE))


def _loaded(target: str) -> Callable[..., object]:
    module, _, name = target.partition(":")
    function: Callable[..., object] = getattr(import_module(module), name)
    return function


_TEXT = frozenset(("rules_text",))
_DRAWN = _TEXT | {"cosmetics"}
_FOGGED = _DRAWN | {"fog"}
_FACTS = _FOGGED | {"numbers"}
"""The facts of a puzzle that few formats have."""


def _telling(write: FormatWriter, lost: frozenset[str]) -> FormatWriter:
    """Return a writer that also reports facts as lost."""

    def write_all(puzzles: Sequence[Puzzle]) -> Written:
        written = write(puzzles)
        dropped = [key for key in sorted(lost) if any(getattr(puzzle, key) for puzzle in puzzles)]
        if not dropped:
            return written
        return replace(written, losses=written.losses + Losses(dropped=(*dropped,)))

    return write_all


def _of(part: str) -> str:
    names = [form.name for form in FORMATS.values() if getattr(form, part)]
    return f"which has no {part}; those with one: {', '.join(names)}"


_OURS = "unidoku.formats.toml.file"

_ALL = "layouts and rules of all kinds"

_FPUZZLES_IN = (
    "givens, marks, regions, all named rules, the rules in words, author, title and solution, fog; "
    "pictures and colours are drawn and mean nothing; lost: what a player wrote"
)
_FPUZZLES_OUT = (
    "squares of n by n with values 1 to n, what f-puzzles and its plug-ins have names for, and the "
    "rules in words, cosmetics, fog; lost: sums without a diagonal, products, tables, automata, "
    "alternatives, hidden cells"
)

_ISS = "|".join(
    (
        r"Interactive-Sudoku-Solver/\S*[?&]q=",
        r"\A\s*\.{1,2}(?:~R[0-9a-g]C[0-9a-g]_|[A-Z][A-Za-z]*~"
        r"|(?:Or|And|[A-Z][a-z]+[A-Za-z]{3,})\s*(?:\.|\Z))",
        r"\A\s*3x3:d?:k:",
        r"\A\s*(?=[^<>]{0,80}[<>])[0-9A-Za-jv^<>`',.]{81}\s*\Z",
    )
)
"""The beginnings of strings, of links, and of the two texts of killers."""

_ISS_IN = "all constraints; lost: hints for its search"
_ISS_OUT = (
    "rectangles of up to 16×16 with up to 16 values from 0 or 1, hidden cells, and all rules that "
    "have a word or are tables of pairs, sums or automata; lost: name, author, solution, "
    "ranks among some lines only"
)

_SUDOKUPAD = r"sudokupad\.app/|crackingthecryptic\.com/|\A\s*(?:scl|ctc|scf|fpuz(?:zles)?)\S{20}"
_SUDOKUPAD_IN = (
    "links that Unidoku wrote: everything; others: givens, regions, cages, flags, the rules in "
    "words, author, title and solution; the rest are pictures, whose rules are taken with "
    "`--guess` only: thermometers, arrows, dots, X and V, signs, quadruples, little killers, and "
    "lines and clues outside of the one kind that the rules in words name"
)
_SUDOKUPAD_OUT = (
    "rows and columns that differ, with values 1 to the longer side; regions and cages; other "
    "rules as pictures and in words, a few in words only; cosmetics, fog"
)

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        form.name: form
        for form in (
            Format(
                name="toml",
                summary="Unidoku's puzzle file",
                endings=(".toml",),
                mark=r"^[ \t]*version[ \t]*=[ \t]*\d",
                reader=f"{_OURS}:read_toml",
                writer=f"{_OURS}:write_toml",
                reads="all keys; an unknown key is an error",
                writes=_ALL,
                facts=_FACTS,
            ),
            Format(
                name="json",
                summary="Unidoku's puzzle file, in JSON",
                endings=(".json",),
                mark=r'"version"\s*:\s*\d',
                reader=f"{_OURS}:read_json",
                writer=f"{_OURS}:write_json",
                reads="all keys; an unknown key is an error",
                writes=_ALL,
                facts=_FACTS,
            ),
            Format(
                name="neutral",
                summary="the neutral form, one puzzle on each line",
                endings=(".jsonl",),
                mark=r'"shape" *: *\[',  # f-puzzles has "values", such as [4,5], too
                reader="unidoku.formats.neutral:read_neutral",
                by_line=True,
                reads="all fields; a puzzle with an unknown rule is skipped and reported",
            ),
            Format(
                name="f-puzzles",
                summary="a link to f-puzzles, or what follows `?load=` in it",
                mark=r"f-puzzles\.com/\?|[?&]load=|\A\s*N4Ig[A-Za-z0-9+/=\s]+\Z",
                reader="unidoku.formats.fpuzzles.format:read_fpuzzles",
                writer="unidoku.formats.fpuzzles.text:write_fpuzzles",
                reads=_FPUZZLES_IN,
                writes=_FPUZZLES_OUT,
                facts=_FOGGED,
            ),
            Format(
                name="f-puzzles-json",
                summary="the JSON of f-puzzles",
                endings=(".json",),
                mark=r'\A\s*\{(?s:.*)"grid"\s*:\s*\[\s*\[',
                reader="unidoku.formats.fpuzzles.format:read_fpuzzles",
                writer="unidoku.formats.fpuzzles.text:write_fpuzzles_json",
                reads=_FPUZZLES_IN,
                writes=_FPUZZLES_OUT,
                facts=_FOGGED,
            ),
            Format(
                name="iss",
                summary="a constraint string of Interactive Sudoku Solver, or a link to it",
                mark=_ISS,
                reader="unidoku.formats.iss.format:read_iss",
                writer="unidoku.formats.iss.text:write_iss",
                reads=_ISS_IN,
                writes=_ISS_OUT,
            ),
            Format(
                name="iss-link",
                summary="a link to Interactive Sudoku Solver",
                reader="unidoku.formats.iss.format:read_iss",
                writer="unidoku.formats.iss.text:write_iss_link",
                reads=_ISS_IN,
                writes=_ISS_OUT,
            ),
            Format(
                name="sudokupad",
                summary="a link to SudokuPad, with a puzzle after `scl`, `ctc`, `scf` or `fpuz`",
                mark=_SUDOKUPAD,
                reader="unidoku.formats.sudokupad.format:read_sudokupad",
                writer="unidoku.formats.sudokupad.text:write_sudokupad",
                reads=_SUDOKUPAD_IN,
                writes=_SUDOKUPAD_OUT,
                facts=_FOGGED,
            ),
            Format(
                name="scl",
                summary="the JSON of SudokuPad",
                endings=(".json",),
                mark=r'\A\s*\{(?s:.*)"cells"\s*:\s*\[\s*\[\s*[\[{]',
                reader="unidoku.formats.sudokupad.format:read_sudokupad",
                writer="unidoku.formats.sudokupad.text:write_scl",
                reads=_SUDOKUPAD_IN,
                writes=_SUDOKUPAD_OUT,
                facts=_FOGGED,
            ),
            Format(
                name="penpa",
                summary="a link to Penpa+ that holds its puzzle",
                mark=r"penpa-edit\S*[#?&]p=|\A\S*#m=(?:edit|solve)&p=",
                reader="unidoku.formats.penpa.format:read_penpa",
                writer="unidoku.formats.penpa.text:write_penpa",
                reads="square grids: numbers, thick edges that set off regions, cages with their "
                "totals, thermometers, arrows, title, author, the rules in words; lines, symbols, "
                "texts and colours are drawn and mean nothing unless guessed, as in SudokuPad; "
                "lost: other pictures, which are named, the answer that is checked",
                writes="rows and columns that differ, with values 1 to the longer side; regions "
                "in one piece; rules as pictures and in words, a few in words only; cosmetics",
                facts=_DRAWN,
            ),
            Format(
                name="text",
                summary="boards as text, one on each line",
                endings=(".txt",),
                writer="unidoku.formats.classic.boards:write_text",
                writes="givens",
            ),
            Format(
                name="sdk",
                summary="SadMan's and SudoCue's files: one puzzle with notes",
                endings=(".sdk",),
                reader="unidoku.formats.classic.boards:read_sdk",
                writer="unidoku.formats.classic.boards:write_sdk",
                reads="givens, `#D` as the name, `#A` as the author; the rest is reported",
                writes="givens of squares of 4, 6, 8 or 9, name, author",
            ),
            Format(
                name="sdm",
                summary="one board on each line, 0 for empty; read as text",
                endings=(".sdm",),
                writer="unidoku.formats.classic.boards:write_sdm",
                writes="givens of squares of 4, 6, 8 or 9",
            ),
            Format(
                name="hodoku",
                summary="HoDoKu's library lines",
                mark=r"\A(?:#.*\n|\s)*:\d{4}",
                reader="unidoku.formats.classic.boards:read_hodoku",
                writer="unidoku.formats.classic.boards:write_hodoku",
                by_line=True,
                reads="digits, placed ones as givens, deleted candidates; the rest is reported",
                writes="givens and candidates of 9×9",
            ),
            Format(
                name="tatham",
                summary="ids of Simon Tatham's Solo, Keen, Towers, Unequal, Unruly and Pattern",
                mark=r"\A\s*(?:\d{1,3}(?:x\d{1,3})?[a-z0-9]{0,8}[:#][\w./,]+\s*$"
                r"|https?://\S+\.html#\d+[a-z0-9]*:)",
                reader="unidoku.formats.tatham:read",
                writer="unidoku.formats.tatham:write",
                by_line=True,
                reads="one id or link on each line; the description shows the game",
                writes="boxes or regions, both diagonals, cages that hold all cells; KenKen; "
                "skyscrapers; inequalities or neighbours; Takuzu; nonograms",
            ),
            Format(
                name="ipuz",
                summary="the sudoku kinds of ipuz",
                endings=(".ipuz",),
                mark=r'"http://ipuz\.org/sudoku',
                reader="unidoku.formats.classic.ipuz:read",
                writer="unidoku.formats.classic.ipuz:write",
                reads="givens, boxes, zones, cages, diagonals, windows, solution; the rest is "
                "reported",
                writes="squares: boxes, regions, further units, diagonals, killers or KenKen",
            ),
            Format(
                name="non",
                summary="Steve Simpson's nonograms, one or a pack",
                endings=(".non", ".nonpack"),
                mark=r"^(?:width|height)[ \t]+\d+[ \t\r]*$",
                reader="unidoku.formats.classic.nonograms:read",
                writer="unidoku.formats.classic.nonograms:write",
                reads="clues, also with colours, title, author and goal; the rest is reported",
                writes="nonograms of one colour with their solutions",
            ),
            Format(
                name="dzn",
                summary="data of MiniZinc's benchmarks",
                endings=(".dzn",),
                mark=r"^[ \t]*(?:maxlen|grid_data|lastdx|lt|row_rules|start)[ \t]*=",
                reader="unidoku.formats.classic.dzn:read",
                writer="unidoku.formats.classic.dzn:write",
                reads="nonograms, Kakuro, Futoshiki and Latin squares with holes, by the names of "
                "their parameters",
                writes="nonograms, Kakuro and Futoshiki",
            ),
            Format(
                name="mzn",
                summary="completions of quasigroups in MiniZinc, from its benchmarks",
                endings=(".mzn",),
                mark=r"^var[ \t]+\d+[ \t]*\.\.[ \t]*\d+[ \t]*:",
                reader="unidoku.formats.classic.mzn:read",
                reads="single variables and `all_different`; any other model is refused",
            ),
            Format(
                name="essence",
                summary="parameters of Essence Prime, from Demystify",
                endings=(".param",),
                mark=r"^[ \t]*letting[ \t]+\w+[ \t]+be\b",
                reader="unidoku.formats.classic.essence:read",
                reads="Sudoku, killers, X-sums, Takuzu, Futoshiki, Kakuro, Skyscrapers and star "
                "battles, by the names of their parameters; any other model is refused",
            ),
            Format(
                name="puzz-link",
                summary="a link to puzz.link or another site of pzpr",
                mark=r"\A\s*https?://\S+/p(?:\.html)?\?[\w-]+/\d|\A\s*https?://\S*logic-masters\.de/",
                reader="unidoku.formats.classic.puzzlink:read",
                by_line=True,
                reads="Sudoku, Skyscrapers, Kakuro and nonograms; other genres are refused",
            ),
            Format(
                name="mathprog",
                summary="data of GLPK's examples: picture puzzles and Sudoku",
                endings=(".dat",),
                mark=r"^[ \t]*param[ \t]+(?:row|col|givens)[ \t]*:",
                reader="unidoku.formats.classic.mathprog:read",
                reads="nonograms and Sudoku, by the names of their parameters",
            ),
            Format(
                name="xcsp3",
                summary="instances of XCSP3, the format of solver competitions",
                endings=(".xml",),
                mark=r"<instance[^<>]{0,200}XCSP3",
                reader="unidoku.formats.xcsp3.format:read",
                reads="each variable is a cell: whole numbers, at most 62 from the smallest to the "
                "largest; constraints "
                "that rules can say; lost: annotations; refused: objectives, symbols, "
                "constraints of other names",
            ),
        )
    }
)
"""All formats by name, in the order in which they are tried."""


def find_format(name: str) -> Format:
    """Return the format with a name.

    >>> find_format("toml").endings
    ('.toml',)

    Raises:
        InputError: there is no format of this name.
    """
    if name not in FORMATS:
        raise InputError(f"expected a format, got {name!r}; {nearest(name, FORMATS)}")
    return FORMATS[name]


def recognised(start: bytes, ending: str = "") -> Format | None:
    """Return the format of a text with this beginning; None if it is not recognised.

    >>> recognised(b"version = 1").name, recognised(b"1... ..2.")
    ('toml', None)

    Args:
        start: the beginning of the text, of any length.
        ending: ending of the file's name; formats with this ending come first.
    """
    start = start.lstrip()
    is_plain = not start[:_LOOKED_AT].translate(None, _PLAIN)
    if not start.startswith(b"{"):  # the keys of JSON are in any order
        start = start[:_LOOKED_AT]
    formats = [form for form in FORMATS.values() if form.reader]
    of_name = [form for form in formats if ending in form.endings]
    marked = [form for form in formats if not is_plain and form.marks(start)]
    of_ending = [form for form in of_name if form in marked or not form.mark]
    if is_plain and start and not of_ending:  # boards as text
        return None
    return next(iter([*of_ending, *marked, *of_name]), None)


_LOOKED_AT = 1 << 14
"""Bytes that are searched for a mark: files with millions of boards are searched too."""

_PLAIN = b"0123456789._ \r\n"
"""Characters of most files of boards; no mark consists of them alone."""


def format_to_write(name: str) -> Format:
    """Return the format for writing a file of this name.

    Raises:
        InputError: no format has its ending.
    """
    written = [form for form in FORMATS.values() if form.writer]
    for form in written:
        if form.endings and name.lower().endswith(form.endings):
            return form
    if "." not in name:
        raise InputError(
            f"expected a format, or a file with an ending, got {name!r}; {nearest(name, FORMATS)}"
        )
    endings = listed(sorted({ending for form in written for ending in form.endings}), "or")
    raise InputError(
        f"expected a file that ends in {endings}, or the name of a format too, got {name!r}"
    )
