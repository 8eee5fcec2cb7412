"""HTTP-dates, as RFC 9110 §5.6.7 has them and no others (H1, H3)."""

from __future__ import annotations

import re
from typing import Optional

# Not datetime: it ends at the year 9999, and a date may lie 50 years after that.

_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_LONG_DAY = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)"
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_TIME = "(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_FORMS = (
    re.compile(f"{_DAY}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"),
    re.compile(f"{_LONG_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"),
    re.compile(f"{_DAY} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"),
)


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01, in the Gregorian calendar."""
    # Counted from March, so that a leap day is the last of its year.
    shifted = year - 1 if month <= 2 else year
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400 + of_year - 719_468


def _exists(year: int, month: int, day: int) -> bool:
    next_month = _days(year + month // 12, month % 12 + 1, 1)
    return day >= 1 and _days(year, month, day) < next_month


def _year_of(days: int) -> int:
    year = 1970 + days * 400 // 146_097
    while _days(year + 1, 1, 1) <= days:
        year += 1
    while _days(year, 1, 1) > days:
        year -= 1
    return year


def _fifty_years_after(seconds: int) -> int:
    days = seconds // 86_400
    year = _year_of(days)
    month = 12
    while _days(year, month, 1) > days:
        month -= 1
    day = days - _days(year, month, 1) + 1
    return _days(year + 50, month, day) * 86_400 + seconds % 86_400


def http_date_ms(text: str, reference_ms: int) -> Optional[int]:
    """The moment of an HTTP-date in epoch milliseconds, or None where it is malformed.

    `reference_ms` is what a year of two digits is completed by (H3).
    """
    match = next((found for form in _FORMS if (found := form.fullmatch(text))), None)
    if match is None:
        return None
    month = _MONTHS.index(match["month"]) + 1
    day, hour = int(match["day"]), int(match["hour"])
    minute, second = int(match["minute"]), int(match["second"])
    # RFC 9110 §5.6.7: a leap second, in any minute; the same moment as second 0 of the next.
    if hour > 23 or minute > 59 or second > 60:
        return None
    of_day = hour * 3_600 + minute * 60 + second
    year = int(match["year"])
    if len(match["year"]) == 2:
        latest = _fifty_years_after(reference_ms // 1_000)
        year += _year_of(latest // 86_400) // 100 * 100
        if _days(year, month, day) * 86_400 + of_day > latest:
            year -= 100
    if not _exists(year, month, day):
        return None
    return (_days(year, month, day) * 86_400 + of_day) * 1_000
