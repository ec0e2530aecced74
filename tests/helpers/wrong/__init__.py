"""Backends that are wrong in one way each.

`answers` change what a sound solver says; searches in `misconfigured` and `misread` fail the
conformance suite; `mutants` have labels and are found by the fuzzer; `processes` end, hang or grow.
"""
