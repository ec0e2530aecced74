"""Streams of boards in and out: text, CSV, gzip and numpy's ``.npy``, in bounded memory.

`unidoku.files.solve` reads a file in parts, has each searched, and writes the answers;
`unidoku.files.writer` is the one way to write a file of boards. The command line and the top of
the package may import this package; `source` alone does without numpy.
"""
