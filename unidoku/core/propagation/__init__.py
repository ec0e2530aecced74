"""Propagation without search: which candidates of a board go at once.

The backends that are written in Python, the explanations and the drawings use it.
"""
