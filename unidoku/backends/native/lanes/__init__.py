"""Many boards at once, one a SIMD lane.

Propagation is the same straight-line code whatever a board's candidates are, so that one
instruction stream can work as many boards as a vector has lanes. Read in this order:

- `plan`: what a round of propagation does on a layout;
- `emitter`: the language in which it is written;
- `passes`, `branch`: the code of a round and of a choice, put together by `kernel`;
- `compile`: from there to machine code for this processor, through a cache on disk;
- `engine`: the search around the rounds, driven by what stands in its `registers`;
- `workspace`: what is asked and found, memory and limits;
- `search`: one board, or a batch in threads.

docs/native.md has the pictures.
"""
