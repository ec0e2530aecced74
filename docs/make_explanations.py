"""Write the page of explained steps, ten of ten kinds, with their drawings.

Each is a step as `unidoku hint` or `unidoku explain` prints it, and as the page of `explain` draws
it.

Usage: python docs/make_explanations.py
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from drawn_page import write

import unidoku
from unidoku.logic import State, Step, steps_from, technique, usual
from unidoku.logic.show import svg

DOCS = Path(__file__).parent
PAGE = DOCS / "explanations.md"
IMAGES = DOCS / "images" / "explanations"

_PAIR = "4.....938.32.941...953..24.37.6.9..4529..16736.47.3.9.957..83....39..4..24..3.7.9"
_X_WING = "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5"


@dataclass(frozen=True, slots=True)
class Explained:
    """A step that the page shows.

    Args:
        title: the heading.
        puzzle: a file of the folder ``examples/rules`` without its ending, or a board.
        name: the technique: its first step on the puzzle, unless ``says`` is given.
        look: what the drawing shows, in Markdown.
        says: the beginning of the sentence of a later step of the walkthrough.
    """

    title: str
    puzzle: str
    name: str
    look: str
    says: str = ""


STEPS = [
    Explained(
        "A naked pair",
        _PAIR,
        "naked pair",
        "The two cells with discs have the same two candidates, so they take both of them. In "
        "the other cells of the row and the box these are struck out.",
    ),
    Explained(
        "An X-wing",
        _X_WING,
        "X-wing",
        "In each of the two rows with a full outline, 7 has two places, in the same two columns, "
        "which are dashed. The rows take it in different columns, so each of these columns has "
        "its 7 in one of the two rows, and no other cell of it can be 7.",
    ),
    Explained(
        "A cage of a killer",
        "killer",
        "combinations",
        "The dotted outline is the cage. The sentence lists what it may hold: 1+6 is not in the "
        "list, as neither cell can be 6. A value in none of these sums is struck out.",
        "combinations of 2+5 or 3+4 (the cage D4 E4",
    ),
    Explained(
        "A thermometer",
        "thermo",
        "line bounds",
        "The bulb is E3. From there on, each cell is at least one more than the cell before, so "
        "the small values leave the end, D3, and the large ones leave the bulb.",
    ),
    Explained(
        "An arrow",
        "arrow",
        "sum bounds",
        "The two cells of the shaft sum to at least 1 + 1, and to at most 6, the largest "
        'candidate of the circle: this is what "from 2 to 6" says. So the circle is not 1, and '
        "as one cell of the shaft is at least 1, the other is at most 5.",
        "sum bounds from 2 to 6",
    ),
    Explained(
        "A sandwich",
        "sandwich",
        "arrangements",
        "The clue is beside row A. Between 1 and 6 stand 2, 4 and 5, the only values with the "
        "sum 11. With 1 and 6 these take five neighbouring cells of the six: one of the two is "
        "in the first or the last cell of the row, and the 3, which is left, in the other.",
        "arrangements, 11 is 2+4+5",
    ),
    Explained(
        "A skyscraper",
        "skyscrapers",
        "unit in a rule",
        "From the clue above column 1, four of the five towers are visible: those that are "
        "higher than all before them. If 4 were second, only A1, the 4 and the 5 could be "
        "visible; if 5 were third, nothing behind it would be.",
        "unit in a rule, 4 cannot be second, 5 not third where 4 are visible (along A1-E1)",
    ),
    Explained(
        "A little killer",
        "little-killer",
        "sum bounds",
        "The small arrow below the clue shows the diagonal. Cells of the same box differ, so A5 "
        "and B4 sum to at least 1 + 2, and so do C3 and D2. Of the total of 9, at most 9 - 6 is "
        "left for E1, and at most 9 - 5 for each of the others.",
        "sum bounds, as with any one of A5",
    ),
    Explained(
        "A region to be found",
        "chaos-construction",
        "line arrangements",
        "Cells whose region is known are tinted, with its number in the corner; regions are "
        "numbered in the order of their first cells. Three of the clue's six cells are in the "
        "region of A3 already, as many as it says, so A4, in the frame, begins region 3.",
        "line arrangements (A3 is how many",
    ),
    Explained(
        "Rules together",
        "thermo",
        "rules together",
        "No single rule shows it. The sentence tells what follows if the candidate is true, "
        "rule by rule, until a value has no place; with 4 it is the same.",
        "rules together in box 2",
    ),
]

INTRODUCTION = """\
# Ten steps explained

<!-- Made by `python docs/make_explanations.py`: change that. -->

Each step below is the answer of the command beside it, and its drawing is that of the page which
`unidoku explain PUZZLE --html FILE` writes. A candidate on a disc is one that the step rests on;
one that is struck out in a square is removed; a ring is placed. The cells of a rule have a dotted
outline, units a full or dashed one. "1 leaves A4" means that A4 cannot be 1. [Solved step by
step](explain.md) has all signs, [the techniques](techniques.md) have their order and their ratings.
"""


def is_file(puzzle: str) -> bool:
    """Return whether a puzzle is a file of the examples."""
    return puzzle.replace("-", "").isalpha()


@lru_cache(maxsize=32)
def explained_step(explained: Explained) -> tuple[State, Step, int]:
    """Return the step, the state before it, and its number in the walkthrough; 0 for a hint."""
    examples = DOCS.parent / "examples" / "rules"
    board = (
        unidoku.read(examples / f"{explained.puzzle}.toml")[0].board
        if is_file(explained.puzzle)
        else unidoku.Board.parse(explained.puzzle)
    )
    state = State.start(board)
    if not explained.says:
        return state, next(technique(explained.name).steps(state)), 0
    for number, (step, after) in enumerate(steps_from(state, list(usual())), start=1):
        if step.sentence.startswith(explained.says):
            return state, step, number
        state = after
    raise AssertionError(f"{explained.title}: no step begins with {explained.says!r}")


def image(explained: Explained) -> str:
    """Return the name of the file of a step's drawing."""
    return f"{explained.title.lower().replace(' ', '-')}.svg"


def drawings() -> dict[Path, str]:
    """Return the drawings, by their files."""
    return {IMAGES / image(each): svg(*explained_step(each)[:2]) + "\n" for each in STEPS}


def page() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for each in STEPS:
        _, step, number = explained_step(each)
        puzzle = f"examples/rules/{each.puzzle}.toml" if is_file(each.puzzle) else each.puzzle
        command = (
            f"`unidoku explain {puzzle}`, step {number}"
            if number
            else f'`unidoku hint {puzzle} --techniques "{each.name}"`'
        )
        parts.append(
            f"## {each.title}\n\n![{each.title}](images/explanations/{image(each)})\n\n"
            f"{command}:\n\n> {step}\n\n{each.look}\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    write(PAGE, page(), drawings())
