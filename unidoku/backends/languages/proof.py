"""Proofs that a board has no solution, in DRAT or LRAT, checked against the exported clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from unidoku.backends.languages.catalogue import export
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import FormatError, InputError
from unidoku.support.extras import command, not_installed


def fault_of_proof(board: Board, proof: str, language: str, other_than: Sequence[Grid] = ()) -> str:
    """Return why a proof does not show that a board has no solution; empty if it does.

    The checker, dratify, is independent of all solvers, and the clauses are generated again.

    Args:
        board: the board that was exported.
        proof: the text of the proof, in DRAT or LRAT.
        language: the language that it was exported to; only DIMACS has such proofs.
        other_than: grids that were excluded.

    Raises:
        InputError: the language is not DIMACS.
        FormatError: the text is not a proof.
        NotInstalledError: dratify is not installed.
    """
    if language != "dimacs":
        raise InputError(f"proof: expected the language dimacs for a proof, got {language}")
    try:
        import dratify  # noqa: F401  # whether it is installed
    except ImportError as error:
        raise not_installed("checking a proof needs dratify", command("proof")) from error
    if "\0" in proof or "\ufffd" in proof:
        raise FormatError(
            "expected a proof as text, got bytes; have the solver write text, "
            "as cadical does with --no-binary"
        )
    outcome: str | FormatError = ""
    for fast in (True, False):  # what is told is about the readable form, which comes last
        formula = export(board, language, other_than=other_than, fast=fast)
        try:
            outcome = _reason(formula, proof)
        except FormatError as error:
            outcome = error
        if outcome == "":
            return ""
    if isinstance(outcome, FormatError):
        raise outcome
    return outcome


def _reason(formula: str, proof: str) -> str:
    """Return why a proof does not hold for clauses in DIMACS; empty if it does."""
    from dratify import check_proof, parse_dimacs

    clauses = [line for line in formula.splitlines() if line[:1] not in "cp"]
    kind = "LRAT" if _is_lrat(proof, len(clauses)) else "DRAT"
    steps = "\n".join(_without_hints(proof, clauses)) if kind == "LRAT" else proof
    try:
        verdict = check_proof(parse_dimacs(formula), steps)
    except (ValueError, IndexError, OverflowError, MemoryError) as error:
        raise FormatError(f"expected a proof in {kind}: {str(error)[:200]}") from error
    return "" if verdict.ok else str(verdict.reason)


def _is_lrat(proof: str, clauses: int) -> bool:
    """Return whether a proof is LRAT: its first line has a number, and hints after the clause."""
    for line in proof.splitlines():
        words = line.split()
        if words and words[0] != "c":
            if not re.fullmatch(r"[0-9]{1,15}", words[0]):
                return False
            if words[1:2] == ["d"]:
                return True
            return int(words[0]) > clauses and words.count("0") == 2 and words[-1] == "0"
    return False


def _without_hints(proof: str, clauses: Sequence[str]) -> Iterator[str]:
    """Yield the steps of an LRAT proof in DRAT, in which the checker finds the reasons by itself.

    ``9 1 -2 0 3 5 0`` adds a clause as number 9 for the reasons 3 and 5, ``9 d 4 6 0`` deletes the
    clauses 4 and 6.

    Args:
        proof: the text of the proof.
        clauses: the clauses of the formula, numbered from 1 in the proof.
    """
    clause_of = dict(enumerate(clauses, start=1))
    for number, line in enumerate(proof.splitlines(), start=1):
        name, *words = line.split() or ["c"]
        if name == "c":
            continue
        try:
            if words[0] == "d":
                yield from (f"d {clause_of.pop(int(word))}" for word in words[1 : words.index("0")])
            else:
                clause = [int(word) for word in words[: words.index("0") + 1]]
                clause_of[int(name)] = " ".join(map(str, clause))
                yield clause_of[int(name)]
        except (ValueError, IndexError) as error:
            raise FormatError(
                f"expected a proof in LRAT, got line {number}: {line[:60]!r}; "
                "a line is a number, a clause, 0, the numbers of its reasons, and 0"
            ) from error
        except KeyError as error:
            raise FormatError(
                f"expected a proof in LRAT, got line {number}, which deletes the clause {error}: "
                "there is no such clause"
            ) from error
