"""Deliberate faults: each makes one rule wrong by changing a few words of this port's source.

For every fault there is a row of that very rule that catches it; packages/conformance has the test.
"""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import os
import re
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

_PORT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_GROUPS = (
    *("classes", "bounds", "waits", "course", "budgets", "options", "numbers", "dates", "hints"),
    *("ceilings", "restarts", "knees", "slots"),  # of a limiter
    "together",  # of calls with a limiter
    *("gathering", "breakers", "limits", "routes"),  # before a column store
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


def touched(modules: Iterable[str]) -> Set[str]:
    """These modules of the port, and whatever imports one of them, however far."""
    found, more = set(modules), set(modules)
    while more:
        more = {name for name, imported in _imports().items() if imported & more} - found
        found |= more
    return found


@functools.lru_cache(maxsize=None)
def _imports() -> Dict[str, Set[str]]:
    """What each module of the port imports, also within a function."""
    imports: Dict[str, Set[str]] = {}
    for file in os.listdir(_PORT):
        name, suffix = os.path.splitext(file)
        if suffix == ".py":
            with open(os.path.join(_PORT, file), encoding="utf-8") as text:
                imports[name] = set(re.findall(r"^ *(?:from|import) (\w+)", text.read(), re.MULTILINE))
    return imports


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
