"""One board at a time, with any rules: one compiled search for all layouts.

The lanes are compiled for each layout and search many boards at once. Here the search is compiled
once, on first use on a machine, and layouts are data: candidates of a cell are the bits of a
number, constraints are rows of numbers, and the queue of constraints is a set of bits. The modules
in reading order:

- `registers`: the interface between the compiled search and Python;
- `state`: the arrays of a search, and how a cell is narrowed;
- `units`, `places`, `sums`, `lines`: the propagators, with `vector` for their innermost loops;
- `engine`, `guess`: propagation, the search and its guesses; all modules so far are translated to
  machine code (`unidoku.backends.native.compiler.translator`);
- `ready`: tables for each cell, derived from the rows of a layout, also compiled;
- `compiling`: the compilation to object code in a separate process, with the cache on disk;
- `build`, `rows`, `machines`: the translation of a layout into the numbers that the search reads;
- `search`: one board, or a batch in threads.

docs/native.md has the pictures.
"""
