"""The workbench: a page in the browser for one puzzle file, and the server behind it.

The modules: ``document`` is the puzzle and what a player wrote on it, ``edits`` and ``questions``
are what a message may ask for, ``protocol`` reads messages, ``workbench`` keeps the ``history``,
the file and the connections, ``versions`` compares what was kept, ``comparing``
runs comparisons, ``printing`` makes pages for a class, ``app`` is the web application with
its ``guards``, ``rangsk`` the one that f-puzzles asks, and ``run`` starts them. The page itself is
in ``page``: modules of JavaScript that the browser loads as they are. docs/serve.md describes the
protocol.
"""
