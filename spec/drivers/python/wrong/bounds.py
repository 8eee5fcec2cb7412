"""What the server says of a failure, the order of the checks, and the per-attempt cap: R4, R5 and R6."""

from __future__ import annotations

from wrong import Fault

_NAMES = '("x-should-retry", "stripe-should-retry")'
_FALSE = 'if "false" in should_retry:'
_TRUE = '"true" in should_retry'
_CHALLENGE = 'if "challenge" in (failure.header("x-vercel-mitigated"), failure.header("cf-mitigated")):'
_CLASSIFY = "verdict = policy.classify(failure) if policy.classify else None"
_READ = "[failure.header(name) for name in"
_SAFE_BY = "sent.method.upper() in _IDEMPOTENT_METHODS or"
_CHECKS = "    # R5: the checks in their order.\n"
_NOT_RETRYABLE = 'return give_up("not_retryable")\n'
_NO_BODY = 'return give_up("body_not_replayable")\n'
_OVER_CAP = 'if bounded_ms > policy.per_attempt_cap_ms:\n            return give_up("wait_over_cap")'
_OVER_TOTAL = (
    'if progress.waited_ms + bounded_ms > policy.total_cap_ms:  # R9\n            return give_up("total_over_cap")'
)
_DEADLINE = "    if policy.deadline_ms is not None and progress.elapsed_ms + wait_ms > policy.deadline_ms:"
_FAST = 'FAIL_FAST = ("wait_over_cap", '
_EARLY_CLASSIFY = (
    "    early = policy.classify(failure) if policy.classify else None\n"
    "    if early is not None:\n        return early\n"
)

