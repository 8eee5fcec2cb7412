"""The ceiling of what was in flight where the server begins to slow down (L18 to L21)."""

from __future__ import annotations

import math
from typing import Optional

from floor_probe import FloorProbe
from latency_window import WindowFigures
from limit_config import LimitConfig
from overdraft import Overdraft

_BEARABLE_RATIO = 2
_OVERDRAFT_SHARE = 0.15
_RISE_SHARE = 0.03
_WINDOWS_A_STEP = 3
_STILL_SLOW_RATIO = 1.5
_TIMED_OUT_SHARE = 0.1


class KneeCeiling:
    def __init__(self, config: LimitConfig) -> None:
        self._config = config
        self.value = config.max_concurrent
        self.accepted_ms: Optional[float] = None  # L21: what the last window showed to be the ordinary
        self._probe = FloorProbe(config.max_concurrent)
        self._overdraft = Overdraft(config)
        self._in_flight: Optional[float] = None  # smoothed
        self._well = 0  # windows in a row below recovery_ratio
        self._fell_ms: Optional[float] = None

    def frozen_ms(self, now_ms: float) -> Optional[float]:
        """As of LatencyCeiling; an open probe is no end of it."""
        return None if self._fell_ms is None else now_ms - self._fell_ms

    @property
    def overdraft_left_ms(self) -> float:
        return self._overdraft.left_ms

    def patience_ms(self, baseline_ms: Optional[float]) -> Optional[float]:
        """How long a call waits for a slot at most, or None: as long as ever (L20)."""
        is_shed = self._overdraft.is_shedding and baseline_ms is not None
        return self._overdraft.patience_ms(baseline_ms or 0) if is_shed else None

    def close_window(
        self, end_ms: float, ratio: Optional[float], window: WindowFigures, is_throttled: bool
    ) -> Optional[str]:
        """Moves the ceiling; answers the name of the event, if there is one."""
        before, self.accepted_ms = self.value, None
        self._smooth(window)
        if ratio is None:
            return None
        is_pinned = self._is_pinned(ratio, window) and not self._config.shadow  # L14: nothing would be opened
        does = self._probe.close_window(window.p90_ms, self.value, is_pinned, is_throttled)
        if does == "accept":
            self.accepted_ms = self._probe.open_ms
            self.reset()
        elif does is None:
            self._move(ratio, window)
        else:
            self.value = self._config.max_concurrent if does == "open" else self._config.lowest_latency_ceiling
        if self.value == self._config.max_concurrent and does != "open":
            self._fell_ms = None
        elif self._fell_ms is None:
            self._fell_ms = end_ms
        return self._event(before)

    def reset(self) -> Optional[str]:
        before, self.value = self.value, self._config.max_concurrent
        self._probe.reset()
        self._overdraft.reset()
        self._well, self._fell_ms = 0, None
        return self._event(before)

    def _smooth(self, window: WindowFigures) -> None:
        if self._in_flight is None:
            self._in_flight = window.in_flight
        self._in_flight += (window.in_flight - self._in_flight) * window.weight

    def _is_pinned(self, ratio: float, window: WindowFigures) -> bool:
        is_limited = self.value < self._config.max_concurrent
        is_slow_itself = window.p90_ms > self._config.backoff_ratio * window.baseline_ms
        is_slow = ratio > _STILL_SLOW_RATIO and is_slow_itself
        return is_limited and is_slow and window.timed_out <= _TIMED_OUT_SHARE

    def _move(self, ratio: float, window: WindowFigures) -> None:
        is_limited = self.value < self._config.max_concurrent or ratio > self._config.backoff_ratio
        waits_long = self._overdraft.close_window(window.waited_ms, window.baseline_ms, is_limited)
        self._well = self._well + 1 if ratio < self._config.recovery_ratio else 0
        if waits_long and not self._overdraft.is_overdrawn and ratio < _BEARABLE_RATIO:
            self._rise(max(1, _OVERDRAFT_SHARE * self.value))
        elif ratio > self._config.backoff_ratio:
            self._fall(ratio)
        else:
            self._rise(self._well // _WINDOWS_A_STEP * max(1, _RISE_SHARE * self._config.max_concurrent))

    def _fall(self, ratio: float) -> None:
        between = (self._config.backoff_ratio + self._config.recovery_ratio) / 2
        knee = math.floor((self._in_flight or 0) * between / ratio)
        self.value = min(self.value, max(knee, self._config.lowest_latency_ceiling))

    def _rise(self, by: float) -> None:
        self.value = min(self.value + math.floor(by), self._config.max_concurrent)

    def _event(self, before: int) -> Optional[str]:
        if self.value < before:
            return "latency_backoff"
        return "latency_recovery" if before < self.value == self._config.max_concurrent else None
