"""Programs as backends: whatever reads one of the standard languages, run on a file.

- `rows`: the programs that are known by name, one row each.
- `declared`: those of somebody's own, in tables of a settings file or of a comparison.
- `spec`: what a row says, and the family `program`, whose label says it all.
- `command`: what is typed, with places for the file, the limits and the seed.
- `adapter`: the search, one run of the program a solution.
- `effort`: what programs print of their conflicts, decisions and nodes.

Nothing here is in `unidoku.backends.catalogue`, which has the libraries that are adapted;
`unidoku.backends.find` knows both.
"""
