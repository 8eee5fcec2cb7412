"""The whole call, without a clock or a socket of its own.

`call` is a generator. It yields what is to be done next, a `Send`, a `Sleep` or, where it goes
through a limiter, an `Ask`, is sent what came of it, and returns an `Outcome`. Whoever drives it decides what time is and how a request is sent:
see virtual_time.py, shared_time.py and real_time.py. A driver for asyncio would be as short.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Callable, Generator, Mapping, NamedTuple, Optional, Tuple, Union

import failure as kinds
from decide import Decision, Draw, Progress, Sent, decide
from failure import THROTTLE, TRANSIENT, Failure
from policy import Policy
from retry_budget import RetryBudget
from slot import NO_SLOT, Ask, Refused, Slot

MonotonicMs = Callable[[], float]
WallMs = Callable[[], int]


class Clock(NamedTuple):
    """R18: durations come from `monotonic_ms`; dates are compared with `wall_ms`, epoch."""

    monotonic_ms: MonotonicMs
    wall_ms: WallMs


@dataclass(frozen=True)
class Answer:
    """Response headers, which have come. Their names are in lower case."""

    status: int
    headers: Mapping[str, str]
    peek: Callable[[], str]
    let_go: Callable[[], None]  # gives up the body, and with it the connection
    body: Any = None  # whatever the transport hands to the caller


class Signal(Enum):
    """What a driver reports besides an Answer, or a Failure without one."""

    OUT_OF_TIME = "the limit of a Send passed, or of an Ask"
    ABORTED = "the caller aborted, in flight, in a wait or in the queue"
    DONE = "a Sleep has ended"


@dataclass(frozen=True)
class Send:
    """Send the request. An answer after exactly `limit_ms` counts; None is no limit."""

    limit_ms: Optional[float]


@dataclass(frozen=True)
class Sleep:
    ms: float


@dataclass
class Outcome:
    """How a call ended, in the words of the tables. `answer` is what its caller gets."""

    outcome: str
    status: Optional[int] = None
    failure: Optional[str] = None
    reason: Optional[str] = None
    retry_after_ms: Optional[int] = None
    attempts: int = 0
    waited_ms: float = 0
    answer: Optional[Answer] = None
    slot: Slot = NO_SLOT  # L12: of the answer, until its body is over


Effect = Union[Ask, Send, Sleep]
Report = Union[Answer, Failure, Signal, Slot, Refused]


def _limit(policy: Policy, elapsed_ms: float) -> Tuple[Optional[float], bool]:
    """How long the next attempt may take, and whether it is the deadline that says so (R10)."""
    timeout_ms = policy.attempt_timeout_ms
    if policy.deadline_ms is None:
        return timeout_ms, False
    # A real clock may be a part of a millisecond past the deadline when a wait ends.
    left_ms = max(policy.deadline_ms - elapsed_ms, 0)
    if timeout_ms is not None and timeout_ms < left_ms:
        return timeout_ms, False
    return left_ms, True


def call(
    policy: Policy,
    sent: Sent,
    clock: Clock,
    draw: Draw,
    budget: Optional[RetryBudget] = None,
    is_limited: bool = False,
) -> Generator[Effect, Report, Outcome]:
    """One call under `policy`. `budget` is shared with other calls (R16). `is_limited`: each attempt asks for a slot."""
    began_ms = clock.monotonic_ms()
    told = Outcome("gave_up")
    # What was planned to be waited: the caps count this, `waited_ms` what was really waited.
    after_throttles_ms = after_transients_ms = 0
    transient_failures = 0
    may_be_at_work = False
    slot: Slot = NO_SLOT
    if budget is not None:
        budget.begin_call(began_ms)

    while True:
        if is_limited:
            asked = yield from _ask(told, policy, clock, began_ms, after_throttles_ms, after_transients_ms)
            if asked is None:
                return told
            slot = asked
            after_throttles_ms += slot.held_ms  # L10: it counts as waited after a throttle
        sent_ms = clock.monotonic_ms()
        limit_ms, is_deadline = _limit(policy, sent_ms - began_ms)
        told.attempts += 1
        report = yield Send(limit_ms)
        took_ms = clock.monotonic_ms() - sent_ms

        if report is Signal.ABORTED or (report is Signal.OUT_OF_TIME and is_deadline):
            slot.release()
        if report is Signal.ABORTED:
            return _aborted(told)
        if report is Signal.OUT_OF_TIME and is_deadline:
            told.failure = told.reason = "deadline"  # retry_after_ms: of the failure before
            return told
        if isinstance(report, Answer):
            told.status = report.status
            if report.status < 400:  # R3
                told.outcome, told.answer, told.retry_after_ms = "ok", report, None
                slot.sample(took_ms)
                told.slot = slot
                return told
            failure = Failure(kinds.STATUS, report.status, report.headers, report.peek)
        elif isinstance(report, Failure):
            failure = report
        else:
            failure = Failure(kinds.TIMEOUT)

        now_ms = clock.monotonic_ms()
        decision = decide(
            policy,
            failure,
            sent,
            Progress(
                attempts=told.attempts,
                wall_ms=clock.wall_ms(),
                waited_ms=after_transients_ms
                + (after_throttles_ms if policy.throttle_budget_ms is None else 0),
                throttle_waited_ms=after_throttles_ms,
                elapsed_ms=now_ms - began_ms,
                transient_failures=transient_failures,
                may_be_at_work=may_be_at_work,
                retry_tokens=None if budget is None else budget.tokens(now_ms),
            ),
            draw,
        )
        told.retry_after_ms = decision.retry_after_ms
        _report_failure(slot, decision, failure, took_ms)
        if not decision.retry:
            slot.release()
            told.reason = decision.reason
            if isinstance(report, Answer):
                told.answer = report
            else:
                told.failure = _name_of(failure)
            return told

        # R12: what will be retried is let go before the wait begins.
        if isinstance(report, Answer):
            report.let_go()
        slot.release()
        if decision.kind == TRANSIENT:
            transient_failures += 1
            # R2: a stream refused on the first attempt was not processed.
            is_refused = failure.kind == kinds.REFUSED_STREAM and told.attempts == 1
            may_be_at_work = may_be_at_work or not is_refused
            if budget is not None:
                budget.take()
        report = yield Sleep(decision.wait_ms)
        told.waited_ms += clock.monotonic_ms() - now_ms
        if report is Signal.ABORTED:
            return _aborted(told)
        if decision.kind == THROTTLE:
            after_throttles_ms += decision.wait_ms
        else:
            after_transients_ms += decision.wait_ms


def _ask(
    told: Outcome, policy: Policy, clock: Clock, began_ms: float, throttles_ms: float, transients_ms: float
) -> Generator[Ask, Report, Optional[Slot]]:
    """A slot for the next attempt; None: there is none, and `told` says why. R10: the deadline runs meanwhile."""
    asked_ms = clock.monotonic_ms()
    if policy.throttle_budget_ms is None:
        cap_ms = min(policy.per_attempt_cap_ms, policy.total_cap_ms - throttles_ms - transients_ms)
    else:
        cap_ms = policy.throttle_budget_ms - throttles_ms
    is_bounded = policy.deadline_ms is not None
    granted = yield Ask(cap_ms, max(policy.deadline_ms - asked_ms + began_ms, 0) if is_bounded else None)
    told.waited_ms = told.waited_ms + clock.monotonic_ms() - asked_ms
    if granted is Signal.ABORTED:
        _aborted(told)
    elif granted is Signal.OUT_OF_TIME:
        told.failure = told.reason = "deadline"
    elif isinstance(granted, Refused):
        told.failure = told.reason = granted.reason
        if granted.reason == "held":
            told.retry_after_ms = granted.retry_after_ms
    else:
        return granted
    return None


def _report_failure(slot: Slot, decision: Decision, failure: Failure, took_ms: float) -> None:
    """L2, L12: before the slot is free, so that a hold is obeyed by who waits for it."""
    if decision.kind == THROTTLE:
        slot.throttled(decision.retry_after_ms)
    elif failure.kind == kinds.TIMEOUT:
        slot.sample(took_ms, timed_out=True)


def _aborted(told: Outcome) -> Outcome:
    told.outcome, told.reason, told.retry_after_ms = "aborted", "aborted", None
    return told


def _name_of(failure: Failure) -> str:
    return kinds.CONNECT if failure.kind == kinds.REFUSED_STREAM else failure.kind
