"""HTTP-dates, and whose clock they are compared with: H1 and H3."""

from __future__ import annotations

from wrong import Fault

_GMT = '{_TIME} GMT"),\n    re.compile(f"{_LONG'
_IMF = 're.compile(f"{_DAY}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) '
_RFC850 = 'f"{_LONG_DAY}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"'
_ASCTIME = 'f"{_DAY} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"'
_RANGES = "if hour > 23 or minute > 59 or second > 60:"
_EXISTS = "return day >= 1 and _days(year, month, day) < next_month"
_DAY_OF = "    if not _exists(year, month, day):"
_LATEST = "latest = _fifty_years_after(reference_ms // 1_000)"
_CENTURY = "year += _year_of(latest // 86_400) // 100 * 100"
_IS_LATER = "if _days(year, month, day) * 86_400 + of_day > latest:"
_NEVER = "(?!)"
_NO_DATE = "    return None if date_ms is None else _within_longest(date_ms - server_ms)"
_HAS_DATE = 'if date is None or failure.header("age") is not None:'
_WRITTEN = "return wall_ms if written_ms is None else written_ms"
_READ = "date_ms = http_date_ms(text, server_ms)"


def _also(read: str) -> tuple:
    """What a more lenient parser makes of a malformed date."""
    return ("stated_wait", _NO_DATE, f"    if date_ms is None:\n        try:\n            date_ms = {read}\n"
            f"        except (ValueError, TypeError, IndexError):\n            pass\n{_NO_DATE}")


