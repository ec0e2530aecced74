"""Tools for adapters: budgets, covers, lent models, and ways to stop a library from outside.

The package is public: adapters in other distributions may import all of it.
"""
