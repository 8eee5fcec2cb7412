"""Requests or rows a second of each token at each data source: the generic cell rate algorithm (I5)."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple

from ingest_config import ABOVE_0, COUNT, FROM_1, Fields, settings_from
from retry_after import TOLERANCE_MS, retry_after_seconds

_FIELDS: Fields = {"rate_per_second": (5, ABOVE_0), "burst": (10, FROM_1), "max_keys": (10_000, COUNT)}


class Decision(NamedTuple):
    """What became of one request, and the figures that its answer states."""

    is_admitted: bool
    burst: float
    window_ms: float
    remaining: int
    reset_ms: float
    retry_after_ms: Optional[float]  # until as much may be asked for again; None: never


class Quota:
    def __init__(self, **given: Any) -> None:
        settings = settings_from(_FIELDS, given)
        self._interval_ms = 1_000 / settings["rate_per_second"]
        self._burst = settings["burst"]
        self._window_ms = self._burst * self._interval_ms
        self._most_keys = settings["max_keys"]
        self._spent_until_ms: Dict[Tuple[str, str], float] = {}
        self._others_until_ms = 0.0  # of all that found no place

    @property
    def size(self) -> int:
        return len(self._spent_until_ms)

    def take(self, now_ms: float, token: str, source: str, cost: float = 1) -> Decision:
        key = (token, source)
        has_place = key in self._spent_until_ms or self._finds_place(now_ms)
        known_ms = self._spent_until_ms.get(key, now_ms) if has_place else self._others_until_ms
        spent_until_ms = max(now_ms, known_ms)
        wait_ms = self._wait_ms(now_ms, spent_until_ms, cost)
        if wait_ms > 0:
            return self._decision(False, spent_until_ms - now_ms, None if cost > self._burst else wait_ms)
        next_ms = spent_until_ms + cost * self._interval_ms
        if has_place:
            self._spent_until_ms[key] = next_ms
        else:
            self._others_until_ms = next_ms
        return self._decision(True, next_ms - now_ms, self._wait_ms(now_ms, next_ms, cost))

    def _wait_ms(self, now_ms: float, spent_until_ms: float, cost: float) -> float:
        wait_ms = spent_until_ms + cost * self._interval_ms - self._window_ms - now_ms
        return wait_ms if wait_ms > TOLERANCE_MS else 0

    def _decision(self, is_admitted: bool, reset_ms: float, retry_after_ms: Optional[float]) -> Decision:
        left = (self._window_ms - reset_ms + TOLERANCE_MS) // self._interval_ms
        return Decision(is_admitted, self._burst, self._window_ms, max(0, int(left)), reset_ms, retry_after_ms)

    def _finds_place(self, now_ms: float) -> bool:
        """Whose quota is whole again gives its place up. Two looks for each that comes."""
        for key in list(self._spent_until_ms)[:2]:
            spent_until_ms = self._spent_until_ms.pop(key)
            if spent_until_ms > now_ms:
                self._spent_until_ms[key] = spent_until_ms  # its turn comes again
        return len(self._spent_until_ms) < self._most_keys


def rate_limit_headers(plan: str, decision: Decision) -> Dict[str, str]:
    """The figures as H4 reads them; with nothing left, t is the time until the next is admitted."""
    retry_after_ms = decision.retry_after_ms
    until_ms = decision.reset_ms if decision.remaining > 0 or retry_after_ms is None else retry_after_ms
    headers = {
        "RateLimit-Policy": f'"{plan}";q={decision.burst};w={retry_after_seconds(decision.window_ms)}',
        "RateLimit": f'"{plan}";r={decision.remaining};t={retry_after_seconds(until_ms)}',
    }
    if not decision.is_admitted and retry_after_ms is not None:
        headers["Retry-After"] = str(retry_after_seconds(retry_after_ms))
    return headers
