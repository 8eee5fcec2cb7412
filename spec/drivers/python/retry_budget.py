"""A retry budget that calls share (R16)."""

from __future__ import annotations

import threading


class RetryBudget:
    """A bucket of at most 10 tokens. It starts full; a retry after a transient failure takes one."""

    MOST = 10.0
    PER_CALL = 0.1
    PER_MS = 1 / 1_000

    def __init__(self, now_ms: float) -> None:
        self._tokens = self.MOST
        self._filled_ms = now_ms
        self._lock = threading.Lock()

    def begin_call(self, now_ms: float) -> None:
        with self._lock:
            self._fill(now_ms)
            self._tokens = min(self.MOST, self._tokens + self.PER_CALL)

    def tokens(self, now_ms: float) -> float:
        with self._lock:
            self._fill(now_ms)
            return self._tokens

    def take(self) -> None:
        with self._lock:
            self._tokens -= 1

    def _fill(self, now_ms: float) -> None:
        passed_ms = max(0.0, now_ms - self._filled_ms)
        self._tokens = min(self.MOST, self._tokens + passed_ms * self.PER_MS)
        self._filled_ms = now_ms
