"""Former names of modules that programs of others import: they work, with a warning, until 0.2."""

from __future__ import annotations

import sys
import warnings
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec

MOVED = {
    "unidoku.backends.lower": "unidoku.core.transforms.lower",
    "unidoku.backends.policy": "unidoku.backends.solving.policy",
    "unidoku.backends.solver": "unidoku.backends.solving.solver",
    "unidoku.core.alternatives": "unidoku.core.transforms.alternatives",
    "unidoku.core.deduce": "unidoku.core.transforms.implied",
    "unidoku.core.machine": "unidoku.core.constraints.automaton",
    "unidoku.core.propagate": "unidoku.core.propagation.propagate",
    "unidoku.core.shapes": "unidoku.core.constraints.shapes",
    "unidoku.core.shaping": "unidoku.core.constraints.shaping",
    "unidoku.core.simplify": "unidoku.core.transforms.simplify",
    "unidoku.deadline": "unidoku.support.deadline",
    "unidoku.killable": "unidoku.parallel.killable",
    "unidoku.process": "unidoku.parallel.processes",
    "unidoku.table": "unidoku.support.table",
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

        text = f"{spec.name} is now {self._name}; the former name works until unidoku 0.2"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        module = import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is: it keeps its own specification."""
        module.__spec__ = self._spec


def find_moved_modules() -> None:
    """Have the former names found from now on."""
    sys.meta_path.append(_Finder())
