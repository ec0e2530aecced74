"""The kinds of rules: a class each, such as `Killer`, and `Rule`, from which one of your own comes.

>>> from unidoku import rules
>>> rules.Thermo((0, 1, 2)).kind
'thermo'
"""

from __future__ import annotations

from unidoku.core.rules import *  # noqa: F403 - the same names, where people look for them
from unidoku.core.rules.base import KINDS as KINDS
from unidoku.core.rules.base import Facts as Facts
from unidoku.core.rules.catalogue import rule_from_table as rule_from_table
from unidoku.core.rules.catalogue import table_of_rule as table_of_rule
from unidoku.core.rules.disjunction import Branches as Branches
from unidoku.core.rules.fields import Cells as Cells
from unidoku.core.rules.fields import CellsInLine as CellsInLine
from unidoku.core.rules.fields import CellsInOrder as CellsInOrder
from unidoku.core.rules.fields import PairsInOrder as PairsInOrder
from unidoku.core.rules.fields import PairsOfCells as PairsOfCells
from unidoku.core.rules.fields import Values as Values
