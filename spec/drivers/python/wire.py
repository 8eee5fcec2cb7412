"""Rows of the suite `wire`: one real call each, to a server that judges by what arrives."""

from __future__ import annotations

from typing import Any, Dict, Mapping

from http_transport import Request
from policy import Policy
from real_time import send_call
from virtual_time import SHORT_TEXT


def wire_call(policy: Policy, case: Mapping[str, Any], base_url: str) -> Dict[str, Any]:
    asked = case.get("request", {})
    method = asked.get("method", "GET")
    kind = "none" if method.upper() in ("GET", "HEAD") else asked.get("body", "replayable")
    text = SHORT_TEXT.encode()
    request = Request(
        url=base_url,
        method=method,
        headers=asked.get("headers", {}),
        body={"none": None, "replayable": text, "stream": iter([text])}[kind],
        is_idempotent=asked.get("idempotent", False),
    )
    told = send_call(request, policy)
    if told.answer is not None:
        told.answer.body.read()
    return {
        "outcome": told.outcome,
        "status": told.status,
        "failure": told.failure,
        "reason": told.reason,
        "retry_after_ms": told.retry_after_ms,
        "attempts": told.attempts,
    }
