"""The workbench: a page in the browser for one puzzle file, and the server behind it.

The modules: ``document`` is the puzzle and what a player wrote on it; ``edits`` and ``questions``
are what a message may ask for, ``comparing``, ``printing`` and ``versions`` what takes processes,
pages or the whole workbench; ``protocol`` reads messages; ``workbench`` keeps the ``history``, the
file and the connections; ``app`` is the web application with its guards, ``rangsk`` the one
that f-puzzles asks; ``run`` starts them, and ``widget`` is the same in a notebook. The page itself
is in ``page``: modules of JavaScript that the browser loads as they are. docs/serve.md describes
the protocol.
"""
