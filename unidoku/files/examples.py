"""The example puzzles that come with Unidoku: the boards this field is taught with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from unidoku.errors import InputError, nearest
from unidoku.formats import Puzzle, read_puzzles
from unidoku.support.toml import parse_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A file of puzzles.

    Args:
        name: the file's name without its ending.
        title: what is in it.
        variant: layout of its boards.
        solutions: how many solutions each of its boards has; None where they differ.
    """

    name: str
    title: str
    variant: str = "classic"
    solutions: int | None = None

    @property
    def path(self) -> Path:
        """The file."""
        return examples_folder() / f"{self.name}.txt"

    def puzzles(self) -> list[Puzzle]:
        """Read its puzzles."""
        return read_puzzles(self.path.read_text(encoding="utf-8"), self.variant)


def is_example(file: Path) -> bool:
    """Return whether a file has the content of the example file of its name."""
    try:
        return file.read_bytes() == (examples_folder() / file.name).read_bytes()
    except OSError:
        return False


def comparison_file() -> Path:
    """Return the comparison of the backends on all examples."""
    return examples_folder() / "compare.toml"


def examples_folder() -> Path:
    """Return the folder of the examples: within an installed package, beside it in a checkout."""
    package = Path(__file__).parents[1]
    installed = package / "example_files"
    return installed if installed.is_dir() else package.parent / "examples"


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples, in the order of their index."""
    index = parse_toml((examples_folder() / "index.toml").read_text(encoding="utf-8"))
    return tuple(Example(name=name, **row) for name, row in index.items())


def find_example(name: str) -> Example:
    """Return an example by its name.

    Raises:
        InputError: there is nothing of that name.
    """
    by_name = {example.name: example for example in examples()}
    if name not in by_name:
        raise InputError(f"expected an example, got {name!r}; {nearest(name, by_name)}")
    return by_name[name]
