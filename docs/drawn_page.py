"""Writes a page of the documentation together with its drawings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write(page: Path, text: str, drawings: Mapping[Path, str]) -> None:
    """Write a page and its drawings, which have a folder of their own."""
    page.write_text(text, encoding="utf-8")
    for file, picture in drawings.items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(picture, encoding="utf-8")
