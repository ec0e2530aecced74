"""Wrong arguments of every public call: one clear error that names the argument, soon."""

from __future__ import annotations

import enum
import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unidoku
from tests.helpers.volume import SOAK
from unidoku import Board, UnidokuError, layout
from unidoku.errors import TimeLimitError
from unidoku.support import arguments

TEXT = "1... ..2. .3.. ...4"
BOARD = Board.parse(TEXT)
THINGS: list[object] = [
    None,
    3,
    2.5,
    math.nan,
    b"",
    Path("no/such"),
    [],
    {},
    object(),
    lambda *_: None,
    "nonsense",
    "",
    -1,
    True,
    (1, 2),
    [object()],
]
FEW: list[object] = [object(), "nonsense", 2.5]
SOME = [*FEW, None, -1, True, [object()]]
"""Things of most types, which are tried in ``make test``; ``make soak`` tries all."""

RIGHT: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "compare": (([TEXT], ["norvig"]), {"engine": "inline", "repeats": 1, "time_limit": 1}),
    "configured": (("norvig",), {}),
    "count_file": ((TEXT,), {"backend": "norvig"}),
    "explain": ((BOARD,), {}),
    "export": ((BOARD, "dimacs"), {}),
    "fuzz": ((["norvig"],), {"boards": 1, "workers": 1}),
    "generate": ((), {"n": 4, "time_limit": 0.2}),
    "hint": ((BOARD,), {}),
    "is_solution": ((BOARD, [1] * 16), {}),
    "layout": (("classic", 4), {}),
    "load": (("norvig",), {}),
    "overlap": (([(layout("classic", 4), (0, 0))],), {}),
    "propagate": ((BOARD,), {}),
    "rate": ((BOARD,), {}),
    "read": ((TEXT,), {}),
    "read_answer": ((BOARD, "dimacs", ""), {}),
    "read_puzzles": ((TEXT,), {}),
    "solve_file": ((TEXT,), {"backend": "norvig"}),
    "solve_many": (([BOARD],), {"backend": "norvig"}),
    "edit": ((BOARD,), {}),
    "svg": ((BOARD,), {}),
    "verify": ((BOARD, [1] * 16), {}),
    "why": ((BOARD, 0, 1), {"backend": "norvig"}),
    "write": ((BOARD, "text"), {}),
    "Line": ((), {"line": (0, 1, 2), "start": 0, "step": lambda *_: 0, "accept": bool}),
}
"""Right arguments; those of other calls are a board and the backend `norvig`."""

LONG = {"compare": ("boards", "backends"), "fuzz": ("boards",), "generate": ()}
"""Calls that take long if an argument is taken, and their arguments that take longest as None."""

