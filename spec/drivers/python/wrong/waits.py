"""How long a wait is, and what the waits of a call may come to: R7, R8 and R9."""

from __future__ import annotations

from wrong import Fault

_RANGE = "doubled = policy.base_ms << (progress.attempts - 1)"
_COMPUTED = "return _drawn(draw, min(policy.per_attempt_cap_ms, doubled)), 0"
_DRAWN = "return math.floor(draw() * range_ms) if range_ms > 0 else 0"
_STATED = "return stated_ms, policy.stated_jitter_ms  # R8"
_IS_STATED = "    if stated_ms is not None:\n        return stated_ms, policy"
_WAIT = "wait_ms = bounded_ms + _drawn(draw, jitter_ms)"
_TOTAL = "if progress.waited_ms + bounded_ms > policy.total_cap_ms:"
_WAITED = (
    "waited_ms=after_transients_ms\n"
    "                + (after_throttles_ms if policy.throttle_budget_ms is None else 0)"
)
_SUM = "        if decision.kind == THROTTLE:\n            after_throttles_ms += decision.wait_ms\n"
_FAST = '"total_over_cap", '

FAULTS = [
    Fault("R7", "equal-jitter", "Half of the range is always waited: equal jitter.", [
        ("decide", _COMPUTED,
         "half = min(policy.per_attempt_cap_ms, doubled) // 2\n    return half + _drawn(draw, half), 0")]),
    Fault("R7", "no-jitter", "The whole range is waited, without a draw.", [
        ("decide", _COMPUTED, "return min(policy.per_attempt_cap_ms, doubled), 0")]),
    Fault("R7", "range-from-the-base", "The draw is added to the base.", [
        ("decide", _COMPUTED, "return policy.base_ms + _drawn(draw, min(policy.per_attempt_cap_ms, doubled)), 0")]),
    Fault("R7", "one-draw-a-call", "A call draws once, and uses that for all its waits.", [
        ("call", "    began_ms = clock.monotonic_ms()\n", "    began_ms = clock.monotonic_ms()\n    drawn = draw()\n"
         "    draw = lambda: drawn\n")]),
    Fault("R7", "exponent-one-too-many", "The first range is doubled already.", [
        ("decide", _RANGE, "doubled = policy.base_ms << progress.attempts")]),
    Fault("R7", "exponent-one-too-few", "The second range is the first one again.", [
        ("decide", _RANGE, "doubled = policy.base_ms << max(progress.attempts - 2, 0)")]),
    Fault("R7", "range-grows-by-addition", "The range grows by the base and does not double.", [
        ("decide", _RANGE, "doubled = policy.base_ms * progress.attempts")]),
    Fault("R7", "range-overflows", "The range is shifted in 32 bits and starts anew.", [
        ("decide", _RANGE, "doubled = policy.base_ms << ((progress.attempts - 1) & 31)")]),
    Fault("R7", "range-becomes-zero", "The range is cut to 32 bits and ends at 0.", [
        ("decide", _RANGE, f"{_RANGE} & 0xFFFFFFFF")]),
    Fault("R7", "range-without-a-cap", "The per-attempt cap does not bound the range.", [
        ("decide", _COMPUTED, "return _drawn(draw, doubled), 0")]),
    Fault("R7", "cap-after-the-draw", "The cap cuts what was drawn, and not the range.", [
        ("decide", _COMPUTED, "return min(policy.per_attempt_cap_ms, _drawn(draw, doubled)), 0")]),
    Fault("R7", "rounded-to-the-nearest", "What was drawn is rounded to the nearest millisecond.", [
        ("decide", _DRAWN, "return round(draw() * range_ms)")]),
    Fault("R7", "stated-jitter-on-computed", "The jitter of stated waits is added to computed ones.", [
        ("decide", _COMPUTED, _COMPUTED.replace(", 0", ", policy.stated_jitter_ms"))]),

    Fault("R8", "caps-with-jitter", "The caps are compared with the wait and its jitter.", [
        ("decide", _STATED, "return stated_ms + _drawn(draw, policy.stated_jitter_ms), 0")]),
    Fault("R8", "total-with-jitter", "The total cap is compared with the wait and its jitter.", [
        ("decide", _TOTAL, "if progress.waited_ms + bounded_ms + _drawn(draw, jitter_ms) > policy.total_cap_ms:")]),
    Fault("R8", "no-stated-jitter", "A stated wait has no jitter.", [("decide", _STATED, "return stated_ms, 0")]),
    Fault("R8", "jitter-below-stated", "The jitter is taken off a stated wait: too early.", [
        ("decide", _WAIT, "wait_ms = max(bounded_ms - _drawn(draw, jitter_ms), 0)")]),
    Fault("R8", "jitter-around-stated", "The jitter lies around a stated wait.", [
        ("decide", _WAIT, "wait_ms = max(bounded_ms + _drawn(draw, jitter_ms) - jitter_ms // 2, 0)")]),
    Fault("R8", "jitter-instead-of-stated", "A stated wait is a range to draw from.", [
        ("decide", _STATED, "return _drawn(draw, stated_ms), 0")]),
    Fault("R8", "stated-on-throttles-only", "What a 503 states is not waited.", [
        ("decide", "_wait(policy, stated_ms, progress, draw)",
         "_wait(policy, stated_ms if kind == THROTTLE else None, progress, draw)")]),
    Fault("R8", "stated-zero-is-none", "A stated 0 is replaced by a computed wait.", [
        ("decide", _IS_STATED, _IS_STATED.replace(" is not None", ""))]),
    Fault("R8", "longer-of-both", "The longer of the stated and a computed wait is waited.", [
        ("decide", _STATED, "computed = policy.base_ms << (progress.attempts - 1)\n"
         "        computed = _drawn(draw, min(policy.per_attempt_cap_ms, computed))\n"
         "        return max(stated_ms, computed), policy.stated_jitter_ms")]),
    Fault("R8", "deadline-without-jitter", "The deadline is compared with what was stated.", [
        ("decide", "progress.elapsed_ms + wait_ms >",
         "progress.elapsed_ms + (wait_ms if stated_ms is None else stated_ms) >")]),
    Fault("R8", "draw-for-nothing", "A draw is taken where its range is 0.", [
        ("decide", _DRAWN, "return math.floor(draw() * range_ms)")]),

    Fault("R9", "total-ignored", "The waits may come to any sum.", [("decide", _TOTAL, "if False:")]),
    Fault("R9", "total-not-strict", "A sum equal to the total cap is refused.", [
        ("decide", _TOTAL, _TOTAL.replace(">", ">="))]),
    Fault("R9", "total-after-sleeping", "The cap is compared with what was waited before, not with the next wait.", [
        ("decide", _TOTAL, "if progress.waited_ms > policy.total_cap_ms:")]),
    Fault("R9", "total-of-the-next-wait", "Each wait alone is compared with the total cap.", [
        ("decide", _TOTAL, "if bounded_ms > policy.total_cap_ms:")]),
    Fault("R9", "total-of-the-last-wait", "Of the waits before only the last counts.", [
        ("call", _SUM, _SUM.replace("+=", "="))]),
    Fault("R9", "total-without-jitter", "The jitter that was waited does not count.", [
        ("call", _SUM, _SUM.replace("decision.wait_ms", "(decision.retry_after_ms or 0)"))]),
    Fault("R9", "total-with-latency", "The time that attempts took counts against the total cap.", [
        ("call", _WAITED, "waited_ms=now_ms - began_ms")]),
    Fault("R9", "total-of-stated-waits", "Computed waits do not count.", [
        ("decide", _TOTAL, f"{_TOTAL[:-1]} and stated_ms is not None:")]),
    Fault("R9", "clamped-to-the-total", "A wait is cut to what the total cap leaves.", [
        ("decide", _TOTAL,
         f"bounded_ms = min(bounded_ms, max(policy.total_cap_ms - progress.waited_ms, 0))\n        {_TOTAL}")]),
    Fault("R9", "over-total-is-no-fail-fast", "total_over_cap is not told as failing fast.", [("decide", _FAST, "")]),
]
