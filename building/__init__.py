"""Machine code ahead of time: what builds the library of a wheel; no part of the package.

`python -m building` builds the library for this machine, into the package of a checkout.
"""
