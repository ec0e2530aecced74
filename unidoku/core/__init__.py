"""Boards: layouts made of units, candidates, text in and out, and the checker.

Standard library only, and no knowledge of any backend.
"""
