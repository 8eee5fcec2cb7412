"""A wait as Retry-After states it (I3, I5)."""

from __future__ import annotations

import math

# Less than this is rounding: who comes at the stated moment itself is not early.
TOLERANCE_MS = 0.001


def retry_after_seconds(ms: float) -> int:
    """Whole seconds, rounded up, and at least 1."""
    return max(1, math.ceil((ms - TOLERANCE_MS) / 1_000))
