"""What adapters share: budgets, covers, lent models, and ways to stop a library from outside.

Public: an adapter of another distribution may import all of it.
"""
