"""Boards in a column of a table: which column, how it is separated, what comes along."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from unidoku import FormatError, InputError, Totals, read, solve_file
from unidoku.files.table import numbers_beside

SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
FIRST = "0" + SOLVED[1:]
OTHER = SOLVED[:80] + "0"
TWICE = "".join("0" if symbol in "12" else symbol for symbol in SOLVED)


def solved(
    folder: Path, text: str, *, name: str = "in.csv", solutions: int = 1, column: str | None = None
) -> tuple[list[str], Totals]:
    """Solve a table into a table; return its lines and the totals."""
    (folder / name).write_text(text, encoding="utf-8")
    out = folder / "out.csv"
    totals = solve_file(
        folder / name, out, backend="norvig", solutions=solutions, column=column, force=True
    )
    return out.read_text(encoding="utf-8").splitlines(), totals


def test_ids_before_the_boards_are_no_boards_and_are_kept_in_order(tmp_path: Path) -> None:
    for ids in (["1", "1"], ["1", "2"], ["1234", "4321"], ["123456789", "1"]):
        text = f"id,sudoku\n{ids[0]},{FIRST}\n{ids[1]},{OTHER}\n"
        lines, totals = solved(tmp_path, text)
        assert lines == [
            "id,sudoku,solutions",
            f"{ids[0]},{FIRST},{SOLVED}",
            f"{ids[1]},{OTHER},{SOLVED}",
        ]
        assert totals.notes == (f"{tmp_path}/in.csv: boards are in column 2 ('sudoku')",)


def test_a_column_of_solutions_beside_puzzles_is_none_of_puzzles(tmp_path: Path) -> None:
    text = f'source,question,answer,rating\n"a, ""b""",{FIRST},{SOLVED},1\nc,{OTHER},{SOLVED},2\n'
    lines, _ = solved(tmp_path, text)
    assert lines == [
        "source,question,answer,rating,solutions",
        f'"a, ""b""",{FIRST},{SOLVED},1,{SOLVED}',
        f"c,{OTHER},{SOLVED},2,{SOLVED}",
    ]


@pytest.mark.parametrize("quote", ["", '"'])
def test_the_column_of_solutions_is_written_again_in_its_place(tmp_path: Path, quote: str) -> None:
    rows = f"{quote}x{quote},?,{FIRST},1\n{quote}y{quote},?,{OTHER},2\n"
    lines, _ = solved(tmp_path, f"id,solutions,quizzes,rating\n{rows}")
    assert lines == [
        "id,solutions,quizzes,rating",
        f"x,{SOLVED},{FIRST},1",
        f"y,{SOLVED},{OTHER},2",
    ]


def test_two_solutions_asked_make_a_column_that_tells_if_there_is_one(tmp_path: Path) -> None:
    clash = "44" + "0" * 79
    text = f"quizzes,solutions\n{FIRST},\n{TWICE},\n{clash},\n12,\n"
    lines, totals = solved(tmp_path, text, solutions=2)
    assert lines[0] == "quizzes,solutions,unique"
    assert [line.rpartition(",")[2] for line in lines[1:]] == ["yes", "no", "no", ""]
    assert totals.invalid == 1
    again, _ = solved(tmp_path, "\n".join(lines[:3]), name="again.csv", solutions=2)
    assert again == lines[:3]
    (tmp_path / "in.txt").write_text(f"{FIRST}\n{'0' * 81}\n")
    out = tmp_path / "limited.csv"
    solve_file(tmp_path / "in.txt", out, backend="norvig", solutions=2, node_limit=1)
    assert [line.rpartition(",")[2] for line in out.read_text().splitlines()] == [
        *["unique", "yes", "unknown"]
    ]


def test_a_column_that_is_in_doubt_is_named_or_refused(tmp_path: Path) -> None:
    text = f"a,B,2\n{FIRST},{OTHER},x\n{OTHER},{FIRST},y\n"
    with pytest.raises(
        InputError, match=r"several hold boards; name it with --column: 1 \('a'\), 2"
    ):
        solved(tmp_path, text)
    for name, first in {"a": FIRST, "b": OTHER, "1": FIRST}.items():
        lines, _ = solved(tmp_path, text, column=name)
        assert lines[0] == "a,B,2,solutions"
        assert lines[1].startswith(f"{FIRST},{OTHER},x,{SOLVED}"), first
    with pytest.raises(InputError, match=r"expected boards in column 3 \('2'\), got 'x'"):
        solved(tmp_path, text, column="2")
    with pytest.raises(InputError, match="expected a column, got '9'; columns: 1"):
        solved(tmp_path, text, column="9")
    with pytest.raises(InputError, match="--column: expected a table, got the text"):
        solve_file(FIRST, tmp_path / "new.txt", column="1")


