"""One board at a time, with any rules: one compiled search for all layouts.

The lanes are compiled for each layout and work many boards at once. Here the search is compiled
once, on the first use on a machine, and what depends on the layout is data: candidates of a cell
are the bits of a number, constraints are rows of numbers, and the queue of those to be looked at is
a set of bits too. Read in this order:

- `registers`: what the compiled search and Python tell each other;
- `state`: the arrays of a search, and how a cell is narrowed;
- `units`, `places`, `sums`, `lines`: the propagators, with `vector` for their innermost loops;
- `engine`, `guess`: propagation, the search, what it guesses; all of these are compiled by Numba;
- `ready`: what follows for each cell from the rows of a layout, compiled too;
- `compiling`: from there to object code, in a separate process, through the cache on disk;
- `build`, `rows`, `machines`: from a layout to the numbers that the search reads;
- `search`: one board, or a batch in threads.

docs/native.md has the pictures.
"""
