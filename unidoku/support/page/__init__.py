"""Pages: self-contained HTML files that need no network and no library.

All pages share one style. Style, script and data are part of the file, and its content security
policy forbids every request. `unidoku.comparison.report.html` and `unidoku.logic.show` write their
pages with this module.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from unidoku.support.language import ENGLISH, message

ENDINGS = (".html", ".htm", "")
"""Endings of a page's name; none for devices such as /dev/null."""


def page(
    *,
    title: str,
    body: str,
    data: Mapping[str, Any],
    style: str = "",
    script: str = "",
    early: str = "",
    generator: str = "unidoku",
    language: str = ENGLISH,
) -> str:
    """Return a page as text.

    Args:
        title: title of the window; it is escaped.
        body: HTML of the body.
        data: what the script reads from the element ``data``, as JSON.
        style: CSS that follows the CSS of the theme.
        script: JavaScript that runs at the end of the page, in its own scope.
        early: JavaScript that runs before anything is shown.
        generator: program that wrote the page.
        language: language of the page.
    """
    scope = f'(() => {{\n"use strict";\n{script}\n}})();'
    return Template(read_part(__name__, "page.html")).substitute(
        language=language,
        policy=_policy(*filter(None, (early, scope))),
        generator=escape(generator),
        title=escape(title),
        style=read_part(__name__, "theme.css") + style,
        early=f"<script>{early}</script>" if early else "",
        body=body,
        data=json_text(data),
        script=scope,
    )


def read_part(package: str, name: str) -> str:
    """Return a text file of a package: a style, a script, a template."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def read_words(package: str, name: str) -> str:
    """Return a part whose texts, in double brackets, are written in the language in force."""
    return re.sub(
        r"\[\[(.+?)\]\]",
        lambda match: escape(message(" ".join(match[1].split()))),
        read_part(package, name),
        flags=re.DOTALL,
    )


def _policy(*scripts: str) -> str:
    """Return a policy that allows these scripts only, and no request at all."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()) for script in scripts)
    allowed = " ".join(f"'sha256-{digest.decode()}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def json_text(data: Mapping[str, Any]) -> str:
    """Return JSON for a script element, which it cannot end early: ``<`` is escaped."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
