"""The colours of pictures, as eyes of all kinds see them."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest

from unidoku.draw.paint import BOARD, BROAD

SIMULATED = {
    "three kinds of cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is seen of linear red, green and blue: Machado, Oliveira and Fernandes, 2009."""

CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def times(matrix: tuple[tuple[float, ...], ...], vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def luminance(colour: str) -> float:
    return times(((0.2126, 0.7152, 0.0722),), linear(colour))[0]


def seen(colour: str, eyes: str) -> tuple[float, ...]:
    shown = times(SIMULATED[eyes], linear(colour))
    cones = times(CONES, tuple(min(1.0, max(0.0, c)) for c in shown))
    return times(OKLAB, tuple(c ** (1 / 3) for c in cones))


def least(colours: list[str]) -> float:
    """Return the least difference of two colours to any eyes, in percent of black and white."""
    return 100 * min(
        math.dist(seen(a, eyes), seen(b, eyes))
        for a, b in combinations(colours, 2)
        for eyes in SIMULATED
    )


def safe(dark: int) -> dict[str, str]:
    pattern = r'"safe"\] \.unidoku \.(\w+)\{[^}]*stroke:light-dark\((#\w+),(#\w+)\)'
    return {name: pair[dark] for name, *pair in re.findall(pattern, BOARD.style_of("safe"))}


@pytest.mark.parametrize("dark", [0, 1])
def test_the_colours_for_the_colour_blind_differ_to_all_eyes_and_carry_digits(dark: int) -> None:
    chosen = safe(dark)
    assert {*BROAD} <= chosen.keys()
    grey = BOARD.colours["bulb"][dark]
    usual = [BOARD.colours[name][dark] for name in BROAD]
    assert least([*usual, grey]) < 0.6
    assert least([*(chosen[name] for name in BROAD), grey]) > 4.5
    ink = luminance(BOARD.colours["ink"][dark])
    for name in BROAD:
        low, high = sorted((ink, luminance(chosen[name])))
        assert (high + 0.05) / (low + 0.05) > 4.5, name
