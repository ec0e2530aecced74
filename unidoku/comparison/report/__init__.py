"""Reports: the findings of a comparison as tables, as a page of HTML and as figures.

`tables` turns the figures of `unidoku.comparison.statistics` into a `unidoku.support.table.Table`,
which `unidoku.support.table` writes as text, Markdown, LaTeX, CSV and HTML.
"""
