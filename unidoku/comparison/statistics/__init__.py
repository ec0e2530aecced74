"""The figures of a comparison: cases solved, times, and confidence in the differences.

`times.times_of` reduces the runs to `Times`, one figure for each backend and case; the other
functions take these. Only `symmetry_spread` takes all runs. Nothing here prints.
"""
