"""Where techniques are found on boards with few candidates removed, and where not: a table.

A row has a technique and the ratings of its steps, or ``no`` and a technique; the layout; and what
is known of the candidates. A layout is a variant, or rules of a classic board as in a puzzle file,
or ``4 in A1 A2, B1 B2``: units of a board of four values. ``37 of row A in A4 A8`` leaves these
values no other cells of a unit, ``A4 E4 = 37`` leaves cells these values, ``no 5 in A1`` takes a
value from cells. Below it are the steps: their sentences, or just what follows. Deeper lines
continue the line above them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.helpers.technique_cases import Case, steps
from tests.helpers.technique_layouts import CLASSIC
from unidoku import Layout, layout, read

TABLE = """\
# both units that hold it in one step
naked pair 3.0 | classic | A4 A6 = 37
    naked pair 3,7 in A4, A6: 3 and 7 leave A1, A2, A3, A5, A7, A8, A9, B4, B5, B6, C4, C5, C6
# a diagonal, and cells that see it otherwise
naked pair 3.0 | x | A1 I9 = 12
    naked pair 1,2 in A1, I9: 1 and 2 leave A9, B2, C3, D4, E5, F6, G7, H8, I1
# a knight's move apart
naked pair 3.0 | anti-knight | C4 E5 = 56
    naked pair 5,6 in C4, E5: 5 and 6 leave A5, B5, C5, C6, D4, D6, E3, E4, F4, G4
# cells that do not see each other
no naked pair | classic | A1 B5 = 37
# a chain of pairs
naked triple 3.6 | classic | A1 = 17; A5 = 47; A9 = 14
    naked triple 1,4,7 in A1, A5, A9: 1, 4 and 7 leave A2, A3, A4, A6, A7, A8
# a value leaves all cells that see its places
naked triple 3.6 | classic | A1 = 13; A2 = 23; A5 = 12
    1, 2 and 3 leave A3, A4, A6, A7, A8, A9; 3 leaves B1, B2, B3, C1, C2, C3
# two of three cells do not see each other
no naked triple | classic | A1 = 12; A9 = 23; E5 = 13
# around a naked pair
naked pair 3.0 | classic | A1 A5 = 12; A9 = 123
    naked pair 1,2 in A1, A5: 1 and 2 leave A2, A3, A4, A6, A7, A8, A9
# a column
naked pair 3.0 | classic | A4 E4 = 37
    naked pair 3,7 in A4, E4: 3 and 7 leave B4, C4, D4, F4, G4, H4, I4
# a unit that only differs
naked pair 3.0 | 4 in A1 A2 A3, A4 | A1 A3 = 12
    naked pair 1,2 in A1, A3: 1 and 2 leave A2
no naked triple | classic | A1 A5 = 12; A9 = 123
# three cells that no unit holds
naked triple 3.6 | x | A1 = 12; A9 = 23; E5 = 13
    naked triple 1,2,3 in A1, A9, E5: 1 leaves B2, C3, D4, E1, F6, G7, H8; 1, 2 and 3 leave A5, I1,
        I9; 2 leaves A2, A3, A4, A6, A7, A8; 3 leaves B8, C7, D6, E9, F4, G3, H2
naked quad 5.0 | classic | A1 = 12; D1 = 23; F1 = 34; I1 = 124
    1 to 4 leave B1, C1, E1, G1, H1; 3 leaves D2, D3, E2, E3, F2, F3
# a window
naked quad 5.0 | windoku | B2 B4 D2 D4 = 1234
    naked quad 1,2,3,4 in B2, B4, D2, D4: 1 to 4 leave B3, C2, C3, C4, D3
# a disjoint group
naked quad 5.0 | disjoint | A1 A4 D7 G7 = 6789
    naked quad 6,7,8,9 in A1, A4, D7, G7: 6 to 9 leave A7, D1, D4, G1, G4
# five values
no naked quad | classic | A1 A4 = 123; A6 A8 = 345
naked set 5.6 | latin 7 | A1 A2 A4 A5 A7 = 12345
    naked set 1,2,3,4,5 in A1, A2, A4, A5, A7: 1 to 5 leave A3, A6
# a larger set rates higher
naked set 6.5 | latin 7 | B3 C3 D3 E3 F3 G3 = 123456
    naked set 1,2,3,4,5,6 in B3, C3, D3, E3, F3, G3: 1 to 6 leave A3
# two of five cells do not see each other
no naked set | latin 7 | A1 A2 A4 A5 B7 = 12345
hidden pair 3.4 | classic | 37 of row A in A4 A8
    hidden pair 3,7 of row A in A4, A8: 1, 2, 4, 5, 6, 8 and 9 leave A4, A8
# two units, one step
hidden pair 3.4 | classic | 37 of row A, box 2 in A4 A6
    hidden pair 3,7 of box 2 in A4, A6: 1, 2, 4, 5, 6, 8 and 9 leave A4, A6
# a diagonal
hidden pair 3.4 | x | 12 of falling diagonal in B2 H8
    hidden pair 1,2 of falling diagonal in B2, H8: 3 to 9 leave B2, H8
# a window
hidden pair 3.4 | windoku | 12 of window 4 in F7 H6
    hidden pair 1,2 of window 4 in F7, H6: 3 to 9 leave F7, H6
# a third place
no hidden pair | classic | 3 of row A in A4 A8; 7 of row A in A4 A8 A9
# a unit that only differs
no hidden pair | 8 in A1 A2 A3 A4 A5 A6 A7, A8 | no 12 in A3 A4 A5 A6 A7
hidden triple 4.0 | classic | 1 of box 5 in D4 E5; 2 of box 5 in E5 F6; 3 of box 5 in D4 F6
    hidden triple 1,2,3 of box 5 in D4, E5, F6: 4 to 9 leave D4, E5, F6
# a disjoint group
hidden triple 4.0 | disjoint | 123 of disjoint group 5 in B2 B5 E8
    hidden triple 1,2,3 of disjoint group 5 in B2, B5, E8: 4 to 9 leave B2, B5, E8
# one of overlapping grids
hidden triple 4.0 | samurai | 789 of row A of grid 3 in G10 G11 G12
    1 to 6 leave G10, G11, G12
