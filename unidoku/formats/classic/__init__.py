"""Formats of boards without rules of their own: a module each."""
