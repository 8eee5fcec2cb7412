"""A call that asks for a slot, and the queue of those that wait (L12, L13)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterator, List, Optional


@dataclass(eq=False)
class WaitingCall:
    """One call that asks for a slot. A retry asks anew, with the place that it had."""

    cap_ms: Optional[float] = None  # how long it can be held; None: as long as it takes
    ends_ms: float = math.inf  # its deadline
    place: Optional[int] = None  # L12: given when it first asks, and kept by its retries
    held_ms: float = 0  # the holds that it met, to their ends
    since_ms: float = 0  # when it asked, holds left out
    expires_ms: float = math.inf  # L13: when its time in the queue is over
    waited_ms: float = 0  # L19: for the slot that it has
    moment_ms: Optional[float] = None  # L10: when it may start after a hold; None: it is not among those

    def meet_hold(self, longer_ms: float, until_ms: float) -> bool:
        """A hold begins or grows by so much; answers whether this call can be held until its end."""
        self.held_ms += longer_ms
        self.since_ms += longer_ms  # L10: held time is not queue time
        self.expires_ms += longer_ms
        return (self.cap_ms is None or self.held_ms <= self.cap_ms) and until_ms <= self.ends_ms


class WaitingQueue:
    """Calls in the order of their places."""

    def __init__(self) -> None:
        self._calls: List[WaitingCall] = []
        self._places = 0
        # L10: the end of a hold; how many it planned, how many follow, and how many of those have started, or left
        self._pace_from_ms: float = 0
        self._planned, self._paced, self._passed = 1, 0, 0

    def __len__(self) -> int:
        return len(self._calls)

    def __iter__(self) -> Iterator[WaitingCall]:
        """Over a copy: calls may leave meanwhile."""
        return iter(list(self._calls))

    def add(self, call: WaitingCall) -> None:
        if call.place is None:
            self._places += 1
            call.place = self._places
        at = len(self._calls)
        while at > 0 and (self._calls[at - 1].place or 0) > call.place:
            at -= 1
        self._calls.insert(at, call)

    def remove(self, call: WaitingCall) -> bool:
        if call not in self._calls:
            return False
        if not any(each.moment_ms is not None for each in self._calls) and self._passed < self._paced:
            self._passed += 1
        self._calls.remove(call)
        call.moment_ms = None
        if not self._calls:
            self._paced = 0
        return True

    def next(self, now_ms: float) -> Optional[WaitingCall]:
        """Who may start next: of those that a hold's end planned the first, if its moment has come."""
        for call in self._calls:
            if call.moment_ms is not None:
                return call if call.moment_ms <= now_ms else None
        return self._calls[0] if self._calls and self.pace_ms <= now_ms else None

    @property
    def pace_ms(self) -> float:
        """When the next may start who had no moment of its own."""
        if self._passed >= self._paced:
            return -math.inf
        rate = max(self._planned, self._paced)
        parts = 1_000 * ((self._planned - 1) * rate + (self._passed + 1) * self._planned)
        return self._pace_from_ms - (-parts // (self._planned * rate))  # rounded up

    def plan(self, end_ms: float, limit: int) -> None:
        """L10: a hold ends, and those that wait start one by one within a second."""
        n = min(len(self._calls), limit)
        for i, call in enumerate(self._calls[:n]):
            call.moment_ms = end_ms + (i * 1_000 + n - 1) // n  # ceil(i · 1000 / n)
        self._pace_from_ms, self._planned, self._paced, self._passed = end_ms, n, len(self._calls) - n, 0

    def forget_plan(self) -> None:
        self._paced = 0
        for call in self._calls:
            call.moment_ms = None
