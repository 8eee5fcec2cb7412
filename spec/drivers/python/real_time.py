"""A call over real sockets, in real time."""

from __future__ import annotations

import random
import time
from typing import Optional

from call import Clock, Outcome, Send, Signal, call
from decide import Draw, Sent
from http_transport import Request, send
from policy import Policy
from retry_budget import RetryBudget

SYSTEM_CLOCK = Clock(lambda: time.monotonic() * 1_000, lambda: time.time_ns() // 1_000_000)


def send_call(
    request: Request,
    policy: Policy = Policy(),
    draw: Draw = random.random,
    budget: Optional[RetryBudget] = None,
) -> Outcome:
    """Sends the request as often as `policy` says, and blocks meanwhile.

    `outcome.answer.body` is to be read or closed by the caller. Nothing aborts a call here: a
    blocking call in Python has no signal to listen to.
    """
    sent = Sent(
        method=request.method,
        is_keyed=any(name.lower() == "idempotency-key" for name in request.headers),
        is_idempotent=request.is_idempotent,
        can_be_sent_again=request.body is None or isinstance(request.body, bytes),
    )
    steps = call(policy, sent, SYSTEM_CLOCK, draw, budget)
    effect = next(steps)
    while True:
        if isinstance(effect, Send):
            report = send(request, effect.limit_ms, policy.body_idle_ms)
        else:
            time.sleep(effect.ms / 1_000)
            report = Signal.DONE
        try:
            effect = steps.send(report)
        except StopIteration as end:
            return end.value
