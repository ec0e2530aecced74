"""What `benchmarks/native.py` measures with: a concept a module, a section of its report a module.

- `table`, `machine`: how figures are shown, and whose they are;
- `boards`: what is searched; `collection`: files of boards, or what stands for them;
- `contestant`, `library`: who searches; `clock`: how long that takes;
- `files`, `growth`, `layouts`, `single`, `command_line`, `compiling`: the sections;
- `child`, `start`: scripts that the last two run.
"""
