"""Section 4: batches of boards of one layout with rules, in the lanes and one at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, cast

import numpy as np

import unidoku
from measuring.boards import Cells, text_of, thinned
from measuring.clock import in_turn
from measuring.contestant import Contestant, DisagreementError, Found, compare
from measuring.families import cages, lines_of, walk
from measuring.machine import say
from measuring.settings import Settings
from measuring.table import figure, table
from unidoku import Layout, Request
from unidoku.backends.batch import STOPS, BatchBackend
from unidoku.core.deduce import strengthened
from unidoku.core.layout import Grid
from unidoku.core.rules import (
    Arrow,
    DiffersBy,
    Killer,
    Ratio,
    Rule,
    Sandwich,
    Skyscraper,
    Thermo,
    Whispers,
)

__all__ = ["section"]

BOARDS = 4096
GRIDS = 40
GIVENS_OF_START = 4

HEAD = ("rules", "givens", "lanes µs", "nodes", "single µs", "nodes", "ratio", "program")
"""The program's size is in numbers."""

TEXT = """\
{boards:,} boards of one layout, grids that keep its rules with all but some random cells removed; microseconds
a board at limit 2, the median of {rounds} rounds in turn. *single* searches a sample of them one at a time. All
counts of solutions agree."""
