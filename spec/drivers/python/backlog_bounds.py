"""How much may wait to be written, in bytes, in pieces and in age (I5)."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from ingest_config import ABOVE_0, SHARE, Fields, settings_from

_FIELDS: Fields = {
    "max_source_bytes": (268_435_456, ABOVE_0),
    "max_source_pieces": (100_000, ABOVE_0),
    "max_source_age_ms": (86_400_000, ABOVE_0),
    "max_total_bytes": (4_294_967_296, ABOVE_0),
    "max_total_pieces": (1_000_000, ABOVE_0),
    "max_total_age_ms": (172_800_000, ABOVE_0),
    "max_tenant_share": (0.5, SHARE),
    "max_retry_after_ms": (60_000, ABOVE_0),
}


class Backlog(NamedTuple):
    """What waits, of one data source, its tenant or all, and the bytes a second that were written lately."""

    bytes: float
    drained_per_second: float
    oldest_ms: float = 0
    pieces: float = 0


class Verdict(NamedTuple):
    """202, or a refusal: by which bound, and when to ask again, as far as that helps."""

    status: int
    bound: Optional[str] = None
    retry_after_ms: Optional[float] = None


class Bounds:
    def __init__(self, **given: Any) -> None:
        self._settings = settings_from(_FIELDS, given)

    def judge(
        self, size: float, source: Backlog, total: Backlog, tenant: Optional[Backlog] = None, pieces: float = 0
    ) -> Verdict:
        """Whether so much more may come. Who is over its own bound is told of that one, then of its tenant's."""
        share = self._settings["max_tenant_share"]
        for scope, status, backlog in (("source", 429, source), ("tenant", 429, tenant), ("total", 503, total)):
            if backlog is None:
                continue
            name, part = ("total", share) if scope == "tenant" else (scope, 1)
            most = part * self._settings[f"max_{name}_bytes"]
            most_pieces = part * self._settings[f"max_{name}_pieces"]
            if backlog.bytes + size > most:
                too_much = backlog.bytes + size - most
                retry_after_ms = None if size > most else self._until_drained(too_much, backlog)
                return Verdict(status, f"{scope}_bytes", retry_after_ms)
            if backlog.pieces + pieces > most_pieces:
                if pieces > most_pieces:
                    return Verdict(status, f"{scope}_pieces", None)
                # Pieces drain with the bytes that they have.
                too_many = backlog.pieces + pieces - most_pieces
                their_bytes = too_many * backlog.bytes / backlog.pieces
                return Verdict(status, f"{scope}_pieces", self._until_drained(their_bytes, backlog))
            if scope != "tenant" and backlog.oldest_ms > self._settings[f"max_{scope}_age_ms"]:
                return Verdict(status, f"{scope}_age", self._until_drained(backlog.bytes, backlog))
        return Verdict(202)

    def _until_drained(self, size: float, backlog: Backlog) -> float:
        most_ms = self._settings["max_retry_after_ms"]
        if backlog.drained_per_second <= 0:
            return most_ms
        return min(most_ms, size * 1_000 / backlog.drained_per_second)
