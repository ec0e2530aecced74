"""The pages of notebooks: their text, their code, and what running it showed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def page(notebook: dict[str, Any]) -> str:
    """Return a notebook as a page."""
    return "\n\n".join(part for cell in notebook["cells"] for part in shown(cell)) + "\n"


def shown(cell: dict[str, Any]) -> Iterator[str]:
    """Yield the parts of a cell: its text, or its code and each output."""
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield text
    elif cell["cell_type"] == "code" and text.strip():
        yield f"```python\n{text}\n```"
        yield from filter(None, map(output, cell["outputs"]))


def output(output_data: dict[str, Any]) -> str:
    """Return what a cell showed: a picture or a table if there is one, and else its text."""
    data = {kind: "".join(lines) for kind, lines in output_data.get("data", {}).items()}
    if "image/png" in data:
        return f'<img alt="a figure" src="data:image/png;base64,{data["image/png"].strip()}">'
    for kind, start in (("image/svg+xml", "<svg"), ("text/html", "<")):
        if kind in data:  # what is before a picture in a file of its own has no place in a page
            return (
                f"````{{raw}} html\n{data[kind][max(data[kind].find(start), 0) :].rstrip()}\n````"
            )
    if text := "".join(output_data.get("text", data.get("text/plain", ""))):
        return f"```text\n{text.rstrip()}\n```"
    return ""
