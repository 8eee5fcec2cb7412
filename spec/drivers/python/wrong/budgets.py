"""A budget of time for throttles, and one of retries that calls share: R15 and R16."""

from __future__ import annotations

from wrong import Fault

_WAIT = "wait_ms = max(stated_ms or 0, policy.throttle_default_wait_ms)\n"
_SPENT = "if progress.throttle_waited_ms + wait_ms > policy.throttle_budget_ms:"
_OVER_BUDGET = 'return give_up("throttle_budget")'
_EXHAUSTED = "exhausted = progress.transient_failures + 1 > policy.transient_retries"
_COMPUTED = "computed = policy.transient_base_ms << progress.transient_failures  # R15"
_JITTER = "return computed + _drawn(draw, policy.transient_jitter_ms), 0"
_BUDGETED = "    if policy.throttle_budget_ms is not None:\n        computed"
_STATED = "    if stated_ms is not None:\n        return stated_ms, policy.stated_jitter_ms  # R8\n"
_DEADLINE = "if policy.deadline_ms is not None and progress.elapsed_ms"
_TOKENS = "if kind == TRANSIENT and progress.retry_tokens is not None and progress.retry_tokens < 1:"
_COUNT = "            transient_failures += 1\n"

FAULTS = [
    Fault("R15", "budget-not-strict", "A sum of throttle waits equal to the budget is refused.", [
        ("decide", _SPENT, _SPENT.replace(">", ">="))]),
    Fault("R15", "budget-of-the-next-wait", "Each throttle wait alone is compared with the budget.", [
        ("decide", _SPENT, "if wait_ms > policy.throttle_budget_ms:")]),
    Fault("R15", "budget-and-attempts", "max_attempts bounds throttles beside the budget.", [
        ("decide", _SPENT,
         f'if progress.attempts >= policy.max_attempts:\n'
         f'            return give_up("attempts_exhausted")\n        {_SPENT}')]),
    Fault("R15", "budget-and-cap", "The per-attempt cap bounds throttle waits beside the budget.", [
        ("decide", _SPENT,
         f'if wait_ms > policy.per_attempt_cap_ms:\n            return give_up("wait_over_cap")\n        {_SPENT}')]),
    Fault("R15", "budget-and-total", "The total cap bounds throttle waits beside the budget.", [
        ("decide", _SPENT, "if progress.throttle_waited_ms + wait_ms > policy.total_cap_ms:\n"
         f'            return give_up("total_over_cap")\n        {_SPENT}')]),
    Fault("R15", "budget-of-all-waits", "Waits after transient failures are taken from the throttle budget.", [
        ("decide", _SPENT, _SPENT.replace("progress.throttle", "progress.waited_ms + progress.throttle"))]),
    Fault("R15", "budget-clamps", "A throttle wait is cut to what the budget leaves.", [
        ("decide", _WAIT, f"{_WAIT}        left_ms = policy.throttle_budget_ms - progress.throttle_waited_ms\n"
         "        wait_ms = min(wait_ms, left_ms) if left_ms > 0 else wait_ms\n")]),
    Fault("R15", "default-wait-where-none-is-stated", "The default wait is no least wait.", [
        ("decide", _WAIT, "wait_ms = policy.throttle_default_wait_ms if stated_ms is None else stated_ms\n")]),
    Fault("R15", "default-wait-always", "A stated wait counts for nothing beside a budget.", [
        ("decide", _WAIT, "wait_ms = policy.throttle_default_wait_ms\n")]),
    Fault("R15", "default-wait-added", "The default wait is added to a stated one.", [
        ("decide", _WAIT, "wait_ms = (stated_ms or 0) + policy.throttle_default_wait_ms\n")]),
    Fault("R15", "throttle-wait-with-jitter", "A throttle wait has the jitter of a stated one.", [
        ("decide", _WAIT, f"{_WAIT}        wait_ms += _drawn(draw, policy.stated_jitter_ms)\n")]),
    Fault("R15", "budget-without-deadline", "The deadline does not bind throttle waits.", [
        ("decide", _DEADLINE, f"if kind != THROTTLE and {_DEADLINE[3:]}")]),
    Fault("R15", "budget-tells-its-wait", "What is told as stated is the wait that the budget would have made.", [
        ("decide", _OVER_BUDGET, 'return Decision(False, kind, reason="throttle_budget", retry_after_ms=wait_ms)')]),
    Fault("R15", "over-budget-is-no-fail-fast", "throttle_budget is not told as failing fast.", [
        ("decide", '"throttle_budget", "deadline"', '"deadline"')]),
    Fault("R15", "throttles-in-the-total", "Throttle waits count against the total cap of transient failures.", [
        ("call", "(after_throttles_ms if policy.throttle_budget_ms is None else 0)", "after_throttles_ms")]),
    Fault("R15", "transients-by-attempts", "Throttles count as transient failures.", [
        ("decide", _EXHAUSTED, "exhausted = progress.attempts > policy.transient_retries")]),
    Fault("R15", "transients-one-too-many", "One more transient failure is retried than transient_retries says.", [
        ("decide", _EXHAUSTED, _EXHAUSTED.replace(" + 1", ""))]),
    Fault("R15", "transients-by-max-attempts", "max_attempts bounds transient failures beside a budget.", [
        ("decide", _EXHAUSTED, "exhausted = progress.attempts >= policy.max_attempts")]),
    Fault("R15", "refused-stream-free", "A refused stream is no transient failure to the budget.", [
        ("call", _COUNT, "            transient_failures += failure.kind != kinds.REFUSED_STREAM\n")]),
    Fault("R15", "transient-exponent-by-attempts", "The wait after a transient failure doubles with throttles too.", [
        ("decide", _COMPUTED, _COMPUTED.replace("progress.transient_failures", "(progress.attempts - 1)"))]),
    Fault("R15", "transient-exponent-one-too-many", "The first wait after a transient failure is doubled already.", [
        ("decide", _COMPUTED, _COMPUTED.replace("progress.transient_failures", "(progress.transient_failures + 1)"))]),
    Fault("R15", "transient-wait-without-jitter", "The wait after a transient failure has no jitter.", [
        ("decide", _JITTER, "return computed, 0")]),
    Fault("R15", "transient-full-jitter", "A wait after a transient failure is drawn from its whole range.", [
        ("decide", _JITTER, "return _drawn(draw, computed + policy.transient_jitter_ms), 0")]),
    Fault("R15", "transient-wait-by-r7", "The wait after a transient failure is computed as without a budget.", [
        ("decide", _BUDGETED, _BUDGETED.replace("policy.throttle_budget_ms is not None", "False"))]),
    Fault("R15", "transient-wait-clamped", "A computed wait after a transient failure is cut to the cap.", [
        ("decide", _JITTER,
         "return min(computed + _drawn(draw, policy.transient_jitter_ms), policy.per_attempt_cap_ms), 0")]),
    Fault("R15", "transient-cap-without-jitter", "A computed wait is compared with the caps without its jitter.", [
        ("decide", _JITTER, "return computed, policy.transient_jitter_ms")]),
    Fault("R15", "transient-stated-ignored", "What a transient failure states is not waited beside a budget.", [
        ("decide", _STATED, _STATED.replace("is not None:", "is not None and policy.throttle_budget_ms is None:"))]),
    Fault("R15", "transient-stated-without-jitter", "What a transient failure states has no jitter beside a budget.", [
        ("decide", _STATED, "    if stated_ms is not None:\n"
         "        return stated_ms, policy.stated_jitter_ms if policy.throttle_budget_ms is None else 0\n")]),

    Fault("R16", "retry-budget-ignored", "An empty budget refuses nothing.", [("decide", _TOKENS, "if False:")]),
    Fault("R16", "throttles-take-tokens", "A throttle needs a token too.", [
        ("decide", _TOKENS, _TOKENS.replace("kind == TRANSIENT and ", ""))]),
    Fault("R16", "part-of-a-token", "A part of a token is enough.", [
        ("decide", _TOKENS, _TOKENS.replace("< 1", "<= 0"))]),
    Fault("R16", "more-than-a-token", "One whole token is not enough.", [
        ("decide", _TOKENS, _TOKENS.replace("< 1", "<= 1"))]),
    Fault("R16", "refused-stream-without-a-token", "A refused stream takes no token.", [
        ("decide", _TOKENS, _TOKENS.replace("if ", "if failure.kind != kinds.REFUSED_STREAM and "))]),
    Fault("R16", "stated-wait-without-a-token", "Where the server stated a wait no token is taken.", [
        ("decide", _TOKENS, _TOKENS.replace("if ", "if stated_ms is None and "))]),
    Fault("R16", "no-token-beside-a-throttle-budget", "With a throttle budget the shared one is not asked.", [
        ("decide", _TOKENS, _TOKENS.replace("if ", "if policy.throttle_budget_ms is None and "))]),
    Fault("R16", "retry-budget-is-no-fail-fast", "retry_budget is not told as failing fast.", [
        ("decide", '"deadline", "retry_budget")', '"deadline")')]),
]
