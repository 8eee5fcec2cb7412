"""How much may wait to be written, in bytes and in age (I5)."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ingest_config import ABOVE_0, Fields, settings_from

_FIELDS: Fields = {
    "max_source_bytes": (268_435_456, ABOVE_0),
    "max_source_age_ms": (86_400_000, ABOVE_0),
    "max_total_bytes": (4_294_967_296, ABOVE_0),
    "max_total_age_ms": (172_800_000, ABOVE_0),
    "max_retry_after_ms": (60_000, ABOVE_0),
}


class Backlog(NamedTuple):
    """What waits, of one data source or of all, and the bytes a second that were written lately."""

    bytes: float
    oldest_ms: float
    drained_per_second: float


class Verdict(NamedTuple):
    """202, or a refusal: by which bound, and when to ask again, as far as that helps."""

    status: int
    bound: Optional[str] = None
    retry_after_ms: Optional[float] = None


class Bounds:
    def __init__(self, **given: Any) -> None:
        self._settings = settings_from(_FIELDS, given)

    def judge(self, size: float, source: Backlog, total: Backlog) -> Verdict:
        """Whether so many bytes more may come. Who is over its own bound is told of that one."""
        for scope, status, backlog in (("source", 429, source), ("total", 503, total)):
            most, oldest_ms = self._settings[f"max_{scope}_bytes"], self._settings[f"max_{scope}_age_ms"]
            if backlog.bytes + size > most:
                too_much = backlog.bytes + size - most
                retry_after_ms = None if size > most else self._until_drained(too_much, backlog)
                return Verdict(status, f"{scope}_bytes", retry_after_ms)
            if backlog.oldest_ms > oldest_ms:
                return Verdict(status, f"{scope}_age", self._until_drained(backlog.bytes, backlog))
        return Verdict(202)

    def _until_drained(self, size: float, backlog: Backlog) -> float:
        most_ms = self._settings["max_retry_after_ms"]
        if backlog.drained_per_second <= 0:
            return most_ms
        return min(most_ms, size * 1_000 / backlog.drained_per_second)
