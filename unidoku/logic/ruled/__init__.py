"""Techniques that rest on rules beyond units: cages, lines, dots, clues outside.

Each works on shapes (`unidoku.core.shapes`), whatever rule they come from, and says in a step the
rule in its own words. Rules only take solutions away, so the techniques on units hold beside them.
"""