# a unit that only differs
no hidden triple | 8 in A1 A2 A3 A4 A5 A6 A7, A8 | no 123 in A4 A5 A6 A7
hidden quad 5.4 | classic | 1234 of row E in E1 E3 E6 E8
    hidden quad 1,2,3,4 of row E in E1, E3, E6, E8: 5 to 9 leave E1, E3, E6, E8
# a diagonal
hidden quad 5.4 | x | 1234 of rising diagonal in A9 C7 G3 I1
    hidden quad 1,2,3,4 of rising diagonal in A9, C7, G3, I1: 5 to 9 leave A9, C7, G3, I1
# a region
hidden quad 5.4 | 6 in A1 A2 A3 B1 B2 B3 | no 1234 in B2 B3
    hidden quad 1,2,3,4 of unit A1-B3 in A1, A2, A3, B1: 5 and 6 leave A1, A2, A3, B1
# a unit that only differs
no hidden quad | 8 in A1 A2 A3 A4 A5 A6 A7, A8 | no 1234 in A5 A6 A7
hidden set 6.0 | latin 7 | no 12345 in C1 C2
    hidden set 1,2,3,4,5 of row C in C3, C4, C5, C6, C7: 6 and 7 leave C3, C4, C5, C6, C7
# a larger set rates higher
hidden set 6.9 | latin 8 | no 123456 in C1 C2
    hidden set 1,2,3,4,5,6 of row C in C3, C4, C5, C6, C7, C8: 7 and 8 leave C3, C4, C5, C6, C7, C8
# a large board
hidden set 6.0 | classic 16 | 12345 of column 1 in A1 E1 I1 M1 P1
    hidden set 1,2,3,4,5 of column 1 in A1, E1, I1, M1, P1: 6 to 16 leave A1, E1, I1, M1, P1
# a unit that only differs
no hidden set | 8 in A1 A2 A3 A4 A5 A6 A7, A8 | no 12345 in A6 A7
# columns
X-wing 3.2 | latin 6 | 2 of column 1 in B1 E1; 2 of column 6 in B6 E6
    X-wing of 2 in column 1 and column 6 by row B and row E: 2 leaves B2, B3, B4, B5, E2, E3, E4, E5
# windows
X-wing 3.2 | windoku | 5 of window 1 in B2 C4; 5 of window 2 in B6 C8
    X-wing of 5 in window 1 and window 2 by row B and row C: 5 leaves B1, B5, B9, C1, C5, C9
# rows by regions
X-wing 3.2 | jigsaw:aaabacbbccbdcddd 4 | 1 of row A in A2 A4; 1 of row B in B1 B3
    X-wing of 1 in row A and row B by region a and region b: 1 leaves C3
    X-wing of 1 in column 3 and column 4 by region b and region d: 1 leaves D2
    X-wing of 1 in region c and region d by row C and row D: 1 leaves C3
    X-wing of 1 in region a and region c by column 1 and column 2: 1 leaves D2
# a third place
no X-wing | classic | 4 of row B in B3 B8; 4 of row F in F3 F5 F8
# two places each
swordfish 3.8 | latin 7 | 4 of row A in A1 A2; 4 of row B in B2 B3; 4 of row C in C1 C3
    4 leaves D1, D2, D3, E1, E2, E3, F1, F2, F3, G1, G2, G3
swordfish 3.8 | classic | 7 of column 1 in A1 D1 G1; 7 of column 4 in A4 D4; 7 of column 8 in D8 G8
    7 leaves A2, A3, A5, A6, A7, A9, D2, D3, D5, D6, D7, D9, G2, G3, G5, G6, G7, G9
# boxes by disjoint groups
swordfish 3.8 | disjoint | 3 of box 1 in A1 B2; 3 of box 2 in B5 C6; 3 of box 3 in A7 C9
    swordfish of 3 in box 1, box 2 and box 3 by disjoint group 1, disjoint group 5 and disjoint
        group 9: 3 leaves D1, D4, D7, E2, E5, E8, F3, F6, F9, G1, G4, G7, H2, H5, H8, I3, I6, I9
# around an X-wing
no swordfish | latin 7 | 4 of row A in A1 A2; 4 of row B in B1 B2; 4 of row C in C1 C2 C3
jellyfish 5.2 | latin 6 | 6 of row A in A1 A2; 6 of row B in B2 B3; 6 of row C in C3 C4; 6 of row D
        in D1 D4
    6 leaves E1, E2, E3, E4, F1, F2, F3, F4
# boxes by disjoint groups
jellyfish 5.2 | disjoint | 2 of box 1 in A1 B2; 2 of box 2 in B5 C6; 2 of box 3 in A9 C9; 2 of box
        4 in D1 D3
    2 leaves D4, D6, D7, D9, E5, E8, F6, F9, G1, G3, G4, G6, G7, G9, H2, H5, H8, I3, I6, I9
# five columns
no jellyfish | latin 6 | 6 of row A in A1 A2; 6 of row B in B2 B3; 6 of row C in C3 C4; 6 of row D
        in D1 D5
# columns
jellyfish 5.2 | classic | 2 of column 1 in A1 C1; 2 of column 3 in C3 E3; 2 of column 6 in E6 I6; 2
        of column 8 in A8 E8 I8
    2 leaves A2, A4, A5, A7, A9, C2, C4, C5, C7, C9, E2, E4, E5, E7, E9, I2, I4, I5, I7, I9
larger fish 5.8 | latin 7 | 1 of row A in A1 A2; 1 of row B in B2 B3; 1 of row C in C3 C4; 1 of row
        D in D4 D5; 1 of row E in E1 E5
    1 leaves F1, F2, F3, F4, F5, G1, G2, G3, G4, G5
# boxes by disjoint groups
larger fish 5.8 | disjoint | 2 of box 1 in A1 B2; 2 of box 2 in B5 C6; 2 of box 3 in A9 C9; 2 of
        box 4 in D1 D2; 2 of box 5 in D5 D6
    2 leaves D7, D8, D9, E8, F9, G1, G2, G3, G4, G5, G6, G7, G8, G9, H2, H5, H8, I3, I6, I9
# six columns
no larger fish | latin 7 | 1 of row A in A1 A2; 1 of row B in B2 B3; 1 of row C in C3 C4; 1 of row
        D in D4 D5; 1 of row E in E1 E6
