"""What is where on the site: the four parts, and the pages that come from beside docs/."""

from __future__ import annotations

from pathlib import Path

RESULTS = sorted(
    path.stem for path in (Path(__file__).parents[2] / "benchmarks" / "results").glob("*.md")
)

ROOT_PAGES = {
    "README.md": "readme.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Pages outside docs/, and their names on the site."""

NOTEBOOKS = ["norvig", "slides", "paper", "killer"]

MADE = {
    "docs/upstream/README.md": "upstream.md",
    **{f"docs/notebooks/{name}.ipynb": f"notebooks/{name}.md" for name in NOTEBOOKS},
}
"""Pages of which the site has a longer one, made from code."""

PARTS = {
    "index.md": {
        "Start": ["readme", "gallery"],
        "Guides": [
            "comparison",
            "cluster",
            "setting",
            "generation",
            "explain",
            "languages",
            "own-backend",
            "adding-a-rule",
        ],
        "Notebooks": [f"notebooks/{name}" for name in NOTEBOOKS],
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
            "study",
            "benchmarks",
            "upstream",
            "contributing",
            "security",
        ],
    },
    "api.md": {"Modules": ["api/unidoku", "api/modules"]},
    "benchmarks.md": {"Results": [f"results/{name}" for name in RESULTS]},
}
"""Trees of contents: for a page, what is below it."""
