"""The present latency of a server, and its ordinary one (L4, L5, L8, L17, L18, L21)."""

from __future__ import annotations

import math
from typing import Optional

from limit_config import LimitConfig, Prior
from policy import MOST

_HOUR_MS = 3_600_000
_RISE_AN_HOUR = 1.02


def _weight(time_constants: float) -> float:
    return 1 - math.exp(-time_constants)


class LatencyMonitor:
    """Learns from the p90 of each window that counts. Time 0 is the making of the limiter."""

    def __init__(self, config: LimitConfig) -> None:
        self._config = config
        self.p90_ms: Optional[float] = None
        self.smoothed_ms: Optional[float] = None
        self.baseline_ms: Optional[float] = None
        self._seen = 0
        self._own_windows = 0
        self._counted_ms: float = 0  # the end of the last window that counted
        self._former: Optional[Prior] = None  # L21: the baseline before a slowness was accepted
        self.weight: float = 1  # of the last window in the smoothed figure
        if config.known is not None:  # L17
            self.baseline_ms = config.known.p90_ms
            self._seen = max(config.known.windows, config.warmup_windows + 1)

    @property
    def ratio(self) -> Optional[float]:
        """L5: there is none while warming up, and none to a baseline of 0."""
        if self.smoothed_ms is None or not self.baseline_ms:
            return None
        return self.smoothed_ms / self.baseline_ms if self._is_warm else None

    @property
    def trust(self) -> str:
        if self._config.known is None:
            return "trusted" if self._is_warm else "unknown"
        return "trusted" if self._own_windows > self._config.warmup_windows else "provisional"

    @property
    def _is_warm(self) -> bool:
        return self._seen > self._config.warmup_windows

    def close_window(self, end_ms: float, p90_ms: float, frozen_ms: Optional[float], samples: int) -> None:
        """`frozen_ms`: how long the latency ceiling has been below its maximum; None: it is not."""
        elapsed_ms = end_ms - self._counted_ms
        self._counted_ms = end_ms
        self._seen += 1
        self._own_windows += 1
        self.p90_ms = p90_ms
        self._smooth(p90_ms, elapsed_ms, samples)
        if frozen_ms is None:
            self._learn(p90_ms, elapsed_ms)
        elif frozen_ms > self._config.max_freeze_ms:
            self._give_way(elapsed_ms)
        self._return_to_former()

    def save(self) -> Optional[Prior]:
        """L17: what another process may begin with; None while it is nothing to rely on."""
        if self.baseline_ms is None or self.trust == "unknown":
            return None
        kept = self._former or Prior(self.baseline_ms, self._seen)
        return Prior(kept.p90_ms, min(kept.windows, MOST)) if kept.p90_ms > 0 else None

    def accept_present(self) -> bool:
        """L8: an operator's reset. False where no window counted yet."""
        if self.smoothed_ms is None:
            return False
        self.baseline_ms = self.smoothed_ms
        self._former = None
        return True

    def accept_for_now(self, present_ms: float) -> None:
        """L21: the load has no part in it. What was the baseline before is kept, and the new one is young."""
        former = Prior(self.baseline_ms or 0, self._seen) if self._former is None else self._former
        self.smoothed_ms = present_ms
        self.accept_present()
        self._former = former
        self._seen = self._config.warmup_windows + 1

    def _return_to_former(self) -> None:
        if self._former is None or self.smoothed_ms is None:
            return
        if self.smoothed_ms < self._config.recovery_ratio * self._former.p90_ms:
            (self.baseline_ms, self._seen), self._former = self._former, None

    def _smooth(self, p90_ms: float, elapsed_ms: float, samples: int) -> None:
        time_constants = elapsed_ms / self._config.smoothing_time_constant_ms
        if self._config.smoothing_samples > 0:  # L18
            time_constants = min(time_constants, samples / self._config.smoothing_samples)
        self.weight = _weight(time_constants)
        if self.smoothed_ms is None:
            self.smoothed_ms = p90_ms
        self.smoothed_ms += (p90_ms - self.smoothed_ms) * self.weight

    def _learn(self, p90_ms: float, elapsed_ms: float) -> None:
        if self.baseline_ms is None:
            self.baseline_ms = p90_ms
            return
        weight = max(1 / self._seen, _weight(elapsed_ms / self._config.baseline_time_constant_ms))
        self.baseline_ms += (p90_ms - self.baseline_ms) * weight

    def _give_way(self, elapsed_ms: float) -> None:
        """L8: a change that lasts is accepted in the end."""
        if self.baseline_ms is None or self.smoothed_ms is None:
            return
        # Bounded, since after a pause of years the power would be too much for a float.
        hours = min(elapsed_ms / _HOUR_MS, 10_000)
        self.baseline_ms = max(self.baseline_ms, min(self.smoothed_ms, self.baseline_ms * _RISE_AN_HOUR**hours))