# a larger fish rates higher
larger fish 6.7 | latin 8 | 3 of column 1 in A1 B1; 3 of column 2 in B2 C2; 3 of column 3 in C3 D3;
        3 of column 4 in D4 E4; 3 of column 5 in E5 F5; 3 of column 6 in A6 F6
    3 leaves A7, A8, B7, B8, C7, C8, D7, D8, E7, E8, F7, F8
# an unseen fin
no finned X-wing | classic | 4 of row B in B3 B5 B8; 4 of row F in F3 F8
# unseen fins
no finned X-wing | classic | 4 of row B in B3 B5 B8 B9; 4 of row F in F3 F8
# no fin
no finned X-wing | classic | 4 of row B in B3 B8; 4 of row F in F3 F8
# two fins
finned X-wing 4.3 | classic | 4 of row B in B3 B7 B8 B9; 4 of row F in F3 F8
    finned X-wing of 4 in row B and row F by column 3 and column 8 with fins B7, B9: 4 leaves A8, C8
# a fin that sees along a diagonal
finned X-wing 4.3 | x | 4 of row B in B2 B3 B8; 4 of row F in F3 F8
    finned X-wing of 4 in row B and row F by column 3 and column 8 with fin B2: 4 leaves A3, C3, H8
# a fin that sees by a knight's move
finned X-wing 4.3 | anti-knight | 4 of row B in B3 B4 B8; 4 of row F in F3 F8
    finned X-wing of 4 in row B and row F by column 3 and column 8 with fin B4: 4 leaves D3
    finned X-wing of 4 in row B and row F by column 4 and column 8 with fins B3, F3: 4 leaves D4
# a base with one place besides the fins
sashimi X-wing 4.3 | classic | 4 of row B in B3 B9; 4 of row F in F3 F8
    finned X-wing of 4 in row B and row F by column 3 and column 8 with fin B9: 4 leaves A8, C8
    finned X-wing of 4 in row B and row F by column 3 and column 9 with fin F8: 4 leaves D9, E9
finned swordfish 4.5 | classic | 5 of row A in A1 A4 A7; 5 of row D in D1 D4; 5 of row G in G4 G7
        G8
    finned swordfish of 5 in row A, row D and row G by column 1, column 4 and column 7 with fin G8:
        5 leaves H7, I7
# columns
finned swordfish 4.5 | classic | 7 of column 1 in A1 D1 G1; 7 of column 4 in A4 D4; 7 of column 8
        in D8 G8 H8
    7 leaves G7, G9
# the fin is far from the covers
no finned swordfish | latin | 5 of row A in A1 A4 A7; 5 of row D in D1 D4; 5 of row G in G4 G7 G8
# a fin that sees along a diagonal
finned swordfish 4.5 | x | 5 of row A in A1 A4 A7; 5 of row D in D1 D4; 5 of row G in G4 G7 G8
    finned swordfish of 5 in row A, row D and row G by column 1, column 4 and column 7 with fin G8:
        5 leaves H7, I7
finned jellyfish 5.5 | classic | 5 of row A in A1 A4; 5 of row D in D4 D7; 5 of row F in F7 F9; 5
        of row I in I1 I8 I9
    5 leaves G7, G9, H7, H9
# columns
finned jellyfish 5.5 | classic | 2 of column 1 in A1 D1; 2 of column 4 in D4 G4; 2 of column 7 in
        G7 I7; 2 of column 9 in A9 B9 I9
    2 leaves A8
# no cell sees the fin
no finned jellyfish | latin | 5 of row A in A1 A4; 5 of row D in D4 D7; 5 of row F in F7 F9; 5 of
        row I in I1 I8 I9
pointing 2.6 | classic | 1 of box 1 in A1 A3
    pointing 1 of box 1 is in row A: 1 leaves A4, A5, A6, A7, A8, A9
# columns
pointing 2.6 | classic | 9 of box 5 in D5 E5 F5; no 9 in A5 B5 G5
    pointing 9 of box 5 is in column 5: 9 leaves C5, H5, I5
# a diagonal
pointing 2.6 | x | 4 of box 1 in A1 B2
    pointing 4 of box 1 is in falling diagonal: 4 leaves D4, E5, F6, G7, H8, I9
# a window by a box and by a row
pointing 2.6 | windoku | 2 of window 1 in B2 B3
    pointing 2 of window 1 is in box 1: 2 leaves A1, A2, A3, B1, C1
    pointing 2 of window 1 is in row B: 2 leaves B1, B5, B6, B7, B8, B9
# a place outside the line
no pointing | classic | 1 of box 1 in A1 A3 B2
# a unit that only differs
no pointing | 4 in A1 A2 B1, A1 A2 A3 A4 | no 1 in B1; no 2 in A4
claiming 2.8 | classic | 3 of row E in E4 E6
    claiming 3 of row E is in box 5: 3 leaves D4, D5, D6, F4, F5, F6
# regions
claiming 2.8 | jigsaw:aaabacbbccbdcddd 4 | 2 of column 1 in A1 B1
    claiming 2 of row D is in region d: 2 leaves C4
    claiming 2 of column 1 is in region a: 2 leaves A2, A3
# a diagonal
claiming 2.8 | x | 6 of falling diagonal in G7 I9
    claiming 6 of falling diagonal is in box 9: 6 leaves G8, G9, H7, H9, I7, I8
# a place in another box
no claiming | classic | 3 of row E in E3 E4
# a unit that only differs
no claiming | 4 in A1 A2 B1, A1 A2 A3 A4 | no 1 in B1; no 2 in A4
# one place sees by row, one by diagonal
generalised intersection 2.9 | x | 6 of row C in C3 C9
    generalised intersection 6 of row C is in one of C3, C9: 6 leaves I9
# two diagonals meet
generalised intersection 2.9 | x | 6 of row A in A1 A9
    generalised intersection 6 of row A is in one of A1, A9: 6 leaves E5, I1, I9
# knights
generalised intersection 2.9 | anti-knight | 6 of box 1 in B2 C3
    generalised intersection 6 of box 1 is in one of B2, C3: 6 leaves A4, B5, C4, D1, D3, E2
# a classic board has none
no generalised intersection | classic | 6 of row C in C3 C9
no generalised intersection | classic | 6 of box 1 in B2 C3
no generalised intersection | classic | 6 of row A in A1 A9
# a unit that only differs
no generalised intersection | 4 in A1 A2 B1, A1 A2 A3 A4 | no 1 in B1; no 2 in A4
# two cells of a colour see each other
simple colouring 6.5 | classic | 1 of row A in A1 A5; 1 of column 1 in A1 G1; 1 of row G in G1 G6;
        1 of column 6 in C6 G6
    simple colouring 1 in all of A1, G6 or in all of A5, C6, G1: 1 leaves A5, C6, G1
