"""The whole call, without a clock or a socket of its own.

`call` is a generator. It yields what is to be done next, a `Send` or a `Sleep`, is sent what came
of it, and returns an `Outcome`. Whoever drives it decides what time is and how a request is sent:
see virtual_time.py and real_time.py. A driver for asyncio would be as short.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Callable, Generator, Mapping, NamedTuple, Optional, Tuple, Union

import failure as kinds
from decide import Draw, Progress, Sent, decide
from failure import THROTTLE, TRANSIENT, Failure
from policy import Policy
from retry_budget import RetryBudget

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

    OUT_OF_TIME = "the limit of a Send passed"
    ABORTED = "the caller aborted, in flight or in a wait"
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


Effect = Union[Send, Sleep]
Report = Union[Answer, Failure, Signal]


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
) -> Generator[Effect, Report, Outcome]:
    """One call under `policy`. `budget` is shared with other calls (R16)."""
    began_ms = clock.monotonic_ms()
    told = Outcome("gave_up")
    # What was planned to be waited: the caps count this, `waited_ms` what was really waited.
    after_throttles_ms = after_transients_ms = 0
    transient_failures = 0
    may_be_at_work = False
    if budget is not None:
        budget.begin_call(began_ms)

    while True:
        limit_ms, is_deadline = _limit(policy, clock.monotonic_ms() - began_ms)
        told.attempts += 1
        report = yield Send(limit_ms)

        if report is Signal.ABORTED:
            return _aborted(told)
        if report is Signal.OUT_OF_TIME and is_deadline:
            told.failure = told.reason = "deadline"  # retry_after_ms: of the failure before
            return told
        if isinstance(report, Answer):
            told.status = report.status
            if report.status < 400:  # R3
                told.outcome, told.answer, told.retry_after_ms = "ok", report, None
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
        if not decision.retry:
            told.reason = decision.reason
            if isinstance(report, Answer):
                told.answer = report
            else:
                told.failure = _name_of(failure)
            return told

        # R12: what will be retried is let go before the wait begins.
        if isinstance(report, Answer):
            report.let_go()
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


def _aborted(told: Outcome) -> Outcome:
    told.outcome, told.reason, told.retry_after_ms = "aborted", "aborted", None
    return told


def _name_of(failure: Failure) -> str:
    return kinds.CONNECT if failure.kind == kinds.REFUSED_STREAM else failure.kind
