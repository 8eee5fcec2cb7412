"""What a call and a limiter say to each other (L2, L10, L12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Protocol


@dataclass(frozen=True)
class Ask:
    """Ask for a slot. The call can be held for `cap_ms`; its deadline is in `left_ms`, None is none."""

    cap_ms: float
    left_ms: Optional[float]


@dataclass(frozen=True)
class Refused:
    """There is no slot: `queue_full`, `queue_timeout`, or `held` with the rest of the hold."""

    reason: str
    retry_after_ms: Optional[float]


class Slot(Protocol):
    """The right of one attempt to be in flight."""

    held_ms: float  # how long the call was held for it

    def sample(self, latency_ms: float, timed_out: bool = False) -> None:
        """The attempt succeeded after so long, or timed out."""

    def throttled(self, stated_ms: Optional[float]) -> None: ...

    def release(self) -> None: ...


class _NoSlot:
    held_ms: float = 0

    def sample(self, latency_ms: float, timed_out: bool = False) -> None:
        """Nobody asks."""

    def throttled(self, stated_ms: Optional[float]) -> None:
        """Nobody asks."""

    def release(self) -> None:
        """Nobody waits for it."""


NO_SLOT = _NoSlot()  # of a call without a limiter
