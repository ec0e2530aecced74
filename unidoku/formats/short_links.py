"""Links that do not hold their puzzle: only a site on the network knows it."""

from __future__ import annotations

import re

from unidoku.support.schema import shown

SITES = ("http://", "https://")
"""The beginnings of links."""

_BARE = re.compile(r"(?:[\w-]+\.)+(?:app|com|io|link|ly|me|net|org)/[^\s/]\S*", re.IGNORECASE)
"""Links as people write them, without a protocol."""


def is_link(text: str) -> bool:
    """Return whether a text is one link.

    >>> is_link("tinyurl.com/abc"), is_link("https://a.b/c"), is_link("folder/boards.txt")
    (True, True, False)
    """
    text = text.strip()
    return (text.startswith(SITES) and not re.search(r"\s", text)) or bool(_BARE.fullmatch(text))


def short_link(text: str, where: str = "") -> str:
    """Return the error message for a short link, from which the puzzle cannot be read."""
    return (
        f"expected a link that holds its puzzle{where}, got {shown(text)}; of a short link, only "
        "the site knows the puzzle: open it there, and copy the long link or its JSON"
    )
