"""The circuit breaker of one data source (I2)."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional

from flush_baseline import FlushBaseline

CLOSED, OPEN, HALF_OPEN = "closed", "open", "half_open"


class NodeHealth(NamedTuple):
    """What is known of a node before it is given a probe; None: no answer, nothing known yet, never."""

    ping_ms: Optional[float]
    ping_baseline_ms: Optional[float]
    resource_error_ago_ms: Optional[float]


class Breaker:
    """Each call is handed the time, and a `draw` of [0, 1) for the hold that it may begin."""

    def __init__(self, settings: Mapping[str, Any], draw: Callable[[], float]) -> None:
        self._settings = settings
        self._draw = draw
        self._baseline = FlushBaseline(settings["baseline_flushes"])
        self.state = CLOSED
        self.until_ms = 0.0
        self.reason: Optional[str] = None  # the signal that opened it last, until it is well
        self.holds = 0
        self.unanswered: List[str] = []
        self._slow_in_a_row = 0
        self._measure = 0.0  # what that signal showed as it opened
        self._probed_ms = 0.0
        self._held_since_ms = 0.0
        self._age_allowance_ms = 0.0  # what the holds made of the oldest event's age

    @property
    def baseline_ms(self) -> Optional[float]:
        return self._baseline.value_ms

    @property
    def is_saturated(self) -> bool:
        return self.state != CLOSED or bool(self.unanswered)

    def flushed(self, now_ms: float, took_ms: float, interval_ms: float) -> None:
        if self.state == OPEN:
            return  # it had begun before
        baseline_ms = self._baseline.value_ms
        if baseline_ms is None or took_ms <= max(self._settings["slow_ratio"] * baseline_ms, interval_ms):
            self._slow_in_a_row = 0
            self._baseline.learn(took_ms)
            self._well("slow_flushes")
            if self.state == HALF_OPEN:
                self._close(now_ms)
            return
        self._slow_in_a_row += 1
        if self.state == HALF_OPEN or self._slow_in_a_row >= self._settings["slow_flushes"]:
            self._trip(now_ms, "slow_flushes", took_ms)

    def failed(self, now_ms: float) -> None:
        if self.state == HALF_OPEN:
            self._hold(now_ms)

    def aged(self, now_ms: float, oldest_ms: float, interval_ms: float) -> None:
        bound_ms = self._settings["old_intervals"] * interval_ms
        if oldest_ms <= bound_ms:
            self._age_allowance_ms = 0
            self._well("old_events")
        elif self.state != CLOSED:
            self._age_allowance_ms = oldest_ms
        elif oldest_ms > bound_ms + self._age_allowance_ms:
            self._trip(now_ms, "old_events", oldest_ms)

    def parts(self, now_ms: float, active: int, delay_at: int) -> None:
        if active <= self._settings["parts_share"] * delay_at:
            self._well("many_parts")
        elif self.state == CLOSED:
            self._trip(now_ms, "many_parts", active)

    def may_flush(self, now_ms: float, node: NodeHealth) -> bool:
        """Of an open one whose hold is over, true makes this flush its probe."""
        if self.state == CLOSED:
            return True
        if self.state == HALF_OPEN:
            if now_ms - self._probed_ms > self._settings["probe_timeout_ms"]:
                self._hold(now_ms)
            return False
        if now_ms < self.until_ms or not self._is_fit(node):
            return False
        self.state = HALF_OPEN
        self._probed_ms = now_ms
        return True

    def save(self, now_ms: float) -> Dict[str, Any]:
        """All that another process needs, with times from now."""
        left_ms = max(0, self.until_ms - now_ms) if self.state == OPEN else 0  # of a probe nobody will hear
        return {
            "flushes": self._baseline.flushes,
            "mean_ms": self._baseline.mean_ms,
            "open_for_ms": None if self.state == CLOSED else left_ms,
            "held_for_ms": now_ms - self._held_since_ms,
            "reason": self.reason,
            "measure": self._measure,
            "holds": self.holds,
            "unanswered": self.unanswered,
            "age_allowance_ms": self._age_allowance_ms,
        }

    def restore(self, now_ms: float, saved: Mapping[str, Any]) -> None:
        self._baseline.flushes = saved["flushes"]
        self._baseline.mean_ms = saved["mean_ms"]
        self.reason = saved["reason"]
        self.holds = saved["holds"]
        self.unanswered = list(saved["unanswered"])
        self._measure = saved["measure"]
        self._held_since_ms = now_ms - saved["held_for_ms"]
        self._age_allowance_ms = saved["age_allowance_ms"]
        if saved["open_for_ms"] is not None:
            self.state = OPEN
            self.until_ms = now_ms + saved["open_for_ms"]

    def _is_fit(self, node: NodeHealth) -> bool:
        error_ms = node.resource_error_ago_ms
        if node.ping_ms is None or (error_ms is not None and error_ms < self._settings["resource_error_ms"]):
            return False
        ordinary_ms = node.ping_baseline_ms
        return ordinary_ms is None or node.ping_ms < self._settings["ping_ratio"] * ordinary_ms

    def _trip(self, now_ms: float, reason: str, measure: float) -> None:
        if reason in self.unanswered:
            self._close(now_ms)
            return
        in_vain = reason == self.reason and measure >= self._settings["better_ratio"] * self._measure
        self._measure = measure
        self.reason = reason
        if in_vain and self.holds >= self._settings["max_holds"]:
            self.unanswered = [*self.unanswered, reason]
            self._close(now_ms)
            return
        self.holds = self.holds + 1 if in_vain else 1
        self._hold(now_ms)

    def _hold(self, now_ms: float) -> None:
        if self.state == CLOSED:
            self._held_since_ms = now_ms
        self.state = OPEN
        jitter = self._settings["hold_jitter"]
        hold_ms = self._settings["hold_ms"] * (1 - jitter + 2 * jitter * self._draw())
        self.until_ms = now_ms + math.floor(hold_ms + 0.5)

    def _close(self, now_ms: float) -> None:
        self._slow_in_a_row = 0
        if self.state == CLOSED:
            return
        self.state = CLOSED
        self._age_allowance_ms = max(self._age_allowance_ms, now_ms - self._held_since_ms)

    def _well(self, reason: str) -> None:
        self.unanswered = [each for each in self.unanswered if each != reason]
        if self.reason == reason:
            self.holds = 0
            if self.state != OPEN:
                self.reason = None  # until then that is still why
