"""Events per data source, written with one insert a partition (I1)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ingest_config import COUNT, FROM_1, Fields, interval_of, settings_from

_FIELDS: Fields = {"max_rows": (10_000, COUNT), "max_bytes": (8_388_608, FROM_1)}


class Flush(NamedTuple):
    """One insert."""

    source: str
    partition: str
    rows: List[Any]
    bytes: int


class _Gathered:
    """What one data source has gathered since its interval began."""

    def __init__(self, due_ms: float) -> None:
        self.due_ms = due_ms
        self.rows = 0
        self.bytes = 0
        self.partitions: Dict[str, Tuple[List[Any], List[int]]] = {}

    def add(self, partition: str, row: Any, size: int) -> None:
        rows, sizes = self.partitions.setdefault(partition, ([], []))
        rows.append(row)
        sizes.append(size)
        self.rows += 1
        self.bytes += size


class Gatherer:
    """It sets no timer: `next_due_ms` says when to ask for what is due."""

    def __init__(self, flush_interval_ms: Any = 1_000, **given: Any) -> None:
        self._interval_of = interval_of(flush_interval_ms)
        self._settings: Mapping[str, float] = settings_from(_FIELDS, given)
        self._gathered: Dict[str, _Gathered] = {}

    def add(self, now_ms: float, source: str, partition: str, row: Any, size: int) -> List[Flush]:
        """One event; answers what is to be written at once, since it is much."""
        if source not in self._gathered:
            self._gathered[source] = _Gathered(now_ms + self._interval_of(source))
        gathered = self._gathered[source]
        gathered.add(partition, row, size)
        if gathered.rows >= self._settings["max_rows"] or gathered.bytes >= self._settings["max_bytes"]:
            return self.flush(source)
        return []

    def due(self, now_ms: float) -> List[Flush]:
        """What is to be written because its interval is over, what was due first coming first."""
        over = [(gathered.due_ms, source) for source, gathered in self._gathered.items() if gathered.due_ms <= now_ms]
        over.sort(key=lambda each: each[0])
        return [flush for _, source in over for flush in self.flush(source)]

    def next_due_ms(self) -> Optional[float]:
        return min((gathered.due_ms for gathered in self._gathered.values()), default=None)

    def flush(self, source: str) -> List[Flush]:
        """All of one data source, whether it is due or not."""
        gathered = self._gathered.pop(source, None)
        if gathered is None:
            return []
        return [Flush(source, partition, rows, sum(sizes)) for partition, (rows, sizes) in gathered.partitions.items()]

    def flush_all(self) -> List[Flush]:
        return [flush for source in list(self._gathered) for flush in self.flush(source)]
