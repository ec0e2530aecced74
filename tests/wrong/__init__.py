"""Backends that are wrong in one way each: by their answers, or by how their process ends."""
