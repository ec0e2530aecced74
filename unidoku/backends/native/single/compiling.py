"""The search, which `unidoku.backends.native.compiler` compiles once on a machine."""

from unidoku.backends.native.compiler.compiled_function import Program

SEARCH = Program("unidoku.backends.native.single.search.engine", "search")
"""The search, whose argument is the address of its registers."""
