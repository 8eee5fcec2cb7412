"""Rows of ingest-scenarios, played against the state machines on a time of their own."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Type

from limit_machines import DrainRateMachine, QuotaMachine, SaturationClockMachine, TemporalLimitMachine
from machine import Machine
from router_machine import RouterMachine
from source_machines import BoundsMachine, GathererMachine, KeyedBreakerMachine, NoticesMachine

_MACHINES: Mapping[str, Type[Machine]] = {
    "gatherer": GathererMachine,
    "keyed_breaker": KeyedBreakerMachine,
    "saturation_clock": SaturationClockMachine,
    "drain_rate": DrainRateMachine,
    "temporal_limit": TemporalLimitMachine,
    "quota": QuotaMachine,
    "bounds": BoundsMachine,
    "router": RouterMachine,
    "notices": NoticesMachine,
}


def ingest_scenario(config: Mapping[str, Any], case: Mapping[str, Any]) -> Dict[str, Any]:
    """A reading a step. Raises IngestConfigError for a config that is refused."""
    make = _MACHINES[case["machine"]]
    machine = make(config)
    steps: List[Dict[str, Any]] = []
    for step in case["steps"]:
        ((name, of),) = [(name, of) for name, of in step.items() if name != "expect"]
        did = None
        if name == "restart":
            saved = json.loads(json.dumps(machine.save()))
            machine = make(config)
            machine.restore(saved)
        else:
            did = getattr(machine, f"step_{name}")(of)
        steps.append({**machine.read(of), **(did or {})})
    return {"steps": steps}
