"""One package or module a solver: each translates boards and requests for one library, and back.

The ``__init__`` of a package has the row of the catalogue, ``adapter`` the code that imports the
library. An adapter knows `core`, the waist (`backends.base`, `backends.options`) and the toolkit.
"""
