"""The decision after a failed attempt: retry after some milliseconds, or give up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Optional, Tuple

import failure as kinds
from failure import FINAL, THROTTLE, TRANSIENT, Failure, Verdict
from policy import Policy
from stated_wait import stated_wait

# A source of numbers >= 0 and < 1; one is taken only where a rule needs it.
Draw = Callable[[], float]

_IDEMPOTENT_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY")
FAIL_FAST = ("wait_over_cap", "total_over_cap", "throttle_budget", "deadline", "retry_budget")


@dataclass(frozen=True)
class Sent:
    """What a decision has to know of the request."""

    method: str = "GET"
    is_keyed: bool = False  # it carries an Idempotency-Key
    is_idempotent: bool = False  # its caller marked it so
    can_be_sent_again: bool = True  # R13


@dataclass(frozen=True)
class Progress:
    """How far the call has come when a decision is due."""

    attempts: int  # the failed one included
    wall_ms: int  # the wall clock, epoch milliseconds
    waited_ms: float = 0  # R15: with a throttle budget only after transient failures
    throttle_waited_ms: float = 0
    elapsed_ms: float = 0
    transient_failures: int = 0  # before this one
    may_be_at_work: bool = False  # R2: an earlier attempt failed transiently
    retry_tokens: Optional[float] = None  # R16: in the shared budget; None: there is none


@dataclass(frozen=True)
class Decision:
    """`retry` after `wait_ms`, or else the `reason` of R6. `kind` is the failure's class."""

    retry: bool
    kind: str
    wait_ms: int = 0
    reason: Optional[str] = None
    retry_after_ms: Optional[int] = None  # H5

    @property
    def fail_fast(self) -> bool:
        return self.reason in FAIL_FAST


def _of_status(policy: Policy, failure: Failure, sent: Sent, progress: Progress) -> Verdict:
    """R4: the first of its steps that applies."""
    should_retry = [failure.header(name) for name in ("x-should-retry", "stripe-should-retry")]
    if "false" in should_retry:
        return Verdict(FINAL)
    if "challenge" in (failure.header("x-vercel-mitigated"), failure.header("cf-mitigated")):
        return Verdict(FINAL)
    verdict = policy.classify(failure) if policy.classify else None
    if verdict is not None:
        return verdict
    if failure.status in policy.throttle_statuses:
        return Verdict(THROTTLE)
    is_conflict = failure.status == 409 and sent.is_keyed and progress.may_be_at_work  # R2
    if failure.status in policy.transient_statuses or "true" in should_retry or is_conflict:
        return Verdict(TRANSIENT)
    return Verdict(FINAL)


def _classified(policy: Policy, failure: Failure, sent: Sent, progress: Progress) -> Verdict:
    if failure.kind == kinds.STATUS:
        return _of_status(policy, failure, sent, progress)
    return Verdict(FINAL if failure.kind == kinds.NETWORK else TRANSIENT)


def _is_retried(
    kind: str, policy: Policy, failure: Failure, sent: Sent, progress: Progress
) -> bool:
    if kind != TRANSIENT:
        return kind == THROTTLE  # R1: on any method
    if not policy.retry_transient_idempotent:
        return False
    # R3: the server did not process that request.
    if failure.kind == kinds.REFUSED_STREAM and progress.attempts == 1:
        return True
    return sent.method.upper() in _IDEMPOTENT_METHODS or sent.is_keyed or sent.is_idempotent


def _drawn(draw: Draw, range_ms: int) -> int:
    return math.floor(draw() * range_ms) if range_ms > 0 else 0


def _wait(
    policy: Policy, stated_ms: Optional[int], progress: Progress, draw: Draw
) -> Tuple[int, int]:
    """The wait that the caps are compared with, and the range of the jitter on top of it."""
    if stated_ms is not None:
        return stated_ms, policy.stated_jitter_ms  # R8
    if policy.throttle_budget_ms is not None:
        computed = policy.transient_base_ms << progress.transient_failures  # R15
        return computed + _drawn(draw, policy.transient_jitter_ms), 0
    doubled = policy.base_ms << (progress.attempts - 1)  # R7; Python's integers do not overflow
    return _drawn(draw, min(policy.per_attempt_cap_ms, doubled)), 0


def decide(
    policy: Policy, failure: Failure, sent: Sent, progress: Progress, draw: Draw
) -> Decision:
    """What is done about a failure. It reads no clock and keeps nothing."""
    verdict = _classified(policy, failure, sent, progress)
    kind = verdict.kind
    stated_ms = stated_wait(failure, policy.hints, kind == THROTTLE, progress.wall_ms)
    if stated_ms is None:
        stated_ms = verdict.fallback_ms

    def give_up(reason: str) -> Decision:
        return Decision(False, kind, reason=reason, retry_after_ms=stated_ms)

    # R5: the checks in their order.
    if not _is_retried(kind, policy, failure, sent, progress):
        return give_up("not_retryable")
    if not sent.can_be_sent_again:
        return give_up("body_not_replayable")

    if policy.throttle_budget_ms is not None and kind == THROTTLE:  # R15
        wait_ms = max(stated_ms or 0, policy.throttle_default_wait_ms)
        if progress.throttle_waited_ms + wait_ms > policy.throttle_budget_ms:
            return give_up("throttle_budget")
    else:
        if policy.throttle_budget_ms is not None:
            exhausted = progress.transient_failures + 1 > policy.transient_retries
        else:
            exhausted = progress.attempts >= policy.max_attempts
        if exhausted:
            return give_up("attempts_exhausted")
        bounded_ms, jitter_ms = _wait(policy, stated_ms, progress, draw)
        if bounded_ms > policy.per_attempt_cap_ms:
            return give_up("wait_over_cap")
        if progress.waited_ms + bounded_ms > policy.total_cap_ms:  # R9
            return give_up("total_over_cap")
        wait_ms = bounded_ms + _drawn(draw, jitter_ms)

    if policy.deadline_ms is not None and progress.elapsed_ms + wait_ms > policy.deadline_ms:
        return give_up("deadline")  # R10
    if kind == TRANSIENT and progress.retry_tokens is not None and progress.retry_tokens < 1:
        return give_up("retry_budget")  # R16
    return Decision(True, kind, wait_ms=wait_ms, retry_after_ms=stated_ms)