# a diagonal
simple colouring 6.5 | x | 1 of falling diagonal in B2 H8; 1 of row H in H1 H8; 1 of column 1 in D1
        H1
    simple colouring 1 in all of B2, H1 or in all of D1, H8: 1 leaves B8, D2, E2, F2
# a window
simple colouring 6.5 | windoku | 1 of window 1 in B2 D4; 1 of row D in D4 D9; 1 of column 9 in D9
        H9
    simple colouring 1 in all of B2, D9 or in all of D4, H9: 1 leaves H2
# a single strong link
no simple colouring | classic | 1 of row A in A1 A2
# a weak link between
no simple colouring | classic | 1 of row A in A1 A5; 1 of row F in F1 F6
simple colouring 6.5 | classic | 1 of row A in A1 A5; 1 of column 5 in A5 G5; 1 of row G in G3 G5
    simple colouring 1 in all of A1, G5 or in all of A5, G3: 1 leaves B3, C3, H1, I1
# a unit that only differs
no simple colouring | classic without I5 in column 5 | 1 of row A in A1 A5; no 1 in B5 C5 D5 E5 F5
        H5; 1 of row G in G3 G5
# an odd ring, without solutions
simple colouring 6.5 | 2 in A1 A2, A2 A3, A1 A3
    simple colouring 1 in all of A1 or in all of A2, A3: 1 leaves A2, A3
    simple colouring 2 in all of A1 or in all of A2, A3: 2 leaves A2, A3
# six cells
remote pair 5.0 | classic | A1 A5 F5 F8 H8 H3 = 12
    remote pair 1,2 in A1, A5, F5, F8: 1 and 2 leave A8, F1
    remote pair 1,2 in A1, A5, F5, F8, H8, H3: 1 and 2 leave A3, B3, C3, G1, H1, I1
    remote pair 1,2 in A5, F5, F8, H8: 1 and 2 leave A8, H5
    remote pair 1,2 in F5, F8, H8, H3: 1 and 2 leave F3, H5
# a window
remote pair 5.0 | windoku | B2 D4 D9 I9 = 12
    remote pair 1,2 in B2, D4, D9, I9: 1 and 2 leave B9, I2
# a diagonal
remote pair 5.0 | x | A1 E5 E8 F8 = 12
    remote pair 1,2 in A1, E5, E8, F8: 1 and 2 leave A8, F1, F6, H8
# a disjoint group
remote pair 5.0 | disjoint | A1 D4 D9 H9 = 12
    remote pair 1,2 in A1, D4, D9, H9: 1 and 2 leave A9, B3, G7, H1
# an even number of links
no remote pair | classic | A1 A5 F5 = 12
# a third candidate
no remote pair | classic | A1 A5 F8 = 12; F5 = 123
remote pair 5.0 | classic | A1 A5 F5 F8 = 12
    remote pair 1,2 in A1, A5, F5, F8: 1 and 2 leave A8, F1
# two rows and two columns are a loop
X-chain 6.5 | latin | 1 of row B in B2 B7; 1 of row F in F2 F7
    1 leaves A2, A7, C2, C7, D2, D7, E2, E7, G2, G7, H2, H7, I2, I7
# it keeps to one value
no X-chain | classic | 3 of row A in A1 A7; 5 of column 7 in A7 F7; 5 of row F in F2 F7; F2 = 35
# three strong links
X-chain 6.7 | classic | 1 of row A in A1 A5; 1 of row D in D5 D8; 1 of row H in H2 H8
    X-chain 1 in A1 = 1 in A5 - 1 in D5 = 1 in D8 - 1 in H8 = 1 in H2: 1 leaves B2, C2, G1, I1
# a diagonal
X-chain 6.6/6.7 | x | 1 of falling diagonal in A1 I9; 1 of column 4 in B4 I4; 1 of column 7 in B7 F7
    X-chain 1 in A1 = 1 in I9: 1 leaves A9, I1
    X-chain 1 in A1 = 1 in I9 - 1 in I4 = 1 in B4: 1 leaves A5, A6, B1, B3
    X-chain 1 in A1 = 1 in I9 - 1 in I4 = 1 in B4 - 1 in B7 = 1 in F7: 1 leaves F1
AIC 7.1 | classic | 3 of row A in A1 A7; 5 of column 7 in A7 F7; 5 of row F in F2 F7; F2 = 35
    AIC 3 in A1 = 3 in A7 - 5 in A7 = 5 in F7 - 5 in F2 = 3 in F2: 3 leaves B2, C2, D1, E1, F1
XY-chain 7.2 | classic | A1 = 12; A5 = 23; E5 = 34; E9 = 14
    XY-chain 1 in A1 = 2 in A1 - 2 in A5 = 3 in A5 - 3 in E5 = 4 in E5 - 4 in E9 = 1 in E9: 1
        leaves A9, E1
# knights
XY-chain 7.2 | anti-knight | A1 = 12; B3 = 23; D4 = 34; D8 = 14
    1 leaves A8, D1
# a diagonal
XY-chain 7.2 | x | A1 = 12; E5 = 23; E8 = 34; G8 = 14
    1 leaves A8, G1, G7, H8, I9
# a loop eliminates along all its units
XY-chain 6.7 | latin | A1 = 12; A5 = 23; E5 = 34; E1 = 14
    XY-chain 1 in A1 = 2 in A1 - 2 in A5 = 3 in A5 - 3 in E5 = 4 in E5 - 4 in E1 = 1 in E1 - 1 in
        A1: 1 leaves B1, C1, D1, F1, G1, H1, I1; 2 leaves A2, A3, A4, A6, A7, A8, A9; 3 leaves B5,
        C5, D5, F5, G5, H5, I5; 4 leaves E2, E3, E4, E6, E7, E8, E9
# ends without a value in common
no XY-chain | classic | A1 = 12; A5 = 23; E5 = 34; E9 = 45
# a loop in a cell empties it of other values
AIC 7.0 | latin | 3 of row A in A1 A7; 5 of row A in A1 A7
    AIC 3 in A1 = 3 in A7 - 5 in A7 = 5 in A1 - 3 in A1: 1, 2, 4 and 6 to 9 leave A1, A7
