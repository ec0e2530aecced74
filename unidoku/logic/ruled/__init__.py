"""Techniques that use rules other than units: cages, lines, dots, clues outside the grid.

Each works on constraints (`unidoku.core.constraints.primitives`) of any rule, and a step quotes the
rule in its own words. Rules only remove solutions, so the techniques on units stay valid with them.
"""
