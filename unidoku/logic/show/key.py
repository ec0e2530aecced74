"""The key to the pictures: what each of their shapes stands for."""

from __future__ import annotations

__all__ = ["key"]

_SHAPES = (
    (
        '<rect class="base" x="1" y="1" width="16" height="16"/>'
        '<path class="base-line" d="M2 2h14v14h-14z"/>',
        "unit it rests on (base)",
    ),
    (
        '<rect class="cover" x="1" y="1" width="16" height="16"/>'
        '<path class="cover-line" d="M2 2h14v14h-14z"/>',
        "unit along which it eliminates (cover)",
    ),
    (
        '<circle class="pattern" cx="9" cy="9" r="7"/><text class="on" x="9" y="9">5</text>',
        "candidate it rests on",
    ),
    (
        '<path class="fin" d="M9 .5l8.5 8.5l-8.5 8.5l-8.5 -8.5z"/>'
        '<text class="on" x="9" y="9">5</text>',
        "fin, an exception",
    ),
    (
        '<rect class="gone" x="2" y="2" width="14" height="14" rx="2"/>'
        '<text class="left" x="9" y="9">5</text><path class="strike" d="M2 16l14 -14"/>',
        "candidate that leaves",
    ),
    (
        '<circle class="ring" cx="9" cy="9" r="7"/><text class="placed" x="9" y="9">5</text>',
        "value that is placed",
    ),
    ('<path class="link" d="M0 9h18"/>', "strong link: one of both is true"),
    ('<path class="link weak" d="M0 9h18"/>', "weak link: not both are true"),
)


def key() -> str:
    """Return the shapes and their meanings as an HTML list; its style is that of pictures."""
    items = (
        '<li><svg class="unidoku unidoku-path" viewBox="0 0 18 18" width="18" height="18" '
        f'aria-hidden="true" font-size="10">{shape}</svg> {meaning}</li>'
        for shape, meaning in _SHAPES
    )
    return f'<ul class="shapes">{"".join(items)}</ul>'
