"""Changes of a puzzle file as text: what is not changed keeps its place, its form, its comments.

The text is cut where its statements, and the elements of a list, begin and end. Every change is
checked against what the file should say afterwards; if it differs, or if the text has a form that
is not known here, the whole file is rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unidoku.formats.toml.file import VERSION, lines_of_key
from unidoku.support.toml import parse_toml, toml_lines, toml_value

_TOKEN = re.compile(
    r""""{3}(?:[^"\\]|\\.|"(?!""))*"{3,5}|'{3}(?:[^']|'(?!''))*'{3,5}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*|[\[\]{},\n]|[^"'\#\[\]{},\n]+""",
    re.DOTALL,
)

_KEY = re.compile(r'(?:[A-Za-z0-9_-]+|"[^"\n]*"|\'[^\'\n]*\')(?:[ \t]*\.[^=\n]*)?[ \t]*=[ \t]*')
_HEADER = re.compile(r"\[{1,2}[ \t]*([^\]\n]*?)[ \t]*\]{1,2}[^\n]*")
RULES = "rules"
"""The list of rules of a puzzle."""

DEFINE = "define"
"""The table of rules without cells, by the names that the puzzle uses as kinds."""

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class _Statement:
    """A key with its value, or the header of a table.

    Args:
        name: the key, or the name in the header.
        start: where it begins.
        value: where the value begins; for a header, where it ends.
        end: where the value ends.
        section: the name of the table that it is in; empty at the top.
    """

    name: str
    start: int
    value: int
    end: int
    section: str = ""

    @property
    def is_header(self) -> bool:
        """Whether it is the header of a table: every key has a value."""
        return self.value == self.end


def with_key(text: str, key: str, value: Any) -> str:
    r"""Return a puzzle file with another value of a key of the puzzle; None removes the key.

    >>> with_key('version = 1  # ours\nname = "a"\nsize = 4\n', "name", "b")
    'version = 1  # ours\nname = "b"\nsize = 4\n'
    """
    wanted = parse_toml(text)
    if value is None:
        wanted.pop(key, None)
    else:
        wanted[key] = value
    return _checked(wanted, lambda: _with_key(text, key, value))


def with_element(text: str, key: str, table: Mapping[str, Any], index: int | None = None) -> str:
    r"""Return a puzzle file with a further table in a list, or with this one in place of another.

    >>> rule = {"kind": "thermo", "line": "A1-A3"}
    >>> print(with_element('version = 1\nsize = 4', "rules", rule), end="")
    version = 1
    size = 4
    rules = [
        { kind = "thermo", line = "A1-A3" },
    ]

    Args:
        text: the file.
        key: the list: ``rules`` or ``cosmetics``.
        table: the table.
        index: the element that it replaces; None to add it at the end.
    """
    wanted = parse_toml(text)
    tables = [*wanted.get(key, [])]
    replaced = slice(len(tables), None) if index is None else slice(index, index + 1)
    tables[replaced] = [dict(table)]
    wanted[key] = tables
    return _checked(wanted, lambda: _with_element(text, key, table, index))


def without_element(text: str, key: str, index: int) -> str:
    """Return a puzzle file without one of the tables of a list."""
    wanted = parse_toml(text)
    wanted[key] = [table for number, table in enumerate(wanted[key]) if number != index]
    return _checked(wanted, lambda: _without_element(text, key, index))


def moved_element(text: str, key: str, index: int, to: int) -> str:
    """Return a puzzle file with a table of a list at another place of the list."""
    wanted = parse_toml(text)
    tables = [*wanted[key]]
    tables.insert(to, tables.pop(index))
    wanted[key] = tables

    def change() -> str:
        changed, step = text, 1 if to > index else -1
        for position in range(index, to, step):
            changed = _swapped(changed, key, min(position, position + step))
        return changed

    return _checked(wanted, change)


