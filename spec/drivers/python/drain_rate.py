"""How much was written in the last 60 seconds, by whole seconds (I3, I5)."""

from __future__ import annotations

from typing import Dict

_SECONDS = 60


class DrainRate:
    def __init__(self) -> None:
        self._amounts: Dict[int, float] = {}  # by second

    def add(self, now_ms: float, amount: float) -> None:
        second = int(now_ms // 1_000)
        self._forget(second)
        self._amounts[second] = self._amounts.get(second, 0) + amount

    def per_second(self, now_ms: float) -> float:
        self._forget(int(now_ms // 1_000))
        return sum(self._amounts.values()) / _SECONDS

    def _forget(self, second: int) -> None:
        """The second that is running counts, and the 59 before it."""
        for old in [each for each in self._amounts if each <= second - _SECONDS]:
            del self._amounts[old]
