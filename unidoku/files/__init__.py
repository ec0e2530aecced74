"""Streams of boards in and out: text, CSV, gzip and numpy's ``.npy``, in bounded memory.

`unidoku.files.solve` reads a file in parts, has each part searched, and writes the answers;
`unidoku.files.puzzles` yields the boards of any source one by one; `unidoku.files.writer` is the
only module that writes files of boards. `source` and `puzzles` do not import numpy, because plain
text does not need it.
"""
