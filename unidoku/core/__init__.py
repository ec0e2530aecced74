"""Boards: layouts made of units, candidates, plain text in and out, and the checker.

Standard library only, except `batch` and `verify_many`, which are about arrays of boards and need
numpy, and `Board.to_numpy`, which imports it when it is called. Everything may import this
package; of the others it imports `unidoku.errors` and `unidoku.text` only.
"""
