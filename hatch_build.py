"""The hooks of a build: metadata with the address of the repository, and machine code.

An index shows the README without the files beside it, so relative links would lead nowhere there.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

__all__ = ["Addresses", "MachineCode", "linked"]

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


class MachineCode(BuildHookInterface[Any]):
    """Builds the library of a system and puts it into the wheel.

    Without the tools, or for a system that no code is made for, the wheel is a pure one.
    """

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library; an editable install gets it from `make library`."""
        wanted = os.environ.get("UNIDOKU_SYSTEM")
        if version == "editable" or wanted == "none":
            return
        sys.path.insert(0, self.root)
        from building.library import build, levels_here, why_not
        from building.systems import SYSTEMS, this_system

        name = wanted or this_system()
        if (why := why_not(name)) or name is None:
            self.app.display_warning(f"a wheel without machine code: {why}")
            return
        system = SYSTEMS[name]
        levels = system.levels if wanted else levels_here(system)
        if not levels:
            self.app.display_warning("a wheel without machine code: this processor is too old")
            return
        self._folder = tempfile.TemporaryDirectory()
        library = Path(self._folder.name, system.file)
        build(system, library, levels)
        build_data["pure_python"] = False
        # A wheel for this machine alone is for no index: its tag is that of this system.
        tag = system.tag if wanted else re.sub("[-.]", "_", sysconfig.get_platform())
        build_data["tag"] = f"py3-none-{tag}"
        build_data["force_include"][str(library)] = (
            f"unidoku/backends/native/machine_code/{system.file}"
        )

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was built."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


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
