"""Programs as backends: any program that reads a standard language, run on a file.

- `rows`: the programs that are known by name, one row for each.
- `declared`: the user's own programs, in tables of a settings file or of a comparison.
- `spec`: the class of the rows, and the family `program`, configured by its label alone.
- `command`: the command line, with placeholders for the file, the limits and the seed.
- `adapter`: the search, with one run of the program for each solution.
- `reader_spec`: the rows of programs that read boards instead of a language of solvers; `reader`:
  their search; `protocol` and `sheet`: what they are asked and answer; `session`: processes
  that are kept between searches.

These rows are not in `unidoku.backends.catalogue`, which has the adapted libraries;
`unidoku.backends.find` finds both.
"""
