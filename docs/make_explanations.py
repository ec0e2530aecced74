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
        "In each of the two rows with a full outline, the value has two places, in the same two"
        " columns, which are dashed. One of each column takes it, so the rest of the columns "
        "loses it.",
    ),
    Explained(
        "A cage of a killer",
        "killer",
        "combinations",
        "The dotted outline is the cage. The sentence lists what it may hold; a value in none "
        "of these sums is struck out.",
        "combinations of 3+4 or 2+5 (the cage D4 E4",
    ),
    Explained(
        "A thermometer",
        "thermo",
        "line bounds",
        "From the bulb on, each cell is at least one more than the cell before, so the small "
        "values leave the end and the large ones the bulb.",
    ),
    Explained(
        "An arrow",
        "arrow",
        "sum bounds",
        "The shaft sums to at least what its smallest candidates give, and to at most the "
        "largest candidate of the circle. The sentence has both ends.",
        "sum bounds from 2 to 6",
    ),
    Explained(
        "A sandwich",
        "sandwich",
        "arrangements",
        "The clue is beside row A. The sentence says which values can be between 1 and 6, and "
        "therefore how far these two are apart.",
        "arrangements, 11 is 2+4+5",
    ),
    Explained(
        "A skyscraper",
        "skyscrapers",
        "unit in a rule",
        "The clue 4 stands at the near end of the line. Where four of five are visible, they "
        "rise almost at every step, so that the high ones cannot come early.",
        "unit in a rule, 4 cannot be second, 5 not third where 4 are visible (along A1-E1)",
    ),
    Explained(
        "A little killer",
        "little-killer",
        "sum bounds",
        "The small arrow shows the diagonal. However small the other cells are, they leave only"
        " so much for each cell.",
        "sum bounds, as without A5",
    ),
    Explained(
        "A region to be found",
        "chaos-construction",
        "line arrangements",
        "Borders that are known are drawn. The frame is around the cell whose region is found; "
        "regions are numbered in the order of their first cells.",
        "line arrangements (A3 is how many",
    ),
    Explained(
        "Rules together",
        "thermo",
        "rules together",
        "No single rule shows it. The sentence tells what follows if the candidate is true, "
        "rule by rule, until a value has no place.",
        "rules together in box 2",
    ),
]

INTRODUCTION = """\
# Ten steps explained

<!-- Made by `python docs/make_explanations.py`: change that. -->

Each step below is the answer of the command beside it, and its drawing is that of the page which
`unidoku explain PUZZLE --html FILE` writes. A candidate on a disc is one that the step rests on;
one that is struck out in a square is removed; a ring is placed. The cells of a rule have a dotted
outline, units a full or dashed one. [Solved step by step](explain.md) has all signs, [the
techniques](techniques.md) have their order and their ratings.
"""


def is_file(puzzle: str) -> bool:
    """Return whether a puzzle is a file of the examples."""
    return puzzle.replace("-", "").isalpha()


@lru_cache(maxsize=32)
def found(explained: Explained) -> tuple[State, Step, int]:
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
    return {IMAGES / image(each): svg(*found(each)[:2]) + "\n" for each in STEPS}


def page() -> str:
    """Return the page."""
    parts = [INTRODUCTION]
    for each in STEPS:
        _, step, number = found(each)
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
