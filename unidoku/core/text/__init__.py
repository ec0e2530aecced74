"""The plain text of one board or several: what `Board.parse` reads and `Board.text` writes.

A text is read as a layout and a candidate set for each cell, so that boards may import this
package. Reading never guesses silently. Each interpretation of a text is tried; a text that can be
read in two ways with different results is refused, as is a text that cannot be read at all.
"""

from unidoku.core.text.blocks import read_all, read_one
from unidoku.core.text.rows import Nested, read_rows
from unidoku.core.text.writing import TextForm, write

__all__ = ["Nested", "TextForm", "read_all", "read_one", "read_rows", "write"]
