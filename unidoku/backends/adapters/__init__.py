"""One package or module a solver: each translates boards and requests for one library, and back.

The ``__init__`` of a package has what is known of the solver and its row of the catalogue,
``adapter`` has the code that imports the library. An adapter knows `core`, the waist
(`backends.base`, `backends.options`), the toolkit and its own library. It knows no other adapter,
and is reached through the catalogue only.
"""
