"""XML as a tree whose elements know their lines; sizes are bounded while it is read.

A document type is refused, so that there are no entities but the five of XML itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from unidoku.errors import FormatError

MOST_CHARACTERS = 32 << 20
"""The longest text that is parsed."""

_MOST_ELEMENTS = 500_000
_DEEPEST = 40

_NEUTRAL = frozenset(["id", "class", "note"])
"""Attributes that do not change what an element says."""


@dataclass(slots=True)
class Element:
    """An element of XML.

    Args:
        tag: name of the element.
        line: the line where it begins, from 1.
        attributes: its attributes by name.
        text: its text without that of its children.
        children: the elements in it.
    """

    tag: str
    line: int
    attributes: Mapping[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def named(self, tag: str) -> Iterator[Element]:
        """Yield the children with a name."""
        return (child for child in self.children if child.tag == tag)

    def child(self, tag: str) -> Element | None:
        """Return the only child with a name; None if there is none.

        Raises:
            FormatError: there are several.
        """
        children = [*self.named(tag)]
        if len(children) > 1:
            raise self.error(f"expected one <{tag}> in <{self.tag}>, got {len(children)}")
        return children[0] if children else None

    def needed(self, tag: str) -> Element:
        """Return the only child with a name.

        Raises:
            FormatError: there is none, or there are several.
        """
        child = self.child(tag)
        if child is None:
            raise self.error(f"expected <{tag}> in <{self.tag}>, got none")
        return child

    def check(self, tags: str = "", attributes: str = "") -> None:
        """Refuse children and attributes other than these, which are separated by blanks.

        Raises:
            FormatError: there is another one; the message names it.
        """
        for child in self.children:
            if child.tag not in tags.split():
                raise child.error(f"<{self.tag}> with <{child.tag[:40]}> is not supported")
        for name, value in self.attributes.items():
            if name not in _NEUTRAL and name not in attributes.split():
                attribute = f'{name[:40]}="{value[:40]}"'
                raise self.error(f"<{self.tag}> with {attribute} is not supported")

    def error(self, message: str) -> FormatError:
        """Return an error at the line of the element."""
        return FormatError(f"XCSP3: {message}", self.line)


class _Tree:
    """Builds the tree from the events of a parser."""

    def __init__(self) -> None:
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._refuse
        self._root: Element | None = None
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._count = 0

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, self._parser.CurrentLineNumber, attributes)
        self._count += 1
        if self._count > _MOST_ELEMENTS:
            raise element.error(f"expected at most {_MOST_ELEMENTS:,} elements, got more")
        if len(self._open) >= _DEEPEST:
            raise element.error(f"expected elements nested up to {_DEEPEST} deep, got more")
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _end(self, tag: str) -> None:
        # A long text comes in parts, whose ends may lie within words.
        self._open.pop().text = "".join(self._texts.pop()).strip()
        if self._texts:
            self._texts[-1].append(" ")

    def _text(self, text: str) -> None:
        self._texts[-1].append(text)

    def _refuse(self, *arguments: object) -> None:
        line = self._parser.CurrentLineNumber
        raise FormatError("XCSP3: expected XML without a document type (<!DOCTYPE)", line)

    def parse(self, text: str) -> Element:
        """Return the root of a document."""
        try:
            self._parser.Parse(text.encode(errors="replace"), True)
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise FormatError(f"XCSP3: expected XML: {problem}", error.lineno) from error
        assert self._root is not None, "a document that parses has a root"
        return self._root


def parsed(text: str) -> Element:
    """Return the root of a document.

    Raises:
        FormatError: it is not XML, has a document type, or is too large.
    """
    if len(text) > MOST_CHARACTERS:
        most = f"{MOST_CHARACTERS >> 20} MiB"
        raise FormatError(f"XCSP3: expected an instance of at most {most}, got a longer text")
    return _Tree().parse(text)
