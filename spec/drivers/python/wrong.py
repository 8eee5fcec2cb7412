"""A driver with one fault: `python3 wrong.py NAME`. `--list` tells all as JSON. See wrong/__init__.py.

`--any` is one process for all of them, since most of a short run is its start: each `run` names its fault in `fault`.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Dict, Mapping, Set

from wrong import Fault, Importer, all_faults, edited, touched


_wrong_now: Set[str] = set()


def loaded(fault: Fault) -> Any:
    """The driver with this fault: what the fault changes is loaded anew, and what another one had changed."""
    sources = edited(fault)
    for name in touched({*sources, *_wrong_now}):
        sys.modules.pop(name, None)
    _wrong_now.clear()
    _wrong_now.update(sources)
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Importer)]
    sys.meta_path.insert(0, Importer(sources))
    import driver  # not before: from here on the edited modules stand in for the right ones

    driver.HELLO["name"] = f"wrong: {fault.name}"
    return driver


def serve_any(faults: Mapping[str, Fault]) -> None:
    """Speaks the protocol, and plays each run with the fault that it names."""
    from driver import HELLO

    introduction = {**HELLO, "name": "wrong: any"}
    name, play = "", None
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "bye":
            return
        if message["cmd"] == "hello":
            answer: Dict[str, Any] = introduction
        else:
            if message["fault"] != name:
                name = message["fault"]
                play = loaded(faults[name]).run
            answer = {"seq": message["seq"], **play(message)}
        print(json.dumps(answer), flush=True)


def main() -> None:
    faults = {fault.name: fault for fault in all_faults()}
    if sys.argv[1:] == ["--list"]:
        print(json.dumps([{"name": each.name, "rule": each.rule, "says": each.says} for each in faults.values()]))
        return
    if sys.argv[1:] == ["--any"]:
        serve_any(faults)
        return
    fault = faults.get(sys.argv[1]) if len(sys.argv) == 2 else None
    if fault is None:
        sys.exit(f"wrong.py: {sys.argv[1:]} names no fault; give one of those that --list tells")
    loaded(fault).main()


if __name__ == "__main__":
    main()
