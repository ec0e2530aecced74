"""Unidoku's own puzzle files, in TOML or JSON, as people write them."""
