"""The limit of a data source that could not keep up for twenty minutes (I3)."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from drain_rate import DrainRate
from ingest_config import ABOVE_0, COUNT, FROM_0, FROM_1, Fields, settings_from
from retry_after import TOLERANCE_MS
from saturation_clock import SaturationClock

_FIELDS: Fields = {
    "drain_share": (0.8, ABOVE_0),
    "least_rows_per_second": (1, ABOVE_0),
    "growth": (1.1, FROM_1),
    "healthy_minutes": (10, COUNT),
    "burst_ms": (1_000, FROM_0),
}
_MINUTE_MS = 60_000


class TemporalLimit:
    def __init__(self, **given: Any) -> None:
        self._settings = settings_from(_FIELDS, given)
        self.saturation = SaturationClock()
        self._drained = DrainRate()
        self.rows_per_second: Optional[float] = None  # None: there is no limit
        self._healthy_ms = 0.0
        self._paid_until_ms = 0.0  # when what was admitted will have come, at the limit

    @property
    def healthy_ms(self) -> Optional[float]:
        return None if self.rows_per_second is None else self._healthy_ms

    @property
    def lifted_in_ms(self) -> Optional[float]:
        if self.rows_per_second is None:
            return None
        return self._settings["healthy_minutes"] * _MINUTE_MS - self._healthy_ms

    def drained(self, now_ms: float, rows: float) -> None:
        self._drained.add(now_ms, rows)

    def observe(self, now_ms: float, is_saturated: bool) -> None:
        elapsed_ms, was_saturated = self.saturation.observe(now_ms, is_saturated)
        if self.rows_per_second is None:
            if self.saturation.is_full:
                self._impose(now_ms)
            return
        if not was_saturated:
            self._recover(elapsed_ms)
        if was_saturated or is_saturated:
            self._healthy_ms = 0

    def admit(self, now_ms: float, rows: float) -> float:
        """Takes these rows, and answers 0; or answers in how many ms to ask again."""
        if self.rows_per_second is None:
            return 0
        paid_until_ms = max(now_ms, self._paid_until_ms)
        retry_after_ms = paid_until_ms - now_ms - self._settings["burst_ms"]
        if retry_after_ms >= TOLERANCE_MS:
            return retry_after_ms
        self._paid_until_ms = paid_until_ms + rows * 1_000 / self.rows_per_second
        return 0

    def lift(self) -> None:
        self.rows_per_second = None
        self._healthy_ms = 0
        self.saturation.reset()

    def save(self) -> Dict[str, Any]:
        limit, healthy_ms = self.rows_per_second, self._healthy_ms
        return {"clock_ms": self.saturation.value_ms, "rows_per_second": limit, "healthy_ms": healthy_ms}

    def restore(self, saved: Mapping[str, Any]) -> None:
        self.saturation.value_ms = saved["clock_ms"]
        self.rows_per_second = saved["rows_per_second"]
        self._healthy_ms = saved["healthy_ms"]

    def _impose(self, now_ms: float) -> None:
        limit = self._settings["drain_share"] * self._drained.per_second(now_ms)
        self.rows_per_second = max(self._settings["least_rows_per_second"], limit)
        self._healthy_ms = 0
        self._paid_until_ms = now_ms

    def _recover(self, elapsed_ms: float) -> None:
        before = self._healthy_ms // _MINUTE_MS
        self._healthy_ms += elapsed_ms
        minutes = self._healthy_ms // _MINUTE_MS
        if minutes >= self._settings["healthy_minutes"]:
            self.lift()
        else:
            self.rows_per_second *= self._settings["growth"] ** (minutes - before)
