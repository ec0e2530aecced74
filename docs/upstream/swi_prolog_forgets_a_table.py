"""SWI-Prolog 9.0.4: ``tuples_in`` does not check a tuple that is decided while it is posted.

Expected: no solution, because A, B and C differ and no row of the table has three values.
Seen: 3, 2, 1, which is not a row. All rows end in 1, so that ``tuples_in`` decides C; then
``all_distinct`` decides A and B, and the table is attached to variables only: none is left. Posted
before ``all_distinct`` the table is kept. Our programs post all constraints once more for
each solution if there is a table, and with it an automaton, which is made of tables.
"""

import subprocess
import tempfile
from pathlib import Path

TABLE = "tuples_in([[A, B, C]], [[2, 2, 1], [3, 1, 1]])"
DIFFER = "all_distinct([A, B, C])"

for goals in (f"{DIFFER}, {TABLE}", f"{TABLE}, {DIFFER}"):
    question = f"findall([A, B, C], ([A, B, C] ins 1..3, {goals}, label([A, B, C])), Found)"
    program = (
        f":- use_module(library(clpfd)).\n:- initialization(({question}, print(Found), halt)).\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.pl")
        file.write_text(program)
        ran = subprocess.run(["swipl", file], capture_output=True, text=True, check=True)
    print(f"{goals}: {ran.stdout}")
