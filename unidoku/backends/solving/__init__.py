"""What happens around each search: a solver with its options, the policy, batches and streams.

`unidoku.backends` and the rooms above import it; backends do not.
"""
