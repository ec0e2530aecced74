"""What solvers know of rules: the shapes of constraints, automata, and the shapes of each rule.

Rules and layouts import it; `unidoku.core.transforms` makes its constraints into others.
"""
