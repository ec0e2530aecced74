"""Work that is shared among processes, of this machine or of a cluster, and processes themselves.

Every room may import it; it knows nothing of puzzles.
"""
