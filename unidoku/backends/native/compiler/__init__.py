"""Python to machine code: the translator, and the cache of what was compiled."""
