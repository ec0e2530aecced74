"""Boards: layouts made of units, candidates, plain text in and out, and the checker.

Standard library only, except `batch` and `verify_many`, which are about arrays of boards and need
numpy; nothing else here imports these two. Everything may import this package; it imports no
other but `unidoku.errors`.
"""