FAULTS = [
    Fault("R4", "should-retry-unread", "x-should-retry is not read.", [
        ("decide", _NAMES, '("stripe-should-retry",)')]),
    Fault("R4", "stripe-should-retry-unread", "stripe-should-retry is not read.", [
        ("decide", _NAMES, '("x-should-retry",)')]),
    Fault("R4", "should-retry-false-ignored", "x-should-retry: false is ignored.", [("decide", _FALSE, "if False:")]),
    Fault("R4", "should-retry-false-not-on-throttles", "x-should-retry: false does not hold for a throttle.", [
        ("decide", _FALSE, 'if "false" in should_retry and failure.status not in policy.throttle_statuses:')]),
    Fault("R4", "should-retry-true-beats-false", "Of both headers true wins.", [
        ("decide", _FALSE, 'if "false" in should_retry and "true" not in should_retry:')]),
    Fault("R4", "should-retry-true-ignored", "x-should-retry: true is ignored.", [("decide", _TRUE, "False")]),
    Fault("R4", "should-retry-overrides-safety", "x-should-retry: true makes it safe to repeat a POST.", [
        ("decide", _SAFE_BY, f'failure.header("x-should-retry") == "true" or {_SAFE_BY}')]),
    Fault("R4", "should-retry-makes-throttle-transient", "x-should-retry: true makes a throttle transient.", [
        ("decide", "if failure.status in policy.throttle_statuses:",
         f"if failure.status in policy.throttle_statuses and not {_TRUE}:")]),
    Fault("R4", "should-retry-sends-stream-again", "x-should-retry: true sends a stream again.", [
        ("decide", "if not sent.can_be_sent_again:",
         'if not sent.can_be_sent_again and failure.header("x-should-retry") != "true":')]),
    Fault("R4", "should-retry-on-success", "x-should-retry: true counts below 400 too.", [
        ("call", "report.status < 400:  # R3",
         'report.status < 400 and report.headers.get("x-should-retry") != "true":')]),
    Fault("R4", "should-retry-in-any-case", "TRUE and FALSE count.", [
        ("decide", _READ, '[(failure.header(name) or "").lower() for name in')]),
    Fault("R4", "should-retry-0-is-false", "x-should-retry: 0 is taken for false.", [
        ("decide", _FALSE, 'if "false" in should_retry or "0" in should_retry:')]),
    Fault("R4", "challenge-retried", "A challenge is retried.", [("decide", _CHALLENGE, "if False:")]),
    Fault("R4", "challenge-of-one-vendor", "Only Cloudflare's challenge is known.", [
        ("decide", _CHALLENGE, 'if failure.header("cf-mitigated") == "challenge":')]),
    Fault("R4", "challenge-on-throttles-only", "A challenge is seen on 429 only.", [
        ("decide", _CHALLENGE, f"if failure.status == 429 and {_CHALLENGE[3:]}")]),
    Fault("R4", "challenge-by-presence", "Any value of the mitigation headers is a challenge.", [
        ("decide", _CHALLENGE, 'if failure.header("x-vercel-mitigated") or failure.header("cf-mitigated"):')]),
    Fault("R4", "classify-first", "classify is asked before x-should-retry and the challenge.", [
        ("decide", "    should_retry = ", f"{_EARLY_CLASSIFY}    should_retry = ")]),
    Fault("R4", "classify-before-challenge", "classify is asked before the challenge is looked for.", [
        ("decide", f"    {_CHALLENGE}", f"{_EARLY_CLASSIFY}    {_CHALLENGE}")]),
    Fault("R4", "classify-after-throttles", "classify is not asked about a status that the policy calls a throttle.", [
        ("decide", _CLASSIFY, _CLASSIFY.replace("policy.classify else", "policy.classify and failure.status"
                                                " not in policy.throttle_statuses else"))]),
    Fault("R4", "fallback-ignored", "The fallback wait of a classify is dropped.", [
        ("decide", "stated_ms = verdict.fallback_ms", "pass")]),
    Fault("R4", "fallback-beats-header", "The fallback wait replaces what a header stated.", [
        ("decide", "    if stated_ms is None:\n        stated_ms",
         "    if verdict.fallback_ms is not None:\n        stated_ms")]),

    Fault("R5", "body-before-retryable", "Whether the body can be sent again is asked first.", [
        ("decide", _CHECKS, f"{_CHECKS}    if not sent.can_be_sent_again:\n        {_NO_BODY}")]),
    Fault("R5", "attempts-before-body", "Attempts are counted before the body is looked at.", [
        ("decide", _NOT_RETRYABLE, f"{_NOT_RETRYABLE}    if policy.throttle_budget_ms is None and progress.attempts"
         ' >= policy.max_attempts:\n        return give_up("attempts_exhausted")\n')]),
    Fault("R5", "cap-before-attempts", "The per-attempt cap is asked before attempts are counted.", [
        ("decide", _NO_BODY, f"{_NO_BODY}    if policy.throttle_budget_ms is None and (stated_ms or 0)"
         ' > policy.per_attempt_cap_ms:\n        return give_up("wait_over_cap")\n')]),
    Fault("R5", "total-before-cap", "The total cap is asked before the per-attempt cap.", [
        ("decide", f"{_OVER_CAP}\n        {_OVER_TOTAL}", f"{_OVER_TOTAL}\n        {_OVER_CAP}")]),
    Fault("R5", "deadline-before-total", "The deadline is asked before the total cap.", [
        ("decide", _OVER_TOTAL, "if policy.deadline_ms is not None and progress.elapsed_ms + bounded_ms"
         f' > policy.deadline_ms:\n            return give_up("deadline")\n        {_OVER_TOTAL}')]),
    Fault("R5", "retry-budget-before-deadline", "The shared budget is asked before the deadline.", [
        ("decide", _DEADLINE,
         "    if kind == TRANSIENT and progress.retry_tokens is not None and progress.retry_tokens < 1:\n"
         f'        return give_up("retry_budget")\n{_DEADLINE}')]),
    Fault("R5", "retry-budget-before-attempts", "The shared budget is asked before attempts are counted.", [
        ("decide", _NO_BODY, f"{_NO_BODY}    if kind == TRANSIENT and progress.retry_tokens is not None"
         ' and progress.retry_tokens < 1:\n        return give_up("retry_budget")\n')]),
    Fault("R5", "retries-instead-of-attempts", "max_attempts counts retries.", [
        ("decide", "progress.attempts >= policy.max_attempts", "progress.attempts > policy.max_attempts")]),

    Fault("R6", "clamped-to-the-cap", "A stated wait over the cap is cut to the cap: too early.", [
        ("decide", _OVER_CAP, "bounded_ms = min(bounded_ms, policy.per_attempt_cap_ms)")]),
    Fault("R6", "computed-instead-of-over-cap", "A stated wait over the cap is replaced by a computed one.", [
        ("decide", _CHECKS, "    if stated_ms is not None and stated_ms > policy.per_attempt_cap_ms:\n"
         f"        stated_ms = None\n{_CHECKS}")]),
    Fault("R6", "cap-ignored", "A stated wait is waited however long.", [("decide", _OVER_CAP, "pass")]),
    Fault("R6", "cap-not-strict", "A wait equal to the cap is refused.", [
        ("decide", "if bounded_ms > policy", "if bounded_ms >= policy")]),
    Fault("R6", "over-cap-is-no-fail-fast", "wait_over_cap is not told as failing fast.", [
        ("decide", _FAST, "FAIL_FAST = (")]),
    Fault("R6", "exhausted-fails-fast", "Used up attempts are told as failing fast.", [
        ("decide", _FAST, f'{_FAST}"attempts_exhausted", ')]),
    Fault("R6", "final-fails-fast", "A final failure is told as failing fast.", [
        ("decide", _FAST, f'{_FAST}"not_retryable", ')]),
]
