"""What is retried at all: R1, R2 and R3."""

from __future__ import annotations

from wrong import Fault

_THROTTLE = "return kind == THROTTLE  # R1: on any method"
_SAFE_BY = "sent.method.upper() in _IDEMPOTENT_METHODS or sent.is_keyed or sent.is_idempotent"
_METHODS = '("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY")'
_OFF = "if not policy.retry_transient_idempotent:"
_CONFLICT = "failure.status == 409 and sent.is_keyed and progress.may_be_at_work"
_TRANSIENT = "if failure.status in policy.transient_statuses or"
_RELEASE = "        # R12: what will be retried is let go before the wait begins."
_REFUSED = "is_refused = failure.kind == kinds.REFUSED_STREAM and told.attempts == 1"
_FIRST_REFUSED = "if failure.kind == kinds.REFUSED_STREAM and progress.attempts == 1:"


def _methods(without: str) -> tuple:
    return ("decide", _METHODS, _METHODS.replace(f'"{without}", ', ""))


def _more_transient(more: str) -> tuple:
    return ("decide", _TRANSIENT, f"if failure.status in (*policy.transient_statuses, {more}) or")


FAULTS = [
    Fault("R1", "throttle-not-on-post", "A throttle is retried only where repeating is safe.", [
        ("decide", _THROTTLE, "return kind == THROTTLE and sent.method.upper() in _IDEMPOTENT_METHODS")]),
    Fault("R1", "throttle-not-on-patch", "A throttle is not retried on PATCH.", [
        ("decide", _THROTTLE, 'return kind == THROTTLE and sent.method != "PATCH"')]),
    Fault("R1", "throttle-never", "A throttle is final.", [("decide", _THROTTLE, "return False")]),
    Fault("R1", "throttle-is-429", "429 is the throttle, whatever the policy lists.", [
        ("decide", "if failure.status in policy.throttle_statuses:", "if failure.status == 429:")]),
    Fault("R1", "throttle-after-transient", "A status in both lists is transient.", [
        ("decide", "if failure.status in policy.throttle_statuses:",
         "if failure.status in policy.throttle_statuses and failure.status not in policy.transient_statuses:")]),
    Fault("R1", "throttle-classified-not-on-post", "What classify calls a throttle is retried where that is safe.", [
        ("decide", _THROTTLE,
         f"return kind == THROTTLE and (failure.status in policy.throttle_statuses or {_SAFE_BY})")]),
    Fault("R1", "throttle-off-with-transients", "retry_transient_idempotent turns throttles off too.", [
        ("decide", _THROTTLE, "return kind == THROTTLE and policy.retry_transient_idempotent")]),

    Fault("R2", "post-is-safe", "POST counts as idempotent.", [
        ("decide", _METHODS, _METHODS.replace('"PUT"', '"PUT", "POST"'))]),
    Fault("R2", "patch-is-safe", "PATCH counts as idempotent.", [
        ("decide", _METHODS, _METHODS.replace('"PUT"', '"PUT", "PATCH"'))]),
    Fault("R2", "put-is-not-safe", "PUT does not count as idempotent.", [_methods("PUT")]),
    Fault("R2", "delete-is-not-safe", "DELETE does not count as idempotent.", [_methods("DELETE")]),
    Fault("R2", "options-is-not-safe", "OPTIONS does not count as idempotent.", [_methods("OPTIONS")]),
    Fault("R2", "query-is-not-safe", "QUERY does not count as idempotent.", [
        ("decide", _METHODS, _METHODS.replace(', "QUERY"', ""))]),
    Fault("R2", "method-in-upper-case-only", "get is another method than GET.", [
        ("decide", _SAFE_BY, _SAFE_BY.replace(".upper()", ""))]),
    Fault("R2", "stated-wait-makes-safe", "Retry-After on a transient failure makes it safe to repeat a POST.", [
        ("decide", _SAFE_BY, f'{_SAFE_BY} or failure.header("retry-after") is not None')]),
    Fault("R2", "connection-failure-is-safe", "A connection failure is retried on POST.", [
        ("decide", _SAFE_BY, f"{_SAFE_BY} or failure.kind == kinds.CONNECT")]),
    Fault("R2", "timeout-is-final", "A timeout is not retried.", [
        ("decide", "FINAL if failure.kind == kinds.NETWORK",
         "FINAL if failure.kind in (kinds.NETWORK, kinds.TIMEOUT)")]),
    Fault("R2", "key-ignored", "An Idempotency-Key makes nothing safe.", [
        ("decide", _SAFE_BY, _SAFE_BY.replace("sent.is_keyed or ", ""))]),
    Fault("R2", "key-in-lower-case-only", "The key's header is found in lower case only.", [
        ("replay", 'name.lower() == "idempotency-key"', 'name == "idempotency-key"')]),
    Fault("R2", "key-by-part-of-a-name", "X-Idempotency-Key is taken for a key.", [
        ("replay", 'name.lower() == "idempotency-key"', '"idempotency-key" in name.lower()')]),
    Fault("R2", "mark-ignored", "A call marked as idempotent is not repeated.", [
        ("decide", _SAFE_BY, _SAFE_BY.replace(" or sent.is_idempotent", ""))]),
    Fault("R2", "conflict-at-once", "A keyed 409 is transient without a transient failure before it.", [
        ("decide", _CONFLICT, "failure.status == 409 and sent.is_keyed")]),
    Fault("R2", "conflict-never", "A keyed 409 is final after a transient failure too.", [
        ("decide", _CONFLICT, "False")]),
    Fault("R2", "conflict-without-a-key", "A 409 after a transient failure needs no key.", [
        ("decide", _CONFLICT, "failure.status == 409 and progress.may_be_at_work")]),
    Fault("R2", "conflict-by-mark", "A 409 after a transient failure may be marked instead of keyed.", [
        ("decide", _CONFLICT,
         "failure.status == 409 and (sent.is_keyed or sent.is_idempotent) and progress.may_be_at_work")]),
    Fault("R2", "conflict-after-throttle", "A throttle makes a keyed 409 transient.", [
        ("call", _RELEASE, f"        may_be_at_work = True\n{_RELEASE}")]),
    Fault("R2", "conflict-right-after-only", "A throttle in between makes a keyed 409 final again.", [
        ("call", _RELEASE, f"        may_be_at_work = may_be_at_work and decision.kind == TRANSIENT\n{_RELEASE}")]),
    Fault("R2", "conflict-not-after-a-later-refusal", "A stream refused later is never at work.", [
        ("call", _REFUSED, "is_refused = failure.kind == kinds.REFUSED_STREAM")]),
    Fault("R2", "off-switch-ignored", "retry_transient_idempotent: false changes nothing.", [
        ("decide", _OFF, "if False:")]),
    Fault("R2", "off-switch-not-for-keyed", "retry_transient_idempotent: false leaves keyed calls alone.", [
        ("decide", _OFF, "if not policy.retry_transient_idempotent and not sent.is_keyed:")]),
    Fault("R2", "off-switch-not-for-refused", "retry_transient_idempotent: false leaves refused streams alone.", [
        ("decide", _OFF, "if not policy.retry_transient_idempotent and failure.kind != kinds.REFUSED_STREAM:")]),

    Fault("R3", "retries-408", "408 is transient.", [_more_transient("408")]),
    Fault("R3", "retries-425", "425 is transient.", [_more_transient("425")]),
    Fault("R3", "retries-500", "500 is transient.", [_more_transient("500")]),
    Fault("R3", "retries-every-5xx", "Every status of 500 or more is transient.", [
        _more_transient("*range(500, 600)")]),
    Fault("R3", "retries-4xx-with-retry-after", "A 4xx with Retry-After is transient.", [
        ("decide", _TRANSIENT, f'if "retry-after" in failure.headers and failure.status < 500 or {_TRANSIENT[3:]}')]),
    Fault("R3", "redirect-is-a-failure", "A 3xx that reaches the caller is a failure.", [
        ("call", "report.status < 400:  # R3", "report.status < 300:")]),
    Fault("R3", "success-with-retry-after", "A 2xx with Retry-After is a failure.", [
        ("call", "report.status < 400:  # R3", 'report.status < 400 and "retry-after" not in report.headers:')]),
    Fault("R3", "unknown-name-retried", "A name that does not exist is a connection failure.", [
        ("failure", "ENETDOWN UND_ERR_SOCKET", "ENETDOWN ENOTFOUND UND_ERR_SOCKET")]),
    Fault("R3", "certificate-retried", "A certificate error is a connection failure.", [
        ("failure", "in _CERTIFICATE):\n        return NETWORK", "in _CERTIFICATE):\n        return CONNECT")]),
    Fault("R3", "unknown-code-retried", "A code that nobody knows is a connection failure.", [
        ("failure", "        return CONNECT\n    return NETWORK", "        return CONNECT\n    return CONNECT")]),
    Fault("R3", "name-server-trouble-final", "EAI_AGAIN is final.", [("failure", "EAI_AGAIN ", "")]),
    Fault("R3", "broken-pipe-final", "EPIPE is final.", [("failure", "EPIPE ", "")]),
    Fault("R3", "transport-timeouts-final", "A timeout that undici tells by a code is final.", [
        ("failure", "UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT\n    UND_ERR_BODY_TIMEOUT", "")]),
    Fault("R3", "refused-stream-not-on-post", "A refused stream is retried only where repeating is safe.", [
        ("decide", _FIRST_REFUSED, "if False:")]),
    Fault("R3", "refused-stream-at-any-attempt", "A stream refused later is retried on any method too.", [
        ("decide", _FIRST_REFUSED, "if failure.kind == kinds.REFUSED_STREAM:")]),
    Fault("R3", "refused-stream-is-at-work", "A keyed 409 after a refused stream is transient.", [
        ("call", _REFUSED, "is_refused = False")]),
]
