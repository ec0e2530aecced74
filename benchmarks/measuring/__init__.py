"""What the programs of `benchmarks/` measure with.

A concept a module, a section of the report of `native.py` a module:

- `table`, `machine`: how figures are shown, and whose they are; `page`: printed or written;
- `boards`: what is searched; `collection`: files of boards, or what stands for them;
- `contestant`, `library`: who searches; `clock`: how long that takes;
- `files`, `layouts`, `single`, `command_line`: the sections;
- `families`: boards with rules; `sides`: processes of `benchmarks/rules.py`;
- `mixed`, `portfolio`: boards of all kinds and their report, for `benchmarks/auto.py`.
"""
