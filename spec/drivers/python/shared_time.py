"""Calls that share a limiter, on one clock that jumps from one event to the next."""

from __future__ import annotations

import heapq
import math
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from call import Clock, Effect, Outcome, Report, Send, Signal, Sleep, call
from decide import Draw, Sent
from limit_config import limit_config_from
from limiter import Limiter
from policy import Policy
from retry_budget import RetryBudget
from slot import Ask, Refused
from virtual_time import NOW_MS, has_body, report_of
from waiting_call import WaitingCall

# Within one millisecond: aborts, then the course of calls (a begin, an answer, a wait that ends, a slot), then limits.
_ABORT, _COURSE, _LIMIT, _LOOK = range(4)
_MOST_SENDS = 1_000


class LentSlot:
    """A slot on this clock."""

    def __init__(self, time: "SharedTime", held_ms: float, waited_ms: float) -> None:
        self._time = time
        self._waited_ms = waited_ms
        self.held_ms = held_ms

    def sample(self, latency_ms: float, timed_out: bool = False) -> None:
        self._time.limiter.sample(self._time.now_ms, latency_ms, 1, self._waited_ms, timed_out)

    def throttled(self, stated_ms: Optional[float]) -> None:
        self._time.limiter.throttle(self._time.now_ms, stated_ms)

    def release(self) -> None:
        self._time.limiter.finish(self._time.now_ms)


class SharedTime:
    """The clock, the limiter, and which call waits in it."""

    def __init__(self, limiter: Mapping[str, Any], wall_ms: int) -> None:
        self.now_ms: float = 0
        self.clock = Clock(lambda: self.now_ms, lambda: wall_ms + math.floor(self.now_ms))
        self.limiter = Limiter(limit_config_from(limiter), self)
        self.asking: Dict[int, "Caller"] = {}
        self._events: List[Tuple[float, int, int, Callable[[], None]]] = []
        self._count = 0

    def at(self, ms: float, order: int, act: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (ms, order, self._count, act))

    def started(self, waiting: WaitingCall) -> None:
        self.asking.pop(id(waiting)).hear_soon(LentSlot(self, waiting.held_ms, waiting.waited_ms))

    def refused(self, waiting: WaitingCall, reason: str, retry_after_ms: Optional[float]) -> None:
        self.asking.pop(id(waiting)).hear_soon(Refused(reason, retry_after_ms))

    def event(self, name: str) -> None:
        """Nobody listens."""

    def _is_due(self) -> bool:
        return bool(self._events) and self._events[0][0] <= self.now_ms

    def run(self) -> None:
        """Until nothing is left that will happen."""
        while True:
            while self._is_due():
                heapq.heappop(self._events)[-1]()
            self.limiter.look(self.now_ms)  # timeouts of the queue come last
            if self._is_due():
                continue
            dues = [event[0] for event in self._events[:1]]
            look_ms = self.limiter.next_look_ms()
            dues += [] if look_ms is None else [look_ms]
            if not dues:
                return
            self.now_ms = min(dues)


