"""Rules: conditions other than "these cells all differ", as puzzles state them.

A rule belongs to a layout, as units do. It has a definition (`Rule.broken`), which the checker and
messages use and no solver does, and a translation into constraints (`Rule.constraints`), which
solvers use and the checker does not. Everything else is derived from the fields of its dataclass.

- `base`: the base class of all rules; a class of this package is registered by being defined.
- the other modules: the rules, by what they are about.
- `catalogue`: rules as plain tables, by which they are written and read.
"""

from __future__ import annotations

from unidoku.core.rules.base import Rule as Rule
from unidoku.core.rules.cages import Arrow as Arrow
from unidoku.core.rules.cages import KenKen as KenKen
from unidoku.core.rules.cages import Killer as Killer
from unidoku.core.rules.cages import Product as Product
from unidoku.core.rules.cages import ProductLine as ProductLine
from unidoku.core.rules.cages import SameSum as SameSum
from unidoku.core.rules.cages import SumOfCells as SumOfCells
from unidoku.core.rules.cages import WeightedSum as WeightedSum
from unidoku.core.rules.classes import Entropic as Entropic
from unidoku.core.rules.classes import Modular as Modular
from unidoku.core.rules.classes import Nabner as Nabner
from unidoku.core.rules.classes import Parity as Parity
from unidoku.core.rules.contents import DifferWhere as DifferWhere
from unidoku.core.rules.contents import EqualityCage as EqualityCage
from unidoku.core.rules.contents import Hits as Hits
from unidoku.core.rules.contents import Rellik as Rellik
from unidoku.core.rules.counting import CountDistinct as CountDistinct
from unidoku.core.rules.counting import CountingCircles as CountingCircles
from unidoku.core.rules.custom import Line as Line
from unidoku.core.rules.disjunction import AnyOf as AnyOf
from unidoku.core.rules.doubler import Doubler as Doubler
from unidoku.core.rules.equal_sums import AmbiguousArrow as AmbiguousArrow
from unidoku.core.rules.equal_sums import DoubleArrow as DoubleArrow
from unidoku.core.rules.equal_sums import RegionSum as RegionSum
from unidoku.core.rules.equal_sums import Zipper as Zipper
from unidoku.core.rules.indexing import Index as Index
from unidoku.core.rules.lines import Flatmates as Flatmates
from unidoku.core.rules.lines import Palindrome as Palindrome
from unidoku.core.rules.lines import Renban as Renban
from unidoku.core.rules.lines import SlowThermo as SlowThermo
from unidoku.core.rules.lines import SumLine as SumLine
from unidoku.core.rules.lines import Thermo as Thermo
from unidoku.core.rules.lines import Whispers as Whispers
from unidoku.core.rules.marks import Even as Even
from unidoku.core.rules.marks import Maximum as Maximum
from unidoku.core.rules.marks import Minimum as Minimum
from unidoku.core.rules.marks import Odd as Odd
from unidoku.core.rules.order import Between as Between
from unidoku.core.rules.order import Contains as Contains
from unidoku.core.rules.order import Indexed as Indexed
from unidoku.core.rules.order import LinesDiffer as LinesDiffer
from unidoku.core.rules.order import Lockout as Lockout
from unidoku.core.rules.order import NoThreeEqual as NoThreeEqual
from unidoku.core.rules.outside import Battlefield as Battlefield
from unidoku.core.rules.outside import HiddenSkyscraper as HiddenSkyscraper
from unidoku.core.rules.outside import NonogramLine as NonogramLine
from unidoku.core.rules.outside import NumberedRoom as NumberedRoom
from unidoku.core.rules.outside import Sandwich as Sandwich
from unidoku.core.rules.outside import Skyscraper as Skyscraper
from unidoku.core.rules.outside import XSum as XSum
from unidoku.core.rules.pairs import DiffersBy as DiffersBy
from unidoku.core.rules.pairs import Greater as Greater
from unidoku.core.rules.pairs import NonConsecutive as NonConsecutive
from unidoku.core.rules.pairs import PairRule as PairRule
from unidoku.core.rules.pairs import Pairs as Pairs
from unidoku.core.rules.pairs import PairSum as PairSum
from unidoku.core.rules.pairs import Ratio as Ratio
from unidoku.core.rules.placements import Clone as Clone
from unidoku.core.rules.placements import Holds as Holds
from unidoku.core.rules.placements import Lunchbox as Lunchbox
from unidoku.core.rules.placements import SameMultiset as SameMultiset
from unidoku.core.rules.ranks import FullRank as FullRank
from unidoku.core.rules.regions import ChaosConstruction as ChaosConstruction
from unidoku.core.rules.regions import Connected as Connected
from unidoku.core.rules.regions import RegionCount as RegionCount
from unidoku.core.rules.regions import RegionRun as RegionRun
from unidoku.core.rules.schroedinger import Schroedinger as Schroedinger
from unidoku.core.rules.taxicab import Taxicab as Taxicab
