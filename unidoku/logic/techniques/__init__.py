"""The techniques on units and candidates, and those that use rules and units together.

Each module is a family. A family on rules alone is in `unidoku.logic.ruled`.
"""