class Caller:
    """One call of a row, and what is measured of it."""

    def __init__(self, time: SharedTime, row: Mapping[str, Any], steps: Any, method: str) -> None:
        self._time = time
        self._row = row
        self._steps = steps
        self._method = method
        self._turn = 0  # what was set for an earlier one comes too late
        self._waiting: Optional[WaitingCall] = None
        self._place: Optional[int] = None
        self._answer: Mapping[str, Any] = {}  # what the last send meets
        self._is_in_flight = False
        self._answered_ms: float = 0
        self._sent_at_ms: List[float] = []
        self._waits_ms: List[float] = []
        self._body_released = 0
        self._told: Optional[Outcome] = None
        self._ended_at_ms: float = 0
        if "abort_at_ms" in row:
            time.at(row["abort_at_ms"], _ABORT, self._abort)

    def begin(self) -> None:
        self._do(next(self._steps))

    def actual(self) -> Dict[str, Any]:
        told = self._told
        if told is None:
            raise ValueError("a call did not end")
        return {
            "outcome": told.outcome,
            "sends": len(self._sent_at_ms),
            "sent_at_ms": self._sent_at_ms,
            "waits_ms": self._waits_ms,
            "ended_at_ms": self._ended_at_ms,
            "status": told.status,
            "failure": told.failure,
            "reason": told.reason,
            "retry_after_ms": told.retry_after_ms,
            "attempts": told.attempts,
            "waited_ms": told.waited_ms,
            "body_released": self._body_released,
        }

    def hear_soon(self, report: Report) -> None:
        """The limiter must not be called back while it tells something: the call goes on after that."""
        if self._waiting is not None:
            self._place = self._waiting.place
        self._hear_at(self._time.now_ms, _COURSE, report)

    def _hear_at(self, ms: float, order: int, report: Report) -> None:
        turn = self._turn
        self._time.at(ms, order, lambda: self._hear(report) if turn == self._turn else None)

    def _hear(self, report: Report) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and self._time.asking.pop(id(waiting), None) is not None:
            self._time.limiter.abort(self._time.now_ms, waiting)  # it is over before there was a slot
        if self._is_in_flight:
            self._is_in_flight, self._answered_ms = False, self._time.now_ms
        try:
            self._do(self._steps.send(report))
        except StopIteration as end:
            self._turn += 1
            self._told, self._ended_at_ms = end.value, self._time.now_ms
            if end.value.answer is not None:
                self._read(end.value)

    def _read(self, told: Outcome) -> None:
        """The caller reads what it got to its end."""
        self._time.at(self._time.now_ms + self._answer.get("body_ms", 0), _COURSE, told.slot.release)

    def _do(self, effect: Effect) -> None:
        self._turn += 1
        now_ms = self._time.now_ms
        if isinstance(effect, Sleep):
            self._hear_at(now_ms + effect.ms, _COURSE, Signal.DONE)
        elif isinstance(effect, Send):
            self._send(effect.limit_ms)
        else:
            self._ask(effect)

    def _ask(self, ask: Ask) -> None:
        now_ms = self._time.now_ms
        ends_ms = math.inf if ask.left_ms is None else now_ms + ask.left_ms
        self._waiting = waiting = WaitingCall(ask.cap_ms, ends_ms, self._place)
        self._time.asking[id(waiting)] = self
        if ends_ms < math.inf:
            self._hear_at(ends_ms, _LIMIT, Signal.OUT_OF_TIME)
        self._time.limiter.arrive(now_ms, waiting)

    def _send(self, limit_ms: Optional[float]) -> None:
        now_ms, answers = self._time.now_ms, self._row["answers"]
        if self._sent_at_ms:
            self._waits_ms.append(now_ms - self._answered_ms)
        answer = self._answer = answers[min(len(self._sent_at_ms), len(answers) - 1)]
        self._is_in_flight = True
        self._sent_at_ms.append(now_ms)
        if len(self._sent_at_ms) > _MOST_SENDS:
            raise ValueError(f"a call did not end after {_MOST_SENDS} sends")
        never = math.inf if answer.get("failure") == "timeout" else 0
        answered_ms = now_ms + answer.get("after_ms", never)
        if answered_ms < math.inf:
            self._hear_at(answered_ms, _COURSE, report_of(answer, self._method, lambda: self._let_go(answer)))
        if limit_ms is not None:
            self._hear_at(now_ms + limit_ms, _LIMIT, Signal.OUT_OF_TIME)

    def _let_go(self, answer: Mapping[str, Any]) -> None:
        self._body_released += has_body(answer, self._method)

    def _abort(self) -> None:
        if self._told is None:
            self._hear(Signal.ABORTED)


def play_together(
    case: Mapping[str, Any], policies: List[Policy], requests: List[Sent], draws: List[Draw]
) -> Dict[str, Any]:
    """Plays the calls of a row to their ends, each under its policy; answers them, and the limiter at each look."""
    time = SharedTime(case["limiter"], case.get("now", NOW_MS))
    budget = RetryBudget(0) if case.get("retry_budget") else None
    callers = []
    for row, policy, sent, draw in zip(case["calls"], policies, requests, draws):
        caller = Caller(time, row, call(policy, sent, time.clock, draw, budget, is_limited=True), sent.method)
        time.at(row.get("at_ms", 0), _COURSE, caller.begin)
        callers.append(caller)
    looks: List[Dict[str, Any]] = []
    for look in case.get("looks", []):
        time.at(look["at_ms"], _LOOK, lambda: looks.append(time.limiter.read(time.now_ms)))
    time.run()
    return {"calls": [caller.actual() for caller in callers], "looks": looks}
