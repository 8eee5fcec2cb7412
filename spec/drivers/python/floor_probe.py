"""At its floor, and the server is as slow as before: is it us at all? (L21)"""

from __future__ import annotations

from typing import Optional

_AT_FLOOR = 6
_WINDOWS = 3
_PAUSE_WINDOWS = 60
_SLOWER = 1.15


class FloorProbe:
    """Says what the ceiling does at the end of a window: `open`, `close`, `accept`, or None: what it does anyhow."""

    def __init__(self) -> None:
        self._last_ms: float = 0  # p90 of the window before
        self.reset()
        self._pause = 0

    def reset(self) -> None:
        self._stuck = 0  # windows in a row
        self._open = 0  # windows that it is still open for
        self._stuck_ms: float = 0

    def close_window(self, p90_ms: float, is_stuck: bool) -> Optional[str]:
        mean_ms = (self._last_ms + p90_ms) / 2
        self._last_ms = p90_ms
        if self._open > 0:
            return self._while_open(mean_ms)
        self._pause -= 1
        self._stuck = self._stuck + 1 if is_stuck else 0
        if self._stuck < _AT_FLOOR or self._pause > 0:
            return None
        self._stuck, self._open, self._stuck_ms = 0, _WINDOWS, mean_ms
        return "open"

    def _while_open(self, mean_ms: float) -> str:
        self._open -= 1
        if self._open > 0:
            return "open"
        if mean_ms / self._stuck_ms < _SLOWER:
            return "accept"
        self._pause = _PAUSE_WINDOWS
        return "close"
