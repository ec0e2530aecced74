"""A journal of measurements, so that a program can be stopped and goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Journal:
    """What was measured by its key, in a file if there is one.

    A line is a list in JSON: the parts of the key, numbers or texts, and then the entry.
    """

    def __init__(self, file: Path | None) -> None:
        """Read what the file has; None for no file."""
        self._file = file
        self.entries: dict[tuple[Any, ...], Any] = {}
        if file is not None and file.exists():
            for line in file.read_text("utf-8").splitlines():
                *key, entry = json.loads(line)
                self.entries[tuple(key)] = entry

    def add(self, key: tuple[Any, ...], entry: Any) -> None:
        """Add an entry, to the file too."""
        self.entries[key] = entry
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps([*key, entry]) + "\n")