# a disjoint group
AIC 7.1 | disjoint | 3 of disjoint group 1 in A1 D4; 5 of column 4 in D4 I4; 5 of row I in I2 I4;
        I2 = 35
    AIC 3 in A1 = 3 in D4 - 5 in D4 = 5 in I4 - 5 in I2 = 3 in I2: 3 leaves A2, B2, C2, H1, I1
# a link between values would join two cells
no AIC | classic | A1 = 12; A2 = 37; D2 = 17
# two places in a box and a row are one node
grouped AIC 7.1 | classic | 1 of row A in A1 A2 A8; 1 of column 3 in C3 H3
    grouped AIC 1 in A8 = 1 in A1,A2 - 1 in C3 = 1 in H3: 1 leaves H8
no AIC | classic | 1 of row A in A1 A2 A8; 1 of column 3 in C3 H3
# ends of different values
AIC 7.0/7.1 | classic | 3 of row A in A1 A7; 5 of column 7 in A7 F7; 5 of column 2 in C2 F2
    AIC 5 in A7 = 5 in F7 - 5 in F2 = 5 in C2: 5 leaves A1, A3, C8, C9
    AIC 3 in A1 = 3 in A7 - 5 in A7 = 5 in F7 - 5 in F2 = 5 in C2: 3 leaves C2; 5 leaves A1
# what a rule forbids is a weak link
AIC 7.0 | non-consecutive | A1 = 35
    AIC 3 in A1 = 5 in A1: 4 leaves A2, B1
AIC 7.0/7.1 | non-consecutive | A1 = 12; A2 = 37; D2 = 17
    AIC 1 in A1 = 2 in A1: 1 and 2 leave B1
    AIC 1 in A1 = 2 in A1 - 3 in A2 = 7 in A2 - 7 in D2 = 1 in D2: 1 leaves B2, C2, D1, E1, F1
# a unit that only differs
no AIC | 4 in A1 A2 A3, A1 B1, A3 B1 | no 1 in A2
# a jigsaw region
grouped AIC 7.1 | jigsaw:aaabacbbccbdcddd 4 | 1 of row A in A1 A2 A4; 1 of column 1 in B1 C1
    grouped AIC 1 in A2 = 1 in B1: 1 leaves B2
    grouped AIC 1 in D2 = 1 in D3,D4: 1 leaves C4
    grouped AIC 1 in A2 = 1 in A4 - 1 in B3,C3 = 1 in D3: 1 leaves D2
    grouped AIC 1 in A4 = 1 in A2 - 1 in B1 = 1 in C1: 1 leaves C3, C4
# the places share no second unit
no grouped AIC | classic | 1 of row A in A1 A4 A8; 1 of column 3 in C3 H3
# a window
grouped AIC 7.1 | windoku | 1 of row B in B2 B3 B9; 1 of column 4 in D4 H4
    grouped AIC 1 in B9 = 1 in B2,B3 - 1 in D4 = 1 in H4: 1 leaves H9
    grouped AIC 1 in B2,B3,C2,C3 = 1 in D2,D3,D4 - 1 in D6,D7,D8 = 1 in C6,C7,C8: 1 leaves C1
# no group in a unit that only differs
no grouped AIC | classic without A9 in row A | no 1 in A3 A4 A5 A6 A7 A9; 1 of column 3 in C3 H3
# both diagonals
mutant X-wing 5.7 | x | 4 of falling diagonal in B2 H8; 4 of rising diagonal in B8 H2
    mutant X-wing of 4 in falling diagonal and rising diagonal by column 2 and column 8: 4 leaves
        A2, A8, C2, C8, D2, D8, E2, E8, F2, F8, G2, G8, I2, I8
    mutant X-wing of 4 in falling diagonal and rising diagonal by row B and row H: 4 leaves B1, B3,
        B4, B5, B6, B7, B9, H1, H3, H4, H5, H6, H7, H9
# a box and a diagonal
mutant X-wing 5.7 | x | 1 of box 7 in G2 H1; 1 of falling diagonal in B2 H8
    mutant X-wing of 1 in box 7 and falling diagonal by row H and column 2: 1 leaves A2, C2, D2, E2,
        F2, H4, H5, H6, H7, H9
# a window and a row
mutant X-wing 5.7 | windoku | 7 of window 4 in G6 G8 H7; 7 of row I in I4 I5 I7
    mutant X-wing of 7 in window 4 and row I by box 8 and box 9: 7 leaves G4, G5, G9, H4, H5, H9
# bases that share a place
no mutant X-wing | x | 4 of falling diagonal in B2 E5 H8; 4 of rising diagonal in B8 E5 H2
# two rows and a column
mutant swordfish 6.0 | classic | 5 of row B in B4 B7; 5 of row H in H4 H9; 5 of column 8 in C8 G8
    mutant swordfish of 5 in row B, row H and column 8 by box 3, box 9 and column 4: 5 leaves A4,
        A7, A9, C4, C7, C9, D4, E4, F4, G4, G7, G9, I4, I7, I9
# a place of a base in two covers
mutant swordfish 6.0 | classic | 5 of box 3 in A8 B9; 5 of box 6 in D7 D9 F9; 5 of column 5 in A5
        D5
    mutant swordfish of 5 in box 3, box 6 and column 5 by row A, row D and column 9: 5 leaves A1,
        A2, A3, A4, A6, D1, D2, D3, D4, D6, D9, G9, H9, I9
# B2 is in two bases
no mutant swordfish | x | 5 of falling diagonal in B2 E5; 5 of row B in B2 B7; 5 of row H in H5 H7
# a diagonal
mutant swordfish 6.0 | x | 5 of falling diagonal in C3 E5; 5 of row B in B3 B7; 5 of row H in H5 H7
    mutant swordfish of 5 in row B, row H and falling diagonal by box 1, column 5 and column 7: 5
        leaves A2, A3, A5, A7, C1, C2, C5, C7, D5, D7, E7, F5, F7, G5, I5, I7
    mutant swordfish of 5 in row B, row H and falling diagonal by column 3, column 5 and column 7: 5
        leaves A3, A5, A7, C5, C7, D3, D5, D7, E3, E7, F3, F5, F7, G3, G5, I3, I5, I7
