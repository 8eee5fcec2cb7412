"""Rows of the tables, played by this port: the answers of a driver."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping

import failure as kinds
from decide import FAIL_FAST, Draw, Progress, Sent, decide
from failure import Failure, first_text
from policy import Policy
from presets import policy_of
from virtual_time import NOW_MS, SHORT_TEXT, Script, failure_named, play

Actual = Dict[str, Any]
_THROTTLE_AT_ONCE = {"status": 429, "headers": {"retry-after": "0"}}


def draws(random: Any) -> Draw:
    """The draws in turn, the last one repeating."""
    queue: List[float] = list(random) if isinstance(random, list) else [random]
    return lambda: queue.pop(0) if len(queue) > 1 else queue[0]


def _sent_by(request: Mapping[str, Any], is_decision: bool = False) -> Sent:
    """The request of a row. `headers` are as its caller wrote them, in any case."""
    method = request.get("method", "GET")
    body = request.get("body", "replayable")
    if method.upper() in ("GET", "HEAD") and not is_decision:
        body = "none"
    return Sent(
        method=method,
        is_keyed=any(name.lower() == "idempotency-key" for name in request.get("headers", {})),
        is_idempotent=request.get("idempotent", False),
        can_be_sent_again=body != "stream",
    )


def _answer_of(case: Mapping[str, Any]) -> Dict[str, Any]:
    if not case["failure"].startswith("status:"):
        return {"failure": case["failure"], "after_ms": 0}
    answer: Dict[str, Any] = {"status": int(case["failure"][len("status:") :])}
    answer["headers"] = {name.lower(): value for name, value in case.get("headers", {}).items()}
    if case["retry_after"] is not None:
        answer["headers"]["retry-after"] = case["retry_after"]
    if "response_body" in case:
        answer["body"] = case["response_body"]
    return answer


def _request_of(case: Mapping[str, Any]) -> Sent:
    is_decision = case.get("scope") == "decision"
    return _sent_by({**case, "headers": case.get("request_headers", {})}, is_decision)


def _by_decision(policy: Policy, case: Mapping[str, Any], draw: Draw) -> Actual:
    answer = _answer_of(case)
    if "status" in answer:
        if answer["status"] < 400:
            return {"retry": False, "fail_fast": False, "reason": None, "retry_after_ms": None}
        body = answer.get("body", SHORT_TEXT).encode()
        failure = Failure(
            kinds.STATUS, answer["status"], answer["headers"], lambda: first_text(body)
        )
    else:
        failure = failure_named(answer["failure"])
    waited_ms = case.get("waited_ms", 0)
    throttle_waited_ms = case.get("throttle_waited_ms", 0)
    progress = Progress(
        attempts=case["attempt"],
        wall_ms=case.get("now", NOW_MS),
        waited_ms=waited_ms,
        throttle_waited_ms=throttle_waited_ms,
        elapsed_ms=case.get("elapsed_ms", waited_ms + throttle_waited_ms),
        transient_failures=case.get("transient_failures", case["attempt"]) - 1,
        may_be_at_work=case.get("failed_transiently", False),
        retry_tokens=case.get("retry_tokens"),
    )
    decision = decide(policy, failure, _request_of(case), progress, draw)
    if decision.retry:
        return {"retry": True, "wait_ms": decision.wait_ms, "fail_fast": False}
    return {
        "retry": False,
        "fail_fast": decision.fail_fast,
        "reason": decision.reason,
        "retry_after_ms": decision.retry_after_ms,
    }


def _by_call(policy: Policy, case: Mapping[str, Any], draw: Draw) -> Actual:
    attempt = case["attempt"]
    answers = [_THROTTLE_AT_ONCE] * (attempt - 1) + [_answer_of(case), {"status": 200}]
    script = Script(answers, case["method"], None, case.get("now", NOW_MS))
    told = play(policy, _request_of(case), script, draw)
    if told["sends"] == attempt + 1:
        return {"retry": True, "wait_ms": told["waits_ms"][-1], "fail_fast": False}
    if told["sends"] != attempt:
        raise ValueError(f"attempt {attempt} was not reached: the call ended after {told['sends']}")
    return {
        "retry": False,
        "fail_fast": told["reason"] in FAIL_FAST,
        "reason": told["reason"],
        "retry_after_ms": told["retry_after_ms"],
    }


def retry_case(policy: Policy, case: Mapping[str, Any], draw: Draw) -> Actual:
    """A row of scope `decision` by the decision function, every other one by a whole call."""
    replayed = _by_decision if case.get("scope") == "decision" else _by_call
    return replayed(policy, case, draw)


def call_scenario(policy: Policy, case: Mapping[str, Any], draw: Draw) -> Actual:
    request = case.get("request", {})
    sent = _sent_by(request)
    now = case.get("now", NOW_MS)
    script = Script(case["answers"], sent.method, case.get("abort_at_ms"), now)
    return play(policy, sent, script, draw)


def shared_scenario(case: Mapping[str, Any], random: Any) -> Actual:
    """Several calls that share a limiter. Each has its whole policy, and takes the draws from their beginning."""
    from shared_time import play_together  # single calls need no limiter

    calls = case["calls"]
    policies = [policy_of(one["policy"]) for one in calls]
    return play_together(case, policies, [_sent_by(one.get("request", {})) for one in calls], [draws(random) for _ in calls])
