"""A breaker for each data source, none of which knows of another (I2, I8)."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Tuple

from breaker import Breaker, NodeHealth
from ingest_config import ABOVE_0, COUNT, FROM_0, FROM_1, SHARE, Fields, interval_of, settings_from

_FIELDS: Fields = {
    "slow_flushes": (3, COUNT),
    "slow_ratio": (4, FROM_1),
    "baseline_flushes": (5, COUNT),
    "old_intervals": (5, ABOVE_0),
    "parts_share": (0.5, ABOVE_0),
    "hold_ms": (60_000, ABOVE_0),
    "hold_jitter": (0.1, SHARE),
    "ping_ratio": (4, FROM_1),
    "resource_error_ms": (10_000, FROM_0),
    "probe_timeout_ms": (60_000, ABOVE_0),
    "max_holds": (3, COUNT),
    "better_ratio": (0.8, SHARE),
    "max_keys": (10_000, COUNT),
}


class KeyedBreaker:
    def __init__(self, draw: Callable[[], float], flush_interval_ms: Any = 1_000, **given: Any) -> None:
        self._draw = draw
        self._interval_of = interval_of(flush_interval_ms)
        self._settings = settings_from(_FIELDS, given)
        self._breakers: Dict[str, Breaker] = {}  # in the order of their last use

    @property
    def size(self) -> int:
        return len(self._breakers)

    def flushed(self, now_ms: float, key: str, took_ms: float) -> None:
        """A flush was written, or was waited for so long in vain."""
        self._used(key).flushed(now_ms, took_ms, self._interval_of(key))
        self._forget()

    def failed(self, now_ms: float, key: str) -> None:
        self._used(key).failed(now_ms)
        self._forget()

    def aged(self, now_ms: float, key: str, oldest_ms: float) -> None:
        self._used(key).aged(now_ms, oldest_ms, self._interval_of(key))
        self._forget()

    def parts(self, now_ms: float, key: str, active: int, delay_at: int) -> None:
        self._used(key).parts(now_ms, active, delay_at)
        self._forget()

    def may_flush(self, now_ms: float, key: str, node: NodeHealth) -> bool:
        return self.read(key).may_flush(now_ms, node)

    def read(self, key: str) -> Breaker:
        """The breaker of a key; of one that is not known a new one, which is not remembered."""
        return self._breakers.get(key) or self._new()

    def save(self, now_ms: float) -> List[Tuple[str, Dict[str, Any]]]:
        return [(key, breaker.save(now_ms)) for key, breaker in self._breakers.items()]

    def restore(self, now_ms: float, saved: List[Tuple[str, Mapping[str, Any]]]) -> None:
        for key, one in saved:
            self._used(key).restore(now_ms, one)

    def _new(self) -> Breaker:
        return Breaker(self._settings, self._draw)

    def _used(self, key: str) -> Breaker:
        self._breakers[key] = self._breakers.pop(key, None) or self._new()
        return self._breakers[key]

    def _forget(self) -> None:
        """Above the most keys the one unused for longest goes, a saturated one only where there is no other."""
        if len(self._breakers) <= self._settings["max_keys"]:
            return
        quiet = (key for key, breaker in self._breakers.items() if not breaker.is_saturated)
        del self._breakers[next(quiet, None) or next(iter(self._breakers))]
