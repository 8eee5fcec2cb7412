"""The ceiling that a throttle halves and seconds bring back (L9)."""

from __future__ import annotations

import math
from typing import Optional

_SECOND_MS = 1_000


class ThrottleCeiling:
    def __init__(self, most: int) -> None:
        self._most = most
        self.value = most
        self._cool_ms = -math.inf  # the end of the cool-down
        self._rise_ms = math.inf  # the next rise
        self.whole_since_ms = -math.inf  # L21; infinite: it is not whole

    @property
    def due_ms(self) -> float:
        return self._rise_ms if self.value < self._most else math.inf

    def throttle(self, now_ms: float, limit: int) -> Optional[str]:
        """Halves `limit`, the one in force; not during the cool-down. Half of 1 is 1."""
        if now_ms < self._cool_ms:
            return None
        before = self.value
        self.value = max(1, limit // 2)
        self._cool_ms = now_ms + _SECOND_MS
        if self.value < self._most:
            self.whole_since_ms = math.inf
        return "throttle_backoff" if self.value < before else None

    def wait_for(self, hold_until_ms: float) -> None:
        """The first rise is a second after the cool-down or the hold, whichever ends later."""
        self._rise_ms = max(self._cool_ms, hold_until_ms) + _SECOND_MS

    def rise(self) -> Optional[str]:
        """What is due at `due_ms`: one more."""
        self.value += 1
        if self.value == self._most:
            self.whole_since_ms = self._rise_ms
        self._rise_ms += _SECOND_MS
        return "throttle_recovery" if self.value == self._most else None
