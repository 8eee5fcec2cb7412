"""How long the flushes of one data source ordinarily take (I2)."""

from __future__ import annotations

from typing import Optional

_WEIGHT = 1 / 20


class FlushBaseline:
    def __init__(self, needed: int) -> None:
        self._needed = needed
        self.flushes = 0
        self.mean_ms = 0.0

    @property
    def value_ms(self) -> Optional[float]:
        """None: too few flushes so far."""
        return None if self.flushes < self._needed else self.mean_ms

    def learn(self, took_ms: float) -> None:
        """A flush that was not slow."""
        self.flushes += 1
        weight = 1 / self.flushes if self.flushes <= self._needed else _WEIGHT
        self.mean_ms += (took_ms - self.mean_ms) * weight
