"""The search itself, in the part of Python that is translated: propagators, guesses, the engine.

All of it is translated to machine code (`unidoku.backends.native.compiler.translator`), and runs as
it is too.
"""
