"""Where calls meet a limiter and each other: L2, L6, L9, L10, L12, and R10 to R12 and R16 there."""

from __future__ import annotations

from wrong import Fault

_FREED = "        slot.release()\n        if decision.kind == TRANSIENT:"
_WAIT = "        report = yield Sleep(decision.wait_ms)\n"
_SURFACED = "        if not decision.retry:\n            slot.release()\n"
_SUCCEEDED = "                slot.sample(took_ms)\n"
_READ = "                told.slot = slot\n"
_REPORT = "        _report_failure(slot, decision, failure, took_ms)\n"
_THROTTLED = "        slot.throttled(decision.retry_after_ms)\n"
_TIMED_OUT = "    elif failure.kind == kinds.TIMEOUT:\n        slot.sample(took_ms, timed_out=True)\n"
_HELD = "            after_throttles_ms += slot.held_ms  # L10: it counts as waited after a throttle\n"
_GRANTED = "    else:\n        return granted\n"
_REFUSED = "told.failure = told.reason = granted.reason\n"
_TOOK = "took_ms = clock.monotonic_ms() - sent_ms\n"

FAULTS = [
    Fault("L2", "timeouts-unreported", "An attempt that timed out is not reported.", [("call", _TIMED_OUT, "")]),
    Fault("L2", "latency-from-the-begin", "Latency runs from the begin of the call, with its waits.", [
        ("call", _TOOK, _TOOK.replace("sent_ms", "began_ms"))]),
    Fault("L2", "latency-with-queue", "Latency runs from when the attempt asked for a slot.", [
        ("call", _TOOK, f"{_TOOK}        took_ms += told.waited_ms\n")]),
    Fault("L2", "every-end-is-a-sample", "Failures are samples too, of as long as they took.", [
        ("call", _TIMED_OUT, "    else:\n        slot.sample(took_ms)\n")]),
    Fault("L2", "throttles-are-samples", "A throttle is a sample.", [
        ("call", _THROTTLED, f"{_THROTTLED}        slot.sample(took_ms)\n")]),
    Fault("L2", "the-last-attempt-alone", "Only the last attempt of a call is reported.", [
        ("call", _REPORT, f"        if not decision.retry:\n    {_REPORT}")]),

    Fault("L6", "successes-unreported", "An attempt that succeeded is not reported.", [("call", _SUCCEEDED, "")]),

    Fault("L9", "throttles-unreported", "A throttle is not reported.", [("call", _THROTTLED, "        pass\n")]),
    Fault("L9", "the-first-throttle-alone", "Only the first throttle of a call is reported.", [
        ("call", _REPORT, f"        if told.attempts == 1:\n    {_REPORT}")]),

    Fault("L10", "caps-ignored-by-holds", "A call is held as long as it takes.", [
        ("call", "yield Ask(cap_ms,", "yield Ask(float('inf'),")]),
    Fault("L10", "told-when-it-is-over", "A call that cannot be held so long is told when the hold has ended.", [
        ("call", "yield Ask(cap_ms,", "yield Ask(float('inf'),"),
        ("call", _GRANTED, "    elif granted.held_ms > cap_ms:\n        granted.release()\n"
         f"        told.failure = told.reason = 'held'\n{_GRANTED}")]),
    Fault("L10", "the-stated-wait-told", "A call that is refused is told the whole hold, and not the rest.", [
        ("limiter", 'self._observer.refused(call, "held", rest_ms)',
         'self._observer.refused(call, "held", self._hold.until_ms)')]),
    Fault("L10", "the-hold-untold", "A call that is refused is not told how long the hold lasts.", [
        ("call", 'if granted.reason == "held":', "if False:")]),
    Fault("L10", "held-time-is-free", "Held time counts against no bound of the call.", [("call", _HELD, "")]),
    Fault("L10", "queue-time-is-held-time", "All time before a slot counts against the bounds of waits.", [
        ("call", _HELD, "            after_throttles_ms = told.waited_ms\n")]),
    Fault("L10", "the-total-cap-afresh", "What a call has waited leaves its caps as they were for a hold.", [
        ("call", "policy.total_cap_ms - throttles_ms - transients_ms", "policy.total_cap_ms")]),
    Fault("L10", "one-cap-for-holds", "The total cap does not bound a hold.", [
        ("call", "min(policy.per_attempt_cap_ms, policy.total_cap_ms - throttles_ms - transients_ms)",
         "policy.per_attempt_cap_ms")]),
    Fault("L10", "caps-beside-a-budget", "The caps bind held time beside a throttle budget too.", [
        ("call", "    if policy.throttle_budget_ms is None:\n        cap_ms", "    if True:\n        cap_ms")]),
    Fault("L10", "held-beyond-the-deadline", "A hold may end after the deadline of a call: that will end it.", [
        ("waiting_call", " and until_ms <= self.ends_ms", "")]),
    Fault("L10", "retries-are-not-held", "A retry is sent when its own wait ends, hold or not.", [
        ("call", _FREED, _FREED.replace("slot.release()\n", "slot.release()\n        slot = NO_SLOT\n")),
        ("call", "        if is_limited:\n", "        if is_limited and told.attempts == 0:\n")]),
    Fault("L10", "reported-too-late", "A throttle is reported when its slot is free, and may have been given on.", [
        ("call", f"{_REPORT}{_SURFACED}", f"{_SURFACED}    {_REPORT}"),
        ("call", _FREED, _FREED.replace("slot.release()\n", f"slot.release()\n{_REPORT}"))]),
    Fault("L10", "held-time-untold", "Time in the queue or under a hold is not told as waited.", [
        ("call", "told.waited_ms = told.waited_ms + clock.monotonic_ms() - asked_ms", "pass")]),

    Fault("L12", "slot-kept-over-the-wait", "The slot is kept while a call waits for its retry.", [
        ("call", _FREED, "        if decision.kind == TRANSIENT:"), ("call", _WAIT, f"{_WAIT}        slot.release()\n")]),
    Fault("L12", "slot-kept-where-nothing-is-waited", "A retry that need not wait keeps its slot.", [
        ("call", _FREED, f"        if decision.wait_ms > 0:\n    {_FREED}"),
        ("call", "        if is_limited:\n", "        if is_limited and (slot is NO_SLOT or decision.wait_ms > 0):\n")]),
    Fault("L12", "a-retry-is-a-new-call", "A retry asks like a call that has just come.", [
        ("shared_time", "WaitingCall(ask.cap_ms, ends_ms, self._place)", "WaitingCall(ask.cap_ms, ends_ms)")]),
    Fault("L12", "slot-until-headers", "The slot is given back with the headers.", [
        ("call", _READ, "                slot.release()\n")]),
    Fault("L12", "failures-hold-their-slots", "A failure that surfaces holds its slot until its body was read.", [
        ("call", _SURFACED, "        if not decision.retry:\n            told.slot = slot\n")]),
    Fault("L12", "absorbed-unreported", "An attempt is not reported where a retry follows.", [
        ("call", _REPORT, f"        if not decision.retry:\n    {_REPORT}")]),

    Fault("R10", "no-deadline-in-the-queue", "The deadline does not run in the queue.", [
        ("call", "if is_bounded else None", "if False else None")]),
    Fault("R10", "the-timeout-runs-in-the-queue", "The attempt timeout runs from when the call asked for a slot.", [
        ("call", "yield Send(limit_ms)", "yield Send(limit_ms and max(limit_ms - told.waited_ms, 0))")]),
    Fault("R11", "no-abort-in-the-queue", "An abort in the queue is noticed by nobody.", [
        ("shared_time", "        if self._told is None:\n            self._hear",
         "        if self._told is None and self._waiting is None:\n            self._hear")]),
    Fault("R12", "refused-without-a-past", "A retry that finds no slot in time forgets what it met before.", [
        ("call", _REFUSED, f"{_REFUSED}        told.status = told.retry_after_ms = None\n")]),
    Fault("R12", "a-retry-waits-for-ever", "A retry is never refused by the queue.", [
        ("limiter", "if self._expires_ms(call) <= self._now_ms:", "if call.expires_ms <= self._now_ms and call.place == 0:"),
    ]),
    Fault("R16", "a-budget-each", "Each call has a retry budget of its own.", [
        ("shared_time", "draw, budget, is_limited", "draw, budget and RetryBudget(time.now_ms), is_limited")]),
    Fault("R16", "nothing-for-a-call", "A call that begins adds nothing to the budget.", [
        ("retry_budget", "PER_CALL = 0.1", "PER_CALL = 0")]),
    Fault("R16", "nothing-for-a-second", "A second adds nothing to the budget.", [
        ("retry_budget", "PER_MS = 1 / 1_000", "PER_MS = 0")]),
    Fault("R16", "eleven-tokens", "The budget holds one token more.", [("retry_budget", "MOST = 10.0", "MOST = 11.0")]),
    Fault("R16", "retries-take-nothing", "A retry takes no token.", [
        ("retry_budget", "self._tokens -= 1", "pass")]),
]
