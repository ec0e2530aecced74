"""Programs as backends: any program that reads a standard language, run on a file.

- `rows`: the programs that are known by name, one row for each.
- `declared`: the user's own programs, in tables of a settings file or of a comparison.
- `spec`: the class of the rows, and the family `program`, configured by its label alone.
- `command`: the command line, with placeholders for the file, the limits and the seed.
- `adapter`: the search, with one run of the program for each solution.
- `effort`: reads the conflicts, decisions and nodes that programs print.

These rows are not in `unidoku.backends.catalogue`, which has the adapted libraries;
`unidoku.backends.find` finds both.
"""
