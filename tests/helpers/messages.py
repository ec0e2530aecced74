"""The messages of the code, found in its source: what catalogues have to translate."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import unidoku
from unidoku.rules import KINDS

PACKAGE = Path(unidoku.__file__).parent

_CALLS = {"message": 0, "Message": 0, "quantity": 1, "listing": 1}
"""The functions of `unidoku.support.language`, and the place of the message they are given."""

_OF_KINDS = ("sentence", "fact", "opposite")
"""The class variables of rules that are messages."""

_ALL = ("_always", "_dots")
"""Functions that write all texts that they are given as messages."""

_MARKED = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)


@cache
def messages() -> dict[str, Path]:
    """Return each message that the code names, and a file that does."""
    named = [getattr(kind, name, "") for kind in KINDS.values() for name in _OF_KINDS]
    by_message = dict.fromkeys(filter(None, named), PACKAGE / "core" / "rules")
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if "unidoku.support.language import" in text:
            by_message |= dict.fromkeys(_of_module(ast.parse(text)), path)
    for path in sorted(PACKAGE.rglob("*.html")):
        marked = _MARKED.findall(path.read_text("utf-8"))
        by_message |= {" ".join(text.split()): path for text in marked}
    return by_message


def _of_module(tree: ast.Module) -> Iterator[str]:
    assigned: defaultdict[str, list[ast.expr]] = defaultdict(list)
    calls = dict(_CALLS)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [alias for alias in node.names if alias.name in _CALLS]
            calls |= {alias.asname or alias.name: _CALLS[alias.name] for alias in names}
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    assigned[target.id].append(node.value)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            assigned[node.target.id].append(node.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _with_fields(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in _ALL:
                yield from (text for each in node.args for text in _constants(each, {}))
            index = calls.get(node.func.id)
            if index is not None and index < len(node.args):
                is_noun = node.func.id == "quantity"
                for text in _constants(node.args[index], assigned):
                    yield text
                    if is_noun:
                        yield f"{text}s"


def _with_fields(call: ast.Call) -> Iterator[str]:
    """Yield the arguments with fields in braces, which a function passes on."""
    for argument in call.args:
        text = argument.value if isinstance(argument, ast.Constant) else None
        if isinstance(text, str) and re.search(r"\{[a-z]+\}", text):
            yield text


def _constants(node: ast.expr, assigned: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the texts that an argument may be: a literal, one of two, or what a name stands for."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=first, orelse=second):
            yield from _constants(first, assigned)
            yield from _constants(second, assigned)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            for value in assigned.get(name, []):
                yield from _constants(value, {})
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[_, other]):
            yield from _constants(other, {})
            for value in assigned.get(name, []):
                yield from _constants(value, {})
        case ast.Call(func=ast.Name(id="MappingProxyType"), args=[table]):
            yield from _constants(table, {})
        case ast.Dict(values=values):
            for value in values:
                yield from _constants(value, {})
        case _:
            pass


@cache
def messages_of_page() -> frozenset[str]:
    """Return the messages that the workbench's page names: templates, and texts for people."""
    texts: set[str] = set()
    for path in (PACKAGE / "serve" / "page").glob("*.js"):
        script = _COMMENT.sub("", path.read_text("utf-8"))
        for template in _TEMPLATE.findall(script):
            first, *others = _VALUE.split(template)
            texts.add(first + "".join(f"{{{at}}}{part}" for at, part in enumerate(others)))
        plain = _CODE.sub("", script)
        texts |= {text for text in _LITERAL.findall(plain) if _FOR_PEOPLE.search(text)}
    return frozenset(text for text in texts if has_words(text) and text not in OF_CODE)


_COMMENT = re.compile(r"^\s*(?://|\*|/\*\*|import ).*$", re.MULTILINE)
_VALUE = re.compile(r"\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}")
_TEMPLATE = re.compile(rf"\bt`((?:[^`\\$]|{_VALUE.pattern})*)`")
_CODE = re.compile(
    r"\b(?:class|type|role|id|d|for|rel|target|href|value|scope|style|accept): *\"[^\"]*\""
)
"""Attributes that nobody reads."""

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FOR_PEOPLE = re.compile(r"^(?:[A-Z][a-z]{2,}|.*[a-z…] .*[a-z]|[a-z…]+ [^.]*$)")

OF_CODE = frozenset(
    {
        *("Enter", "Escape", "Arrow", "Backspace", "Delete", "PageDown", "PageUp", "Unidoku"),
        *(
            "mark shown",
            "candidates stale",
            "pencil stated",
            "chip good",
            "the cell ",
            ".form .main",
        ),
        *("input, textarea, select, dialog", "button, a, summary"),
        *("159 row column box indexer", "anti-taxicab self-taxicab negative", "cage sum no-sum"),
        *("equal sum", "german whispers dutch whispers", "inequality less", "kropki black dot"),
        *("kropki white dot negative", "little killer", "quadruple quad", "slow thermometer"),
        *("ten line 10-line", "xv x v sum", "small main", "a, b: abs(a - b) >= 3"),
        "doublers multipliers tripler negator value",
    }
)
"""Texts that nobody reads: keys, classes, selectors, and words that are searched for."""


def has_words(text: str) -> bool:
    """Return whether a message has anything to translate besides its fields."""
    return any(character.isalpha() for character in re.sub(r"\{[\w:]*\}", "", text))


def fields_of(text: str) -> set[str]:
    """Return the fields of a message, whatever form of them it asks for."""
    return {*re.findall(r"\{(\w+)(?::\w+)?\}", text)}
