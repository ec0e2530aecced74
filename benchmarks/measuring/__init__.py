"""What the programs of `benchmarks/` measure with.

A concept a module, a section of the report of `native.py` a module:

- `page`: reports, their tables and lists; `machine`: where it was measured;
- `boards`: what is searched, made or read from files;
- `contestant`, `library`: who searches; `clock`: how long that takes;
- `files`, `layouts`, `single`: the sections;
- `mixed`: boards of all kinds, for `benchmarks/auto.py`.
"""
