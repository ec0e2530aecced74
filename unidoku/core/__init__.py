"""Boards: layouts made of units, candidates, plain text in and out, and the checker.

The package needs only the standard library, except that `batch` and `verify.arrays`, which handle
arrays of boards, import numpy, as does `Board.to_numpy` when it is called. Every other package may
import this one; it imports only `unidoku.errors` and `unidoku.support`.
"""
