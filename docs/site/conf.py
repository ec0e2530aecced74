"""How Sphinx builds the documentation site from the pages that `stage` lays out."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, TypeVar

from docutils.nodes import Text
from sphinx.addnodes import pending_xref

import unidoku
from unidoku import _HOME, __version__

sys.path.insert(0, str(Path(__file__).parent))
import sources
from api import MODULES

DESCRIBED = {module for _, modules in MODULES.values() for module in modules}

project = "Unidoku"
author = "The Unidoku developers"
release = version = __version__
language = "en"
smartquotes = False  # two dashes begin an option

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
if repository := sources.repository():
    extensions.append("sphinx.ext.linkcode")
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["files/**", "extra/**"]
nitpicky = True
# Names outside this package have no page here, and no inventory is loaded over the network.
nitpick_ignore_regex = [(r"py:.*", r"(?!unidoku\b).*")]
show_warning_types = True

myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "undoc-members": True, "ignore-module-all": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_ivar = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Unidoku"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_use_index = True
html_show_search_summary = False  # it fetches pages, which a browser refuses for files
html_domain_indices = False

# System fonts only: nothing is loaded from another host, and no font is shipped.
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}

MARKED = re.compile(r"(?<![`:\w])`([^`\n]+)`(?![`_\w])")
"""What a docstring marks as code."""


ANNOTATED = re.compile(r"~?typing\.Annotated\[(.+?), <[^>]*>\]")
"""A type and what is said of it."""


def marked(match: re.Match[str]) -> str:
    """Return a marked name as a link where it is a public name, and else as code."""
    name = match[1]
    public = name.removeprefix("unidoku.").removesuffix("()")
    if public in _HOME:
        return f":py:obj:`~unidoku.{public}`"
    return f"``{name}``"


def docstring(
    app: Any, kind: str, name: str, item: object, options: object, lines: list[str]
) -> None:
    """Mark code in docstrings as reStructuredText does; they are written as Markdown."""
    if kind in ("data", "attribute"):
        lines.insert(0, "")  # or napoleon takes what is before a colon for a type
    lines[:] = [
        line if line.lstrip().startswith((">>>", "...")) else MARKED.sub(marked, line)
        for line in lines
    ]


def signature(
    app: Any, kind: str, name: str, item: object, options: object, arguments: str | None, gives: str
) -> tuple[str | None, str]:
    """Leave out of annotations what is for the reader of files."""
    return (arguments and ANNOTATED.sub(r"\1", arguments), gives)


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    """Return the address of the source of what is described."""
    return sources.address_of(info["module"], info["fullname"], repository)


def home(name: str, module: str | None) -> str:
    """Return where what an annotation in a module names is described, or "" if nowhere here."""
    of, _, last = name.rpartition(".")
    item: Any = vars(sys.modules.get(of or module or "", sys)).get(last)
    if last in _HOME and (of in ("", "unidoku") or item is getattr(unidoku, last)):
        return f"unidoku.{last}"
    if last.startswith("_") or isinstance(item, TypeVar):
        return ""
    where = getattr(item, "__module__", "")
    if where.startswith("unidoku."):
        return f"{where}.{item.__qualname__}" if where in DESCRIBED else ""
    return name if of and not of.startswith("unidoku.") else ""


def resolve(app: Any, document: Any) -> None:
    """Have names in annotations lead to the objects that they are; set dashes of lists."""
    for text in list(document.findall(Text)):
        if text == " -- ":  # Sphinx's own, between an argument and its meaning
            text.parent.replace(text, Text(" – "))
    for node in list(document.findall(pending_xref)):
        if node.get("refdomain") == "py":
            name = node["reftarget"]
            node["reftarget"] = home(name, node.get("py:module"))
            if not node["reftarget"]:
                node.replace_self(Text(name.rpartition(".")[2]))


def setup(app: Any) -> None:
    """Have docstrings read before napoleon does, and names resolved after."""
    app.connect("autodoc-process-docstring", docstring, priority=400)
    app.connect("autodoc-process-signature", signature)
    app.connect("doctree-read", resolve)
