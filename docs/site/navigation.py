"""What is where on the site: the four parts, and the pages that come from beside docs/."""

from __future__ import annotations

from pathlib import Path

import api

ROOT = Path(__file__).parents[2]
RESULTS = sorted(path.stem for path in (ROOT / "benchmarks" / "results").glob("*.md"))

NOTEBOOKS = [
    f"notebooks/{path.stem}" for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
]

ROOT_PAGES = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages outside docs/, and their names on the site."""

GENERATED = {"docs/upstream/README.md": "upstream.md"}
"""Pages of which the site has a longer one, made from code."""

PARTS = {
    "index.md": {
        "Start": ["In a minute <readme>", "installing", "tutorial", "gallery"],
        "Guides": [
            "guide-million",
            "guide-paper",
            "guide-bug",
            "teaching",
            "setting",
            "serve",
            "generation",
            "cluster",
            "own-backend",
            "guide-variant",
            "adding-a-rule",
            "languages",
            "modelling",
        ],
        "Notebooks": NOTEBOOKS,
        "Reference": [
            "command-line",
            "commands",
            "settings",
            "python",
            "api",
            "puzzle-files",
            "formats",
            "layouts",
            "rules",
            "backends",
            "techniques",
        ],
        "Explanation": [
            "proof",
            "comparison",
            "explain",
            "explanations",
            "native",
            "auto",
            "rules-measured",
            "study",
            "published",
            "phase-transition",
            "benchmarks",
            "upstream",
            "design",
        ],
        "Project": ["changelog", "contributing", "security"],
    },
    "api.md": {"Names": list(api.PAGES)},
    "benchmarks.md": {"Results": [f"results/{name}" for name in RESULTS]},
}
"""Trees of contents: for a page, what is below it. Pages named nowhere are explanations."""

SHOWN = {"api.md"}
"""Pages that show their tree of contents, which others have only in the margin."""


def unlisted(names: set[str]) -> list[str]:
    """Return the pages, without their endings, that no tree of contents has."""
    entries = [page for parts in PARTS.values() for pages in parts.values() for page in pages]
    listed = {entry.rpartition("<")[2].rstrip(">") for entry in entries}
    return sorted(names - listed - {"index"})
