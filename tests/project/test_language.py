"""Docstrings, messages, pages and names are plain English: what readers stumbled over stays out.

A list of patterns cannot prove that a text is good. It keeps those habits out that made readers
stop: inversions, bare genitives, words that nobody searches for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.helpers.volume import thorough

ROOT = Path(__file__).parents[2]
FOLDERS = ["unidoku", *thorough("tests")]
"""What is read, the pages with it; users do not see the tests."""

NAMED = [*FOLDERS, "benchmarks", "building", "docs"]
"""Where names are read."""

FOREIGN = {
    r"^\s+[a-z_]+: (of|those of|that of)\b": "        seed: of the boards.",
    r"(\A|^|[.;:] )Of (a|an|each|one|several|what|such|so)\b": "Of one board the lanes.",
    r"\bas wished\b|\bwishes\b": "Puzzles as wished.",
    r"\bat an end\b": "logic: not at an end within 5 s",
    r"\bwere it\b": "Tell whether there is something to hear, were it that the pipe is closed.",
    r"\bmay not but\b": "It may not but fail.",
    r"\b(but|save) for\b": "The options but for those that are Unidoku's.",
    r"\bsuch as come\b": "Boards such as come from files.",
    r"\b(go|goes|gone|went) on with\b": "X cannot be gone on with",
    r"\b(it|that|what) is none\b|\bwhy (it is|they are) none\b": "FormatError: it is none.",
    r"\bshall\b": "As many as there shall be.",
    r"\b[Ww]hoever\b": "For whoever writes a backend.",
    r"\banew\b": "The time limit begins anew.",
    r"\bsolvers? beneath\b|\blibrar(y|ies) beneath\b": "The solver beneath failed.",
    r"\b[Tt]ell whether\b(?<!to tell whether)|[;,] tell\b": "Add a sum; tell whether it is new.",
    r"\bparted by\b": "clues parted by commas",
    r"\bhang together\b": "cells that hang together",
    r"\bas they say\.": "OptionError: as they say.",
    r"; says (why|what|which|where)\b": "FormatError: it is not valid; says why.",
    r"\bin a way of its own\b": "The solver failed in a way of its own.",
    r"\bwhat there is to say\b": "Return what there is to say of this machine.",
    r"\bthat cannot be\.": "A limit that cannot be.",
    r"\bzygotes?\b|\bthe court\b": "The zygote has ended.",
    r"\ASay (it|the|which|what|how|why)\b": "Say the sum.",
    r"\b(of|to) our users\b|\bkept from our\b": "Habits that are kept from our users:",
    r"\bnext to (none|nothing|no)\b|\bnear at hand\b": "It gains next to nothing.",
    r"\bas many as may be\b|\bif not given\b": "any grid if not given",
    r"\bin (its|their) one form\b": "Return the machine in its one form.",
    r"\bof no (more )?use\b": "After an exception it is of no more use.",
    r"\b(one|a) (symbol|board|puzzle|line|row|key|object|number|link|word|letter|bit|variable) "
    r"a (line|board|cell|page|row|case|puzzle|key)\b": "A board a line, one symbol a cell.",
    r"\b(at hand|next to no|as ever)\b": "In next to no time.",
    r"\b(does|do|did|can) ?not serve\b": "A backend that does not serve rules.",
    r"\bmessages (call|speak of)\b": "        name: what messages call the source.",
    r"\b[Tt]akes? note of\b": "Take note of a record.",
    r"\bone's own\b|\b(process|folder|part|mark) of (its|their) own\b": "In a process of its own.",
    r"\bin the making\b": "A puzzle in the making.",
    r"\bahead of (it|the work|long work)\b": "Refuse a file, ahead of the work for it.",
    r"\b(is|are) told of\b": "A solver is told of sums.",
    r"\bin silence\b": "Nothing is left out in silence.",
    r"\bhas gone by\b": "Standard input has gone by.",
    r"\bstrangers?\b": "A stranger's payload.",
    r"\b(how|so) far (it|the hunt|a (run|command|comparison)) is\b": "Return how far the hunt is.",
    r"\bwhere chance comes\b": "        rng: where chance comes from.",
    r"\bwhat there is\b|\ball there is\b": "Return all there is.",
    r"\bas a row of the catalogue\b": "Return links, as a row of the catalogue.",
    r"\bif need be\b|\bhitherto\b|\bthereof\b|\bwherein\b|\b[Ll]est\b": "Lest it end.",
}
"""Patterns, each with a text that had it once."""


PARTICIPLES = {"told", "held", "said", "kept", "made", "found"}
SPOKEN = {"beside", "here", "its", "more", "one", "own", "place", "some", "there", "what"}
"""Words that say what happened to a thing, or nothing: a name says what the thing is."""

PUBLIC = {
    ("unidoku/core/rules", "held"),
    ("unidoku/core/rules", "place"),
    ("unidoku/generation/request.py", "made"),
    ("unidoku/formats/losses.py", "told"),
}
"""Fields and former names that users and puzzle files name."""


Lines: TypeAlias = list[tuple[int, str]]


@cache
def texts_and_names(path: Path) -> tuple[Lines, Lines]:
    """Return the texts that readers of a module see and the names that it binds, with their lines.

    Of tests the texts are the docstrings and the names of functions, which are sentences.
    """
    is_test = path.is_relative_to(ROOT / "tests")
    texts, names = list[tuple[int, str]](), list[tuple[int, str]]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Constant(value=str(text)) if not is_test:
                texts.append((node.lineno, text))
            case ast.Expr(value=ast.Constant(value=str(text))) if is_test:
                texts.append((node.lineno, text))
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.append((node.lineno, name))
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.append((node.lineno, name))
            case ast.ExceptHandler(name=str(name)) | ast.ClassDef(name=name):
                names.append((node.lineno, name))
            case ast.FunctionDef(name=name):
                texts += [(node.lineno, name.replace("_", " "))] * is_test
                names += [(node.lineno, name)] * (name != "place")  # which a function may do
    return texts, names


def modules(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py") if path != Path(__file__))


def texts(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each text of a folder that readers see, with its source: also comments and pages."""
    for path in modules(folder):
        name = path.relative_to(ROOT)
        yield from ((f"{name}:{line}", text) for line, text in texts_and_names(path)[0])
        comments = re.findall(r"(?:^ *|  )# (.*)$", path.read_text("utf-8"), re.MULTILINE)
        yield f"{name}, comments", "\n".join(comments)
    pages = [*ROOT.glob("*.md"), *ROOT.glob(".github/**/*.yml"), *(ROOT / "docs").rglob("*.md")]
    for path in sorted(pages):
        if path.name != "CHANGELOG.md":  # history stays as it was written
            text = re.sub(
                r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
            )
            yield str(path.relative_to(ROOT)), text


