"""Z3 5.4.0: `Context.interrupt` while nothing runs makes the next `Solver.push` fail.

Expected: nothing, as there is nothing to interrupt; or that the next search is interrupted.
What happens: ``push`` raises Z3Exception, "push canceled", and so does every other, until a
check, which is not interrupted, forgets about it. Whoever interrupts from another thread, at a
time limit for instance, cannot know whether a search runs at the moment.
Unidoku leaves time limits to Z3's own timer, and drops the solver after Ctrl-C.
"""

import z3

context = z3.Context()
solver = z3.SimpleSolver(ctx=context)
solver.add(z3.Bool("a", context))
print(solver.check())
context.interrupt()
for _ in range(2):
    try:
        solver.push()
        print("pushed")
    except z3.Z3Exception as error:
        print(f"Z3Exception: {error}")
print(solver.check())
solver.push()
print("pushed, after a check")
