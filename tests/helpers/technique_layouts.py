"""The layouts of the tests of techniques."""

from __future__ import annotations

from unidoku import layout

CLASSIC = layout("classic", 9)
DISJOINT = layout("disjoint", 9)
JIGSAW = layout("jigsaw:aaabacbbccbdcddd", 4)
KNIGHT = layout("anti-knight", 9)
LATIN = layout("latin", 9)
NON_CONSECUTIVE = layout("non-consecutive", 9)
WINDOKU = layout("windoku", 9)
X = layout("x", 9)
