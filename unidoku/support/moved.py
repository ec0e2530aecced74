"""Former names that programs of others use: they work, with a warning, until 0.2."""

from __future__ import annotations

import sys
import warnings
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from typing import TypeVar

    T = TypeVar("T")

MOVED = {
    "unidoku.backends.lower": "unidoku.core.transforms.lower",
    "unidoku.backends.policy": "unidoku.backends.solving.policy",
    "unidoku.backends.solver": "unidoku.backends.solving.solver",
    "unidoku.backends.toolkit.layers": "unidoku.backends.toolkit.mdd",
    "unidoku.core.alternatives": "unidoku.core.transforms.alternatives",
    "unidoku.core.deduce": "unidoku.core.transforms.implied",
    "unidoku.core.machine": "unidoku.core.constraints.automaton",
    "unidoku.core.propagate": "unidoku.core.propagation.propagate",
    "unidoku.core.constraints.shapes": "unidoku.core.constraints.primitives",
    "unidoku.core.constraints.shaping": "unidoku.core.constraints.operations",
    "unidoku.core.shapes": "unidoku.core.constraints.primitives",
    "unidoku.core.shaping": "unidoku.core.constraints.operations",
    "unidoku.core.simplify": "unidoku.core.transforms.simplify",
    "unidoku.deadline": "unidoku.support.deadline",
    "unidoku.examples": "unidoku.files.examples",
    "unidoku.killable": "unidoku.parallel.killable",
    "unidoku.process": "unidoku.parallel.processes",
    "unidoku.table": "unidoku.support.table",
    "unidoku.testing.shapes": "unidoku.testing.constraints",
    "unidoku.text": "unidoku.support.text",
    "unidoku.writing": "unidoku.support.atomic_write",
}
"""The names that the docs had, and the present ones."""


class _Finder:
    """Finds a module under its former name, after all other finders."""

    @staticmethod
    def find_spec(
        name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in MOVED:
            return None
        from importlib.util import spec_from_loader

        loader = _Loader(MOVED[name])
        return spec_from_loader(name, loader)  # type: ignore[arg-type]  # has no load_module


class _Loader:
    """Loads a module by its present name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of the present name, with a warning that says it."""
        from importlib import import_module

        warn_of_former_name(spec.name, self._name)
        module = import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is: it keeps its own specification."""
        module.__spec__ = self._spec


def warn_of_former_name(former: str, present: str) -> None:
    """Warn the caller of the function that calls this one that a name has changed."""
    text = f"{former} is now {present}; the former name works until unidoku 0.2"
    warnings.warn(text, DeprecationWarning, stacklevel=3)


def former_names(module: str, **present: str) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a module: its names by the former ones, with a warning."""

    def find(name: str) -> object:
        if name not in present:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_of_former_name(f"{module}.{name}", present[name])
        member: object = getattr(sys.modules[module], present[name])
        return member

    return find


def former_keyword(former: str, present: str) -> Callable[[type[T]], type[T]]:
    """Decorate a class: an argument may have its former name, which stays a property."""

    def decorate(cls: type[T]) -> type[T]:
        create = cls.__init__

        def initialize(self: T, *arguments: object, **keywords: object) -> None:
            if former in keywords:
                warn_of_former_name(f"{cls.__name__}({former}=…)", f"{present}=…")
                keywords[present] = keywords.pop(former)
            create(self, *arguments, **keywords)

        initialize.__wrapped__ = create  # type: ignore[attr-defined]  # has the signature
        cls.__init__ = initialize  # type: ignore[assignment]  # the same arguments, and one more
        setattr(cls, former, former_property(former, present))
        return cls

    return decorate


def former_property(former: str, present: str) -> property:
    """Return a property that reads another one, with a warning."""

    def read(self: object) -> object:
        warn_of_former_name(f"{type(self).__name__}.{former}", f".{present}")
        return getattr(self, present)

    return property(read)


def find_moved_modules() -> None:
    """Have the former names found from now on."""
    sys.meta_path.append(_Finder())
