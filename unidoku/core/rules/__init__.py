"""Rules: conditions other than "these cells all differ", as puzzles state them.

A rule belongs to a layout, as units do. It has a definition (`Rule.broken`), which the checker and
messages use and no solver does, and a translation into constraints (`Rule.constraints`), which
solvers use and the checker does not. Everything else is derived from the fields of its dataclass.

- `base`: the base class of all rules; a class of this package is registered by being defined.
- `pairs`, `lines`, `cages`, `kenken`, `contents`, `counting`, `order`, `outside`, `ranks`,
  `regions`, `held`, `steps`, `either`: the rules.
- `catalogue`: rules as plain tables, by which they are written and read.
"""

from __future__ import annotations

from unidoku.core.rules.base import Rule
from unidoku.core.rules.cages import (
    Arrow,
    Killer,
    Product,
    SameSum,
    SumOfCells,
    WeightedSum,
)
from unidoku.core.rules.contents import DifferWhere, EqualityCage, Hits, Rellik
from unidoku.core.rules.counting import CountDistinct, CountingCircles
from unidoku.core.rules.custom import Line
from unidoku.core.rules.disjunction import AnyOf
from unidoku.core.rules.kenken import KenKen
from unidoku.core.rules.lines import Flatmates, Palindrome, Renban, SumLine, Thermo, Whispers
from unidoku.core.rules.order import (
    Between,
    Contains,
    Indexed,
    LinesDiffer,
    Lockout,
    NoThreeEqual,
)
from unidoku.core.rules.outside import (
    HiddenSkyscraper,
    NonogramLine,
    NumberedRoom,
    Sandwich,
    Skyscraper,
    XSum,
)
from unidoku.core.rules.pairs import (
    DiffersBy,
    Greater,
    NonConsecutive,
    PairRule,
    Pairs,
    PairSum,
    Ratio,
)
from unidoku.core.rules.placements import Holds, Lunchbox, SameMultiset
from unidoku.core.rules.ranks import FullRank
from unidoku.core.rules.regions import ChaosConstruction, Connected, RegionCount, RegionRun

__all__ = [
    "AnyOf",
    "Arrow",
    "Between",
    "ChaosConstruction",
    "Connected",
    "Contains",
    "CountDistinct",
    "CountingCircles",
    "DifferWhere",
    "DiffersBy",
    "EqualityCage",
    "Flatmates",
    "FullRank",
    "Greater",
    "HiddenSkyscraper",
    "Hits",
    "Holds",
    "Indexed",
    "KenKen",
    "Killer",
    "Line",
    "LinesDiffer",
    "Lockout",
    "Lunchbox",
    "NoThreeEqual",
    "NonConsecutive",
    "NonogramLine",
    "NumberedRoom",
    "PairRule",
    "PairSum",
    "Pairs",
    "Palindrome",
    "Product",
    "Ratio",
    "RegionCount",
    "RegionRun",
    "Rellik",
    "Renban",
    "Rule",
    "SameMultiset",
    "SameSum",
    "Sandwich",
    "Skyscraper",
    "SumLine",
    "SumOfCells",
    "Thermo",
    "WeightedSum",
    "Whispers",
    "XSum",
]
