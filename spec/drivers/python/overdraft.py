"""What the server bears while callers wait long, and when those who would wait in vain are let go (L19, L20)."""

from __future__ import annotations

import math

from limit_config import LimitConfig

_PAYS_BACK = 0.25
_ENDS_AT = 0.9
_PATIENCE = 0.3


class Overdraft:
    def __init__(self, config: LimitConfig) -> None:
        self._config = config
        self.reset()

    def reset(self) -> None:
        self._owed_ms: float = 0
        self.is_overdrawn = False

    def patience_ms(self, baseline_ms: float) -> float:
        """How long a call waits for a slot while calls are shed."""
        shortest_ms = max(1, math.floor(_PATIENCE * baseline_ms + 0.5))
        return min(shortest_ms, self._config.queue_timeout_ms)

    @property
    def is_shedding(self) -> bool:
        return self.is_overdrawn and self._config.shedding

    @property
    def left_ms(self) -> float:
        return self._config.overdraft_ms - self._owed_ms

    def close_window(self, waited_ms: float, baseline_ms: float, is_limited: bool) -> bool:
        """Answers whether callers waited, for the server's sake, for longer than it ordinarily takes."""
        is_long = is_limited and waited_ms > baseline_ms
        adds = waited_ms > self.patience_ms(baseline_ms) / 2 if self.is_overdrawn else is_long
        window_ms, most_ms = self._config.window_ms, self._config.overdraft_ms
        owed_ms = self._owed_ms + (window_ms if adds else -_PAYS_BACK * window_ms)
        self._owed_ms = min(most_ms, max(0, owed_ms))
        if is_long and self._owed_ms >= most_ms:
            self.is_overdrawn = True
        elif self._owed_ms < _ENDS_AT * most_ms or (most_ms == 0 and not adds):
            self.is_overdrawn = False
        return is_long
