"""The independent checker: grids against the units and the definitions of the rules.

Every room may import it; it imports nothing that solves.
"""
