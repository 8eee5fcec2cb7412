"""A driver with one fault: `python3 wrong.py NAME`. `--list` tells all as JSON. See wrong/__init__.py."""

from __future__ import annotations

import json
import sys

from wrong import Importer, all_faults, edited


def main() -> None:
    faults = {fault.name: fault for fault in all_faults()}
    if sys.argv[1:] == ["--list"]:
        print(json.dumps([{"name": each.name, "rule": each.rule, "says": each.says} for each in faults.values()]))
        return
    fault = faults.get(sys.argv[1]) if len(sys.argv) == 2 else None
    if fault is None:
        sys.exit(f"wrong.py: {sys.argv[1:]} names no fault; give one of those that --list tells")
    sys.meta_path.insert(0, Importer(edited(fault)))
    import driver  # not before: from here on the edited modules stand in for the right ones

    driver.HELLO["name"] = f"wrong: {fault.name}"
    driver.main()


if __name__ == "__main__":
    main()
