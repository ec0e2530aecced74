"""Z3 5.4.0: `Solver.trail` of a satisfiable check is empty as soon as a scope has been pushed.

Expected: the literals of the assignment, in the order in which they were assigned, in any scope.
What happens: all of them without a scope, none within one.
Unidoku reads solutions from the trail, for Z3's model takes several times as long to make; it looks
for them without a scope, and takes the model if the trail does not say enough.
"""

import z3

solver = z3.SimpleSolver()
a, b = z3.Bools("a b")
solver.add(z3.Or(a, b))
print("no scope:  ", solver.check(), solver.trail())
solver.push()
print("one scope: ", solver.check(), solver.trail())
solver.pop()
print("none again:", solver.check(), solver.trail())
