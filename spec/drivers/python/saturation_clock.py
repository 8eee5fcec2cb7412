"""How long a data source has been unable to keep up (I3)."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ingest_config import ABOVE_0, FROM_0, Fields, settings_from

_FIELDS: Fields = {
    "full_ms": (1_200_000, ABOVE_0),
    "recovery_rate": (0.5, FROM_0),
    "max_gap_ms": (10_000, ABOVE_0),
}


class Observed(NamedTuple):
    """The time since the observation before, and what that one said."""

    elapsed_ms: float
    was_saturated: bool


class SaturationClock:
    def __init__(self, **given: Any) -> None:
        self._settings = settings_from(_FIELDS, given)
        self.value_ms = 0.0
        self._is_saturated = False
        self._observed_ms: Optional[float] = None

    @property
    def is_full(self) -> bool:
        return self.value_ms >= self._settings["full_ms"]

    def observe(self, now_ms: float, is_saturated: bool) -> Observed:
        was_saturated = self._is_saturated
        elapsed_ms = 0 if self._observed_ms is None else now_ms - self._observed_ms
        if elapsed_ms > self._settings["max_gap_ms"]:
            elapsed_ms = 0  # nobody looked
        rate = 1 if was_saturated else -self._settings["recovery_rate"]
        self.value_ms = max(0, self.value_ms + rate * elapsed_ms)
        self._is_saturated = is_saturated
        self._observed_ms = now_ms
        return Observed(elapsed_ms, was_saturated)

    def reset(self) -> None:
        self.value_ms = 0
