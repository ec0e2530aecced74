"""HiGHS 1.14.0 and 1.15.1: with presolve a small feasible program is called infeasible.

Expected: optimal, with and without presolve. Variables 0 to 31 are 0 or 1, variables 32 to 36 are
integers from 1 to 9; each row is a sum that is 1 (``=``), at most 1 (``<``) or at most 0 (``0``).
Seen: infeasible with presolve; optimal without it, and by HiGHS 1.13.1.
It comes from a Sudoku as CPMpy writes it, whose solver ``highs`` so loses solutions, with older
versions on other boards. Programs of 0 and 1 alone are called infeasible too, far more seldom, one
of which has rules (tests/backends/adapters/test_highs.py). So our adapter runs a program of rules
that is infeasible with presolve again without it.
"""

import highspy
import numpy as np

ROWS = """
<15,16,17 <24,25,26 <5,21 <7,11 <1,8 <2,9 <10,12,22 <15,16 018 <12,21,22,23 <13,24,25 <14,27
<19,29 <20,30 =3,4,5 =4*-2,5*-7,33 =6,7,8,9,10 =6*-1,7*-3,8*-5,9*-6,10*-7,34 =11,12,13
=15,18,21 =22,24 =16,23,25 =14,19,20 =17*-4,26*-8,35 =27,28,29,30,31
=28*-1,29*-5,30*-6,31*-8,36 =0,1,2 =0*-1,1*-5,2*-6,32
"""

for presolve in ("on", "off"):
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("presolve", presolve)
    highs.addVars(37, np.array([0.0] * 32 + [1.0] * 5), np.array([1.0] * 32 + [9.0] * 5))
    highs.changeColsIntegrality(37, np.arange(37, dtype=np.int32), np.ones(37, dtype=np.uint8))
    for row in ROWS.split():
        terms = [(*map(int, term.split("*")), 1)[:2] for term in row[1:].split(",")]
        indices = np.array([term[0] for term in terms], dtype=np.int32)
        values = np.array([term[1] for term in terms], dtype=np.float64)
        lower = 1.0 if row[0] == "=" else -highspy.kHighsInf
        highs.addRow(lower, 0.0 if row[0] == "0" else 1.0, len(terms), indices, values)
    highs.run()
    print(f"HiGHS {highs.version()}, presolve {presolve}: {highs.getModelStatus().name}")