def with_definition(text: str, name: str, table: Mapping[str, Any] | None) -> str:
    r"""Return a puzzle file that defines a rule under a name; None removes the definition.

    >>> print(with_definition('version = 1\n', "far", {"kind": "whisper", "least": 4}), end="")
    version = 1
    <BLANKLINE>
    [define.far]
    kind = "whisper"
    least = 4
    """
    wanted = parse_toml(text)
    definitions = {key: value for key, value in wanted.get(DEFINE, {}).items() if key != name}
    if table is not None:
        definitions = {**wanted.get(DEFINE, {}), name: dict(table)}
    wanted.pop(DEFINE, None)
    if definitions:
        wanted[DEFINE] = definitions
    return _checked(wanted, lambda: _with_definition(text, name, table))


def _checked(wanted: Mapping[str, Any], change: Callable[[], str]) -> str:
    """Return the changed text if it says what is wanted, or else a text that is rewritten."""
    try:
        changed = change()
        if parse_toml(changed) == wanted:
            return changed
    except (ValueError, IndexError):
        pass
    rest = {key: value for key, value in wanted.items() if key != "version"}
    head = f"version = {wanted.get('version', VERSION)}"
    return "\n".join([head, *(line for item in rest.items() for line in lines_of_key(*item)), ""])


def _statements(text: str) -> Iterator[_Statement]:
    """Yield the headers and the keys of a text.

    Raises:
        ValueError: there is something else.
    """
    section, position = "", 0
    while position < len(text):
        if blank := re.compile(r"\s+|#[^\n]*").match(text, position):
            position = blank.end()
        elif header := _HEADER.match(text, position):
            section = header[1]
            yield _Statement(section, position, header.end(), header.end(), section)
            position = header.end()
        elif key := _KEY.match(text, position):
            end = _end_of_value(text, key.end())
            name = key[0].rstrip(" \t=")
            yield _Statement(name.strip("\"'"), position, key.end(), end, section)
            position = end
        else:
            raise ValueError(f"expected a key, got {text[position : position + 20]!r}")


def _end_of_value(text: str, start: int) -> int:
    depth, end = 0, start
    for token in _TOKEN.finditer(text, start):
        word = token[0]
        if not depth and (word == "\n" or word.startswith("#")):
            break
        depth += (word in "[{") - (word in "]}")
        if word.strip():
            end = token.start() + len(word.rstrip())
    return end


def _elements(text: str, start: int) -> tuple[list[tuple[int, int]], int]:
    """Return where the elements of a list begin and end, and the place of its closing bracket."""
    depth, ranges = 0, []
    first, last = -1, -1
    for token in _TOKEN.finditer(text, start):
        word = token[0]
        depth += word in "[{"
        if word == "]" and depth == 1:
            if first >= 0:
                ranges.append((first, last))
            return ranges, token.start()
        if word == "," and depth == 1:
            ranges.append((first, last))
            first = -1
        elif word.strip() and not word.startswith("#") and not (depth == 1 and word == "["):
            body = len(word) - len(word.lstrip())
            first = token.start() + body if first < 0 else first
            last = token.start() + len(word.rstrip())
        depth -= word in "]}"
    raise ValueError("expected a list that ends")


