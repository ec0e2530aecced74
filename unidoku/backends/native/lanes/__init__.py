"""Many boards at once, one a SIMD lane.

Propagation is the same straight-line code whatever a board's candidates are, so that one
instruction stream can work as many boards as a vector has lanes. Read in this order:

- `plan`: what a round of propagation does on a layout;
- `vector`: the language in which it is written;
- `passes`, `branch`, `exchange`: the code that is emitted, put together by `kernel`;
- `compile`: from there to machine code, through a cache on disk; `host`: for which processor;
- `engine`: the search around the rounds, calling the kernel through `invoke`;
- `run`: memory, limits and threads.

docs/native.md has the pictures.
"""
