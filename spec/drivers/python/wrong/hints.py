"""Several headers that state a wait, and what is told of it: H4 and H5."""

from __future__ import annotations

from wrong import Fault

_MS = '    "retry-after-ms": _retry_after_ms,\n'
_RETRY_AFTER = '    "retry-after": _retry_after,\n'
_RATELIMIT = '    "ratelimit": _ratelimit,\n'
_LOOP = "for hint, read in _READERS.items():"
_READ_ON = "if hint in hints and (is_throttle or hint in _ON_EVERY_FAILURE):"
_EVERY = '_ON_EVERY_FAILURE = ("retry-after-ms", "retry-after")'
_FOUND = "            if wait_ms is not None:\n                return wait_ms\n"
_LEFT = "return count is not None and whole_ms(count) != 0"
_LEFT_OF_MEMBER = (
    "if number is not None and not _is_left(remaining):\n"
    "            waits.append(_within_longest(number.as_seconds()))"
)
_LARGEST = "return max(waits, default=None)"
_LEFT_OF_RESET = (
    ' or _is_left(failure.header("ratelimit-remaining")):\n'
    '        return None\n    return _within_longest(number.as_seconds())'
)
_LEFT_OF_X = ' or _is_left(failure.header("x-ratelimit-remaining"))'
_IS_DELTA = "if number.whole < 10**9:"
_EPOCH = "epoch_ms = number.as_seconds() if number.whole < 10**12 else number.as_milliseconds()"
_AHEAD = "return _within_longest(epoch_ms - _server_now(failure, wall_ms))"
_DIGITS = 'if number is None or "." in (text or ""):'
_MEMBER = 'if "r" in member and "t" in member]'
_NO_NAME = "        if name is None:\n            return None"
_LIST = "    members = _members(text)\n"
_FIRST_KEY = "pairs.setdefault(key, value)"
_PAIR = 'part.strip(" \\t").partition("=")'
_TOLD = "return Decision(False, kind, reason=reason, retry_after_ms=stated_ms)"


def _told(when: str) -> tuple:
    return ("decide", _TOLD, _TOLD.replace("=stated_ms", f"=stated_ms if {when} else None"))


