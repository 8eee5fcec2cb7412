"""An adaptive limit of the calls that are in flight to one server, without a clock of its own.

Whoever drives it hands in the time, and looks again at `next_look_ms`. What fell due meanwhile has
its effect as of its own time (L16). Times are milliseconds since the limiter was made.
"""

from __future__ import annotations

import math
from typing import Any, Dict, Optional, Protocol

from hold import Hold
from knee_ceiling import KneeCeiling
from latency_ceiling import LatencyCeiling
from latency_monitor import LatencyMonitor
from latency_window import LatencyWindow
from limit_config import LimitConfig, Prior
from policy import MOST
from throttle_ceiling import ThrottleCeiling
from waiting_call import WaitingCall, WaitingQueue


class Observer(Protocol):
    """Is told what becomes of the calls, and the events of L15. It must not call the limiter back."""

    def started(self, call: WaitingCall) -> None: ...

    def refused(self, call: WaitingCall, reason: str, retry_after_ms: Optional[float]) -> None: ...

    def event(self, name: str) -> None: ...


class Limiter:
    def __init__(self, config: LimitConfig, observer: Observer) -> None:
        self._config = config
        self._observer = observer
        self._monitor = LatencyMonitor(config)
        is_knee = config.controller == "knee" and config.latency_control
        self._latency = KneeCeiling(config) if is_knee else LatencyCeiling(config)
        self._throttles = ThrottleCeiling(config.max_concurrent)
        self._hold = Hold(config.max_hold_ms)
        self._queue = WaitingQueue()
        self._in_flight = 0
        self._window = LatencyWindow()
        self._window_end_ms = math.inf  # of the window that has samples
        self._now_ms: float = 0

    @property
    def limit(self) -> int:
        """L1: the lowest ceiling."""
        return min(self._throttles.value, self._latency.value)

    @property
    def _enforced(self) -> int:
        return self._config.max_concurrent if self._config.shadow else self.limit  # L14

    def arrive(self, now_ms: float, call: WaitingCall) -> None:
        """A call asks for a slot: a new one, or one that had a slot before, as a retry (L12)."""
        self._pass(now_ms)
        is_retry = call.place is not None
        rest_ms = self._hold.rest_ms(now_ms)
        call.since_ms = now_ms
        call.expires_ms = now_ms + self._config.queue_timeout_ms
        if not call.meet_hold(rest_ms, self._hold.until_ms):
            self._observer.refused(call, "held", rest_ms)
            return
        waiting = len(self._queue)
        self._queue.add(call)
        self._start_who_may()
        if len(self._queue) > waiting >= self._config.max_queue and not is_retry:  # L13
            self._queue.remove(call)
            self._refuse(call, "queue_full")

    def finish(self, now_ms: float) -> None:
        """A call that had started has ended, its body included."""
        self._pass(now_ms)
        self._in_flight -= 1
        self._start_who_may()

    def abort(self, now_ms: float, call: WaitingCall) -> None:
        """The caller of a call that waits has left."""
        self._pass(now_ms)
        self._queue.remove(call)
        self._start_who_may()

    def sample(
        self, now_ms: float, latency_ms: float, count: int = 1, waited_ms: float = 0, timed_out: bool = False
    ) -> None:
        """L2: `count` attempts succeeded after so long, or timed out. Other failures are not reported."""
        self._pass(now_ms)
        if not 0 <= latency_ms <= MOST:
            return
        in_flight = self._in_flight or None  # L18: where no slot is lent nobody knows it
        self._window.add(latency_ms, count, in_flight, waited_ms, timed_out)
        self._window_end_ms = (now_ms // self._config.window_ms + 1) * self._config.window_ms

    def throttle(self, now_ms: float, retry_after_ms: Optional[float]) -> None:
        """An attempt was throttled; `retry_after_ms` is the stated wait."""
        self._pass(now_ms)
        self._tell(self._throttles.throttle(now_ms, self.limit))
        longer_ms = self._hold.stated(now_ms, retry_after_ms)
        self._throttles.wait_for(self._hold.until_ms)
        if longer_ms == 0:
            return
        self._tell("hold")
        self._queue.forget_plan()
        for call in self._queue:
            if not call.meet_hold(longer_ms, self._hold.until_ms):
                self._queue.remove(call)
                self._observer.refused(call, "held", self._hold.rest_ms(now_ms))

    def reset_baseline(self, now_ms: float) -> None:
        """L8: an operator accepts the present."""
        self._pass(now_ms)
        if self._monitor.accept_present():
            self._tell(self._latency.reset())
            self._start_who_may()

    def look(self, now_ms: float) -> None:
        """Does whatever has fallen due, timeouts of the queue last."""
        self._pass(now_ms)
        self._expire()

    def next_look_ms(self) -> Optional[float]:
        """When somebody must look again, or None: nobody waits (L16)."""
        return self._due_ms() if len(self._queue) > 0 else None

    def read(self, now_ms: float) -> Dict[str, Any]:
        """L15: the snapshot."""
        self.look(now_ms)
        is_held = self._hold.is_on(now_ms)
        return {
            "limit": self.limit,
            "throttle_ceiling": self._throttles.value,
            "latency_ceiling": self._latency.value,
            "in_flight": self._in_flight,
            "queued": len(self._queue),
            "held": is_held,
            "hold_until_ms": self._hold.until_ms if is_held else None,
            "trust": self._monitor.trust,
            "p90_ms": self._monitor.p90_ms,
            "smoothed_ms": self._monitor.smoothed_ms,
            "baseline_ms": self._monitor.baseline_ms,
            "ratio": self._monitor.ratio,
            "shedding": self._shed_ms() is not None,
            "overdraft_left_ms": self._latency.overdraft_left_ms,
        }

    def save(self) -> Optional[Prior]:
        return self._monitor.save()

    def dispose(self) -> None:
        """L16: who waits is refused."""
        for call in self._queue:
            self._queue.remove(call)
            self._observer.refused(call, "disposed", None)

    def _due_ms(self) -> float:
        """The next time after the present at which something falls due."""
        dues = [self._window_end_ms, self._throttles.due_ms, self._hold.until_ms, self._queue.pace_ms]
        for call in self._queue:
            dues.append(self._expires_ms(call))
            if call.moment_ms is not None:
                dues.append(call.moment_ms)
        return min((due for due in dues if due > self._now_ms), default=math.inf)

    def _pass(self, now_ms: float) -> None:
        """Time passes. Timeouts of this very millisecond are left: a slot may come free in it (L13)."""
        while now_ms > self._now_ms:
            self._expire()
            self._now_ms = min(now_ms, self._due_ms())
            if self._throttles.due_ms == self._now_ms:
                self._tell(self._throttles.rise())
            if self._window_end_ms == self._now_ms:
                self._close_window()
            if self._hold.until_ms == self._now_ms:
                self._queue.plan(self._now_ms, self._enforced)
            self._start_who_may()

    def _close_window(self) -> None:
        window, end_ms = self._window, self._window_end_ms
        self._window, self._window_end_ms = LatencyWindow(), math.inf
        if window.count < self._config.min_samples:
            return
        p90_ms = window.p90_ms()
        # L6: in this order
        self._monitor.close_window(end_ms, p90_ms, self._latency.frozen_ms(end_ms), window.count)
        figures = window.figures(p90_ms, self._config.window_ms, self._monitor.weight, self._monitor.baseline_ms)
        is_throttled = self._throttles.whole_since_ms > end_ms - self._config.window_ms
        self._tell(self._latency.close_window(end_ms, self._monitor.ratio, figures, is_throttled))
        if self._latency.accepted_ms is not None:
            self._monitor.accept_for_now(self._latency.accepted_ms)

    def _start_who_may(self) -> None:
        while self._in_flight < self._enforced and not self._hold.is_on(self._now_ms):
            call = self._queue.next(self._now_ms)
            if call is None:
                return
            self._queue.remove(call)
            self._in_flight += 1
            call.waited_ms = self._now_ms - call.since_ms
            self._observer.started(call)

    def _expire(self) -> None:
        for call in self._queue:
            if self._expires_ms(call) <= self._now_ms:
                self._queue.remove(call)
                self._refuse(call, "queue_timeout")
        self._start_who_may()

    def _expires_ms(self, call: WaitingCall) -> float:
        """L13, and sooner while calls are shed (L20)."""
        shed_ms = self._shed_ms()
        return call.expires_ms if shed_ms is None else call.since_ms + shed_ms

    def _shed_ms(self) -> Optional[float]:
        """How long a call waits at most while calls are shed (L20), or None: they are not."""
        return None if self._config.shadow else self._latency.patience_ms(self._monitor.baseline_ms)

    def _refuse(self, call: WaitingCall, reason: str) -> None:
        self._tell("queue_rejected")
        self._observer.refused(call, reason, None)

    def _tell(self, event: Optional[str]) -> None:
        if event is not None:
            self._observer.event(event)