def test_a_table_without_boards_lists_its_columns(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"got none that holds boards; .*: 1 \('id'\) or 2 \('x'\)"
    ):
        solved(tmp_path, "id,x\n1,2\n3,4\n")
    many = ",".join(f"c{k}" for k in range(1000))
    with pytest.raises(InputError, match=r"20 \('c19'\) or others$"):
        solved(tmp_path, f"{many}\n{many}\n")


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_any_usual_delimiter_is_found_told_and_kept(tmp_path: Path, mark: str) -> None:
    text = f"id{mark}sudoku\n1,5{mark}{FIRST}\n2,5{mark}{OTHER}\n"
    lines, totals = solved(tmp_path, text)
    assert lines == [
        mark.join(row)
        for row in [("id", "sudoku", "solutions"), ("1,5", FIRST, SOLVED), ("2,5", OTHER, SOLVED)]
    ]
    shown = "tabs" if mark == "\t" else repr(mark)
    assert totals.notes[0] == f"{tmp_path}/in.csv: columns are separated by {shown}"


def test_a_quote_that_is_never_closed_is_refused_where_it_opens(tmp_path: Path) -> None:
    rows = [f"{k},{FIRST}" for k in range(300)]
    rows[250] = f'250,"{FIRST}'
    for remaining in (rows, rows[240:], ["a", *rows[250:]]):
        text = "\n".join(["id,sudoku", *remaining])
        with pytest.raises(FormatError, match="a quote is opened here and never closed") as caught:
            solved(tmp_path, text)
        assert text.split("\n")[caught.value.line - 1] == rows[250]
    rows[260] = f'260,"{FIRST}"'
    with pytest.raises(FormatError, match="line 252: expected a row of a table: ',' expected"):
        solved(tmp_path, "\n".join(["id,sudoku", *rows]))
    assert not (tmp_path / "out.csv").exists()


def test_a_field_may_go_on_in_the_next_line_and_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unidoku.formats.stream.BLOCK", 300)
    rows = [f'"{k}\nof many",{FIRST}' for k in range(50)]
    lines, totals = solved(tmp_path, "note,sudoku\n" + "\n".join(rows))
    assert totals.solved == 50
    assert lines[1::2] == [f'"{k}' for k in range(50)]


def test_several_tables_are_one_where_their_columns_are_the_same(tmp_path: Path) -> None:
    for name, text in {"a": "id,puzzle\n1,", "b": "id,puzzle\n2,", "c": "puzzle\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"{text}{FIRST}\n")
    out = tmp_path / "out.csv"
    totals = solve_file([tmp_path / "a.csv", tmp_path / "b.csv"], out, backend="norvig")
    assert totals.boards == 2
    assert out.read_text().splitlines() == [
        *["id,puzzle,solutions", f"1,{FIRST},{SOLVED}", f"2,{FIRST},{SOLVED}"]
    ]
    with pytest.raises(InputError, match=r"c\.csv: expected the columns of .*a\.csv"):
        solve_file([tmp_path / "a.csv", tmp_path / "c.csv"], tmp_path / "new.csv", backend="norvig")
    assert not (tmp_path / "new.csv").exists()


def test_compressed_tables_and_letters_of_other_encodings_come_along(tmp_path: Path) -> None:
    (tmp_path / "in.csv.gz").write_bytes(
        gzip.compress(b"name,puzzle\nM\xfcller," + FIRST.encode() + b"\n")
    )
    solve_file(tmp_path / "in.csv.gz", tmp_path / "out.csv.gz", backend="norvig")
    text = gzip.decompress((tmp_path / "out.csv.gz").read_bytes())
    assert text.splitlines()[1] == f"M\xfcller,{FIRST},{SOLVED}".encode("latin-1")


@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
def test_numbers_beside_boards_are_read_with_the_names_of_their_columns(
    tmp_path: Path, ending: str
) -> None:
    rows = [
        "id,quizzes,solutions,share,by,other",
        f'1,{FIRST},{SOLVED},0.5,"Ada, Countess",{OTHER}',
        f'-2,{OTHER},{SOLVED},1e-3,7 or 8,"3\n"',
        f"3,{TWICE}",
    ]
    path = tmp_path / f"boards{ending}"
    text = ("\r\n".join(rows) + "\r\n").encode()
    path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    numbers = [puzzle.numbers for puzzle in read(path)]
    assert numbers == [{"id": 1, "share": 0.5}, {"id": -2, "share": 1e-3, "other": 3}, {"id": 3}]
    assert isinstance(numbers[0]["id"], int)


def test_numbers_without_names_have_those_of_their_places(tmp_path: Path) -> None:
    path = tmp_path / "boards.tsv"
    path.write_text(f"{FIRST}\t12\n{OTHER}\t21\n")
    numbers = [puzzle.numbers for puzzle in read(path)]
    assert numbers == [{"column 2": 12}, {"column 2": 21}]


@pytest.mark.parametrize("text", ["nan", "inf", "1_000", "0x10", "1e999", "", "9" * 5000, "٣"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert numbers_beside([b"holes", text.encode()], ",", 81) == [{}]
