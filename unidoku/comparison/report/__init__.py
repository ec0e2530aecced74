"""Reports: the findings of a comparison as tables, as a page of HTML and as figures.

`tables` makes a `unidoku.table.Table` out of the figures of `unidoku.comparison.statistics`;
`unidoku.table` writes it as text, Markdown, LaTeX, CSV and HTML.
"""
