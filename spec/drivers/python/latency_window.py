"""The samples of one window, their p90 (L3), and what else they tell (L18, L19)."""

from __future__ import annotations

from typing import List, NamedTuple, Optional


class WindowFigures(NamedTuple):
    """What the knee is told of a window that counts."""

    p90_ms: float
    in_flight: float
    waited_ms: float
    timed_out: float  # share of its samples
    weight: float  # of this window in what is smoothed
    baseline_ms: float


class LatencyWindow:
    """Samples of one window. Of very many it keeps every second, every fourth, and so on."""

    MOST_KEPT = 10_000

    def __init__(self) -> None:
        self.count = 0
        self._kept: List[float] = []
        self._keep_every = 1
        self._known = 0  # samples that said how many were in flight
        self._in_flight: float = 0
        self._latency_ms: float = 0
        self._waited_ms: float = 0
        self._timed_out = 0

    def add(
        self,
        latency_ms: float,
        count: int = 1,
        in_flight: Optional[int] = None,
        waited_ms: float = 0,
        timed_out: bool = False,
    ) -> None:
        """`count` samples that are alike."""
        self._latency_ms += latency_ms * count
        self._waited_ms += waited_ms * count
        self._timed_out += count if timed_out else 0
        if in_flight is not None:
            self._known += count
            self._in_flight += in_flight * count
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

    def figures(self, p90_ms: float, window_ms: int, weight: float, baseline_ms: Optional[float]) -> WindowFigures:
        """Only of a window that has samples."""
        is_known = self._known > 0
        in_flight = self._in_flight / self._known if is_known else self._latency_ms / window_ms
        waited_ms, timed_out = self._waited_ms / self.count, self._timed_out / self.count
        return WindowFigures(p90_ms, in_flight, waited_ms, timed_out, weight, baseline_ms or 0)
