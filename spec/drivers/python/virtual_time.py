"""A call against scripted answers, on a clock that jumps from one event to the next."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

import failure as kinds
from call import Answer, Clock, Report, Send, Signal, call
from decide import Draw, Sent
from failure import Failure, first_text, kind_of_codes
from policy import Policy

NOW_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z
SHORT_TEXT = "a short text"
_WITHOUT_BODY = (204, 304)
_MOST_SENDS = 10_000  # no row has as many; without a bound a wrong call would never end


class Script:
    """The answers that the sends of one call meet in turn, the last one repeating."""

    def __init__(
        self, answers: Sequence[Mapping[str, Any]], method: str, abort_at_ms: Optional[int], now: int
    ) -> None:
        self._answers = answers
        self._method = method
        self._abort_at_ms = math.inf if abort_at_ms is None else abort_at_ms
        self._now_ms: float = 0
        self._waiting_since_ms: float = 0
        self.clock = Clock(lambda: self._now_ms, lambda: now + math.floor(self._now_ms))
        self.sends = 0
        self.waits_ms: List[float] = []
        self.body_released = 0

    @property
    def now_ms(self) -> float:
        return self._now_ms

    def send(self, limit_ms: Optional[float]) -> Report:
        if self.sends > 0:
            self.waits_ms.append(self._now_ms - self._waiting_since_ms)
        answer = self._answers[min(self.sends, len(self._answers) - 1)]
        self.sends += 1
        if self.sends > _MOST_SENDS:
            raise ValueError(f"this call did not end after {_MOST_SENDS} sends")
        never = math.inf if answer.get("failure") == "timeout" else 0
        answered_ms = self._now_ms + answer.get("after_ms", never)
        limited_ms = math.inf if limit_ms is None else self._now_ms + limit_ms
        end_ms = min(self._abort_at_ms, answered_ms, limited_ms)
        if end_ms == math.inf:
            raise ValueError("this attempt would never end: no answer, no limit and no abort")
        self._now_ms = self._waiting_since_ms = end_ms
        # Within one millisecond: the abort, then the answer, then the limit.
        if self._abort_at_ms == end_ms:
            return Signal.ABORTED
        if answered_ms == end_ms:
            return self._report(answer)
        return Signal.OUT_OF_TIME

    def sleep(self, ms: float) -> Report:
        self._now_ms = min(self._now_ms + ms, self._abort_at_ms)
        return Signal.ABORTED if self._now_ms == self._abort_at_ms else Signal.DONE

    def _report(self, answer: Mapping[str, Any]) -> Report:
        def let_go() -> None:
            self.body_released += has_body(answer, self._method)

        return report_of(answer, self._method, let_go)


def has_body(answer: Mapping[str, Any], method: str) -> bool:
    return "status" in answer and method.upper() != "HEAD" and answer["status"] not in _WITHOUT_BODY


def report_of(answer: Mapping[str, Any], method: str, let_go: Callable[[], None]) -> Report:
    """What an attempt hears that meets this answer of a row."""
    if "failure" in answer:
        return failure_named(answer["failure"])
    body = answer.get("body", SHORT_TEXT).encode() if has_body(answer, method) else b""
    return Answer(answer["status"], answer.get("headers", {}), lambda: first_text(body), let_go)


def failure_named(name: str) -> Failure:
    """A failure without an answer, as the tables name it."""
    if name == "connect":
        return Failure(kinds.CONNECT)
    if name == "timeout":
        return Failure(kinds.TIMEOUT)
    return Failure(kind_of_codes([name[len("network:") :]]))


def play(policy: Policy, sent: Sent, script: Script, draw: Draw) -> Dict[str, Any]:
    """Plays the call to its end; answers the fields of `expect` of a call scenario."""
    steps = call(policy, sent, script.clock, draw)
    effect = next(steps)
    while True:
        is_send = isinstance(effect, Send)
        report = script.send(effect.limit_ms) if is_send else script.sleep(effect.ms)
        try:
            effect = steps.send(report)
        except StopIteration as end:
            told = end.value
            break
    return {
        "outcome": told.outcome,
        "sends": script.sends,
        "waits_ms": script.waits_ms,
        "ended_at_ms": script.now_ms,
        "status": told.status,
        "failure": told.failure,
        "reason": told.reason,
        "retry_after_ms": told.retry_after_ms,
        "attempts": told.attempts,
        "waited_ms": told.waited_ms,
        "body_released": script.body_released,
    }