@pytest.mark.parametrize("pattern", FOREIGN)
def test_a_pattern_finds_what_it_is_for(pattern: str) -> None:
    assert re.search(pattern, FOREIGN[pattern], re.MULTILINE)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_text_has_what_readers_stumbled_over(folder: str) -> None:
    # At a boundary of words only, those that begin there: most characters are looked at once.
    of_words = {p for p in FOREIGN if p.startswith(r"\b") and "|" not in re.sub(r"\(.*?\)", "", p)}
    others = "|".join(f"(?:{pattern})" for pattern in FOREIGN if pattern not in of_words)
    words = "|".join(f"(?:{pattern[2:]})" for pattern in FOREIGN if pattern in of_words)
    every = re.compile(rf"\b(?:{words})|{others}", re.MULTILINE)
    stumbles = [
        f"{source}: {match[0].strip()!r}"
        for source, text in texts(folder)
        for match in every.finditer(text)
    ]
    assert stumbles == []


@pytest.mark.parametrize("folder", NAMED)
def test_names_say_what_a_thing_is(folder: str) -> None:
    offenders = []
    for path in modules(folder):
        file = path.relative_to(ROOT).as_posix()
        public = {name for start, name in PUBLIC if file.startswith(start)}
        for line, name in texts_and_names(path)[1]:
            is_spoken = name in SPOKEN or name.strip("_").lower() in PARTICIPLES
            if is_spoken and name not in public:
                offenders.append(f"{file}:{line}: {name}")
    assert offenders == []
