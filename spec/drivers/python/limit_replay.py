"""Rows of backoff-scenarios, played against the limiter on a time of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, List, Mapping, Optional

from limit_config import LimitConfig, limit_config_from
from limiter import Limiter
from waiting_call import WaitingCall

_REASONS = ("queue_full", "queue_timeout", "held")


class Callers:
    """The calls of one row, oldest first, and what became of them in the step that is played."""

    def __init__(self) -> None:
        self.waiting: List[WaitingCall] = []
        self.in_flight: List[WaitingCall] = []
        self.ended: List[WaitingCall] = []
        self.begin_step()

    def begin_step(self) -> None:
        self._started = 0
        self._refused: Dict[str, int] = {}
        self._retry_after_ms: Optional[float] = None
        self._events: List[str] = []

    def started(self, call: WaitingCall) -> None:
        self.waiting.remove(call)
        self.in_flight.append(call)
        self._started += 1

    def refused(self, call: WaitingCall, reason: str, retry_after_ms: Optional[float]) -> None:
        self.waiting.remove(call)
        if reason in _REASONS:
            self._refused[reason] = self._refused.get(reason, 0) + 1
        if reason == "held":
            self._retry_after_ms = retry_after_ms

    def event(self, name: str) -> None:
        self._events.append(name)

    def told(self) -> Dict[str, Any]:
        return {
            "started": self._started,
            "rejected": sum(self._refused.values()),
            "refused": self._refused,
            "retry_after_ms": self._retry_after_ms,
            "events": self._events,
        }


def _taken(calls: List[WaitingCall], count: int) -> List[WaitingCall]:
    if len(calls) < count:
        raise ValueError(f"a step takes {count} calls, and there are {len(calls)}")
    taken, calls[:] = calls[:count], calls[count:]
    return taken


_SEVEN_DAYS_MS = 604_800_000


class Scenario:
    def __init__(self, config: Mapping[str, Any]) -> None:
        self._given = limit_config_from(config)
        self._begin(self._given)

    def _begin(self, config: LimitConfig) -> None:
        self._config = config
        self._callers = Callers()
        self._limiter = Limiter(self._config, self._callers)
        self._now_ms = 0

    def play(self, step: Mapping[str, Any]) -> Dict[str, Any]:
        """Does what the step says; answers what is to be seen at its end."""
        self._callers.begin_step()
        for name, argument in step.items():
            if name != "expect":
                getattr(self, f"_step_{name}")(argument)
        reading = self._limiter.read(self._now_ms)
        if reading["queued"] != len(self._callers.waiting) or reading["in_flight"] != len(self._callers.in_flight):
            raise ValueError(f"the limiter counts otherwise than its callers: {reading}")
        return {**reading, **self._callers.told()}

    def end(self) -> None:
        self._limiter.dispose()
        if self._callers.waiting or self._limiter.next_look_ms() is not None:
            raise ValueError("calls still wait after the limiter was disposed")

    def _step_advance_ms(self, ms: int) -> None:
        until_ms = self._now_ms + ms
        look_ms = self._limiter.next_look_ms()
        while look_ms is not None and look_ms <= until_ms:
            self._limiter.look(look_ms)
            look_ms = self._limiter.next_look_ms()
        self._limiter.look(until_ms)
        self._now_ms = until_ms

    def _step_window(self, window: Mapping[str, Any]) -> None:
        window_ms = self._config.window_ms
        self._step_advance_ms(-self._now_ms % window_ms)
        samples = [window, window["slow"]] if "slow" in window else [window]
        times = window.get("times", 1)
        if not any(some["count"] for some in samples):
            self._step_advance_ms(times * window_ms)  # an hour without a sample is as quick as a window
            return
        for _ in range(times):
            for some in samples:
                self._step_sample(some)
            self._step_advance_ms(window_ms)

    def _step_sample(self, sample: Mapping[str, Any]) -> None:
        # L2: with an answer or without one, it took at least as long as that.
        count, timed_out = sample.get("count", 1), sample.get("timeout", False)
        if count > 0:
            self._limiter.sample(self._now_ms, sample["latency_ms"], count, timed_out=timed_out)

    def _step_failure(self, count: int) -> None:
        """L2: what failed otherwise says nothing about latency, and the limiter is not told."""

    def _step_throttle(self, throttle: Mapping[str, Any]) -> None:
        self._limiter.throttle(self._now_ms, throttle["retry_after_ms"])

    def _step_arrive(self, arrive: Any) -> None:
        many = arrive if isinstance(arrive, dict) else {"count": arrive, "cap_ms": None}
        self._ask([WaitingCall(many["cap_ms"]) for _ in range(many["count"])])

    def _step_finish(self, finish: Any) -> None:
        many = finish if isinstance(finish, dict) else {"count": finish}
        calls = _taken(self._callers.in_flight, many["count"])
        for call in calls if "latency_ms" in many else []:
            timed_out = many.get("timeout", False)
            self._limiter.sample(self._now_ms, many["latency_ms"], 1, call.waited_ms, timed_out)
        for call in calls:
            self._callers.ended.append(call)
            self._limiter.finish(self._now_ms)

    def _step_retry(self, count: int) -> None:
        self._ask(_taken(self._callers.ended, count))

    def _step_abort(self, count: int) -> None:
        for call in _taken(self._callers.waiting, count):
            self._limiter.abort(self._now_ms, call)

    def _step_reset_baseline(self, _: bool) -> None:
        self._limiter.reset_baseline(self._now_ms)

    def _step_restart(self, restart: Mapping[str, Any]) -> None:
        """L17: what was saved counts before a prior, where it is of this backend and not too old."""
        saved, backend_id = self._limiter.save(), self._config.backend_id
        self.end()
        config = replace(self._given, backend_id=restart.get("backend_id", self._given.backend_id))
        if saved is not None and config.backend_id == backend_id and restart["after_ms"] <= _SEVEN_DAYS_MS:
            config = replace(config, prior=saved)
        self._begin(config)

    def _ask(self, calls: List[WaitingCall]) -> None:
        for call in calls:
            self._callers.waiting.append(call)
            self._limiter.arrive(self._now_ms, call)


def backoff_scenario(config: Mapping[str, Any], case: Mapping[str, Any]) -> Dict[str, Any]:
    scenario = Scenario(config)
    steps = [scenario.play(step) for step in case["steps"]]
    scenario.end()
    return {"steps": steps}
