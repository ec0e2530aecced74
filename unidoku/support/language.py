"""The language of texts for people: messages in English, and catalogues with their translations.

English is in the code. A catalogue, a JSON file in the folder ``languages``, has the same messages
in another language, with the same fields in braces. `message` is for a message of the code itself;
`translated` finds the message that a finished sentence was made from, so that the code that writes
sentences need not know of languages.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

ENGLISH = "en"

LANGUAGES = (ENGLISH, "de", "fr")
"""The languages that there are."""

_in_force = [ENGLISH]
"""The language in force is the last one."""

_FIELD = re.compile(r"\{(\w+)\}")


@contextlib.contextmanager
def in_language(language: str) -> Iterator[None]:
    """Write texts for people in a language; other threads do so too."""
    _in_force.append(language)
    try:
        yield
    finally:
        _in_force.pop()


def language() -> str:
    """Return the language in force, one of `LANGUAGES`."""
    return _in_force[-1]


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(name: str) -> Mapping[str, str]:
    """Return the messages of a language by those in English; English has none."""
    if name == ENGLISH:
        return {}
    text = files("unidoku.support").joinpath("languages", f"{name}.json").read_text("utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def message(english: str, **fields: object) -> str:
    """Return a message in the language in force, with its fields filled in.

    >>> with in_language("de"):
    ...     message("Solution {number}", number=3)
    'Lösung 3'
    """
    return catalogue(language()).get(english, english).format(**fields)


def translated(sentence: str) -> str:
    """Return a finished sentence in the language in force; in English if it has no translation.

    >>> with in_language("de"):
    ...     translated("Normal sudoku rules apply."), translated("Anything else.")
    ('Es gelten die normalen Sudoku-Regeln.', 'Anything else.')
    """
    if (name := language()) == ENGLISH:
        return sentence
    found = catalogue(name)
    if sentence in found:
        return found[sentence]
    for pattern, target in _patterns(name):
        if match := pattern.fullmatch(sentence):
            return target.format(
                **{key: translated(part) for key, part in match.groupdict().items()}
            )
    return sentence


@lru_cache(maxsize=len(LANGUAGES))
def _patterns(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the messages with fields, as expressions, those with most fixed text first."""
    found = [(english, target) for english, target in catalogue(name).items() if "{" in english]
    found.sort(key=lambda pair: -len(_FIELD.sub("", pair[0])))
    return tuple((_pattern(english), target) for english, target in found)


def _pattern(english: str) -> re.Pattern[str]:
    parts = _FIELD.split(english)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
    )
