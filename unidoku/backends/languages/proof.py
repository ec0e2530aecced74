"""Proofs that a board has no solution: a DRAT proof, checked against the exported clauses."""

from __future__ import annotations

from collections.abc import Sequence

from unidoku.backends.languages.catalogue import export
from unidoku.core.board import Board
from unidoku.core.layout import Grid
from unidoku.errors import FormatError, InputError
from unidoku.extras import command, not_installed

__all__ = ["fault_of_proof"]


def fault_of_proof(board: Board, proof: str, language: str, other_than: Sequence[Grid] = ()) -> str:
    """Return why a proof does not show that a board has no solution; empty if it does.

    The checker, dratify, is independent of all solvers, and the clauses are generated again.

    Args:
        board: the board that was exported.
        proof: the text of the proof.
        language: the language that it was exported to; only DIMACS has such proofs.
        other_than: grids that were excluded.

    Raises:
        InputError: the language is not DIMACS.
        FormatError: the text is not a proof.
        NotInstalledError: dratify is not installed.
    """
    if language != "dimacs":
        raise InputError(f"proof: expected the language dimacs for a DRAT proof, got {language}")
    try:
        from dratify import check_proof, parse_dimacs
    except ImportError as error:
        raise not_installed("checking a proof needs dratify", command("proof")) from error
    if "\0" in proof or "\ufffd" in proof:
        raise FormatError(
            "expected a DRAT proof as text, got bytes; have the solver write text, "
            "as cadical does with --no-binary"
        )
    formula = parse_dimacs(export(board, language, other_than=other_than))
    try:
        found = check_proof(formula, proof)
    except (ValueError, IndexError, OverflowError, MemoryError) as error:
        raise FormatError(f"expected a DRAT proof: {error}") from error
    return "" if found.ok else str(found.reason)