# a place in no cover
no mutant swordfish | classic | 5 of row B in B4 B7; 5 of row H in H4 H9; 5 of column 8 in C8 E8 G8
# four boxes
mutant jellyfish 6.4 | classic | 5 of box 7 in G1 H2 I2; 5 of box 9 in G8 G9 H7; 5 of row A in A6
        A7; 5 of row B in B2 B4 B5 B7
    mutant jellyfish of 5 in box 1, box 3, box 7 and box 9 by row C, row G, column 2 and column 7: 5
        leaves C2, C4, C5, C6, C7, D2, D7, E2, E7, F2, F7, G4, G5, G6
# a place of a base in two covers
mutant jellyfish 6.4 | classic | 5 of box 1 in B1 B2 C3; 5 of box 2 in A6 B4 B6; 5 of box 4 in D2
        E3 F3; 5 of box 5 in D4 D5 E6
    mutant jellyfish of 5 in box 1, box 2, box 4 and box 5 by row B, row D, column 3 and column 6: 5
        leaves B6, B7, B8, B9, D7, D8, D9, G3, G6, H3, H6, I3, I6
# windows
mutant jellyfish 6.4 | windoku | 5 of window 2 in C7 D6; 5 of window 3 in F3 H3; 5 of window 4 in
        F8 G7; 5 of row I in I2 I6
    mutant jellyfish of 5 in window 2, window 3, window 4 and row I by box 7, row F, column 6 and
        column 7: 5 leaves A6, A7, E6, E7, F1, F5, F9, G1, H1
# a place in no cover
no mutant jellyfish | classic | 5 of box 7 in G1 H2 I2; 5 of box 9 in G8 G9 H7; 5 of row A in A1 A6
        A7; 5 of row B in B2 B4 B5 B7
# lines
XY-wing 4.2 | classic | A1 = 12; A5 = 13; E1 = 23
    XY-wing 1,2 in A1 with 1,3 in A5 and 2,3 in E1: 3 leaves E5
# diagonals
XY-wing 4.2 | x | E5 = 12; A1 = 13; C7 = 23
    XY-wing 1,2 in E5 with 1,3 in A1 and 2,3 in C7: 3 leaves A7, A8, A9, C1, C2, C3, G7, I1
# knights
XY-wing 4.2 | anti-knight | E5 = 12; C4 = 13; E9 = 23
    XY-wing 1,2 in E5 with 1,3 in C4 and 2,3 in E9: 3 leaves C8, C9, E3, E4
# the pivot does not see C4
no XY-wing | classic | E5 = 12; C4 = 13; E9 = 23
# pincers alike
no XY-wing | classic | A1 = 12; A5 = 13; B2 = 13
# beside a rule
XY-wing 4.2 | non-consecutive | A1 = 15; A5 = 17; B2 = 57
    XY-wing 1,5 in A1 with 1,7 in A5 and 5,7 in B2: 7 leaves A2, A3, B4, B5, B6
# the pivot sees the pincers in units that only differ
XY-wing 4.2 | 3 in A1 A2, A2 A3, A1 A4, A3 A4 | A2 = 12; A1 = 13; A3 = 23
    XY-wing 1,2 in A2 with 1,3 in A1 and 2,3 in A3: 3 leaves A4
# a box
XY-wing 4.2 | classic | A1 = 12; A5 = 13; B2 = 23
    XY-wing 1,2 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3, B4, B5, B6
XYZ-wing 4.4 | classic | A1 = 123; A5 = 13; B2 = 23
    XYZ-wing 1,2,3 in A1 with 1,3 in A5 and 2,3 in B2: 3 leaves A2, A3
# a diagonal
XYZ-wing 4.4 | x | E5 = 123; A1 = 13; C7 = 23
    XYZ-wing 1,2,3 in E5 with 1,3 in A1 and 2,3 in C7: 3 leaves A9, C3, G7, I1
# a window
XYZ-wing 4.4 | windoku | D4 = 123; B2 = 13; D9 = 23
    XYZ-wing 1,2,3 in D4 with 1,3 in B2 and 2,3 in D9: 3 leaves D2, D3
# no cell sees the pivot too
no XYZ-wing | classic | A1 = 123; A5 = 13; E1 = 23
# a diagonal
W-wing 4.4 | x | A1 B9 = 12; 1 of row E in E5 E9
    2 leaves A7, A8, A9, B1, B2, B3, I9
# a disjoint group
W-wing 4.4 | disjoint | A1 B9 = 12; 1 of row G in G4 G9
    2 leaves A7, A8, A9, B1, B2, B3
# one end
no W-wing | classic | A1 B9 = 12; 1 of row F in F1 F5
# ends at one cell
no W-wing | classic | A1 F9 = 12; 1 of box 1 in B2 C3
# cells see each other
no W-wing | classic | A1 A9 = 12; 1 of row F in F1 F9
# a row
W-wing 4.4 | classic | A1 B9 = 12; 1 of row F in F1 F9
    W-wing 2 in A1 = 1 in A1 - 1 in F1 = 1 in F9 - 1 in B9 = 2 in B9: 2 leaves A7, A8, A9, B1, B2,
        B3
# columns
skyscraper 4.0 | classic | 4 of column 2 in B2 H2; 4 of column 8 in B8 I8
    skyscraper 4 in H2 = 4 in B2 - 4 in B8 = 4 in I8: 4 leaves H7, H9, I1, I3
# a row and a column joined in a box
two-string kite 4.1 | classic | 1 of row A in A1 A7; 1 of column 2 in B2 H2
    two-string kite 1 in A7 = 1 in A1 - 1 in B2 = 1 in H2: 1 leaves H7
# joined in a window
two-string kite 4.1 | windoku | 1 of row D in D2 D9; 1 of column 3 in C3 I3
    two-string kite 1 in D9 = 1 in D2 - 1 in C3 = 1 in I3: 1 leaves I9
# joined in a disjoint group
two-string kite 4.1 | disjoint | 1 of row A in A1 A6; 1 of column 4 in D4 I4
    two-string kite 1 in A6 = 1 in A1 - 1 in D4 = 1 in I4: 1 leaves G6, H6, I6
# two rows joined in a box
turbot fish 4.2 | classic | 1 of row A in A1 A5; 1 of row B in B2 B4
    turbot fish 1 in A1 = 1 in A5 - 1 in B4 = 1 in B2: 1 leaves C1, C2, C3
    turbot fish 1 in A5 = 1 in A1 - 1 in B2 = 1 in B4: 1 leaves C4, C5, C6
