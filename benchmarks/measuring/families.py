"""Boards with rules, of seven families, made at random by our generator: each has one solution."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import unidoku
from unidoku import Board

FAMILIES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "killer": {"family": "killer", "n": 9},
        "KenKen": {"family": "kenken", "n": 7},
        "futoshiki": {"family": "futoshiki", "n": 8},
        "skyscrapers": {"family": "skyscraper", "n": 7},
        "nonograms": {"family": "nonogram", "n": 15},
        "takuzu": {"family": "takuzu", "n": 10},
        "lines": {"rules": ("thermo", "whisper", "renban", "sandwich"), "n": 9},
    }
)
"""What makes the boards of each family: arguments of `unidoku.generate`."""


def family(name: str, count: int, seed: int = 1, n: int | None = None) -> Iterator[Board]:
    """Yield so many boards of a family, always the same ones of a seed, or of another size."""
    order = random.Random(f"{name} {seed}")
    arguments = {**FAMILIES[name], "n": n or FAMILIES[name]["n"]}
    for board in unidoku.generate(**arguments, count=count, seed=seed):
        # With its rules in another order a board has a layout of its own, whose model is built.
        rules = order.sample(board.layout.rules, len(board.layout.rules))
        yield Board.of(replace(board.layout, rules=tuple(rules)), board.candidates)
