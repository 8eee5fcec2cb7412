"""Deliberate faults: each makes one rule wrong by changing a few words of this port's source.

For every fault there is a row of that very rule that catches it; packages/conformance has the test.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import os
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

_PORT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_GROUPS = (
    *("classes", "bounds", "waits", "course", "budgets", "options", "numbers", "dates", "hints"),
    *("ceilings", "slots"),  # of a limiter
)

# A module of the port, words that stand in it exactly once, and what stands there instead.
Edit = Tuple[str, str, str]


class Fault(NamedTuple):
    rule: str
    name: str
    says: str
    edits: Sequence[Edit]


def all_faults() -> List[Fault]:
    return [fault for group in _GROUPS for fault in importlib.import_module(f"wrong.{group}").FAULTS]


def edited(fault: Fault) -> Dict[str, str]:
    """The source of each module that the fault changes. Raises ValueError where an edit does not fit."""
    sources: Dict[str, str] = {}
    for module, right, wrong in fault.edits:
        if module not in sources:
            with open(os.path.join(_PORT, f"{module}.py"), encoding="utf-8") as file:
                sources[module] = file.read()
        source = sources[module]
        if source.count(right) != 1:
            raise ValueError(f"{fault.name}: {right!r} stands {source.count(right)} times in {module}.py, not once")
        sources[module] = source.replace(right, wrong)
    return sources


class Importer:
    """Gives out the edited modules in place of those in the folder, and never a cached one."""

    def __init__(self, sources: Dict[str, str]) -> None:
        self._sources = sources

    def find_spec(self, name: str, path: Any, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        return importlib.machinery.ModuleSpec(name, self) if name in self._sources else None

    def create_module(self, spec: Any) -> None:
        """None: an ordinary module."""

    def exec_module(self, module: Any) -> None:
        name = module.__name__
        exec(compile(self._sources[name], f"{name}.py, edited", "exec"), module.__dict__)