def _line_of(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a part of a text with the rest of its lines, a comment included, if it fills them."""
    left, right = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    right = len(text) if right < 0 else right + 1
    if text[left:start].strip() or not re.fullmatch(r"\s*,?\s*(#[^\n]*)?\s*", text[end:right]):
        return start, end
    return left, right


def _with_key(text: str, key: str, value: Any) -> str:
    top = [part for part in _statements(text) if not part.section]
    lines = [] if value is None else lines_of_key(key, value)
    for part in top:
        if part.name == key:
            if value is None:
                left, right = _line_of(text, part.start, part.end)
                return text[:left] + text[right:]
            return text[: part.start] + "\n".join(lines) + text[part.end :]
    return _inserted(text, top, lines)


def _inserted(text: str, top: Sequence[_Statement], lines: Sequence[str]) -> str:
    """Return a text with lines after its last key at the top."""
    end = _line_of(text, top[-1].start, top[-1].end)[1] if top else 0
    end = end if end == 0 or text[end - 1] == "\n" else max(end, top[-1].end)
    before = text[:end] + ("" if not end or text[end - 1] == "\n" else "\n")
    return before + "".join(f"{line}\n" for line in lines) + text[end:]


def _listing(parts: Sequence[_Statement], key: str) -> _Statement | None:
    """Return the statement of a list that is written as a value; None if it has other tables."""
    return next((part for part in parts if part.name == key and not part.section), None)


def _with_element(text: str, key: str, table: Mapping[str, Any], index: int | None) -> str:
    inline = toml_value(table)
    parts = [*_statements(text)]
    listing = _listing(parts, key)
    if listing is None:
        if any(part.section == key for part in parts):
            span = None if index is None else _table(text, parts, key, index)
            return _with_block(text, span, [f"[[{key}]]", *toml_lines(table)])
        top = [part for part in parts if not part.section]
        return _inserted(text, top, [f"{key} = [", f"{_INDENT}{inline},", "]"])
    elements, closing = _elements(text, listing.value)
    if index is not None:
        start, end = elements[index]
        return text[:start] + inline + text[end:]
    if not elements:
        return f"{text[: listing.value]}[\n{_INDENT}{inline},\n]{text[closing + 1 :]}"
    end = elements[-1][1]
    tail = text[end:closing]
    bare = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), tail)
    comma = bare.find(",")
    if comma < 0:
        text, closing = f"{text[:end]},{text[end:]}", closing + 1
    if "\n" not in text[listing.value : closing]:
        return f"{text[:closing].rstrip()} {inline}{text[closing:]}"
    line = text.rfind("\n", 0, closing) + 1
    if text[line:closing].strip():
        return f"{text[:closing].rstrip()}\n{_INDENT}{inline},\n{text[closing:]}"
    return f"{text[:line]}{_INDENT}{inline},\n{text[line:]}"


def _without_element(text: str, key: str, index: int) -> str:
    parts = [*_statements(text)]
    listing = _listing(parts, key)
    if listing is None:
        return _with_block(text, _table(text, parts, key, index), [])
    elements, closing = _elements(text, listing.value)
    start, end = elements[index]
    left, right = _line_of(text, start, end)
    if (left, right) == (start, end):  # several on a line
        rest = text[end:closing]
        if (after := re.match(r"\s*,[ \t]*", rest)) is not None:
            right = end + after.end()
        elif index:
            left = text.rindex(",", 0, start)
    return text[:left] + text[right:]


def _swapped(text: str, key: str, index: int) -> str:
    """Return a text in which an element of a list and the next have changed their places.

    Each takes the rest of its lines along if it fills them.
    """
    parts = [*_statements(text)]
    listing = _listing(parts, key)
    if listing is None:
        first, second = (_table(text, parts, key, number) for number in (index, index + 1))
    else:
        elements, _ = _elements(text, listing.value)
        first, second = elements[index], elements[index + 1]
        lines = [_line_of(text, *element) for element in (first, second)]
        if lines[0][1] <= lines[1][0] and all(
            line != element and "," in text[element[1] : line[1]].partition("#")[0]
            for line, element in zip(lines, (first, second), strict=True)
        ):
            first, second = lines
    between = text[first[1] : second[0]]
    swapped = text[slice(*second)] + between + text[slice(*first)]
    return text[: first[0]] + swapped + text[second[1] :]


def _with_definition(text: str, name: str, table: Mapping[str, Any] | None) -> str:
    parts, name = [*_statements(text)], f"{DEFINE}.{name}"
    is_there = any(part.is_header and part.name == name for part in parts)
    lines = [] if table is None else [f"[{name}]", *toml_lines(table)]
    return _with_block(text, _table(text, parts, name) if is_there else None, lines)


def _table(text: str, parts: Iterable[_Statement], name: str, index: int = 0) -> tuple[int, int]:
    """Return where a table, or one of several with the same name, begins and ends.

    The tables inside it, like ``[name.part]``, belong to it.
    """
    heads = [part for part in parts if part.is_header]
    start = [head.start for head in heads if head.name == name][index]
    others = (head for head in heads if not head.name.startswith(f"{name}."))
    return start, next((head.start for head in others if head.start > start), len(text))


def _with_block(text: str, span: tuple[int, int] | None, lines: Sequence[str]) -> str:
    """Return a text with the lines of a table in a part of it, or at its end."""
    block = "".join(f"{line}\n" for line in lines)
    if span is None:
        return f"{text.rstrip()}\n\n{block}" if block else text
    before, after = text[: span[0]], text[span[1] :]
    return before + block + ("\n" if block and after.strip() else "") + after
