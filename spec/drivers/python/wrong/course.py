"""The course of a call: R10 to R14."""

from __future__ import annotations

from wrong import Fault

_DEADLINE = "if policy.deadline_ms is not None and progress.elapsed_ms + wait_ms > policy.deadline_ms:"
_LEFT = "left_ms = max(policy.deadline_ms - elapsed_ms, 0)"
_TIMEOUT = "timeout_ms = policy.attempt_timeout_ms\n"
_CUT_OFF = 'told.failure = told.reason = "deadline"  # retry_after_ms: of the failure before'
_IN_FLIGHT = (
    "        if report is Signal.ABORTED:\n"
    "            return _aborted(told)\n        if report is Signal.OUT_OF_TIME"
)
_IN_WAIT = (
    "told.waited_ms += clock.monotonic_ms() - now_ms\n"
    "        if report is Signal.ABORTED:\n            return _aborted(told)"
)
_ABORTED = 'told.outcome, told.reason, told.retry_after_ms = "aborted", "aborted", None'
_SLEEP = (
    "self._now_ms = min(self._now_ms + ms, self._abort_at_ms)\n"
    "        return Signal.ABORTED if self._now_ms == self._abort_at_ms else Signal.DONE"
)
_END = "end_ms = min(self._abort_at_ms, answered_ms, limited_ms)"
_ABORT_FIRST = "if self._abort_at_ms == end_ms:\n            return Signal.ABORTED"
_RELEASE = "        if isinstance(report, Answer):\n            report.let_go()\n"
_SURFACED = "                told.answer = report\n"
_NO_BODY = "if not sent.can_be_sent_again:"
_FAILURE = "told.failure = _name_of(failure)"
_STATED = "told.retry_after_ms = decision.retry_after_ms"

