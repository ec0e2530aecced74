"""Solving by logic, as people do: techniques stated in terms of units, for any layout.

Each technique finds steps that follow from a state without a guess; `walk_through` takes the
easiest step again and again. This package imports the core only.

The families of techniques are in `techniques`, those on rules in `ruled`; `reasons` looks for the
fewest things that show a candidate false, `explainer` rates as another program does, and `show`
draws and writes. What they share is here: states, steps, units as sets of cells, links, facts.
"""

from unidoku.logic.catalogue import TECHNIQUES as TECHNIQUES
from unidoku.logic.catalogue import Technique as Technique
from unidoku.logic.catalogue import check_layout as check_layout
from unidoku.logic.catalogue import chosen as chosen
from unidoku.logic.catalogue import technique as technique
from unidoku.logic.catalogue import up_to as up_to
from unidoku.logic.catalogue import usual as usual
from unidoku.logic.state import State as State
from unidoku.logic.step import Basis as Basis
from unidoku.logic.step import Candidate as Candidate
from unidoku.logic.step import Link as Link
from unidoku.logic.step import Step as Step
from unidoku.logic.walkthrough import Ending as Ending
from unidoku.logic.walkthrough import Walkthrough as Walkthrough
from unidoku.logic.walkthrough import steps_from as steps_from
from unidoku.logic.walkthrough import walk_through as walk_through
