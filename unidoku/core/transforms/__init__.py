"""Constraints made into others that mean the same, which solvers use better.

`simplify` merges and shortens them, `alternatives` writes out what is one of several, `implied` and
`innies_outies` add sums that follow (the rule of 45), `leftovers` finds jigsaws that no grid fits,
`connected` prepares regions, and `lower` leaves the constraints that a backend supports.
"""
