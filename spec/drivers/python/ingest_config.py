"""The settings of the state machines of ingest protection, checked when one is built (R17)."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, Mapping, NamedTuple, Tuple

from policy import PolicyError, integer


class IngestConfigError(PolicyError):
    """A field of a config that is refused. `field` is its name, `value` what it held."""

    what = "config"


class Kind(NamedTuple):
    """What a field may hold."""

    says: str
    fits: Callable[[Any], bool]


def _number(says: str, fits: Callable[[float], bool]) -> Kind:
    return Kind(says, lambda value: type(value) in (int, float) and math.isfinite(value) and fits(value))


ABOVE_0 = _number("a number above 0", lambda value: value > 0)
FROM_0 = _number("a number from 0", lambda value: value >= 0)
FROM_1 = _number("a number from 1", lambda value: value >= 1)
SHARE = _number("a number from 0 to 1", lambda value: 0 <= value <= 1)
COUNT = Kind("an integer from 1", lambda value: (integer(value) or 0) >= 1)

# A field's default, and what it may hold.
Fields = Mapping[str, Tuple[float, Kind]]


def settings_from(fields: Fields, given: Mapping[str, Any]) -> Dict[str, float]:
    """The defaults with the fields of `given` in place of their own.

    Raises IngestConfigError for the first field that is unknown or out of range.
    """
    for name, value in given.items():
        if name not in fields:
            raise IngestConfigError(name, value, f"no such field; there are {', '.join(fields)}")
        checked(name, value, fields[name][1])
    return {**{name: default for name, (default, _) in fields.items()}, **given}


def checked(name: str, value: Any, kind: Kind) -> Any:
    if not kind.fits(value):
        raise IngestConfigError(name, value, f"give {kind.says}")
    return value


def interval_of(value: Any) -> Callable[[str], float]:
    """I1: one flush interval for all data sources, or one for each."""
    if isinstance(value, Mapping):
        for each in value.values():
            checked("flush_interval_ms", each, ABOVE_0)
        return lambda source: value[source]
    checked("flush_interval_ms", value, ABOVE_0)
    return lambda source: value
