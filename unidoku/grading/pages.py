"""The pages and tables of grades: for the teacher, and for each student."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from unidoku.draw import svg
from unidoku.grading.assignment import Status
from unidoku.grading.grades import Answer, Grade, Grades
from unidoku.support.atomic_write import check_target, make_folder, write_text
from unidoku.support.page import page, read_part
from unidoku.support.table import Column, Table, to_csv, to_html
from unidoku.support.text import plural, printable, seconds

_INDEX, _GRADES, _ANSWERS = "index.html", "grades.csv", "answers.csv"


def check_folder(folder: Path, *, force: bool) -> None:
    """Make the folder of the pages; raise if its pages exist or cannot be written.

    Raises:
        OutputError: they exist, and ``force`` is not set, or they cannot be written.
    """
    make_folder(folder)
    for name in (_INDEX, _GRADES, _ANSWERS):
        check_target(folder / name, force=force)


def write_pages(grades: Grades, folder: Path, *, force: bool = False) -> None:
    """Write the teacher's page, a page for each student, and two tables as CSV.

    Args:
        grades: the grades.
        folder: the folder, which is made.
        force: whether to replace files that exist.

    Raises:
        OutputError: a file exists or cannot be written.
    """
    make_folder(folder)
    names = page_names(grades)
    for grade in grades.grades:
        text = student_page(grade, grades)
        write_text(folder / names[grade.student], text, force=force)
    write_text(folder / _INDEX, teacher_page(grades), force=force)
    for name, table in ((_GRADES, grades_table(grades)), (_ANSWERS, answers_table(grades))):
        write_text(folder / name, to_csv(table, spreadsheet=True), force=force)


def page_names(grades: Grades) -> dict[str, str]:
    """Return the file names of the students' pages, each different."""
    names: dict[str, str] = {}
    used = {_INDEX}
    for grade in grades.grades:
        plain = stem = re.sub(r"[^\w.-]", "_", grade.student)
        copy = 1
        while f"{stem}.html".lower() in used:
            copy += 1
            stem = f"{plain}-{copy}"
        used.add(f"{stem}.html".lower())
        names[grade.student] = f"{stem}.html"
    return names


def grades_table(grades: Grades) -> Table:
    """Return the points of each student, and the number of answers of each status."""
    columns = (
        *(Column("student"), Column("points", _points), Column("of", _points)),
        *(Column(status.value) for status in Status),
        Column("what is wrong first", kind="name"),
    )
    most = grades.assignment.most
    rows = tuple(
        (
            *(grade.student, grade.points, most),
            *(grade.counts[status] for status in Status),
            printable(grade.words.partition("\n")[0]),
        )
        for grade in grades.grades
    )
    return Table(title=grades.assignment.title, columns=columns, rows=rows)


def answers_table(grades: Grades) -> Table:
    """Return all answers, one a row."""
    names = ("student", "board", "status", "points", "seconds", "reason")
    rows = tuple(
        (
            *(grade.student, answer.board.case.name, answer.status.value, answer.points),
            *(round(answer.seconds, 6), answer.reason),
        )
        for grade in grades.grades
        for answer in grade.answers
    )
    return Table(title="Answers", columns=tuple(map(Column, names)), rows=rows)


def teacher_page(grades: Grades) -> str:
    """Return the page of a class."""
    assignment, names = grades.assignment, page_names(grades)
    columns = (
        Column("Student", html=lambda name: f'<a href="{escape(names[name])}">{escape(name)}</a>'),
        Column("Points", _points),
        Column("Answers", html=_strip, kind="answers"),
        Column("What is wrong first", kind="words"),
    )
    rows = tuple(
        (grade.student, grade.points, grade.answers, grade.words.partition("\n")[0])
        for grade in grades.grades
    )
    table = Table(title="", columns=columns, rows=rows)
    missing = ""
    if grades.missing:
        missing = (
            f'<p class="open">Interrupted: not graded are {escape(", ".join(grades.missing))}.</p>'
        )
    body = (
        f"<main><h1>{escape(assignment.title)}</h1>"
        f'<p class="lead">{plural(len(grades.grades), "student")} · '
        f"{plural(len(assignment.boards), 'board')} · {_points(assignment.most)} points · "
        f"time limit {seconds(assignment.time_limit)}</p>{missing}"
        f'<div class="scroll" tabindex="0" role="region" aria-label="Grades">{to_html(table)}</div>'
        f'<p class="fine">{" · ".join(map(_status, Status))}</p></main>'
    )
    return _page(assignment.title, body)


def student_page(grade: Grade, grades: Grades) -> str:
    """Return the page of a student, which names no other."""
    assignment = grades.assignment
    columns = (
        Column("Board"),
        Column("Answer", html=_status, kind="answer"),
        Column("Points", _points),
        Column("Time", lambda value: seconds(value) if value else "–"),
        Column("Why", kind="words"),
    )
    rows = tuple(
        (each.board.case.name, each.status, each.points, each.seconds, each.reason)
        for each in grade.answers
    )
    table = Table(title="", columns=columns, rows=rows)
    refuted = ""
    if grade.refutation is not None:
        board = grade.refutation.board
        text = board.text("candidates" if board.has_pencil_marks else "line")
        refuted = (
            "<section><h2>The smallest board with a wrong answer</h2>"
            f'<p class="lead">{escape(grade.refutation.reason)}</p>'
            f'<figure class="board">{svg(board)}</figure>'
            f"<pre>{escape(text)}</pre></section>"
        )
    body = (
        f"<main><h1>{escape(grade.student)}</h1>"
        f'<p class="lead">{escape(assignment.title)} · <b>{_points(grade.points)}</b> of '
        f"{_points(assignment.most)} points · {escape(grade.source)}</p>"
        '<div class="scroll" tabindex="0" role="region" aria-label="Answers">'
        f"{to_html(table)}</div>{refuted}</main>"
    )
    return _page(f"{grade.student}: {assignment.title}", body)


def _page(title: str, body: str) -> str:
    return page(title=title, body=body, data={}, style=read_part(__package__, "page.css"))


def _points(value: float) -> str:
    return f"{value:.10g}"


def _status(status: Status) -> str:
    return f'<span class="{_kind(status)}">{status.sign} {status}</span>'


def _kind(status: Status) -> str:
    return status.name.lower().replace("_", "-")


def _strip(answers: tuple[Answer, ...]) -> str:
    """Return a sign for each answer; its board and its status are read out, and shown below it."""
    signs = "".join(
        f'<abbr class="{_kind(each.status)}" title="{escape(each.board.case.name)}: {each.status}">'
        f"{each.status.sign}</abbr>"
        for each in answers
    )
    return f'<span class="strip">{signs}</span>'
