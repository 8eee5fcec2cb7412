"""What owners are told, once (I7)."""

from __future__ import annotations

from collections import deque
from typing import Any, Callable, Deque, Dict, List, NamedTuple, Optional, Tuple

from ingest_config import COUNT, Fields, settings_from

_FIELDS: Fields = {"max_notices": (1_000, COUNT)}
FLOWING = "flowing"


class Notice(NamedTuple):
    id: int
    at_ms: float
    source: str
    state: str
    before: str
    reason: str
    until_ms: Optional[float]


class Notices:
    def __init__(self, listener: Callable[[Notice], None], **given: Any) -> None:
        most = settings_from(_FIELDS, given)["max_notices"]
        self._listener = listener
        self._kept: Deque[Notice] = deque(maxlen=int(most))
        self._last_id = 0
        self._states: Dict[str, Tuple[str, str]] = {}  # of those that do not flow, with why

    def set(self, now_ms: float, source: str, state: str, reason: str, for_ms: Optional[float]) -> Optional[Notice]:
        """How a data source is now; None: as it was, and nobody is told."""
        before, why = self._states.get(source, (FLOWING, reason))
        if before == state:
            return None
        until_ms = None if for_ms is None else now_ms + for_ms
        if state == FLOWING:
            del self._states[source]
            reason, until_ms = why, None  # what it recovered from
        else:
            self._states[source] = (state, reason)
        self._last_id += 1
        notice = Notice(self._last_id, now_ms, source, state, before, reason, until_ms)
        self._kept.append(notice)
        self._listener(notice)
        return notice

    def list(self, after: int = 0) -> Tuple[List[Notice], bool]:
        """Those that are kept after a number, and whether none of them is gone."""
        oldest = self._kept[0].id if self._kept else self._last_id + 1
        return [notice for notice in self._kept if notice.id > after], after + 1 >= oldest