# a box and a row
turbot fish 4.2 | classic | 1 of row A in A1 A5; 1 of box 4 in D1 E2
    turbot fish 1 in E2 = 1 in D1 - 1 in A1 = 1 in A5: 1 leaves E5
# two diagonals
turbot fish 4.2 | x | 1 of falling diagonal in C3 I9; 1 of rising diagonal in C7 I1
    turbot fish 1 in C3 = 1 in I9 - 1 in I1 = 1 in C7: 1 leaves C1, C2, C4, C5, C6, C8, C9
    turbot fish 1 in I9 = 1 in C3 - 1 in C7 = 1 in I1: 1 leaves I2, I3, I4, I5, I6, I7, I8
# a knight's move leaves its own cells alone
turbot fish 4.2 | anti-knight | 1 of row C in C5 C9; 1 of column 7 in D7 I7
    turbot fish 1 in C5 = 1 in C9 - 1 in D7 = 1 in I7: 1 leaves H5, I5
    turbot fish 1 in C9 = 1 in C5 - 1 in D7 = 1 in I7: 1 leaves G9, H9, I9
# no cell sees both ends
no skyscraper | latin | 1 of row A in A1 A5; 1 of row F in F1 F6
# no group
no skyscraper | classic | 1 of row A in A1 A6; 1 of column 4 in D4 I4
# a shared cell
no skyscraper | classic | 1 of row A in A1 A7; 1 of column 1 in A1 H1
# no weak link
no skyscraper | classic | 1 of row A in A1 A5; 1 of box 4 in D2 E3
# a third place
no skyscraper | classic | 1 of row A in A1 A5 A9; 1 of row F in F1 F6
# rows
skyscraper 4.0 | classic | 1 of row A in A1 A5; 1 of row F in F1 F6
    skyscraper 1 in A5 = 1 in A1 - 1 in F1 = 1 in F6: 1 leaves B6, C6, D5, E5
# a unit that only differs
no skyscraper | classic without F9 in row F | 1 of row A in A1 A5; no 1 in F2 F3 F4 F5 F7 F8 F9
# a line is harder than a box
hidden single 1.5 | classic | 5 of row D in D7
    hidden single 5 in row D: D7 is 5
# a diagonal
hidden single 1.5 | x 4 | 2 of falling diagonal in B2
    hidden single 2 in falling diagonal: B2 is 2
# a window
hidden single 1.2 | windoku | 7 of window 1 in C3
    hidden single 7 in window 1: C3 is 7
# a unit that only differs
no hidden single | 4 in A1 A2 A3, B1 B2 B3 B4 | no 1 in A1 A2
# two candidates
no naked single | classic 4 | A1 = 12
# the last place of a hidden unit
law of leftovers 3.1 | windoku | no 1 in B1 B5 B9 C1 C5 C9 D1 D5
    law of leftovers by hidden single 1 in row B, C, D - window 1, 2: D9 is 1
# two places that do not see each other
no law of leftovers | windoku | no 1 in B1 B5 C1 C5 C9 D1 D9
# a hidden unit's places in a row
law of leftovers 3.1 | windoku | no 1 in C1 C5 C9 D1 D5 D9
    law of leftovers by pointing 1 of row B, C, D - window 1, 2 is in row B: 1 leaves B2, B3, B4,
        B6, B7, B8
# one combination
combinations 2.0 | { kind = "killer", cage = "A1 A2", total = 4 }
    combinations of 1+3 (the cage A1 A2 sums to 4): 2 and 4 to 9 leave A1, A2
# a value of all combinations with one place
combinations 2.0 | { kind = "killer", cage = "A1-A3", total = 6 } | no 3 in A1 A2; no 2 in A2
    combinations of 1+2+3 (the cage A1-A3 sums to 6): A1 is 2; A2 is 1; A3 is 3
# neighbours in any order
combinations 2.0 | { kind = "renban", line = "A1-C1" } | A1 = 59; B1 C1 = 23456
    combinations of 3+4+5 or 4+5+6 (A1-C1 hold consecutive values in any order): A1 is 5; 2 and 5
        leave B1, C1
# across boxes
naked pair 3.0 | { kind = "killer", cage = "C3 D4 E5", total = 15 } | C3 D4 = 78
    naked pair 7,8 in C3, D4: 7 and 8 leave C4, D3, E5
# a thermometer
line bounds 1.7 | { kind = "thermo", line = "A1-A3" } | no 9 in A3
    line bounds (the values rise along A1-A3): 1 and 2 leave A3; 1, 8 and 9 leave A2; 7, 8 and 9
        leave A1
# no middle value
related cells 1.9 | { kind = "whisper", line = "A1 B2 C3" }
    related cells (neighbours along A1 B2 C3 differ by at least 5): 5 leaves A1, B2, C3
# cells that differ
sum bounds 2.2 | { kind = "arrow", circle = "A1", shaft = "B1-B3" }
    sum bounds from 6 to 9 (B1-B3 sum to A1): 1 to 5 leave A1; 7, 8 and 9 leave B1, B2, B3
# a little killer
sum bounds 2.2 | { kind = "sum", summed = "A1 B2 C3 D4", total = 9 }
    sum bounds, as with any one of A1, B2 and C3 left out the others sum to at least 4 and without
        D4 the others sum to at least 6 (A1-D4 sum to 9): 4 to 9 leave D4; 6 to 9 leave A1, B2, C3
# an innie and an outie
innies and outies 3.0 | { kind = "killer", cage = "A1-A3", total = 10 }, { kind = "killer", cage =
        "A4-A8 B8", total = 29 }
    innies and outies A9 - B8 = 6 by row A (the cage A4-A8 B8 sums to 29; the cage A1-A3 sums to
        10): 1 to 6 leave A9; 4 to 9 leave B8
# placed cells
innies and outies 3.0 | { kind = "killer", cage = "A1-A3", total = 10 } | A4 = 1; A5 = 2; A6 = 8; A7
        = 9
    innies and outies A8 + A9 = 15 by row A (the cage A1-A3 sums to 10): 3 to 7 leave A8