FAULTS = [
    Fault("R10", "deadline-ignored", "A wait may end after the deadline.", [("decide", _DEADLINE, "if False:")]),
    Fault("R10", "deadline-not-strict", "A wait that ends at the deadline is refused.", [
        ("decide", _DEADLINE, _DEADLINE.replace("wait_ms >", "wait_ms >="))]),
    Fault("R10", "deadline-of-waits", "The time that attempts took does not count against the deadline.", [
        ("call", "elapsed_ms=now_ms - began_ms", "elapsed_ms=told.waited_ms")]),
    Fault("R10", "clamped-to-the-deadline", "A wait is cut to what the deadline leaves.", [
        ("decide", _DEADLINE,
         "if policy.deadline_ms is not None:\n        wait_ms = min(wait_ms, max(policy.deadline_ms"
         " - progress.elapsed_ms, 0))\n    if False:")]),
    Fault("R10", "deadline-not-in-flight", "An attempt in flight goes on at the deadline.", [
        ("call", "if policy.deadline_ms is None:\n        return", "if True:\n        return")]),
    Fault("R10", "deadline-afresh", "The deadline runs afresh for each attempt in flight.", [
        ("call", _LEFT, "left_ms = policy.deadline_ms")]),
    Fault("R10", "deadline-taken-for-timeout", "An attempt that the deadline cut off is a timeout, and retried.", [
        ("call", "return left_ms, True", "return left_ms, False")]),
    Fault("R10", "deadline-forgets-the-failure", "A call cut off by the deadline forgets the failure before.", [
        ("call", _CUT_OFF, f"{_CUT_OFF}\n            told.status = told.retry_after_ms = None")]),
    Fault("R10", "deadline-is-no-fail-fast", "The deadline is not told as failing fast.", [
        ("decide", '"deadline", "retry', '"retry')]),
    Fault("R10", "timeout-wins-at-the-deadline", "Due in the same millisecond, the timeout wins over the deadline.", [
        ("call", "timeout_ms < left_ms", "timeout_ms <= left_ms")]),
    Fault("R10", "timeout-ignored", "An attempt may take as long as it likes.", [
        ("call", _TIMEOUT, "timeout_ms = None\n")]),
    Fault("R10", "timeout-over-waits", "The attempt timeout runs from the begin of the call, over its waits.", [
        ("call", _TIMEOUT,
         "timeout_ms = policy.attempt_timeout_ms and max(policy.attempt_timeout_ms - elapsed_ms, 0)\n")]),
    Fault("R10", "timeout-bounds-waits", "A wait longer than the attempt timeout is refused.", [
        ("decide", _DEADLINE,
         f'if wait_ms > (policy.attempt_timeout_ms or wait_ms):\n'
         f'        return give_up("deadline")\n    {_DEADLINE}')]),
    Fault("R10", "answer-at-the-limit-lost", "An answer at exactly the timeout or the deadline does not count.", [
        ("virtual_time", "if answered_ms == end_ms:", "if answered_ms == end_ms and answered_ms < limited_ms:")]),

    Fault("R11", "abort-after-the-wait", "An abort in a wait is noticed when the wait has ended.", [
        ("virtual_time", _SLEEP, "self._now_ms += ms\n"
         "        return Signal.ABORTED if self._now_ms >= self._abort_at_ms else Signal.DONE")]),
    Fault("R11", "abort-in-wait-ignored", "An abort does not break a wait off; the next attempt notices it.", [
        ("virtual_time", _SLEEP, "self._now_ms += ms\n        return Signal.DONE"),
        ("virtual_time", _END, "end_ms = max(min(self._abort_at_ms, answered_ms, limited_ms), self._now_ms)"),
        ("virtual_time", "if self._abort_at_ms == end_ms:", "if self._abort_at_ms <= end_ms:")]),
    Fault("R11", "abort-in-flight-ignored", "An attempt in flight is not cancelled by an abort.", [
        ("virtual_time", _END, "end_ms = min(answered_ms, limited_ms)"),
        ("virtual_time", "if self._abort_at_ms == end_ms:", "if self._abort_at_ms <= end_ms:")]),
    Fault("R11", "abort-sends-once-more", "An abort at the end of a wait comes after the next send.", [
        ("virtual_time", _SLEEP, "end_ms = self._now_ms + ms\n        self._now_ms = min(end_ms, self._abort_at_ms)\n"
         "        return Signal.ABORTED if self._now_ms < end_ms else Signal.DONE")]),
    Fault("R11", "answer-wins-over-abort", "An answer in the millisecond of the abort wins.", [
        ("virtual_time", _ABORT_FIRST,
         "if self._abort_at_ms == end_ms and answered_ms > end_ms:\n            return Signal.ABORTED")]),
    Fault("R11", "timeout-wins-over-abort", "A timeout or deadline in the millisecond of the abort wins.", [
        ("virtual_time", _ABORT_FIRST,
         "if self._abort_at_ms == end_ms < limited_ms:\n            return Signal.ABORTED")]),
    Fault("R11", "abort-taken-for-timeout", "An abort in flight is a timeout, and retried where that is safe.", [
        ("call", _IN_FLIGHT, "        if report is Signal.OUT_OF_TIME")]),
    Fault("R11", "abort-taken-for-connection", "An abort in flight is a connection failure.", [
        ("call", _IN_FLIGHT, "        if report is Signal.ABORTED:\n            report = Failure(kinds.CONNECT)\n"
         "        if report is Signal.OUT_OF_TIME")]),
    Fault("R11", "abort-told-as-giving-up", "An abort is told as giving up.", [
        ("call", _ABORTED, "told.reason, told.retry_after_ms = 'aborted', None")]),
    Fault("R11", "abort-surfaces-the-failure", "An aborted wait surfaces the failure that was waited for.", [
        ("call", _IN_WAIT,
         _IN_WAIT.replace("return _aborted(told)", "told.reason = 'not_retryable'\n            return told"))]),
    Fault("R11", "broken-wait-not-told", "The part of a wait that was broken off is not told.", [
        ("call", _IN_WAIT, "if report is Signal.ABORTED:\n            return _aborted(told)\n"
         "        told.waited_ms += clock.monotonic_ms() - now_ms")]),
    Fault("R11", "abort-tells-a-stated-wait", "An aborted call still tells what the last failure stated.", [
        ("call", _ABORTED, 'told.outcome = told.reason = "aborted"')]),

    Fault("R12", "body-kept", "The body of a retried answer is never let go.", [("call", _RELEASE, "")]),
    Fault("R12", "body-let-go-after-the-wait", "The body of a retried answer is let go after the wait.", [
        ("call", _RELEASE, "        retried = report\n"),
        ("call", "        if decision.kind == THROTTLE:\n", "        if isinstance(retried, Answer):\n"
         "            retried.let_go()\n        if decision.kind == THROTTLE:\n")]),
    Fault("R12", "surfaced-success-let-go", "A successful answer loses its body too.", [
        ("call", "told.outcome, told.answer,", "report.let_go()\n                told.outcome, told.answer,")]),
    Fault("R12", "surfaced-failure-let-go", "The failure that is surfaced loses its body.", [
        ("call", _SURFACED, f"                report.let_go()\n{_SURFACED}")]),

    Fault("R13", "stream-sent-again", "A body that can be read once is sent again.", [
        ("decide", _NO_BODY, "if False:")]),
    Fault("R13", "stream-sent-again-after-throttle", "After a throttle a stream is sent again.", [
        ("decide", _NO_BODY, "if not sent.can_be_sent_again and kind != THROTTLE:")]),
    Fault("R13", "stream-sent-again-with-a-key", "A keyed stream is sent again.", [
        ("decide", _NO_BODY, "if not (sent.can_be_sent_again or sent.is_keyed):")]),
    Fault("R13", "stream-sent-again-unanswered", "A stream is sent again where no answer came.", [
        ("decide", _NO_BODY, "if not sent.can_be_sent_again and failure.status is not None:")]),
    Fault("R13", "no-body-sent-twice", "A body that could be sent again is not.", [
        ("replay", 'body != "stream"', 'body == "none"')]),
    Fault("R13", "no-body-is-a-stream", "A request without a body is not sent again.", [
        ("replay", 'body != "stream"', 'body == "replayable"')]),

    Fault("R14", "stated-wait-not-told", "retry_after_ms is not told.", [
        ("call", _STATED, "told.retry_after_ms = None")]),
    Fault("R14", "planned-wait-told", "retry_after_ms holds the jitter.", [
        ("decide", "reason=reason, retry_after_ms=stated_ms",
         "reason=reason,"
         " retry_after_ms=stated_ms and stated_ms + _drawn(draw, policy.stated_jitter_ms)")]),
    Fault("R14", "earlier-stated-wait-told", "What an earlier failure stated is told where the last stated nothing.", [
        ("call", _STATED,
         "if decision.retry_after_ms is not None:\n            told.retry_after_ms = decision.retry_after_ms")]),
    Fault("R14", "last-status-lost", "A connection failure makes the last status forgotten.", [
        ("call", _FAILURE, f"{_FAILURE}\n                told.status = None")]),
    Fault("R14", "first-status-told", "The first status is told, and not the last.", [
        ("call", "told.status = report.status", "told.status = told.status or report.status")]),
    Fault("R14", "failure-not-told", "That no answer came at last is not told.", [("call", _FAILURE, "pass")]),
    Fault("R14", "retries-told", "Of a call that gave up retries are told, and not attempts.", [
        ("call", "told.reason = decision.reason", "told.reason = decision.reason\n            told.attempts -= 1")]),
    Fault("R14", "last-wait-told", "Only the last wait is told.", [
        ("call", "told.waited_ms += ", "told.waited_ms = ")]),
]
