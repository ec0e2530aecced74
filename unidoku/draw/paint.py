"""The colours and lines of all pictures, written in a way that every renderer understands.

Each part of a picture has a class, such as ``class="thick"``. This module is the only place that
defines what a class looks like. The look is written as attributes, ``stroke="#1b1b1b"``, because
many renderers (for slides, PDF, thumbnails) know neither variables nor media queries of style
sheets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from unidoku.core.rules.custom import COLOURS
from unidoku.errors import InputError, nearest

Theme: TypeAlias = Literal["light", "dark", "auto"]
"""Fixed colours, or light ones that become dark in a browser whose system setting is dark."""


DARK_STYLE = "<style></style>"
"""What of a picture becomes the style sheet of its dark colours where it is painted as ``auto``."""

_CLASSES = re.compile(r' class="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Palette:
    """The looks of the parts of one kind of picture.

    Args:
        name: class of the whole picture.
        colours: the light and the dark colour, by name.
        looks: properties of each class, with names of colours in braces; if an element has several
            classes, the one that is later in this table decides.
    """

    name: str
    colours: Mapping[str, tuple[str, str]]
    looks: Mapping[str, str]

    def painted(self, picture: str, theme: Theme) -> str:
        """Return a picture with the look of each class as attributes.

        With the theme ``auto`` the classes stay, and `DARK_STYLE` in it becomes its `dark_style`.

        Raises:
            InputError: there is no such theme.
        """
        if theme not in get_args(Theme):
            raise InputError(f"expected a theme, got {theme!r}; {nearest(theme, get_args(Theme))}")
        looks = self._looks("dark" if theme == "dark" else "light")

        def attributes(match: re.Match[str]) -> str:
            classes = match[1].split()
            style: dict[str, str] = {}
            for kind in looks:
                if kind in classes:
                    style |= looks[kind]
            written = [match[0]] if theme == "auto" else []
            written += [f' {name}="{value}"' for name, value in style.items()]
            return "".join(written)

        painted = _CLASSES.sub(attributes, picture)
        if theme != "auto":
            return painted
        return painted.replace(DARK_STYLE, f"<style>{self.dark_style(picture)}</style>", 1)

    def dark_style(self, picture: str) -> str:
        """Return the style sheet for a picture in a browser whose system setting is dark."""
        used = {kind for classes in _CLASSES.findall(picture) for kind in classes.split()}
        light, dark = self._looks("light"), self._looks("dark")
        changed = {
            kind: dict(look.items() - light[kind].items())
            for kind, look in dark.items()
            if kind in used
        }
        return f"@media (prefers-color-scheme:dark){{{self._rules(changed)}}}"

    @property
    def page_style(self) -> str:
        """The style sheet for pictures that are not painted, in a page that has its own theme."""
        return self._rules(self._looks("page"))

    def style_of(self, palette: str) -> str:
        """Return the style sheet of what differs in a palette, for pages that have chosen it."""
        colours = {**self.colours, **(_SAFE if palette == "safe" else {})}
        usual, other = self._looks("page"), replace(self, colours=colours)._looks("page")
        differs = {kind: look for kind, look in other.items() if look != usual[kind]}
        where = f':root[data-palette="{palette}"] '
        return "\n".join(where + line for line in self._rules(differs).splitlines())

    def _looks(self, theme: Literal["light", "dark", "page"]) -> dict[str, dict[str, str]]:
        """Return the properties by class."""
        chosen = {
            name: {"light": light, "dark": dark, "page": f"light-dark({light},{dark})"}[theme]
            for name, (light, dark) in self.colours.items()
        }
        return {
            kind: dict(part.split(":") for part in look.format_map(chosen).split(";"))
            for kind, look in self.looks.items()
        }

    def _rules(self, looks: Mapping[str, Mapping[str, str]]) -> str:
        """Return CSS that applies to pictures of this kind only."""
        rules = []
        for kind, look in looks.items():
            where = f".{self.name}" + (f" .{kind}" if kind != self.name else "")
            declarations = ";".join(f"{name}:{value}" for name, value in sorted(look.items()))
            rules += [f"{where}{{{declarations}}}"] if declarations else []
        return "\n".join(rules)


_FONT = "font-family:Helvetica,Arial,sans-serif;text-anchor:middle"


def _line(colour: str, width: int) -> str:
    """Return the look of a broad line through cells."""
    return (
        f"fill:none;stroke:{{{colour}}};stroke-width:{width};"
        "stroke-linecap:round;stroke-linejoin:round"
    )


_RULE_COLOURS: Mapping[str, tuple[str, str]] = {
    "bulb": ("#cfcfcf", "#43474e"),
    "gentle": ("#b0d4f1", "#33536e"),
    "far": ("#67f067", "#1f6b2f"),
    "dutch": ("#ffb347", "#80500c"),
    "lime": ("#c5e86c", "#52661a"),
    "run": ("#f08af0", "#723a78"),
    "mirror": ("#cfcfcf", "#4a4a46"),
    "same": ("#7ccdf5", "#1d567a"),
    "zipped": ("#cdb1ec", "#544070"),
    "twofold": ("#f0a0cb", "#75365a"),
    "apart": ("#dcd98a", "#57541f"),
    "modulus": ("#6fd0cb", "#1f5f5b"),
    "turns": ("#ffab8a", "#804a33"),
    "thirds": ("#ffd6b0", "#6e523a"),
    "tens": ("#f2cd4e", "#6b5510"),
    "times": ("#e0b184", "#6d4318"),
    "either": ("#9ba1dc", "#3f4580"),
    "lunch": ("#cfae8c", "#5c4430"),
    "equal": ("#b3c6e8", "#39486b"),
    "own-red": ("#e6261f", "#ff7a70"),
    "own-indigo": ("#4355db", "#98a4ff"),
    "own-green": ("#1e7b34", "#62c97b"),
    "own-black": ("#404040", "#c8c8c8"),
    "own-magenta": ("#b0127b", "#f07cc4"),
    "lock": ("#6a5acd", "#a79cf5"),
    "parity": ("#d3d5d8", "#3f444b"),
    "twin-grey": ("#dedede", "#3a3d42"),
    "twin-yellow": ("#fff2a8", "#4d461d"),
    "twin-green": ("#cbefc4", "#24442b"),
    "twin-blue": ("#c6ddf7", "#223a55"),
    "twin-pink": ("#f7cfe0", "#522c3f"),
    "index-green": ("#b5dfb5", "#2c5533"),
    "index-red": ("#f7b7b7", "#6b3434"),
    "index-blue": ("#bcbcee", "#37377a"),
    "indexing": ("#ecdcc4", "#54462f"),
    "doubling": ("#fce9a9", "#5f5120"),
    "shaft": ("#8d939b", "#868d96"),
    "slant": ("#34bbe6", "#1d6a85"),
    "core": ("#5a5a5a", "#d0d0d0"),
    "fog": ("#8b9199", "#5c626a"),
    "share": ("1", "0.45"),
    "hole": ("#5c6068", "#33373d"),
    "pale": ("#ffffff", "#ffffff"),
    "deep": ("#000000", "#000000"),
}
"""Colours of rules, those that setters use, on boards and on steps of logic."""

PALETTES = ("usual", "safe")
"""The colours of setters, and colours that the colour-blind can tell apart."""

_SAFE: Mapping[str, tuple[str, str]] = {
    "far": ("#84fd67", "#216340"),
    "dutch": ("#ee870a", "#756702"),
    "lime": ("#88d969", "#516d51"),
    "run": ("#f911c8", "#7b1d84"),
    "same": ("#50c4fd", "#03375a"),
    "zipped": ("#a970fb", "#5a2bc7"),
    "twofold": ("#db8cbd", "#ac11a0"),
    "apart": ("#ffb401", "#5f4700"),
    "modulus": ("#45967d", "#047275"),
    "turns": ("#d9692f", "#c3254a"),
    "thirds": ("#c8ac95", "#4b2400"),
    "tens": ("#a2a961", "#5c3400"),
    "times": ("#f5c89e", "#6c540e"),
    "either": ("#7e84d2", "#7854c0"),
    "lunch": ("#f3e3cc", "#44342e"),
    "equal": ("#51aaf2", "#484af3"),
}
"""Colours of broad lines, chosen by a search: for eyes with three kinds of cones, and without each
of them, the two most alike differ as far as possible from each other, and little from the usual."""

BROAD = tuple(_SAFE)
"""The broad lines, each with a pattern of its own along its middle."""

_CORE = "fill:none;stroke:{core};stroke-width:0.9"

_UNDER_LINES = {
    "hole": "fill:{hole};stroke:{line};stroke-width:0.6",
    "slash": "fill:none;stroke:{pale};stroke-width:0.8",
    "on-hole": "fill:{pale}",
    "slant": "fill:none;stroke:{slant};stroke-width:1.6",
    **{name: f"fill:{{{name}}}" for name in _RULE_COLOURS if name.startswith(("twin-", "index"))},
    "doubling": "fill:{doubling}",
    "parity": "fill:{parity}",
    "tube": _line("bulb", 11),
    "bulb": "fill:{bulb}",
    "gentle-tube": _line("gentle", 11),
    "gentle-bulb": "fill:{gentle}",
    "slow": _line("paper", 5),
    **{name: _line(name, 7) for name in BROAD},
    "mirror": _line("mirror", 10),
    **{f"own-{name}": _line(f"own-{name}", 3) for name in COLOURS},
    **{f"own-{name}-start": f"fill:{{own-{name}}}" for name in COLOURS},
    "core": _CORE,
    "dashes": "stroke-dasharray:5 4",
    "dots": "stroke-dasharray:0.1 3.6;stroke-linecap:round;stroke-width:1.8",
    "mixed": "stroke-dasharray:7 2.5 1.5 2.5",
    "long": "stroke-dasharray:12 5",
    "paired": "stroke-dasharray:4 1.5 4 6;stroke-width:1.6",
    "stitches": "stroke-dasharray:1.2 2.4;stroke-width:3.6",
    "end": "fill:{paper};stroke:{core};stroke-width:1",
    "shaft": "fill:none;stroke:{shaft};stroke-width:2",
    "lock-line": "fill:none;stroke:{lock};stroke-width:2.4",
    "diamond": "fill:{paper};stroke:{lock};stroke-width:1.6",
    "rim": _line("shaft", 28),
    "hollow": _line("paper", 24),
    "counted": "fill:{paper};stroke:{ink};stroke-width:1.6",
    "twofold-ring": "fill:{paper};stroke:{twofold};stroke-width:3",
    "either-ring": "fill:{paper};stroke:{either};stroke-width:3",
}
"""The looks of parts that are drawn along cells."""

_OVER_LINES = {
    "cage": "fill:none;stroke:{ink};stroke-width:1;stroke-dasharray:3 2",
    "way": "fill:none;stroke:{mark};stroke-width:1;stroke-dasharray:1 3",
    "tie": "fill:none;stroke:{ink};stroke-width:1",
    "white": "fill:{pale};stroke:{ink};stroke-width:1.2",
    "black": "fill:{deep};stroke:{ink};stroke-width:1.2",
    "sign": "fill:none;stroke:{ink};stroke-width:1.6",
    "pointer": "fill:none;stroke:{ink};stroke-width:1.3",
    "back": "fill:{paper}",
    "fog": "fill:{fog};fill-opacity:0.72",
    "below": "opacity:{share}",
    "clue": "fill:{ink}",
    "on-white": "fill:{deep}",
    "on-black": "fill:{pale}",
}
"""The looks of parts that are drawn over the lines between cells."""

BOARD = Palette(
    "unidoku",
    {
        "ink": ("#1b1b1b", "#ececec"),
        "paper": ("#ffffff", "#17191c"),
        "line": ("#9a9a9a", "#5f646b"),
        "shade": ("#dbe7f6", "#24374f"),
        "clash": ("#f8cfc9", "#6b2a24"),
        "found": ("#1f5fbf", "#7fb2ff"),
        "mark": ("#6b6b6b", "#a5a9ae"),
        **_RULE_COLOURS,
    },
    {
        "unidoku": _FONT,
        "paper": "fill:{paper}",
        "shade": "fill:{shade}",
        "clash": "fill:{clash}",
        **_UNDER_LINES,
        "thin": "fill:none;stroke:{line};stroke-width:1",
        "thick": "fill:none;stroke:{ink};stroke-width:2.5;stroke-linecap:square",
        **_OVER_LINES,
        "given": "fill:{ink};font-weight:bold",
        "found": "fill:{found}",
        "mark": "fill:{mark}",
        "caption": "fill:{mark}",
        "label": "fill:{mark}",
    },
)
"""Boards."""

STEPS = Palette(
    "unidoku-path",
    {
        **BOARD.colours,
        "mark": ("#4d4d4d", "#c4c8cd"),
        "shade": ("#ecebe5", "#2a2d33"),
        "frame": ("#2e3238", "#a9afb8"),
        "line": ("#b4b8be", "#484e57"),
        "base": ("#d3e7f7", "#16344c"),
        "cover": ("#fbeac0", "#463811"),
        "ruled": ("#f6e3ef", "#432239"),
        "base-line": ("#0a6ab3", "#56b4f5"),
        "cover-line": ("#9a6200", "#e2b13c"),
        "rule-line": ("#a3246f", "#f28ac6"),
        "pattern": ("#0a6ab3", "#56b4f5"),
        "fin": ("#a86400", "#f0ad3e"),
        "on": ("#ffffff", "#10151b"),
        "gone": ("#c4281b", "#ff8071"),
        "placed": ("#00785a", "#3fd3a5"),
        "link": ("#7a2f9d", "#d59bf0"),
    },
    {
        "unidoku-path": _FONT,
        "label": "fill:{mark}",
        "paper": "fill:{paper}",
        "ground": "fill:{paper}",
        "shade": "fill:{shade}",
        **_UNDER_LINES,
        "base": "fill:{base}",
        "cover": "fill:{cover}",
        "ruled": "fill:{ruled}",
        "thin": "fill:none;stroke:{line};stroke-width:1",
        "thick": "fill:none;stroke:{frame};stroke-width:2.5;stroke-linecap:square",
        **_OVER_LINES,
        "given": "fill:{ink};font-weight:bold",
        "found": "fill:{found}",
        "mark": "fill:{mark}",
        "base-line": "fill:none;stroke:{base-line};stroke-width:1.6;stroke-linecap:square",
        "cover-line": "fill:none;stroke:{cover-line};stroke-width:1.6;stroke-dasharray:4 3",
        "rule-line": "fill:none;stroke:{rule-line};stroke-width:1.6;stroke-dasharray:1.6 2.4",
        "pattern": "fill:{pattern}",
        "fin": "fill:{fin}",
        "on": "fill:{on}",
        "gone": "fill:{paper};stroke:{gone};stroke-width:0.8",
        "left": "fill:{gone}",
        "strike": "fill:none;stroke:{gone};stroke-width:1.1",
        "on-strike": "fill:none;stroke:{on};stroke-width:1.5",
        "ring": "fill:none;stroke:{placed};stroke-width:1.8",
        "placed": "fill:{placed};font-weight:bold",
        "link": "fill:none;stroke:{link};stroke-width:1.5",
        "weak": "stroke-dasharray:3 2.2",
        "head": "fill:{link}",
    },
)
"""Boards with the effects of a step of logic; each part has its own shape and colour."""
