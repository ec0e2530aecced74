"""The pages of the notebooks: their cells, with what these print and show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "notebooks"

SHOWN = ("image/svg+xml", "text/html")
"""What is shown as it is, the best first."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join(part for cell in cells for part in _parts(cell))
        yield f"notebooks/{path.stem}.md", f"{text}\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            yield f"```text\n{''.join(output['text']).rstrip()}\n```"
            continue
        data = output["data"]
        best = next((kind for kind in SHOWN if kind in data), None)
        if best is None:
            yield f"```text\n{''.join(data['text/plain']).rstrip()}\n```"
        else:
            # What comes before the picture in a file of its own has no place inside a page.
            picture = "".join(data[best])
            yield f"````{{raw}} html\n{picture[max(picture.find('<svg'), 0) :]}\n````"
