"""Grading: the solvers of a class on the boards of an assignment.

Each student's function, class or program runs in worker processes with limits of time and memory,
which are those of comparisons. They are no sandbox: what students hand in has the rights of the
teacher who grades it.
"""

from unidoku.grading.assignment import Assignment, Status, read_assignment
from unidoku.grading.grades import Grade, Grades
from unidoku.grading.run import grade

__all__ = ["Assignment", "Grade", "Grades", "Status", "grade", "read_assignment"]
