"""A small puzzle of each variant, for the gallery.

They were made by `unidoku generate --variant NAME --size N --seed 7`.
"""

from __future__ import annotations

PUZZLES = {
    "classic:2x3": (
        "Rows, columns and boxes hold each value once; here boxes of two rows and three columns.",
        "1...325.....41......5.....4.6.....43",
    ),
    "latin": (
        "A Latin square: rows and columns, and no boxes.",
        ".51..4.2.5.2.......3...4.",
    ),
    "jigsaw": (
        "Rows, columns, and regions of any form in place of boxes; the map follows the givens.",
        ".1...2.5.4......5......2. 0001100221222113334433444",
    ),
    "x": (
        "And both diagonals.",
        ".6....2.....41............1.5.......",
    ),
    "windoku": (
        "And four windows of nine cells.",
        "1...5..7......7.......8.39.7.....1........43.58...........7..6...3............8..",
    ),
    "disjoint": (
        "And the cells at the same place in all boxes.",
        ".1.....4..3.3...",
    ),
    "asterisk": (
        "And nine cells in the form of an asterisk.",
        "1.8...67......4...4...9.28.7.....3........74.3.2.........27..5.............9.3427",
    ),
    "centre-dot": (
        "And the centres of all boxes.",
        "3...5.6.4.........4...8.9..7.....4........71.582.........278..3..9...........61..",
    ),
    "girandola": (
        "And the corners, the centre, and the four cells between.",
        "1.6...............2...4.96.7.....6.....5...3.482.........278.53............9.64..",
    ),
    "anti-knight": (
        "And cells a knight's move apart differ.",
        "......5.....42.1..........6........6",
    ),
    "anti-king": (
        "And cells that touch at a corner differ.",
        ".3..1.5.....4.......5.......5......6",
    ),
    "non-consecutive": (
        "And cells side by side hold no consecutive values.",
        ".............3............2........6",
    ),
    "schroedinger": (
        "S-cells: the digits 0 to the size, two of them in one cell of each row, column and box.",
        ". . . 0 12 . . . . . . . . . 0 24",
    ),
    "samurai": (
        "Five squares; the middle one shares a corner box with each of the others.",
        ".4.............23......1..........3...2.2..4...4....4....1...2..",
    ),
    "grids:0,0/2,2": (
        "Squares placed freely, by the row and column of their top left cells, from 0.",
        "...32.........4...4.4.3.....",
    ),
}
"""For each variant what it adds to the rows and columns, and a puzzle with one solution."""
