"""One module a solver: each translates boards and requests for one library, and its answers back.

An adapter knows `core`, the waist (`backends.base`, `backends.options`), the toolkit and its own
library. It knows no other adapter, and is reached through the catalogue only.
"""
