"""XCSP3 instances: the variables are the cells of a board, the constraints its units and rules."""
