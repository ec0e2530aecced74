"""Reasons: the fewest things that a person has to look at to see that a candidate is false.

A technique finds a pattern that has a name. A reason needs none: it is a small set of parts (a
cell, a value in a full unit, a statement of a rule), none of which can be left out, that together
contradict a candidate, so it exists on boards with any rules. It is an unsatisfiable subset of
named parts, as in Espasa, Gent, Hoffmann, Jefferson, Lynch, Salamon and McIlree, *Using small MUSes
to explain how to solve pen and paper puzzles*, 2021 (arXiv 2104.15040).
"""
