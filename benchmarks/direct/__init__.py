"""The solvers beneath, called directly: ``best``, the fastest code known, and ``naive``.

A module a backend, named as its adapter. ``best(layout)`` builds what can be built once and returns
what counts the solutions of a board, up to two; ``naive(board)`` does it as tutorials do.
"""
