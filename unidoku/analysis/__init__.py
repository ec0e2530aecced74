"""One puzzle, judged: its check, its rating, a report for setters, an estimate of its solutions.

The commands and the front import it; it asks solvers through `unidoku.api`.
"""
