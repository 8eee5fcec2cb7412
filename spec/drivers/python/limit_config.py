"""The settings of a limiter, checked when it is built (R17)."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Mapping, NamedTuple, Optional

from policy import MOST, PolicyError, integer


class Prior(NamedTuple):
    """What is known before the first window (L17)."""

    p90_ms: float
    windows: int


@dataclass(frozen=True)
class LimitConfig:
    """A checked config. All times are milliseconds; make one with `limit_config_from`."""

    controller: str = "knee"
    max_concurrent: int = 35
    floor: Optional[int] = None
    window_ms: int = 10_000
    min_samples: int = 50
    warmup_windows: int = 30
    smoothing_time_constant_ms: float = 20_000
    smoothing_samples: int = 1_200
    baseline_time_constant_ms: float = 86_400_000
    backoff_ratio: float = 1.2
    recovery_ratio: float = 1.1
    decrease_factor: float = 0.75
    overdraft_ms: int = 120_000
    shedding: bool = True
    max_freeze_ms: int = 21_600_000
    max_hold_ms: int = 60_000
    max_queue: int = 500
    queue_timeout_ms: int = 10_000
    latency_control: bool = True
    shadow: bool = False
    prior: Optional[Prior] = None
    expected_p90_ms: Optional[float] = None
    backend_id: str = ""

    @property
    def known(self) -> Optional[Prior]:
        """What is known before the first window: an expectation counts as a warm-up, and no more."""
        if self.prior is None and self.expected_p90_ms is not None:
            return Prior(self.expected_p90_ms, 0)
        return self.prior

    @property
    def lowest_latency_ceiling(self) -> int:
        return self.floor if self.floor is not None else max(1, self.max_concurrent // 2)


class LimitConfigError(PolicyError):
    """A field of a config that is refused. `field` is its name, `value` what it held."""

    what = "config"


_LEAST = {
    "max_concurrent": 1,
    "floor": 1,
    "window_ms": 1,
    "min_samples": 1,
    "warmup_windows": 0,
    "smoothing_samples": 0,
    "overdraft_ms": 0,
    "max_freeze_ms": 0,
    "max_hold_ms": 0,
    "max_queue": 0,
    "queue_timeout_ms": 1,
}


# L6: other defaults of the stepped ceiling.
_WINDOWED: Mapping[str, Any] = {
    "smoothing_time_constant_ms": 60_000,
    "smoothing_samples": 0,
    "backoff_ratio": 1.4,
    "recovery_ratio": 1.2,
}


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _count(name: str, value: Any, least: int) -> int:
    number = integer(value)
    if number is None or number < least:
        raise LimitConfigError(name, value, f"give an integer from {least} to {MOST}")
    return number


def _prior(value: Any) -> Optional[Prior]:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"p90_ms", "windows"}:
        raise LimitConfigError("prior", value, "give p90_ms and windows, or null")
    if not _is_number(value["p90_ms"]) or value["p90_ms"] <= 0:
        raise LimitConfigError("prior", value, "give a p90_ms above 0")
    return Prior(value["p90_ms"], _count("prior.windows", value["windows"], 0))


def _checked(name: str, value: Any) -> Any:
    if name in ("floor", "expected_p90_ms") and value is None:
        return None
    if name in _LEAST:
        return _count(name, value, _LEAST[name])
    if name == "controller":
        if value not in ("knee", "windowed"):
            raise LimitConfigError(name, value, "give knee or windowed")
        return value
    if name in ("latency_control", "shadow", "shedding"):
        if type(value) is not bool:
            raise LimitConfigError(name, value, "give true or false")
        return value
    if name == "prior":
        return _prior(value)
    if name == "backend_id":
        if not isinstance(value, str):
            raise LimitConfigError(name, value, "give a string")
        return value
    if name not in (field.name for field in fields(LimitConfig)):
        known = ", ".join(field.name for field in fields(LimitConfig))
        raise LimitConfigError(name, value, f"no such field; there are {known}")
    if not _is_number(value) or value <= 0:
        raise LimitConfigError(name, value, "give a number above 0")
    return value


def limit_config_from(given: Mapping[str, Any]) -> LimitConfig:
    """The defaults with the fields of `given` in place of their own.

    Raises LimitConfigError for the first field that is unknown or out of range.
    """
    checked = {name: _checked(name, value) for name, value in given.items()}
    defaults = _WINDOWED if checked.get("controller") == "windowed" else {}
    config = LimitConfig(**{**defaults, **checked})
    if config.floor is not None and config.floor > config.max_concurrent:
        raise LimitConfigError("floor", config.floor, "give at most max_concurrent")
    if config.recovery_ratio < 1:
        raise LimitConfigError("recovery_ratio", config.recovery_ratio, "give a number from 1")
    if config.backoff_ratio < config.recovery_ratio:
        raise LimitConfigError("backoff_ratio", config.backoff_ratio, "give at least recovery_ratio")
    if config.decrease_factor >= 1:
        raise LimitConfigError("decrease_factor", config.decrease_factor, "give a number below 1")
    return config
