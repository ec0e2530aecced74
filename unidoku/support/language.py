"""The language of texts for people: messages in English, and catalogues with their translations.

English is in the code. A catalogue, JSON files in a folder of ``languages``, has the same messages
in another language, with the same fields in braces. `message` writes a message at once, a `Message`
each time that it is read: what is cached has Messages, or facts.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from unidoku.support.setting import Setting
from unidoku.support.text import listed

ENGLISH = "en"

LANGUAGES = (ENGLISH, "de", "fr")
"""The languages that there are."""

ROOMS = ("techniques", "steps", "rules", "sheets", "server")
"""The files with the messages of Python: techniques, steps and pages about them, rules with their
cells, what setters write below a puzzle, and answers of the workbench."""

PAGE = "page"
"""The file with the messages of the workbench's page, whose fields have numbers."""

NAMES = "names"
"""The file with the names of variants and of kinds of rules, which are words of puzzle files."""

_LANGUAGE = Setting(ENGLISH)


def in_language(language: str) -> contextlib.AbstractContextManager[None]:
    """Write texts for people in a language; other threads do so too."""
    return _LANGUAGE.set_to(language)


def language() -> str:
    """Return the language in force, one of `LANGUAGES`."""
    return _LANGUAGE.value


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(name: str) -> Mapping[str, str]:
    """Return the messages of a language by those in English; English has none."""
    texts: dict[str, str] = {}
    for room in ROOMS if name != ENGLISH else ():
        texts |= room_of(name, room)
    return texts


@lru_cache(maxsize=16)
def room_of(name: str, room: str) -> Mapping[str, str]:
    """Return the messages of one file of a language, one of `ROOMS`."""
    text = files("unidoku.support").joinpath("languages", name, f"{room}.json").read_text("utf-8")
    texts: dict[str, str] = json.loads(text)
    if name == "fr":
        return {english: _with_narrow_spaces(target) for english, target in texts.items()}
    return texts


def _with_narrow_spaces(french: str) -> str:
    r"""Return a text whose high signs do not begin a line; translators may type blanks there.

    >>> _with_narrow_spaces("« vrai » : non ; pourquoi ?")
    '«\u202fvrai\u202f»\u202f: non\u202f; pourquoi\u202f?'
    """
    for sign in ";:!?»":
        french = french.replace(f" {sign}", f"\u202f{sign}")
    return french.replace("« ", "«\u202f")


class Message:
    """A text for people that is written in the language in force whenever it is read.

    A translation may ask for a form of a field that is a Message itself, such as ``{unit:le}``. A
    catalogue has forms behind a bar: ``row|le`` beside ``row``.

    >>> unit = Message("{kind} {label}", kind=Message("row"), label="A")
    >>> with in_language("fr"):
    ...     f"{unit}, {unit:le}"
    'ligne A, la ligne A'
    """

    __slots__ = ("english", "fields")

    def __init__(self, english: str, /, **fields: object) -> None:
        """Take a message in English, and what is put for its fields."""
        self.english = english
        self.fields = fields

    def __format__(self, form: str) -> str:
        """Return the text in a form, or as it is if the catalogue does not have the form."""
        return self._written(self.english, form)

    def __str__(self) -> str:
        """Return the text."""
        return self._written(self.english, "")

    def _written(self, english: str, form: str) -> str:
        text = english
        if (name := _LANGUAGE.value) != ENGLISH:
            texts = catalogue(name)
            text = texts.get(english, english)
            if form:
                text = texts.get(f"{english}|{form}", text)
        return text.format_map(self.fields) if self.fields else text


class _Counted(Message):
    """A number with its noun."""

    __slots__ = ()

    def __format__(self, form: str) -> str:
        count, noun = self.fields["count"], self.fields["noun"]
        assert isinstance(count, int)
        plural = _IS_PLURAL[language()](count)
        return f"{figure(f'{count:,}')} {Message(f'{noun}s' if plural else f'{noun}'):{form}}"

    def __str__(self) -> str:
        return format(self, "")


_IS_PLURAL: Mapping[str, Callable[[int], bool]] = {
    ENGLISH: lambda count: count != 1,
    "de": lambda count: count != 1,
    "fr": lambda count: count > 1,
}
"""Whether a number takes the plural, by language, as the rules of gettext say."""


def quantity(count: int, noun: str) -> Message:
    """Return a number with its noun, which gets an s in English unless the number is one.

    >>> with in_language("de"):
    ...     str(quantity(1, "step")), f"{quantity(1200, 'step'):dat}"
    ('1 Schritt', '1.200 Schritten')
    """
    return _Counted("{count} {noun}", count=count, noun=noun)


_FIGURES = {"de": str.maketrans(",.", ".,"), "fr": str.maketrans(",.", "\u202f,")}
"""What stands for the commas and the point of an English number."""


def figure(english: str) -> str:
    """Return a number, as English writes it, in the language in force.

    >>> with in_language("de"):
    ...     figure("1,820.5")
    '1.820,5'
    """
    return english.translate(_FIGURES.get(language(), {}))


def listing(items: Iterable[object], last: str = "and") -> str:
    """Return items as a phrase in the language in force, with a word before the last one.

    >>> with in_language("de"):
    ...     listing([3, 7, 9]), listing("ab", "or")
    ('3, 7 und 9', 'a oder b')
    """
    return listed(items, message(last))


def series(clauses: Iterable[str]) -> str:
    """Return clauses in a row, behind a semicolon each as the language in force writes it.

    >>> series(["A1 is 3", "B2 is 4"])
    'A1 is 3; B2 is 4'
    """
    return message("; ").join(clauses)


def message(english: str, /, **fields: object) -> str:
    """Return a message in the language in force, with its fields filled in.

    >>> with in_language("de"):
    ...     message("Solution {number}", number=3)
    'Lösung 3'
    """
    name = _LANGUAGE.value
    text = english if name == ENGLISH else catalogue(name).get(english, english)
    return text.format_map(fields) if fields else text


def named(word: str) -> str:
    """Return the name of a variant or a kind of rules in the language in force.

    >>> with in_language("de"):
    ...     named("slow-thermo"), named("anything-else")
    ('langsames Thermometer', 'anything-else')
    """
    name = language()
    return word if name == ENGLISH else room_of(name, NAMES).get(word, word)
