"""Penpa+: its links, read and written."""
