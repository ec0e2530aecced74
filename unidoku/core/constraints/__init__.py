"""What solvers know of rules: the primitive constraints, automata, and operations on them.

Rules and layouts import it; `unidoku.core.transforms` makes its constraints into others.
"""
