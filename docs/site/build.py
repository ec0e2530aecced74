"""Build the documentation site: each warning is an error.

Usage: python docs/site/build.py [FOLDER]
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main
from stage import ROOT, stage


def main() -> int:
    """Build into a folder, build/docs if none is named."""
    target = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "docs"
    source = target.with_name(f"{target.name}-source")
    stage(source)
    shutil.rmtree(target, ignore_errors=True)  # pages that are gone would stay
    options = ["-b", "html", "-c", str(Path(__file__).parent), "-j", "auto"]
    strict = ["-W", "--keep-going", "-q"]
    extra = ["-D", f"html_extra_path={source / 'extra'}"]
    trees = ["-d", str(target.with_name(f"{target.name}-trees"))]
    return build_main([*options, *strict, *extra, *trees, str(source), str(target)])


if __name__ == "__main__":
    sys.exit(main())