FAULTS = [
    Fault("H4", "retry-after-first", "Retry-After counts before retry-after-ms.", [
        ("stated_wait", f"{_MS}{_RETRY_AFTER}", f"{_RETRY_AFTER}{_MS}")]),
    Fault("H4", "ratelimit-before-retry-after", "RateLimit counts before Retry-After.", [
        ("stated_wait", f"{_RETRY_AFTER}{_RATELIMIT}", f"{_RATELIMIT}{_RETRY_AFTER}")]),
    Fault("H4", "longest-of-all", "The longest of all stated waits counts.", [
        ("stated_wait", "    for hint, read", "    longest = None\n    for hint, read"),
        ("stated_wait", f"{_FOUND}    return None", "            longest = max((w for w in (longest, wait_ms)"
         " if w is not None), default=None)\n    return longest")]),
    Fault("H4", "order-of-the-option", "The headers are read in the order of hints.", [
        ("stated_wait", _LOOP, "for hint, read in [(hint, _READERS[hint]) for hint in hints]:")]),
    Fault("H4", "hints-ignored", "Every header is read, whatever hints names.", [
        ("stated_wait", _READ_ON, _READ_ON.replace("hint in hints and ", ""))]),
    Fault("H4", "resets-on-every-failure", "A reset is read on a 503 too.", [
        ("stated_wait", _READ_ON, "if hint in hints:")]),
    Fault("H4", "resets-on-429", "A reset is read on 429 and on no other throttle.", [
        ("stated_wait", _READ_ON, _READ_ON.replace("is_throttle", "(is_throttle and failure.status == 429)"))]),
    Fault("H4", "ms-on-throttles-only", "retry-after-ms is read on throttles only.", [
        ("stated_wait", _EVERY, '_ON_EVERY_FAILURE = ("retry-after",)')]),
    Fault("H4", "malformed-ends-the-search", "A malformed header hides those after it.", [
        ("stated_wait", _FOUND,
         f"{_FOUND}            if failure.header(hint) is not None:\n                return None\n")]),
    Fault("H4", "ms-zero-is-absent", "retry-after-ms: 0 falls through.", [
        ("stated_wait", 'return whole_ms(failure.header("retry-after-ms"))',
         'return whole_ms(failure.header("retry-after-ms")) or None')]),
    Fault("H4", "ms-with-decimals", "retry-after-ms: 1500.5 counts.", [("stated_wait", _DIGITS, "if number is None:")]),
    Fault("H4", "ms-is-seconds", "retry-after-ms is seconds.", [
        ("stated_wait", 'return whole_ms(failure.header("retry-after-ms"))',
         'ms = whole_ms(failure.header("retry-after-ms"))\n'
         '    return None if ms is None else _within_longest(ms * 1_000)')]),
    Fault("H4", "ratelimit-in-ms", "The t of RateLimit is milliseconds.", [
        ("stated_wait", _LEFT_OF_MEMBER, _LEFT_OF_MEMBER.replace("as_seconds", "as_milliseconds"))]),
    Fault("H4", "ratelimit-with-quota-left", "A member of RateLimit counts though something is left.", [
        ("stated_wait", _LEFT_OF_MEMBER, _LEFT_OF_MEMBER.replace(" and not _is_left(remaining)", ""))]),
    Fault("H4", "ratelimit-smallest", "Of several members the smallest t counts.", [
        ("stated_wait", _LARGEST, "return min(waits, default=None)")]),
    Fault("H4", "ratelimit-first", "Of several members the first counts.", [
        ("stated_wait", _LARGEST, "return waits[0] if waits else None")]),
    Fault("H4", "ratelimit-without-r", "A member without r counts.", [
        ("rate_limit", f'(member["r"], member["t"]) for member in members {_MEMBER}',
         '(member.get("r"), member["t"]) for member in members if "t" in member]')]),
    Fault("H4", "ratelimit-lenient-list", "What precedes a malformed member of RateLimit counts.", [
        ("rate_limit", _NO_NAME, "        if name is None:\n            return members or None")]),
    Fault("H4", "ratelimit-split-at-commas", "RateLimit is split at every comma, in a quoted name too.", [
        ("rate_limit", _LIST, "    parts = [_members(part.strip()) for part in text.split(',')]\n"
         "    members = None if None in parts else [member for part in parts for member in part]\n")]),
    Fault("H4", "ratelimit-older-form-unread", "The older form of RateLimit is not read.", [
        ("rate_limit", 'if "reset" not in pairs:', "if True:")]),
    Fault("H4", "ratelimit-older-form-last", "Of a key sent twice the last counts in the older form.", [
        ("rate_limit", _FIRST_KEY, "pairs[key] = value")]),
    Fault("H4", "ratelimit-older-form-any-case", "Keys of the older form count in any case.", [
        ("rate_limit", _FIRST_KEY, "pairs.setdefault(key.lower(), value)")]),
    Fault("H4", "remaining-ignored", "RateLimit-Reset counts though something is left.", [
        ("stated_wait", _LEFT_OF_RESET, _LEFT_OF_RESET.split(" or ")[0] + ":" + _LEFT_OF_RESET.split(":", 1)[1])]),
    Fault("H4", "remaining-needed", "RateLimit-Reset counts only where a remaining 0 was sent.", [
        ("stated_wait", _LEFT_OF_RESET, ' or failure.header("ratelimit-remaining") is None' + _LEFT_OF_RESET)]),
    Fault("H4", "reset-in-ms", "RateLimit-Reset is milliseconds.", [
        ("stated_wait", _LEFT_OF_RESET, _LEFT_OF_RESET.replace("as_seconds", "as_milliseconds"))]),
    Fault("H4", "x-remaining-ignored", "X-RateLimit-Reset counts though something is left.", [
        ("stated_wait", _LEFT_OF_X, "")]),
    Fault("H4", "empty-count-is-zero", "An empty count is 0.", [
        ("stated_wait", _LEFT, _LEFT.replace("count is not None", "count"))]),
    Fault("H4", "count-with-decimals", "A count of 0.0 is 0.", [
        ("stated_wait", _LEFT, f'{_LEFT} and count != "0.0"')]),
    Fault("H4", "x-reset-is-an-epoch", "X-RateLimit-Reset is always an epoch.", [
        ("stated_wait", _IS_DELTA, "if False:")]),
    Fault("H4", "x-reset-is-seconds-from-now", "X-RateLimit-Reset is always seconds from now.", [
        ("stated_wait", _IS_DELTA, "if True:")]),
    Fault("H4", "x-reset-edge-to-seconds", "10^9 is seconds from now.", [
        ("stated_wait", _IS_DELTA, _IS_DELTA.replace("<", "<="))]),
    Fault("H4", "x-reset-never-in-ms", "An epoch in milliseconds is read as seconds.", [
        ("stated_wait", _EPOCH, "epoch_ms = number.as_seconds()")]),
    Fault("H4", "x-reset-by-the-own-clock", "An epoch is compared with the wall clock, whatever Date says.", [
        ("stated_wait", _AHEAD, "return _within_longest(epoch_ms - wall_ms)")]),
    Fault("H4", "x-reset-past-is-absent", "An epoch in the past is as good as absent.", [
        ("stated_wait", _AHEAD, f"return None if epoch_ms < _server_now(failure, wall_ms) else {_AHEAD[7:]}")]),

    Fault("H5", "not-told-on-final", "What a final failure stated is not told.", [_told("kind != FINAL")]),
    Fault("H5", "not-told-on-post", "What a transient failure on POST stated is not told.", [
        _told('reason != "not_retryable" or kind == FINAL')]),
    Fault("H5", "not-told-when-exhausted", "Used up attempts tell no stated wait.", [
        _told('reason != "attempts_exhausted"')]),
    Fault("H5", "told-when-failing-fast", "Only failing fast tells the stated wait.", [_told("reason in FAIL_FAST")]),
    Fault("H5", "told-without-ms", "retry-after-ms is not told on a final failure.", [
        _told('kind != FINAL or failure.header("retry-after-ms") is None')]),
    Fault("H5", "zero-not-told", "A stated 0 is told as null.", [_told("stated_ms")]),
    Fault("H5", "none-told-as-zero", "That nothing was stated is told as 0.", [
        ("decide", _TOLD, _TOLD.replace("=stated_ms", "=stated_ms or 0"))]),
    Fault("H5", "told-with-jitter", "What is told holds the jitter.", [
        ("decide", _TOLD,
         _TOLD.replace("=stated_ms", "=stated_ms and stated_ms + _drawn(draw, policy.stated_jitter_ms)"))]),
    Fault("H5", "told-within-the-cap", "What is told is cut to the per-attempt cap.", [
        ("decide", _TOLD, _TOLD.replace("=stated_ms", "=stated_ms and min(stated_ms, policy.per_attempt_cap_ms)"))]),
    Fault("H5", "computed-told", "A computed wait is told where none was stated.", [
        ("decide", _TOLD,
         "planned_ms = _wait(policy, stated_ms, progress, draw)[0] if reason in FAIL_FAST else stated_ms\n"
         "        return Decision(False, kind, reason=reason, retry_after_ms=planned_ms)")]),
    Fault("H5", "resets-told-on-final", "A reset is told on a final failure.", [
        ("decide", "kind == THROTTLE, progress.wall_ms)", "kind != TRANSIENT, progress.wall_ms)")]),
    Fault("H5", "told-for-no-throttle", "Where x-should-retry or a challenge stops a throttle nothing is told.", [
        _told("kind != FINAL or failure.status not in policy.throttle_statuses")]),
    Fault("H5", "fallback-not-told", "The fallback wait of a classify is waited, and not told.", [
        _told("stated_ms != verdict.fallback_ms")]),
]
