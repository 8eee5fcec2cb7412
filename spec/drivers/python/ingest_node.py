"""One node, and how it fares (I6)."""

from __future__ import annotations

import math
from collections import deque
from typing import Any, Deque, Mapping, Optional

IN_SERVICE, EJECTED, ON_PROBE = "in_service", "ejected", "on_probe"


class Node:
    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self.name = name
        self._settings = settings
        self.state = IN_SERVICE
        self.sources = 0  # data sources that are placed here
        self.failures = 0  # in a row
        self.ejections = 0
        self.until_ms = 0.0
        self._took_ms: Deque[float] = deque(maxlen=settings["window_flushes"])
        self._slow_since_ms = -math.inf
        self._probed_ms = 0.0

    @property
    def is_in_service(self) -> bool:
        return self.state == IN_SERVICE

    @property
    def p90_ms(self) -> Optional[float]:
        """By nearest rank; None: too few flushes since it came into service."""
        count = len(self._took_ms)
        if count < self._settings["min_flushes"]:
            return None
        return sorted(self._took_ms)[(9 * count + 9) // 10 - 1]

    def share(self, now_ms: float) -> float:
        if not self.is_in_service:
            return 0
        past_ms, slow_ms = now_ms - self._slow_since_ms, self._settings["slow_start_ms"]
        if past_ms >= slow_ms:
            return 1
        least = self._settings["slow_start_share"]
        return least + (1 - least) * past_ms / slow_ms

    def written(self, took_ms: float) -> None:
        self.failures = 0
        self._took_ms.append(took_ms)

    def eject(self, now_ms: float) -> None:
        self.ejections += 1
        self.state = EJECTED
        ejection_ms = self._settings["ejection_ms"] * self.ejections
        self.until_ms = now_ms + min(ejection_ms, self._settings["max_ejection_ms"])

    def is_due(self, now_ms: float) -> bool:
        """Whether it may be tried. A probe of which nothing is heard is a failed one."""
        if self.state == ON_PROBE and now_ms - self._probed_ms > self._settings["probe_timeout_ms"]:
            self.eject(now_ms)
        return self.state == EJECTED and now_ms >= self.until_ms

    def begin_probe(self, now_ms: float) -> None:
        self.state = ON_PROBE
        self._probed_ms = now_ms

    def come_into_service(self, now_ms: float) -> None:
        """With a slow start, and nothing that is held against it."""
        self.state = IN_SERVICE
        self._slow_since_ms = now_ms
        self.failures = 0
        self._took_ms.clear()
