"""Sudoku Explainer's scale: its own list of techniques in its own order, on classic boards.

Its numbers depend on the order in which techniques are tried, on what each of them looks for, and
on which of several steps is taken, so they need finders of their own. The order, the numbers and
the lengths of chains are those of Sukaku Explainer 1.18.1 with its default settings.
"""
