"""The wait that a server states in its headers (H1 to H5)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Callable, Dict, Optional, Sequence

from failure import Failure
from http_date import http_date_ms
from rate_limit import resets

LONGEST_MS = 2**53 - 1  # H2

_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]+))?")


@dataclass(frozen=True)
class Number:
    """A number of H1: its whole part, and the digits after its point."""

    whole: int
    part: str

    def as_seconds(self) -> int:
        """Seconds turned into milliseconds: exactly, and rounded up (H1)."""
        return self.whole * 1_000 + int(self.part[:3].ljust(3, "0")) + self._rest(3)

    def as_milliseconds(self) -> int:
        return min(self.whole + self._rest(0), LONGEST_MS)

    def _rest(self, place: int) -> int:
        return 1 if self.part[place:].strip("0") else 0


def _number(text: Optional[str]) -> Optional[Number]:
    match = _NUMBER.fullmatch(text.strip(" \t")) if text is not None else None
    if match is None:
        return None
    # H2: whatever has more digits saturates; Python refuses to read more than 4 300.
    whole = match[1].lstrip("0")[:20]
    return Number(int(whole or "0"), match[2] or "")


def _within_longest(ms: int) -> int:
    return min(max(ms, 0), LONGEST_MS)


def whole_ms(text: Optional[str]) -> Optional[int]:
    """Digits only: milliseconds."""
    number = _number(text)
    if number is None or "." in (text or ""):
        return None
    return _within_longest(number.whole)


def _server_now(failure: Failure, wall_ms: int) -> int:
    # H3: a response that comes from a cache was written before its Date.
    date = failure.header("date")
    if date is None or failure.header("age") is not None:
        return wall_ms
    written_ms = http_date_ms(date, wall_ms)
    return wall_ms if written_ms is None else written_ms


def _retry_after_ms(failure: Failure, wall_ms: int) -> Optional[int]:
    return whole_ms(failure.header("retry-after-ms"))


def _retry_after(failure: Failure, wall_ms: int) -> Optional[int]:
    text = failure.header("retry-after")
    if text is None:
        return None
    number = _number(text)
    if number is not None:
        return _within_longest(number.as_seconds())
    server_ms = _server_now(failure, wall_ms)
    date_ms = http_date_ms(text, server_ms)
    return None if date_ms is None else _within_longest(date_ms - server_ms)


def _is_left(count: Optional[str]) -> bool:
    """H4: whether a count says that something is left; one that is not digits only is not 0."""
    return count is not None and whole_ms(count) != 0


def _ratelimit(failure: Failure, wall_ms: int) -> Optional[int]:
    waits = []
    for remaining, reset in resets(failure.header("ratelimit") or ""):
        number = _number(reset)
        if number is not None and not _is_left(remaining):
            waits.append(_within_longest(number.as_seconds()))
    return max(waits, default=None)


def _ratelimit_reset(failure: Failure, wall_ms: int) -> Optional[int]:
    number = _number(failure.header("ratelimit-reset"))
    if number is None or _is_left(failure.header("ratelimit-remaining")):
        return None
    return _within_longest(number.as_seconds())


def _x_ratelimit_reset(failure: Failure, wall_ms: int) -> Optional[int]:
    number = _number(failure.header("x-ratelimit-reset"))
    if number is None or _is_left(failure.header("x-ratelimit-remaining")):
        return None
    if number.whole < 10**9:
        return _within_longest(number.as_seconds())
    epoch_ms = number.as_seconds() if number.whole < 10**12 else number.as_milliseconds()
    return _within_longest(epoch_ms - _server_now(failure, wall_ms))


# H4: in this order, whatever the order in `hints`.
_READERS: Dict[str, Callable[[Failure, int], Optional[int]]] = {
    "retry-after-ms": _retry_after_ms,
    "retry-after": _retry_after,
    "ratelimit": _ratelimit,
    "ratelimit-reset": _ratelimit_reset,
    "x-ratelimit-reset": _x_ratelimit_reset,
}
_ON_EVERY_FAILURE = ("retry-after-ms", "retry-after")


def stated_wait(
    failure: Failure, hints: Sequence[str], is_throttle: bool, wall_ms: int
) -> Optional[int]:
    """Milliseconds that the server asked for, or None. `wall_ms` is epoch milliseconds."""
    for hint, read in _READERS.items():
        if hint in hints and (is_throttle or hint in _ON_EVERY_FAILURE):
            wait_ms = read(failure, wall_ms)
            if wait_ms is not None:
                return wait_ms
    return None
