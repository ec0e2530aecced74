"""The version, where every room can read it without importing the package's front."""

__version__ = "0.1.0"
