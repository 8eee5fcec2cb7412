"""Named policies. Those of services classify failures as their documentation says."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Dict, Mapping, Optional

from failure import FINAL, THROTTLE, TRANSIENT, Failure, Verdict
from policy import Policy, PolicyError, policy_from
from stated_wait import whole_ms


def _parsed(text: str) -> Any:
    """The JSON value of a body, or None where it cannot be parsed."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)  # NaN and Infinity are Python's, not JSON's

    try:
        # parse_int: Python refuses integers of more than 4 300 digits, which JSON allows.
        return json.loads(text, parse_int=float, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def _classify_github(failure: Failure) -> Optional[Verdict]:
    if failure.status == 429:
        return Verdict(THROTTLE, 60_000)
    if failure.status == 403 and (
        failure.header("x-ratelimit-remaining") == "0"
        or failure.header("retry-after") is not None
        or "secondary rate limit" in failure.peek().lower()
    ):
        return Verdict(THROTTLE, 60_000)
    return None


_OPENAI_QUOTA_CODES = (
    "insufficient_quota",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
)


def _classify_openai(failure: Failure) -> Optional[Verdict]:
    if failure.status != 429:
        return None
    body = _parsed(failure.peek())
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and (
        error.get("code") in _OPENAI_QUOTA_CODES or error.get("type") == "insufficient_quota"
    ):
        return Verdict(FINAL)
    return None


_AWS_THROTTLES = frozenset(
    """BandwidthLimitExceeded EC2ThrottledException LimitExceededException PriorRequestNotComplete
    ProvisionedThroughputExceededException RequestLimitExceeded RequestThrottled
    RequestThrottledException SlowDown ThrottledException Throttling ThrottlingException
    TooManyRequestsException TransactionInProgressException""".split()
)
_AWS_TRANSIENTS = frozenset(
    "RequestTimeout RequestTimeoutException InternalError IDPCommunicationError".split()
)


def _aws_name(failure: Failure) -> str:
    name: Any = failure.header("x-amzn-errortype")
    if name is None:
        body = _parsed(failure.peek())
        if isinstance(body, dict):
            name = next((body[key] for key in ("__type", "code") if isinstance(body.get(key), str)), "")
        else:
            name = ""
    before_colon = name.split(":", 1)[0]
    return before_colon.split("#", 1)[-1]


def _classify_aws(failure: Failure) -> Optional[Verdict]:
    if failure.status is None or failure.status < 400:
        return None
    name = _aws_name(failure)
    fallback_ms = whole_ms(failure.header("x-amz-retry-after"))
    if failure.status == 429 or name in _AWS_THROTTLES:
        return Verdict(THROTTLE, fallback_ms)
    if failure.status in (500, 502, 503, 504) or name in _AWS_TRANSIENTS:
        return Verdict(TRANSIENT, fallback_ms)
    return None


def _classify_shopify(failure: Failure) -> Optional[Verdict]:
    return Verdict(THROTTLE, 1_000) if failure.status == 429 else None


INTERACTIVE = Policy(attempt_timeout_ms=60_000, stated_jitter_ms=250)

PRESETS: Dict[str, Policy] = {
    "interactive": INTERACTIVE,
    "background": replace(INTERACTIVE, throttle_budget_ms=30_000),
    "disabled": replace(INTERACTIVE, max_attempts=1),
    "github": replace(INTERACTIVE, classify=_classify_github),
    "stripe": replace(INTERACTIVE, transient_statuses=(409, 502, 503, 504)),
    "openai": replace(
        INTERACTIVE, transient_statuses=(500, 502, 503, 504), classify=_classify_openai
    ),
    "aws-json": replace(
        INTERACTIVE,
        base_ms=1_000,
        transient_statuses=(500, 502, 503, 504),
        classify=_classify_aws,
    ),
    "shopify": replace(INTERACTIVE, classify=_classify_shopify),
}


def policy_of(given: Mapping[str, Any]) -> Policy:
    """The policy that JSON names: the preset's values first, then the fields beside it."""
    beside = {name: value for name, value in given.items() if name != "preset"}
    if "preset" not in given:
        return policy_from(beside)
    name = given["preset"]
    if not isinstance(name, str) or name not in PRESETS:
        raise PolicyError("preset", name, f"name one of {', '.join(PRESETS)}")
    return policy_from(beside, PRESETS[name])
