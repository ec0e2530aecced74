"""What is where on the site: the four parts, and the pages that come from beside docs/."""

from __future__ import annotations

ROOT_PAGES = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages outside docs/, and their names on the site."""

PARTS = {
    "index.md": {
        "Start": ["readme", "gallery"],
        "Guides": [
            "comparison",
            "setting",
            "generation",
            "explain",
            "languages",
            "own-backend",
            "adding-a-rule",
        ],
        "Reference": [
            "command-line",
            "python",
            "api",
            "puzzle-files",
            "formats",
            "layouts",
            "rules",
            "backends",
            "techniques",
            "changelog",
        ],
        "Explanation": [
            "design",
            "native",
            "auto",
            "rules-measured",
            "benchmarks",
        ],
    },
}
"""Trees of contents: for a page, what is below it."""
