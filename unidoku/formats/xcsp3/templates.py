"""Blocks, groups and slides of XCSP3: many constraints written as one template."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from unidoku.errors import FormatError
from unidoku.formats.xcsp3.elements import Element

NamesIn = Callable[[str], list[str]]
"""What gives the names of the variables that a text lists, one by one."""

_PLACE = re.compile(r"%(\d{1,6}|\.\.\.)")
"""A position of a template, which arguments fill."""


def each_constraint(element: Element, names_in: NamesIn) -> Iterator[Element]:
    """Yield a constraint, or those of a block, a group or a slide, one by one.

    Raises:
        FormatError: a template or its arguments are not valid; the message states the line.
    """
    match element.tag:
        case "block":
            element.check(" ".join({child.tag for child in element.children}))
            parts = iter(element.children)
        case "group":
            parts = _of_group(element, names_in)
        case "slide":
            parts = _of_slide(element, names_in)
        case _:
            yield element
            return
    for part in parts:
        yield from each_constraint(part, names_in)


def _of_group(element: Element, names_in: NamesIn) -> Iterator[Element]:
    """Yield the template of a group, filled with each list of arguments."""
    templates = [child for child in element.children if child.tag != "args"]
    element.check(" ".join(child.tag for child in element.children))
    if len(templates) != 1:
        raise element.error(f"expected a group of one constraint, got {len(templates)}")
    used = _places(templates[0])
    for arguments in element.named("args"):
        words = _words(arguments, names_in)
        yield _filled(templates[0], words, used, arguments.line)


def _of_slide(element: Element, names_in: NamesIn) -> Iterator[Element]:
    """Yield the template of a slide, filled with each window of its list."""
    element.check(" ".join(child.tag for child in element.children), "circular")
    lists = [*element.named("list")]
    templates = [child for child in element.children if child.tag != "list"]
    if len(lists) != 1 or len(templates) != 1:
        raise element.error("expected a slide of one list and one constraint")
    lists[0].check("", "offset collect")
    words = _words(lists[0], names_in)
    used = _places(templates[0])
    width = lists[0].attributes.get("collect", str(used + 1))
    offset = lists[0].attributes.get("offset", "1")
    if not re.fullmatch(r"[1-9]\d{0,5}", width) or not re.fullmatch(r"[1-9]\d{0,5}", offset):
        raise lists[0].error(f"expected numbers as collect and offset, got {width}, {offset}")
    is_circular = element.attributes.get("circular") == "true"
    size, last = int(width), len(words) if is_circular else len(words) - int(width) + 1
    for start in range(0, last, int(offset)):
        window = [words[index % len(words)] for index in range(start, start + size)]
        yield _filled(templates[0], window, used, element.line)


def _words(element: Element, names_in: NamesIn) -> list[str]:
    try:
        return names_in(element.text)
    except FormatError as error:
        raise element.error(error.message) from error


def _places(template: Element) -> int:
    """Return the largest number of a position in a template, -1 if there is none."""
    indices = [int(match[1]) for match in _PLACE.finditer(template.text) if match[1] != "..."]
    return max([*indices, *map(_places, template.children)], default=-1)


def _filled(template: Element, words: Sequence[str], used: int, line: int) -> Element:
    """Return a template with words in its places; ``...`` stands for those after the numbered."""

    def word(match: re.Match[str]) -> str:
        if match[1] == "...":
            return " ".join(words[used + 1 :])
        if int(match[1]) >= len(words):
            raise FormatError(f"XCSP3: expected an argument for {match[0]}, got too few", line)
        return words[int(match[1])]

    return Element(
        template.tag,
        line,
        template.attributes,
        _PLACE.sub(word, template.text) if "%" in template.text else template.text,
        [_filled(child, words, used, line) for child in template.children],
    )
