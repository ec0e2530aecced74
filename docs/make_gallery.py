"""Write the gallery: a puzzle of each variant, of eight families, and of each other kind of rule.

Drawings go to images/gallery/; which backends take a puzzle is what they declare.

Usage: python docs/make_gallery.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gallery_variants import PUZZLES
from make_backends import table

import unidoku
from unidoku.backends import BUILT_IN, find
from unidoku.backends.base import Request
from unidoku.backends.solving.policy import refusals
from unidoku.core.layout import Layout
from unidoku.support.text import listed

DOCS = Path(__file__).parent
PAGE = DOCS / "gallery.md"
IMAGES = DOCS / "images" / "gallery"
EXAMPLES = DOCS.parent / "examples" / "rules"

FAMILIES = {
    "killer": "Killer",
    "kenken": "KenKen",
    "futoshiki": "Futoshiki",
    "kakuro": "Kakuro",
    "skyscrapers": "Skyscrapers",
    "takuzu": "Takuzu",
    "nonogram": "Nonogram",
    "star-battle": "Star Battle",
}
"""The families shown at length, and their headings."""

INTRODUCTION = """\
# Gallery

<!-- Made by `python docs/make_gallery.py` from gallery_variants.py and examples/rules. -->

Every [variant](#variants) and every [kind of rule](#all-other-rules), drawn, with a small puzzle
and what solves it. Backends are those that [Unidoku has](backends.md), and what a person needs is
one of [these techniques](techniques.md).

## Variants

Units of cells that all differ. Names go together with `+`, such as `x+windoku`. A puzzle is text:
`unidoku solve .6....2.....41............1.5....... --variant x` solves it, `unidoku explain` with
the same words shows how a person does, and `unidoku generate --variant x` makes another.

VARIANTS
## Families

Eight families of puzzles, each in a [file](puzzle-files.md) that a person can write. Every command
takes it: `unidoku solve examples/rules/killer.toml` prints its solution, `unidoku draw
examples/rules/killer.toml` makes the drawing, and `unidoku compare examples/rules.toml` has
backends solve all of them. Where values are 0 and 1, solutions are printed as such; in drawings,
cells of a nonogram are filled.
"""

MORE = """\
## All other rules

A puzzle for each of the other [kinds of rules](rules.md).
"""


def page() -> str:
    """Return the page."""
    header = ["drawing", "variant, its units, a puzzle, what solves it"]
    parts = [INTRODUCTION.replace("VARIANTS", table(header, map(variant_row, PUZZLES)))]
    parts += [section(name, heading) for name, heading in FAMILIES.items()]
    others = sorted({file.stem for file in EXAMPLES.glob("*.toml")} - set(FAMILIES))
    parts += [MORE, table(["drawing", "its rules, its file, what solves it"], map(row, others))]
    return "\n".join(parts)


def section(name: str, heading: str) -> str:
    """Return what is said of a family."""
    text = file(name).read_text(encoding="utf-8")
    return "\n".join(
        [
            f"### {heading}",
            "",
            sentence(text),
            "",
            f"![{heading}](images/gallery/{name}.svg) "
            f"![its solution](images/gallery/{name}-solved.svg)",
            "",
            "```toml",
            text.partition("\n")[2].rstrip(),
            "```",
            "",
            f"[{name}.toml](../examples/rules/{name}.toml), solved by "
            f"{solved_by(puzzle_board(name))}.",
            "",
        ]
    )


def variant_row(name: str) -> list[str]:
    """Return a row of the table of variants."""
    units, text = PUZZLES[name]
    return [
        f"![{name}](images/gallery/{variant_file(name)})",
        f"**`{name}`**<br>{units}<br>`{text}`<br>{solved_by(variant_board(name))}",
    ]


def variant_board(name: str) -> unidoku.Board:
    """Return the puzzle of a variant."""
    (board,) = [puzzle.board for puzzle in unidoku.read_puzzles(PUZZLES[name][1], variant=name)]
    return board


def variant_file(name: str) -> str:
    """Return the name of the drawing of a variant."""
    return f"variant-{name.partition(':')[0]}.svg"


def row(name: str) -> list[str]:
    """Return a row of the table of all other rules."""
    return [
        f"![{name}](images/gallery/{name}.svg)",
        f"{sentence(file(name).read_text(encoding='utf-8'))}<br>"
        f"[{name}.toml](../examples/rules/{name}.toml)<br>{solved_by(puzzle_board(name))}",
    ]


def file(name: str) -> Path:
    """Return the file of a puzzle."""
    return EXAMPLES / f"{name}.toml"


def sentence(text: str) -> str:
    """Return the comment at the beginning of a file."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("# "):
            break
        lines.append(line.removeprefix("# "))
    return " ".join(lines)


def puzzle_board(name: str) -> unidoku.Board:
    """Return the puzzle of a file."""
    (puzzle,) = unidoku.read(file(name))
    return puzzle.board


def solved_by(board: unidoku.Board) -> str:
    """Say which backends take a puzzle, and which technique a person needs."""
    refusing = [f"`{name}`" for name in BUILT_IN if is_refused(name, board.layout)]
    taking = f"all backends but {listed(refusing)}" if refusing else "all backends"
    hardest = unidoku.explain(board).hardest
    return f"{taking}; a person needs: {hardest.technique if hardest else 'no technique'}"


def is_refused(backend: str, layout: Layout) -> bool:
    """Return whether a backend says that it does not take a layout."""
    return bool(refusals(find(backend).capabilities, layout, Request()))


def drawings() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each drawing."""
    for name in PUZZLES:
        yield variant_file(name), unidoku.svg(variant_board(name)) + "\n"
    for path in sorted(EXAMPLES.glob("*.toml")):
        (puzzle,) = unidoku.read(path)
        yield f"{path.stem}.svg", unidoku.svg(puzzle.board) + "\n"
        if path.stem in FAMILIES:
            yield f"{path.stem}-solved.svg", unidoku.svg(puzzle.board, puzzle.solution) + "\n"


def main() -> None:
    """Write page and drawings, and remove drawings of files that are gone."""
    IMAGES.mkdir(exist_ok=True)
    images = dict(drawings())
    for old in {path.name for path in IMAGES.iterdir()} - set(images):
        (IMAGES / old).unlink()
    for name, image in images.items():
        (IMAGES / name).write_text(image, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