# a value that a cage needs
rule pointing 3.1 | { kind = "killer", cage = "A1-A3", total = 6 }
    rule pointing 1 is in A1, A2, A3 (the cage A1-A3 sums to 6): 1 leaves A4, A5, A6, A7, A8, A9,
        B1, B2, B3, C1, C2, C3
    rule pointing 2 is in A1, A2, A3 (the cage A1-A3 sums to 6): 2 leaves A4, A5, A6, A7, A8, A9,
        B1, B2, B3, C1, C2, C3
    rule pointing 3 is in A1, A2, A3 (the cage A1-A3 sums to 6): 3 leaves A4, A5, A6, A7, A8, A9,
        B1, B2, B3, C1, C2, C3
# a relation
rule pointing 3.1 | non-consecutive | 5 of row A in A1 A3
    rule pointing 5 of row A is in A1, A3: 4 and 6 leave A2; 5 leaves B1, B2, B3, C1, C2, C3
unit in a rule 3.2 | { kind = "killer", cage = "A1 B1", total = 10 } | 4 of column 1 in A1 B1
    unit in a rule 4 of column 1 is in A1, B1 (the cage A1 B1 sums to 10): 1, 2, 3, 5, 7, 8 and 9
        leave A1, B1
# nothing between
arrangements 4.4 | { kind = "sandwich", line = "row 1", total = 0 } | 1 of row A in A1 A2; 9 of row
        A in A1 A3
    arrangements, nothing is between 1 and 9 (between 1 and 9 along A1-A9 the values sum to 0): A2
        is 1; 1 leaves A1
# a number of cells between
arrangements 4.4 | { kind = "sandwich", line = "row 1", total = 35 } | 1 of row A in A1 A2; 9 of row
        A in A8 A9
    arrangements, 35 is 2+3+4+5+6+7+8, so 7 cells are between 1 and 9 (between 1 and 9 along A1-A9
        the values sum to 35): A1 is 1; 1 leaves A2
same values 3.3 | { kind = "same-values", held = "A1 A2", other = "D4 D5" } | no 9 in A1 A2
    same values (A1 A2 hold the same values as D4 D5): 9 leaves D4, D5
relation chain 4.6 | { kind = "difference", pairs = ["A1 A2", "A2 A3"] } | A1 = 34; A2 = 45
    relation chain in box 1 (A1 and A2, A2 and A3 each differ by 1): 1 to 4, 7, 8 and 9 leave A3
# two cages of a row
rules together 6.4 | { kind = "killer", cage = "A1 A4", total = 3 }, { kind = "killer", cage = "A7
        A8", total = 5 } | A1 A4 = 12
    rules together in box 3 (the cage A7 A8 sums to 5): 5 to 9 leave A7, A8
    rules together in row A (the cage A1 A4 sums to 3; the cage A7 A8 sums to 5): 1 and 2 leave A1
cells of a rule 1.6 | { kind = "holds", held = "A1 B5", values = [2, 4] }
    cells of a rule (A1 B5 hold 2 or 4): 1, 3 and 5 to 9 leave A1, B5
# across boxes
last cell of a rule 1.1 | { kind = "killer", cage = "C3 D4 E5", total = 15 } | C3 = 7; D4 = 6
    last cell of a rule (the cage C3 D4 E5 sums to 15): E5 is 2
"""

TURBOTS = ("skyscraper", "two-string kite", "turbot fish")
"""Techniques of which only the one that a row names is there."""


def layout_of(name: str) -> Layout:
    """Return the layout that a row names."""
    if name.startswith("{"):
        return read(f"version = 1\nsize = 9\nrules = [{name}]")[0].board.layout
    if words := re.fullmatch(r"(\d+) in (.*)", name):
        cells = re.findall(r"([A-Z])(\d+)", words[2])
        shape = max(ord(row) - ord("A") + 1 for row, _ in cells), max(int(c) for _, c in cells)
        return Layout.from_units(int(words[1]), words[2].split(", "), shape=shape)
    if words := re.fullmatch(r"classic without (..) in (.*)", name):
        (line,) = (unit for unit in CLASSIC.units if unit.name == words[2])
        rest = [cell for cell in line.cells if cell != CLASSIC.cell(words[1])]
        return Layout.from_units(9, [*(unit for unit in CLASSIC.units if unit != line), rest])
    variant, _, size = name.partition(" ")
    return layout(variant, int(size or 9))


def case_of(name: str, text: str) -> Case:
    """Return the case that a row describes."""
    case = Case(layout_of(name))
    for part in text.split("; ") if text else ():
        if words := re.fullmatch(r"no (\d+) in (.*)", part):
            for value in words[1]:
                case.without(int(value), words[2])
        elif words := re.fullmatch(r"(\d+) of (.*) in (.*)", part):
            for value in words[1]:
                case.only(int(value), words[3], words[2])
        else:
            cells, _, values = part.partition(" = ")
            case.cells([*map(int, values)], cells)
    return case


def rows() -> Iterator[Any]:
    """Yield the rows of the table, each with the lines below it, named by the remark above it."""
    remark = ""
    for block in re.split(r"\n(?! )", re.sub(r"\n {8}", " ", TABLE.rstrip())):
        if block.startswith("#"):
            remark = block.removeprefix("#")
            continue
        head, *lines = block.split("\n    ")
        technique, variant, *text = head.split(" | ")
        yield pytest.param(technique, variant, " ".join(text), lines, id=technique + remark)
        remark = ""


@pytest.mark.parametrize(("technique", "variant", "text", "lines"), [*rows()])
def test_a_technique_is_where_the_table_says(
    technique: str, variant: str, text: str, lines: list[str]
) -> None:
    name, rating = technique.rsplit(" ", 1) if lines else (technique.removeprefix("no "), "")
    board = case_of(variant, text).board
    known = steps(name, board)
    texts = [step.sentence if step.sentence in lines else step.consequence for step in known]
    assert sorted(texts) == sorted(lines)
    assert {f"{step.rating}" for step in known} == {*rating.split("/")} - {""}
    for step in known:
        assert step.layout == board.layout
        strong = [link.strong for link in step.links]
        assert strong == [name == "simple colouring" or at % 2 == 0 for at in range(len(strong))]
    if name in (*TURBOTS, "W-wing"):
        named = {*re.findall(r" of (.*?) in ", text)}
        assert all({*map(str, step.units)} == named for step in known)
    for other in {*TURBOTS} - {name} if name in TURBOTS else ():
        assert not steps(other, board)
