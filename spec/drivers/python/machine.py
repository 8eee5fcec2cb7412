"""What the machines of ingest-scenarios have in common, as rows play them."""

from __future__ import annotations

from typing import Any, Dict, Mapping

Told = Dict[str, Any]


class Machine:
    """A row's machine and its time, which stands at 0. Each step is a method: `step_ask` of `ask`.

    A step answers what it gave itself; `read` what is to be seen then, and `save` what a restart leaves.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.now_ms = 0.0
        self.make(**config)

    def make(self, **config: Any) -> None:
        raise NotImplementedError

    def read(self, of: Any) -> Told:
        return {}

    def save(self) -> Any:
        raise NotImplementedError

    def restore(self, saved: Any) -> None:
        raise NotImplementedError

    def step_advance_ms(self, ms: float) -> None:
        self.now_ms += ms


class Watched(Machine):
    """One that somebody observes once a second."""

    def observe(self, saturated: bool, rows: float) -> None:
        raise NotImplementedError

    def step_observe(self, of: Mapping[str, Any]) -> None:
        self.observe(of["saturated"], 0)

    def step_watch(self, of: Mapping[str, Any]) -> None:
        self.observe(of["saturated"], 0)
        for _ in range(0, of["for_ms"], 1_000):
            self.now_ms += 1_000
            self.observe(of["saturated"], of.get("rows_per_second", 0))
