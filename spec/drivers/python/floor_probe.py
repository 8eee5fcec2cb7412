"""Limited, and the server is as slow as before: is it us at all? (L21)"""

from __future__ import annotations

from typing import List, Optional, Tuple

_PINNED = 6
_WINDOWS = 3
_PAUSE_WINDOWS = 60
_SLOWER = 1.15


class FloorProbe:
    """Says what the ceiling does at the end of a window: `open`, `close`, `accept`, or None: what it does anyhow."""

    def __init__(self, most: int) -> None:
        self._most = most  # the ceiling's maximum
        self._last_ms: float = 0  # p90 of the window before
        self.open_ms: float = 0  # mean p90 while it was open, the last time
        self.reset()
        self._pause = 0

    def reset(self) -> None:
        self._pinned: List[Tuple[float, int]] = []  # of pinned windows in a row: p90, and the ceiling in force
        self._open = 0  # windows that it is still open for
        self._pinned_ms: float = 0

    def close_window(self, p90_ms: float, ceiling: int, is_pinned: bool, is_throttled: bool) -> Optional[str]:
        mean_ms = (self._last_ms + p90_ms) / 2
        self._last_ms = p90_ms
        if self._open > 0:
            return self._while_open(mean_ms, is_throttled)
        self._pause -= 1
        is_asked = is_pinned and not is_throttled
        self._pinned = [*self._pinned, (p90_ms, ceiling)][-_PINNED:] if is_asked else []
        if len(self._pinned) < _PINNED or self._pause > 0:
            return None
        mean_ceiling = sum(ceiling for _, ceiling in self._pinned) / _PINNED
        if mean_ceiling * _SLOWER**2 > self._most:
            return None
        pinned_ms = sum(p90_ms for p90_ms, _ in self._pinned) / _PINNED
        self._pinned, self._open, self._pinned_ms = [], _WINDOWS, pinned_ms
        return "open"

    def _while_open(self, mean_ms: float, is_throttled: bool) -> str:
        self._open -= 1
        if self._open > 0 and not is_throttled:
            return "open"
        self.open_ms = mean_ms
        if mean_ms / self._pinned_ms < _SLOWER and not is_throttled:
            return "accept"
        self._open = 0
        self._pause = _PAUSE_WINDOWS
        return "close"