FAULTS = [
    Fault("H1", "date-parse", "A lenient date parser reads what is no HTTP-date: other zones, other widths.", [
        ("stated_wait", "import re\n", "import email.utils\nimport re\n"),
        _also("int(email.utils.parsedate_to_datetime(text).timestamp() * 1_000)")]),
    Fault("H1", "iso-date", "An ISO 8601 date is read.", [
        ("stated_wait", "import re\n", "import datetime\nimport re\n"),
        _also('int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000)')]),
    Fault("H1", "utc-is-gmt", "UTC stands for GMT.", [("http_date", _GMT, _GMT.replace("GMT", "(?:GMT|UTC)"))]),
    Fault("H1", "no-zone-is-gmt", "A date without a zone means GMT.", [
        ("http_date", _GMT, _GMT.replace(" GMT", "(?: GMT)?"))]),
    Fault("H1", "dates-in-any-case", "gmt, jan and thu are as good.", [
        ("stated_wait", _READ, "date_ms = http_date_ms(text.title().replace('Gmt', 'GMT'), server_ms)")]),
    Fault("H1", "date-of-any-day", "What stands for the day of the week is not read.", [
        ("http_date", '"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"', '"(?:[A-Z][a-z][a-z])"')]),
    Fault("H1", "date-day-compared", "A date whose day of the week is another one is malformed.", [
        ("http_date", _DAY_OF, '    if text[:3] != "ThuFriSatSunMonTueWed"[_days(year, month, day) % 7 * 3 :][:3]:\n'
         f"        return None\n{_DAY_OF}")]),
    Fault("H1", "no-rfc850-date", "An rfc850-date is malformed.", [("http_date", _RFC850, f'f"{_NEVER}"')]),
    Fault("H1", "no-asctime-date", "An asctime-date is malformed.", [("http_date", _ASCTIME, f'f"{_NEVER}"')]),
    Fault("H1", "date-of-any-width", "One digit is enough for a day and an hour.", [
        ("http_date", "(?P<hour>[0-9]{2})", "(?P<hour>[0-9]{1,2})"),
        ("http_date", _IMF, _IMF.replace("<day>[0-9]{{2}}", "<day>[0-9]{{1,2}}"))]),
    Fault("H1", "date-rolls-over", "30 Feb is 2 March.", [("http_date", _EXISTS, "return 1 <= day <= 31")]),
    Fault("H1", "date-of-every-fourth-year", "2100 is a leap year.", [
        ("http_date", _EXISTS, f"return (month, day, year % 4) == (2, 29, 0) or {_EXISTS[7:]}")]),
    Fault("H1", "second-60-malformed", "Second 60 is malformed.", [
        ("http_date", _RANGES, _RANGES.replace("60", "59"))]),
    Fault("H1", "second-61-valid", "Second 61 is valid.", [("http_date", _RANGES, _RANGES.replace("60", "61"))]),
    Fault("H1", "hour-24-valid", "24:00:00 is valid.", [("http_date", _RANGES, _RANGES.replace("23", "24"))]),
    Fault("H1", "minute-60-valid", "Minute 60 is valid.", [("http_date", _RANGES, _RANGES.replace("59", "60"))]),

    Fault("H3", "own-clock", "A date is compared with the wall clock, whatever Date says.", [
        ("stated_wait", _HAS_DATE, "if True:")]),
    Fault("H3", "server-clock-only", "Without a valid Date a date counts for nothing: 0.", [
        ("stated_wait", "    if date is None or", "    if date is None:\n        return 2**53\n    if")]),
    Fault("H3", "age-ignored", "Date is believed though the response comes from a cache.", [
        ("stated_wait", _HAS_DATE, "if date is None:")]),
    Fault("H3", "age-0-ignored", "Age: 0 is as good as none.", [
        ("stated_wait", _HAS_DATE, 'if date is None or failure.header("age") not in (None, "0"):')]),
    Fault("H3", "clock-at-the-begin", "The wall clock is read when the call begins.", [
        ("call", "    began_ms = clock.monotonic_ms()\n",
         "    began_ms = clock.monotonic_ms()\n    wall_ms = clock.wall_ms()\n"),
        ("call", "wall_ms=clock.wall_ms(),", "wall_ms=wall_ms,")]),
    Fault("H3", "whole-seconds", "A difference is cut to whole seconds: too early.", [
        ("stated_wait", _NO_DATE, _NO_DATE.replace("date_ms - server_ms", "(date_ms - server_ms) // 1_000 * 1_000"))]),
    Fault("H3", "past-is-absent", "A date in the past is as good as absent.", [
        ("stated_wait", _NO_DATE, _NO_DATE.replace("date_ms is None", "date_ms is None or date_ms < server_ms"))]),
    Fault("H3", "past-is-positive", "A date in the past is taken for one as far ahead.", [
        ("stated_wait", _NO_DATE, _NO_DATE.replace("date_ms - server_ms", "abs(date_ms - server_ms)"))]),
    Fault("H3", "invalid-date-is-absent", "An invalid Date makes a date in Retry-After malformed.", [
        ("stated_wait", _WRITTEN, "return 2**60 if written_ms is None else written_ms")]),
    Fault("H3", "years-of-this-century", "A year of two digits is one of this century.", [
        ("http_date", _IS_LATER, "if False:"), ("http_date", _CENTURY, "year += 2000")]),
    Fault("H3", "years-by-posix", "69 to 99 are of the last century, 00 to 68 of this one.", [
        ("http_date", _IS_LATER, "if year > 2068:"), ("http_date", _CENTURY, "year += 2000")]),
    Fault("H3", "years-by-the-wall-clock", "A year of two digits is near the wall clock's, and not near Date's.", [
        ("stated_wait", _READ, "date_ms = http_date_ms(text, wall_ms)")]),
    Fault("H3", "years-by-the-year", "Fifty years are counted in calendar years.", [
        ("http_date", _IS_LATER, "if year > _year_of(latest // 86_400):")]),
    Fault("H3", "years-by-the-day", "Fifty years are counted in days.", [
        ("http_date", _IS_LATER, "if _days(year, month, day) > latest // 86_400:")]),
    Fault("H3", "years-by-the-nearest", "A year of two digits is the nearest one.", [
        ("http_date", _LATEST, "latest = _fifty_years_after(reference_ms // 1_000)\n"
         "        latest -= 2 * 86_400 * 365")]),
    Fault("H3", "leap-day-before-the-century", "Whether the year has such a day is asked of the wrong century.", [
        ("http_date", _IS_LATER, f"if not _exists(year, month, day):\n            return None\n        {_IS_LATER}")]),
    Fault("H3", "leap-day-of-an-earlier-century", "A year that has no such day is passed over for one that has.", [
        ("http_date", _IS_LATER, f"if not _exists(year, month, day) or {_IS_LATER[3:]}")]),
    Fault("H3", "fifty-years-after-leap-day", "Fifty years after 29 February is 28 February.", [
        ("http_date", "return _days(year + 50, month, day)",
         "return _days(year + 50, month, min(day, 28) if month == 2 else day)")]),
]
