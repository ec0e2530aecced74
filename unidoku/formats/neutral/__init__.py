"""The neutral form of puzzles: JSON with all facts explicit, read and written."""
