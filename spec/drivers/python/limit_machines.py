"""Machines of ingest-scenarios that count and limit: I3, I5."""

from __future__ import annotations

from typing import Any, Mapping

from drain_rate import DrainRate
from machine import Machine, Told, Watched
from quota import Quota, rate_limit_headers
from retry_after import retry_after_seconds
from saturation_clock import SaturationClock
from temporal_limit import TemporalLimit


class SaturationClockMachine(Watched):
    def make(self, **config: Any) -> None:
        self._clock = SaturationClock(**config)

    def read(self, of: Any) -> Told:
        return {"clock_ms": self._clock.value_ms, "full": self._clock.is_full}

    def save(self) -> Any:
        return self._clock.value_ms

    def restore(self, saved: Any) -> None:
        self._clock.value_ms = saved

    def observe(self, saturated: bool, rows: float) -> None:
        self._clock.observe(self.now_ms, saturated)

    def step_reset(self, _: Any) -> None:
        self._clock.reset()


class DrainRateMachine(Machine):
    def make(self, **config: Any) -> None:
        self._rate = DrainRate(**config)

    def read(self, of: Any) -> Told:
        return {"per_second": self._rate.per_second(self.now_ms)}

    def step_drain(self, of: Mapping[str, Any]) -> None:
        self._rate.add(self.now_ms, of["amount"])


class TemporalLimitMachine(Watched):
    def make(self, **config: Any) -> None:
        self._limit = TemporalLimit(**config)

    def read(self, of: Any) -> Told:
        limit = self._limit
        clock_ms, healthy_ms = limit.saturation.value_ms, limit.healthy_ms
        times = {"clock_ms": clock_ms, "healthy_ms": healthy_ms, "lifted_in_ms": limit.lifted_in_ms}
        return {"limit": limit.rows_per_second, **times}

    def save(self) -> Any:
        return self._limit.save()

    def restore(self, saved: Any) -> None:
        self._limit.restore(saved)

    def observe(self, saturated: bool, rows: float) -> None:
        self._limit.drained(self.now_ms, rows)
        self._limit.observe(self.now_ms, saturated)

    def step_send(self, of: Mapping[str, Any]) -> Told:
        wait_ms = self._limit.admit(self.now_ms, of["rows"])
        return {"admitted": wait_ms == 0, "retry_after_ms": wait_ms, "retry_after_s": retry_after_seconds(wait_ms)}

    def step_lift(self, _: Any) -> None:
        self._limit.lift()


class QuotaMachine(Machine):
    def make(self, **config: Any) -> None:
        self._quota = Quota(**config)

    def read(self, of: Any) -> Told:
        return {"size": self._quota.size}

    def step_take(self, of: Mapping[str, Any]) -> Told:
        token, source, cost = of["token"], of["source"], of.get("cost", 1)
        taken = [self._quota.take(self.now_ms, token, source, cost) for _ in range(of.get("times", 1))]
        figures = dict(taken[-1]._asdict())
        del figures["is_admitted"]
        admitted = all(decision.is_admitted for decision in taken)
        return {"admitted": admitted, **figures, "headers": rate_limit_headers("plan", taken[-1])}
