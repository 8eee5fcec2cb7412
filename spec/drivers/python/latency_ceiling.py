"""The ceiling that the ratio of present to ordinary latency moves (L6, L7, L14)."""

from __future__ import annotations

import math
from typing import Optional

from latency_window import WindowFigures
from limit_config import LimitConfig


class LatencyCeiling:
    def __init__(self, config: LimitConfig) -> None:
        self._config = config
        self.value = config.max_concurrent
        self.accepted_ms: Optional[float] = None  # L21: it never finds out
        self.overdraft_left_ms: Optional[float] = None  # L19: it has none
        self._fell_ms: Optional[float] = None  # L8: since when it is below its maximum

    def frozen_ms(self, now_ms: float) -> Optional[float]:
        """How long it has been below its maximum, or None: then the baseline learns (L7)."""
        return None if self._fell_ms is None else now_ms - self._fell_ms

    def patience_ms(self, baseline_ms: Optional[float]) -> None:
        """None: calls wait as long as ever."""

    def close_window(self, end_ms: float, ratio: Optional[float], _: WindowFigures, __: bool) -> Optional[str]:
        """Moves the ceiling; answers the name of the event, if there is one."""
        if ratio is None or not self._config.latency_control:
            return None
        if ratio > self._config.backoff_ratio:
            return self._fall(end_ms)
        if ratio < self._config.recovery_ratio and self.value < self._config.max_concurrent:
            self.value += 1
            return self._whole_again() if self.value == self._config.max_concurrent else None
        return None

    def reset(self) -> Optional[str]:
        if self.value == self._config.max_concurrent:
            return None
        self.value = self._config.max_concurrent
        return self._whole_again()

    def _fall(self, end_ms: float) -> Optional[str]:
        lower = max(self._config.lowest_latency_ceiling, math.floor(self.value * self._config.decrease_factor))
        if lower >= self.value:
            return None
        self.value = lower
        if self._fell_ms is None:
            self._fell_ms = end_ms
        return "latency_backoff"

    def _whole_again(self) -> str:
        self._fell_ms = None
        return "latency_recovery"
