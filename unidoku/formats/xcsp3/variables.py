"""The variables of an XCSP3 instance: their domains, their cells, and the texts that name them.

An array is a block of rows, and single variables whose names differ in a number are another; the
blocks follow each other from top to bottom.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain, product

from unidoku.core.layout import MAX_SIDE, Position
from unidoku.core.names import position_of
from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element
from unidoku.formats.xcsp3.expressions import NUMBER

MOST_VALUES = 62
"""The most values of a variable, and of the board: from the smallest to the largest of all."""

MOST_VARIABLES = 10_000
"""The most variables."""

_MOST_NAMES = 2_000_000
"""The most variables that all constraints list together."""

_LONGEST_ROW = 40
"""Single variables that are shown in one row, if they are not a square."""

_NAME = re.compile(r"([A-Za-z_]\w*)((?:\[[\d.]*\])*)")

_RANGE = re.compile(r"([+-]?\d{1,9})\.\.([+-]?\d{1,9})")

Rows = Sequence[Sequence[int]]
"""The cells of a matrix."""


def values_in(text: str, most: int) -> list[int]:
    """Return the numbers in a text such as ``0..3 5 7x4``, in order; the last is 7 four times.

    Raises:
        FormatError: it has something else, or too many numbers; there is no line yet.
    """
    values: list[int] = []
    for word in text.split():
        if NUMBER.fullmatch(word):
            values.append(int(word))
        elif match := _RANGE.fullmatch(word):
            values += range(int(match[1]), min(int(match[2]), int(match[1]) + most) + 1)
        elif repeated := re.fullmatch(rf"({NUMBER.pattern})x(\d{{1,6}})", word):
            values += [int(repeated[1])] * min(int(repeated[2]), most + 1)
        else:
            raise FormatError(f"expected whole numbers and ranges such as 1..9, got {word[:40]!r}")
        if len(values) > most:
            raise FormatError(f"expected at most {most} values, got {text[:40]!r}")
    return values


def words_in(text: str) -> Iterator[str]:
    """Yield the parts of a text between blanks, each with the brackets that it contains."""
    depth = start = 0
    for index, symbol in enumerate(text):
        if symbol.isspace() and not depth:
            if text[start:index]:
                yield text[start:index]
            start = index + 1
        depth += (symbol == "(") - (symbol == ")")
    if text[start:]:
        yield text[start:]


class Variables:
    """The variables of an instance, each with its cell and its domain.

    Attributes:
        domains: the values of each cell.
        positions: row and column of each cell.
        places: how the names relate to rows, in words.
        used: the cells that constraints have named so far.
    """

    def __init__(self, root: Element) -> None:
        """Read the variables.

        Raises:
            FormatError: a variable is of another type, or has too many values.
        """
        self._sizes: dict[str, tuple[int, ...]] = {}
        self._domain_of: dict[str, frozenset[int]] = {}
        self._declared: dict[str, dict[str, frozenset[int]]] = {}
        self.used: set[int] = set()
        self._left = _MOST_NAMES
        self._count = 0
        for element in root.children:
            if element.tag not in ("var", "array"):
                raise element.error(f"<{element.tag[:40]}> among the variables is not supported")
            self._declare(element)
        if not self._count:
            raise root.error("expected at least one variable, got none")
        self._arrange()

    def _declare(self, element: Element) -> None:
        attributes = element.attributes
        element.check("domain", "type as size startIndex")
        name, kind = attributes.get("id", ""), attributes.get("type", "integer")
        if kind != "integer":
            raise element.error(f"expected integer variables, got {name[:40]!r} of type {kind!r}")
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in self._declared:
            raise element.error(f"expected a new name of a variable, got {name[:40]!r}")
        if "startIndex" in attributes:
            raise element.error("arrays with startIndex are not supported")
        names = [name] if element.tag == "var" else self._names_of_array(element, name)
        self._count += len(names)
        if self._count > MOST_VARIABLES:
            raise element.error(f"expected at most {MOST_VARIABLES:,} variables, got more")
        domains = dict(self._domains(element, names))
        self._declared[name] = domains
        self._domain_of |= domains

    def _names_of_array(self, element: Element, name: str) -> list[str]:
        size = element.attributes.get("size", "")
        if not re.fullmatch(r"(?:\[[1-9]\d{0,4}\]){1,8}", size):
            raise element.error(f"array {name[:40]}: expected a size such as [9][9], got {size!r}")
        sides = tuple(map(int, size[1:-1].split("][")))
        if math.prod(sides) > MOST_VARIABLES or math.prod(sides[:-1]) > MAX_SIDE:
            raise element.error(
                f"array {name[:40]}: expected at most {MOST_VARIABLES:,} variables in "
                f"{MAX_SIDE:,} rows, got {size}"
            )
        self._sizes[name] = sides
        return [_indexed(name, indices) for indices in product(*map(range, sides))]

    def _domains(
        self, element: Element, names: Sequence[str]
    ) -> Iterator[tuple[str, frozenset[int]]]:
        """Yield the variables that have a domain: others of an array do not exist."""
        like = element.attributes.get("as")
        if like is not None:
            declared = self._declared.get(like, {})
            if len(declared) not in (1, len(names)):
                raise element.error(f"expected a variable above of this size, got as={like!r}")
            domains = [*declared.values()] * (len(names) if len(declared) == 1 else 1)
            yield from zip(names, domains, strict=True)
            return
        parts = [*element.named("domain")]
        if not parts:
            domain = self._domain(element)
            yield from ((name, domain) for name in names)
            return
        rest, known_names = dict.fromkeys(names), {*names}
        for part in parts:
            part.check("", "for")
            words = part.attributes.get("for", "").split()
            domain = self._domain(part)
            chosen = [*rest] if words == ["others"] else [*chain(*map(self._expanded, words))]
            for name in chosen:
                if name not in known_names:
                    raise part.error(f"expected variables of the array, got {name[:40]!r}")
                rest.pop(name, None)
                yield name, domain

    def _domain(self, element: Element) -> frozenset[int]:
        try:
            domain = frozenset(values_in(element.text, MOST_VALUES))
        except FormatError as error:
            name = element.attributes.get("id", element.attributes.get("for", ""))
            raise element.error(f"domain of {name[:40]!r}: {error.message}") from error
        if not domain:
            raise element.error("expected a domain such as 1..9, got none")
        return domain

    def _arrange(self) -> None:
        """Number the variables as cells, row by row."""
        self.cell_of: dict[str, int] = {}
        self.domains: list[frozenset[int]] = []
        self.positions: list[Position] = []
        self.places: list[str] = []
        top = 0
        for title, rows in self._blocks():
            last = top + len(rows) - 1
            where = f"row {top + 1}" if last == top else f"rows {top + 1} to {last + 1}"
            self.places.append(f"{title} {'are' if ' to ' in title else 'is'} in {where}")
            for row, line in enumerate(rows, start=top):
                for column, name in line:
                    self.cell_of[name] = len(self.domains)
                    self.domains.append(self._domain_of[name])
                    self.positions.append((row, column))
            top += len(rows)
        if top > MAX_SIDE:
            raise FormatError(f"XCSP3: expected variables in {MAX_SIDE:,} rows, got {top:,}")

    def _blocks(self) -> Iterator[tuple[str, list[list[tuple[int, str]]]]]:
        """Yield a title for each block, and its rows of columns and names."""
        if rows_of_names := self._rows_of_names():
            names = [name for row in rows_of_names for _, name in row]
            yield f"{names[0]} to {names[-1]}", rows_of_names
            return
        singles: dict[str, list[str]] = {}
        for name in self._declared:
            if name not in self._sizes:
                stem = re.match(r"([A-Za-z_]+)\d+\Z", name)
                singles.setdefault(stem[1] if stem else "", []).append(name)
        started = set()
        for name, domains in self._declared.items():
            if sizes := self._sizes.get(name):
                names = [_indexed(name, indices) for indices in product(*map(range, sizes))]
                title, width = f"{name}{'[]' * len(sizes)}", min(sizes[-1], MAX_SIDE)
                declared = {*domains}
            else:
                stem = re.match(r"([A-Za-z_]+)\d+\Z", name)
                key = stem[1] if stem else ""
                if key in started:
                    continue
                started.add(key)
                names = singles[key]
                width = _width(len(names))
                title = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
                declared = {*names}
            rows = [
                [(column, name) for column, name in enumerate(names[start : start + width])]
                for start in range(0, len(names), width)
            ]
            yield title, [[item for item in row if item[1] in declared] for row in rows]

    def _rows_of_names(self) -> list[list[tuple[int, str]]]:
        """Return the rows of columns and names if all variables are called as cells: A1, r1c1.

        There are at least two rows, and each has a variable; otherwise the list is empty.
        """
        names = [] if self._sizes else [*self._declared]
        number = r"[1-9]\d{0,2}"
        parts = [re.fullmatch(rf"[A-Z]{number}|r{number}c{number}", name) for name in names]
        if not all(parts):
            return []
        rows: dict[int, list[tuple[int, str]]] = {}
        for name in names:
            row, column = position_of(name, 1)
            rows.setdefault(row, []).append((column, name))
        if len(rows) < 2 or {*rows} != {*range(len(rows))}:
            return []
        return [sorted(rows[row]) for row in range(len(rows))]

    def cell(self, name: str) -> int:
        """Return the cell of a variable.

        Raises:
            FormatError: there is none; there is no line yet.
        """
        cell = self.cell_of.get(name)
        if cell is None:
            raise FormatError(f"expected a variable, got {name[:40]!r}, which is not declared")
        self.used.add(cell)
        return cell

    def needed(self) -> list[int]:
        """Return the cells without those of arrays that no constraint names.

        Models declare whole arrays where a puzzle has holes, and solvers of competitions pass over
        such variables. If no constraint names a variable, all are needed.
        """
        if not self.used:
            return [*self.cell_of.values()]
        return [c for name, c in self.cell_of.items() if c in self.used or name[-1] != "]"]

    def _expanded(self, word: str) -> list[str]:
        """Return the names of variables that a word stands for, such as ``x[][2]``."""
        match = _NAME.fullmatch(word)
        if match is None:
            raise FormatError(f"XCSP3: expected a variable such as x[0][], got {word[:40]!r}")
        name, indices = match[1], match[2][1:-1].split("][") if match[2] else []
        sizes = self._sizes.get(name)
        if sizes is None or not indices:
            return [word]
        if len(indices) != len(sizes):
            raise FormatError(f"expected {len(sizes)} indices of {name[:40]}, got {word[:40]!r}")
        ranges = [_indices(text, size, word) for text, size in zip(indices, sizes, strict=True)]
        if all(len(each) == 1 for each in ranges):
            return [_indexed(name, [each[0] for each in ranges])]
        self._left -= math.prod(map(len, ranges))
        if self._left < 0:
            raise FormatError(f"expected constraints of at most {_MOST_NAMES:,} variables in all")
        defined = self._declared.get(name)
        every = [_indexed(name, each) for each in product(*ranges)]
        return every if not defined else [each for each in every if each in defined]

    def names_in(self, text: str) -> list[str]:
        """Return the words of a text, with the variables of arrays one by one."""
        words: list[str] = []
        for word in words_in(text):
            if word.endswith("]") and "(" not in word:
                words += self._expanded(word)
            elif word in self._sizes:
                words += self._expanded(word + "[]" * len(self._sizes[word]))
            else:
                words.append(word)
        return words

    def cells(self, text: str) -> tuple[int, ...]:
        """Return the cells that a text lists.

        Raises:
            FormatError: it lists something else; there is no line yet.
        """
        return tuple(map(self.cell, self.names_in(text)))

    def matrix(self, text: str) -> Rows:
        """Return the cells of a matrix: ``x[][]``, or ``(x,y)(z,w)``.

        Raises:
            FormatError: the text is no matrix; there is no line yet.
        """
        if "(" in text:
            rows = [self.cells(row.replace(",", " ")) for row in re.findall(r"\(([^()]*)\)", text)]
        else:
            word = text.strip()
            match = _NAME.fullmatch(word)
            sizes = self._sizes.get(match[1]) if match else None
            if match is None or sizes is None:
                raise FormatError(f"expected a matrix such as x[][], got {word[:40]!r}")
            texts = match[2][1:-1].split("][")
            cells = self.cells(word)
            counts = [
                len(_indices(each, size, word)) for each, size in zip(texts, sizes, strict=True)
            ]
            sides = [count for count in counts if count > 1] or [1]
            width = sides[-1]
            rows = [cells[start : start + width] for start in range(0, len(cells), width)]
        if len({*map(len, rows)}) != 1:
            raise FormatError("expected a matrix with rows of one length")
        return rows


def _indexed(name: str, indices: Sequence[int]) -> str:
    return name + "".join([f"[{index}]" for index in indices])


def _indices(text: str, size: int, word: str) -> range:
    """Return the indices that a text between brackets stands for."""
    match = re.fullmatch(r"(\d{1,5})?(?:\.\.(\d{1,5}))?", text)
    if match is not None and (match[1] or not text):
        first = int(match[1] or 0)
        last = int(match[2]) if match[2] else first if text else size - 1
        if first <= last < size:
            return range(first, last + 1)
    raise FormatError(f"expected indices from 0 to {size - 1}, got {word[:40]!r}")


def _width(count: int) -> int:
    """Return the number of columns of single variables: a square if there is one."""
    side = math.isqrt(count)
    if side * side == count:
        return side
    return count if count <= _LONGEST_ROW else side + 1
