"""The kinds of rules: a class each, such as `Killer`, and `Rule`, from which one of your own comes.

>>> from unidoku import rules
>>> rules.Thermo((0, 1, 2)).kind
'thermo'
"""

from __future__ import annotations

from unidoku.core.rules import *  # noqa: F403 - the same names, where people look for them
