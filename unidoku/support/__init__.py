"""What every room may use: files, texts, tables, settings, time and trust.

No word of puzzles is in it, and it imports nothing of Unidoku but the errors.
"""
