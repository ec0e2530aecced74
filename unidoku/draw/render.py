"""Pictures as PNG and PDF, made by libraries that need no system packages.

resvg draws pixels; svglib and ReportLab make PDF. If the system has no fonts, resvg uses those that
ReportLab includes; PDF uses the standard fonts, which every PDF reader has.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path

from unidoku.errors import InputError
from unidoku.support.extras import command, not_installed
from unidoku.support.text import printable

MOST_PIXELS = 20_000
"""The largest width or height of a picture in pixels; 1.6 GB at four bytes for each pixel."""

_ZOOM = 3
"""Pixels for each unit of the picture, if no width is given."""


def check_renderers() -> None:
    """Raise if a library for drawing is missing, before long work for the drawing begins.

    Raises:
        NotInstalledError: the extra ``draw`` is not installed.
    """
    try:
        import reportlab  # noqa: F401 - checks only that it is installed
        import resvg_py  # noqa: F401 - as above
        import svglib  # noqa: F401 - as above
    except ImportError as error:
        needs = "PNG and PDF need resvg_py, svglib and reportlab"
        raise not_installed(needs, command("draw")) from error


def png(picture: str, *, width: int | None = None) -> bytes:
    """Return a picture with fixed colours as PNG.

    Args:
        picture: an SVG element that states its width and height.
        width: width in pixels; if None, three times the width of the picture.

    Raises:
        InputError: the picture would be too large, or states no size.
        NotInstalledError: the extra ``draw`` is not installed.
    """
    check_renderers()
    import reportlab
    from resvg_py import svg_to_bytes

    sizes = [float(side) for side in re.findall(r' (?:width|height)="([\d.]+)"', picture)[:2]]
    if len(sizes) < 2:
        raise InputError(f"expected an SVG element with width and height, got {picture[:40]!r}")
    zoom = _ZOOM if width is None else width / sizes[0]
    if not 1 <= max(sizes) * zoom <= MOST_PIXELS:
        sides = " by ".join(f"{side * zoom:.0f}" for side in sizes)
        raise InputError(f"expected a picture of 1 to {MOST_PIXELS:,} pixels, got {sides}")
    fonts = Path(reportlab.__file__).parent / "fonts"
    return bytes(
        svg_to_bytes(
            svg_string=picture,
            zoom=zoom,
            font_files=[str(fonts / name) for name in ("Vera.ttf", "VeraBd.ttf")],
            sans_serif_family="Bitstream Vera Sans",
        )
    )


def pdf(pages: Sequence[str], *, title: str = "") -> bytes:
    """Return pictures with fixed colours as a PDF, one page each; equal pictures give equal bytes.

    Args:
        pages: SVG elements that state their width and height.
        title: title of the document.

    Raises:
        InputError: one of them is not a picture.
        NotInstalledError: the extra ``draw`` is not installed.
    """
    check_renderers()
    from reportlab.graphics import renderPDF
    from reportlab.pdfgen.canvas import Canvas
    from svglib.svglib import svg2rlg

    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.setTitle(printable(title))
    for page in pages:
        # The fonts that every reader of PDF has lack the narrow space of French numbers and signs.
        drawing = svg2rlg(io.BytesIO(page.replace("\u202f", "\u00a0").encode()))
        if drawing is None:
            raise InputError(f"expected an SVG element, got {page[:40]!r}")
        canvas.setPageSize((drawing.width, drawing.height))
        renderPDF.draw(drawing, canvas, 0, 0)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
