"""The samples of one window, and their p90 (L3)."""

from __future__ import annotations

from typing import List


class LatencyWindow:
    """Samples of one window. Of very many it keeps every second, every fourth, and so on."""

    MOST_KEPT = 10_000

    def __init__(self) -> None:
        self.count = 0
        self._kept: List[float] = []
        self._keep_every = 1

    def add(self, latency_ms: float, count: int = 1) -> None:
        """`count` samples of the same latency."""
        for before in range(self.count, self.count + count):
            if before % self._keep_every == 0:
                if len(self._kept) == self.MOST_KEPT:
                    self._kept = self._kept[::2]
                    self._keep_every *= 2
                # The one that found no room is the first of those that come from then on, and is kept.
                self._kept.append(latency_ms)
        self.count += count

    def p90_ms(self) -> float:
        """By nearest rank; only of a window that has samples."""
        n = len(self._kept)
        rank = (9 * n + 9) // 10  # ceil(0.9 · n), without the error of 0.9
        return sorted(self._kept)[rank - 1]
