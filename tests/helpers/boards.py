"""Boards that several tests use."""

MANY = ".....6....59.....82....8....45........3........6..3.54...325..6.................."
"""From Norvig's essay: more solutions than any search finds in the time of a test."""
