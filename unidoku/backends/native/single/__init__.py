"""One board at a time, with any rules: one search for all layouts.

The lanes are compiled for each layout and search many boards at once. Here the search is compiled
once, on first use on a machine, or runs as Python, and layouts are data: candidates of a cell are
the bits of a number, constraints are rows of numbers, and the queue of constraints is a set of
bits. In reading order:

- `search`: the state, the propagators, guesses and the engine, all translated to machine code;
- `build`: the translation of a layout into the numbers that the search reads;
- `function`: the search in its two forms;
- `boards`: one board, or a batch in threads.

docs/native.md has the pictures.
"""
