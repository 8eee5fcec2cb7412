"""The time before which nothing starts (L10)."""

from __future__ import annotations

import math
from typing import Optional


class Hold:
    def __init__(self, most_ms: int) -> None:
        self._most_ms = most_ms
        self.until_ms = -math.inf  # of the last hold, also when it is over

    def is_on(self, now_ms: float) -> bool:
        return now_ms < self.until_ms

    def rest_ms(self, now_ms: float) -> float:
        return max(0, self.until_ms - now_ms)

    def stated(self, now_ms: float, retry_after_ms: Optional[float]) -> float:
        """A throttle stated a wait. Answers by how much the hold is longer now; 0: nothing changed."""
        if retry_after_ms is None:
            return 0
        until_ms = now_ms + min(retry_after_ms, self._most_ms)
        longer_ms = until_ms - max(now_ms, self.until_ms)
        if longer_ms <= 0:
            return 0
        self.until_ms = until_ms
        return longer_ms