LIMITS = ("solutions", "keep", "time_limit", "node_limit", "threads", "seed")
PLAN = ("repeats", "time_limit", "memory_limit", "workers", "solutions", "seed", "nonsense")


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield everything that can be called, except what only Python and the library make."""
    for name in vars(unidoku)["__all__"]:
        thing = getattr(unidoku, name)
        if not callable(thing) or inspect.isabstract(thing) or name == "catalogue":
            continue
        if isinstance(thing, type) and issubclass(thing, Exception | enum.Enum):
            continue
        if name != "Grid" and not getattr(thing, "_is_protocol", False):
            yield name, thing


def right(name: str, call: Callable[..., Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(call, type) and name not in RIGHT:
        needed = inspect.signature(call).parameters.values()
        return (), {item.name: plausible(item) for item in needed if item.default is item.empty}
    return RIGHT.get(name, ((BOARD,), {"backend": "norvig"}))


def plausible(parameter: inspect.Parameter) -> object:
    """A value of a field, by its annotation."""
    for words, value in (
        ("PairsOfCells", ((0, 1),)),
        ("Cells", (0, 1, 2)),
        ("Callable", lambda *_: True),
        ("tuple", (1, 2)),
        ("bool", False),
        ("str", "A"),
        ("int", 1),
        ("float", 1),
        ("Layout", BOARD.layout),
    ):
        if words in str(parameter.annotation):
            return value
    return None


def wrong_calls(
    name: str, call: Callable[..., Any]
) -> Iterator[tuple[str, object, tuple[Any, ...], dict[str, Any]]]:
    """Yield each argument with each wrong thing, and the arguments of such a call."""
    args, kwargs = right(name, call)
    things = THINGS if SOAK else FEW if name in LONG else SOME
    for index, item in enumerate(inspect.signature(call).parameters.values()):
        names: tuple[str, ...] = (item.name,)
        if item.kind is item.VAR_KEYWORD:
            names = PLAN if name == "compare" else LIMITS
        for argument in names:
            for thing in things:
                if argument == "untrusted" and thing is True and name != "solve":
                    continue  # it is right, and starts a process, as `parallel.test_untrusted` does
                if thing is None and argument in LONG.get(name, ()):
                    continue
                if index < len(args):
                    changed = (*args[:index], thing, *args[index + 1 :])
                    yield argument, thing, changed, kwargs
                elif item.kind is item.POSITIONAL_ONLY:
                    yield argument, thing, (*args, thing), kwargs
                else:
                    yield argument, thing, args, kwargs | {argument: thing}


def is_taken(call: Callable[..., Any], argument: str, thing: object) -> bool:
    """Return whether a thing may be an argument: texts are no numbers and no switches."""
    annotation = "" if isinstance(call, type) else call.__annotations__.get(argument, "")
    number, _, none = annotation.partition(" | ")
    types = {"int": (int,), "float": (int, float), "bool": (bool,)}.get(number)
    if types is None or none not in ("", "None"):
        return True
    return type(thing) in types or (thing is None and bool(none))


PUBLIC = dict(public())


@pytest.mark.volume
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "call"), PUBLIC.items(), ids=PUBLIC)
def test_a_wrong_argument_is_one_error_that_names_it(
    name: str, call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for argument, thing, args, kwargs in wrong_calls(name, call):
        try:
            result = call(*args, **kwargs)
            if isinstance(result, Iterator):
                next(result, None)
        except TimeLimitError:  # the machine is busy, and the thing was taken
            continue
        except UnidokuError as error:
            message = str(error)
            assert "\n" not in message, message
            assert "expected" in message or argument in message or str(thing) in message, (
                argument,
                message,
            )
        except Exception as error:
            raise AssertionError(f"{name}({argument}={thing!r}): {error!r}") from error
        else:
            assert is_taken(call, argument, thing), f"{name}({argument}={thing!r}) is not refused"


def test_numbers_and_switches_may_be_those_of_numpy() -> None:
    @arguments.named_arguments
    def given(number: int, *rest: object, share: float = 0, switch: bool = False) -> object:
        return number, rest, share, switch

    positional: Any = (np.int64(3), np.uint8(4))
    others: Any = {"share": np.float32(0.5), "switch": np.True_}
    assert repr(given(*positional, **others)) == "(3, (np.uint8(4),), 0.5, True)"
    for wrong in (np.array([True]), np.int64(1), "yes"):
        with pytest.raises(unidoku.InputError, match="given: switch: expected bool, got"):
            given(1, switch=wrong)  # type: ignore[arg-type]  # what is tested
    few: Any = {"repeats": np.int64(1), "time_limit": np.float64(1)}
    compared = unidoku.compare([TEXT], ["norvig"], engine="inline", **few)
    assert "1 of 1 runs" in repr(compared)


def test_python_itself_refuses_a_wrong_signature() -> None:
    for call in (
        lambda: unidoku.svg(grid=()),  # type: ignore[call-arg]  # what is tested
        lambda: unidoku.layout("classic", 9, 9),  # type: ignore[call-arg]  # what is tested
        lambda: unidoku.generate(nonsense=1),  # type: ignore[call-arg]  # what is tested
    ):
        with pytest.raises(TypeError, match=r"missing 1 required|takes from 0 to 2|unexpected"):
            call()


def test_an_exception_that_no_argument_caused_is_as_it_was() -> None:
    @arguments.named_arguments
    def divided(number: int, *, by: int = 0) -> float:
        return number / by

    with pytest.raises(ZeroDivisionError):
        divided(1)
    with pytest.raises(unidoku.InputError, match="divided: by: expected int, got 'x'"):
        divided(1, by="x")  # type: ignore[arg-type]  # what is tested


def test_a_difficulty_is_the_name_of_a_technique() -> None:
    with pytest.raises(unidoku.InputError, match=r"difficulty: expected str \| None, got 3"):
        next(unidoku.generate(difficulty=3))  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("fault", [{"n": 0}, {"n": 0, "rules": ["killer"]}, {"clues": (-1, 4)}])
def test_a_puzzle_without_values_or_with_fewer_clues_than_none_is_not_made(
    fault: dict[str, Any],
) -> None:
    with pytest.raises(unidoku.InputError, match=r"expected a (size|number) from"):
        next(unidoku.generate(**({"n": 4} | fault)))


@pytest.mark.parametrize(
    "call",
    [
        lambda: unidoku.solve(BOARD, cancel=unidoku.Cancel().cancel),  # type: ignore[arg-type]  # what is tested
        lambda: next(unidoku.generate(n=4, cancel=True)),  # type: ignore[arg-type]  # what is tested
        lambda: unidoku.survey(BOARD, time_limit=0),
        lambda: unidoku.svg(BOARD, (-1,) * 16),
        lambda: unidoku.svg(BOARD, (5,) * 16),
        lambda: unidoku.load("builtins:float"),
        lambda: unidoku.solve(BOARD, backend=float),
    ],
)
def test_what_would_be_ignored_or_fail_later_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises((unidoku.InputError, unidoku.UnknownBackendError), match="expected"):
        call()


def test_a_number_of_clues_and_a_seed_may_be_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    seven = numpy.int64(7)
    assert unidoku.estimate_count(BOARD, seed=seven) == unidoku.estimate_count(BOARD, seed=7)
    assert [*unidoku.generate(n=4, clues=numpy.int64(5))] == [*unidoku.generate(n=4, clues=5)]


def test_wrong_names_of_cells_in_a_rule_are_told_with_the_rule() -> None:
    four = unidoku.layout("classic", 4)
    with pytest.raises(unidoku.LayoutError, match=r"thermo: line: expected a cell from A1 to D4"):
        four.with_rules(unidoku.Thermo("A1 E1"))  # type: ignore[arg-type]  # names, not numbers
    with pytest.raises(unidoku.LayoutError, match=r"thermo: expected a layout for the names"):
        assert unidoku.Thermo("A1 A2").cells  # type: ignore[arg-type]  # names, not numbers
    with pytest.raises(unidoku.LayoutError, match="kenken: cage: expected two cells"):
        four.with_rules(unidoku.KenKen("A1-A3", 3, "-"))  # type: ignore[arg-type]  # names
