"""The options of a policy, checked when it is built (R17)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Callable, Mapping, Optional, Tuple

HINTS = ("retry-after-ms", "retry-after", "ratelimit", "ratelimit-reset", "x-ratelimit-reset")


@dataclass(frozen=True)
class Policy:
    """A checked policy. All times are milliseconds; make one with `policy_from`."""

    max_attempts: int = 4
    base_ms: int = 250
    per_attempt_cap_ms: int = 10_000
    total_cap_ms: int = 30_000
    deadline_ms: Optional[int] = None
    attempt_timeout_ms: Optional[int] = None
    body_idle_ms: Optional[int] = None
    max_replay_bytes: int = 1_048_576
    stated_jitter_ms: int = 0
    throttle_statuses: Tuple[int, ...] = (429,)
    transient_statuses: Tuple[int, ...] = (502, 503, 504)
    retry_transient_idempotent: bool = True
    hints: Tuple[str, ...] = HINTS
    throttle_budget_ms: Optional[int] = None
    throttle_default_wait_ms: int = 1_000
    transient_retries: int = 2
    transient_base_ms: int = 100
    transient_jitter_ms: int = 50
    # R4: classify(failure) answers a failure.Verdict, or None for "no opinion".
    classify: Optional[Callable[..., Any]] = None


class PolicyError(ValueError):
    """A field of a policy that is refused. `field` is its name, `value` what it held."""

    what = "policy"  # as the tables name it

    def __init__(self, field: str, value: Any, remedy: str) -> None:
        super().__init__(f"{self.what} field {field!r} is {value!r}: {remedy}")
        self.field = field
        self.value = value


MOST = 2**53 - 1

_LEAST = {
    "max_attempts": 1,
    "base_ms": 0,
    "per_attempt_cap_ms": 0,
    "total_cap_ms": 0,
    "deadline_ms": 1,
    "attempt_timeout_ms": 1,
    "body_idle_ms": 1,
    "max_replay_bytes": 0,
    "stated_jitter_ms": 0,
    "throttle_budget_ms": 0,
    "throttle_default_wait_ms": 1,
    "transient_retries": 0,
    "transient_base_ms": 0,
    "transient_jitter_ms": 0,
}
_MAY_BE_NULL = ("deadline_ms", "attempt_timeout_ms", "body_idle_ms", "throttle_budget_ms")
_STATUSES = ("throttle_statuses", "transient_statuses")


def integer(value: Any) -> Optional[int]:
    """`value` where it is a whole number that JSON can hold exactly, or else None."""
    # JSON has one kind of number: 4 and 4.0 are the same, and true is none.
    if type(value) not in (int, float) or not abs(value) <= MOST:
        return None
    return int(value) if value == int(value) else None


def _number_field(name: str, value: Any) -> Optional[int]:
    if value is None and name in _MAY_BE_NULL:
        return None
    number = integer(value)
    least = _LEAST[name]
    if number is None or number < least:
        or_null = " or null" if name in _MAY_BE_NULL else ""
        raise PolicyError(name, value, f"give an integer from {least} to {MOST}{or_null}")
    return number


def _status_field(name: str, value: Any) -> Tuple[int, ...]:
    statuses = [integer(item) for item in value] if isinstance(value, (list, tuple)) else [None]
    if any(status is None or not 100 <= status <= 599 for status in statuses):
        raise PolicyError(name, value, "give a list of integers from 100 to 599")
    return tuple(status for status in statuses if status is not None)


def _hints_field(value: Any) -> Tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or any(item not in HINTS for item in value):
        raise PolicyError("hints", value, f"give a list of names among {', '.join(HINTS)}")
    return tuple(value)


def _checked(name: str, value: Any) -> Any:
    if name in _LEAST:
        return _number_field(name, value)
    if name in _STATUSES:
        return _status_field(name, value)
    if name == "hints":
        return _hints_field(value)
    if name == "retry_transient_idempotent":
        if type(value) is not bool:
            raise PolicyError(name, value, "give true or false")
        return value
    if name == "classify":
        if value is not None and not callable(value):
            raise PolicyError(name, value, "give a function")
        return value
    known = ", ".join(field.name for field in fields(Policy))
    raise PolicyError(name, value, f"no such field; there are {known}")


def policy_from(given: Mapping[str, Any], base: Policy = Policy()) -> Policy:
    """The policy `base` with the fields of `given` in place of its own.

    Raises PolicyError for the first field that is unknown or out of range (R17).
    """
    return replace(base, **{name: _checked(name, value) for name, value in given.items()})
