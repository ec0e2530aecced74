"""Translate functions of whole numbers from Python to LLVM code.

The functions use a small part of Python: numbers of 64 bits, truth values, pointers to numbers, and
tuples of these; conditions, loops over a `range`, and calls of each other. A variable keeps its
type, and one that is a pointer or a tuple is assigned once. A divisor is never 0, the sign of an
index is not checked, and numbers that grow too large wrap around. `and` and `or` yield truth
values, and a comparison of several numbers evaluates all of them. Anything else is refused.
"""
