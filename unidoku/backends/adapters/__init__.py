"""Adapters, one package or module for each solver: they translate between Unidoku and a library.

The ``__init__`` of a package has the row of the catalogue, ``adapter`` the code that imports the
library. An adapter imports only `core`, the interface (`backends.base`, `backends.options`) and the
toolkit.
"""
