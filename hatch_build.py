"""The metadata of a build that depend on the address of the repository: its links and the README.

An index shows the README without the files beside it, so relative links would lead nowhere there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

__all__ = ["Addresses", "linked"]

PICTURE = r"!\[[^\[\]]*\]\([^)\s]*\)"
CODE_OR_LINK = re.compile(
    r"^```.*?^```$|`[^`\n]+`"
    rf"|(?P<mark>!?)\[(?P<text>(?:{PICTURE}|[^\[\]])*)\]"
    r"\((?!https?:|mailto:|\#)(?P<path>[^)\s]+)\)(?P<blank>\n*)",
    re.MULTILINE | re.DOTALL,
)
"""Code, which stays, or a relative link, whose text may be a picture, with the lines below it."""


class Addresses(MetadataHookInterface):
    """Sets the README and the addresses of the project."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add to the metadata of pyproject.toml."""
        repository = self.config["repository"].rstrip("/")
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": linked(readme, repository),
        }
        metadata["urls"] = addresses(repository)


def addresses(repository: str) -> dict[str, str]:
    """Return the addresses of the project by name; none without that of the repository."""
    if not repository:
        return {}
    return {
        "Source": repository,
        "Documentation": f"{repository}/blob/HEAD/docs/index.md",
        "Changelog": f"{repository}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


def linked(text: str, repository: str) -> str:
    """Return a page of the root with links to the repository; without its address, with none."""

    def link(match: re.Match[str]) -> str:
        mark, label, path, blank = match["mark"], match["text"], match["path"], match["blank"]
        if path is None:
            return match[0]
        if repository:
            folder = "raw" if mark else "blob"
            return f"{mark}[{linked(label, repository)}]({repository}/{folder}/HEAD/{path}){blank}"
        return "" if mark or label.startswith("!") else label + blank

    return CODE_OR_LINK.sub(link, text)
