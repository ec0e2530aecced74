"""Streams of boards in and out: text, CSV, gzip and numpy's ``.npy``, in bounded memory.

`unidoku.files.solve` reads a file in parts, has each searched, and writes the answers;
`unidoku.files.puzzles` yields the boards of any source one by one; `unidoku.files.writer` is the
one way to write a file of boards. `source` and `puzzles` do without numpy, which text needs not.
"""
