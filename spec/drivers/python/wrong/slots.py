"""Who starts when, and what is told: L10 to L13, L15 and L16."""

from __future__ import annotations

from wrong import Fault

_CAN_BE_HELD = "self.held_ms <= self.cap_ms"
_MOMENT = "call.moment_ms = end_ms + (i * 1_000 + n - 1) // n"
_EXPIRES = "call.expires_ms = now_ms + self._config.queue_timeout_ms\n"
_FULL = "if len(self._queue) > waiting >= self._config.max_queue and not is_retry:  # L13"
_MAY_START = "while self._in_flight < self._enforced and not self._hold.is_on(self._now_ms):"

FAULTS = [
    Fault("L10", "holds-hold-nobody", "What comes during a hold starts.", [
        ("limiter", _MAY_START, "while self._in_flight < self._enforced:")]),
    Fault("L10", "hold-without-bound", "A hold lasts as long as stated, whatever max_hold_ms says.", [
        ("hold", "min(retry_after_ms, self._most_ms)", "retry_after_ms")]),
    Fault("L10", "hold-can-shrink", "A later wait that ends earlier ends the hold.", [
        ("hold", "        if longer_ms <= 0:\n", "        if retry_after_ms == 0:\n")]),
    Fault("L10", "hold-cap-not-strict", "Who can be held exactly so long is refused.", [
        ("waiting_call", _CAN_BE_HELD, _CAN_BE_HELD.replace("<=", "<"))]),
    Fault("L10", "cap-of-this-hold-alone", "What a call was held so far is forgotten as a hold grows.", [
        ("waiting_call", "self.held_ms += longer_ms", "self.held_ms = longer_ms")]),
    Fault("L10", "who-waits-is-not-told", "Who waits already is held beyond its bounds.", [
        ("limiter", "self._hold.until_ms):\n                self._queue.remove(call)",
         "self._hold.until_ms) and False:\n                self._queue.remove(call)")]),
    Fault("L10", "held-time-is-queue-time", "The queue's time goes on during a hold.", [
        ("waiting_call", "        self.expires_ms += longer_ms", "        pass")]),
    Fault("L10", "all-at-once-after-a-hold", "When a hold ends, all that wait start at once.", [
        ("waiting_call", _MOMENT, "call.moment_ms = end_ms")]),
    Fault("L10", "moments-rounded-down", "The moments after a hold are rounded down.", [
        ("waiting_call", _MOMENT, "call.moment_ms = end_ms + i * 1_000 // n")]),
    Fault("L10", "the-others-at-once", "Who has no moment of its own starts with the first slot that comes free.", [
        ("waiting_call", "if self._calls and self.pace_ms <= now_ms else None", "if self._calls else None")]),
    Fault("L10", "moments-are-passed-on", "Who leaves the others gives its moment to the next.", [
        ("waiting_call", "            self._passed += 1\n", "            self._passed += call.since_ms < 0\n")]),
    Fault("L10", "the-others-in-the-next-second", "The others begin a second after the hold.", [
        ("waiting_call", "return self._pace_from_ms - (", "return self._pace_from_ms + 1_000 - (")]),
    Fault("L10", "spread-over-all", "Everybody who waits has a moment, not as many as the limit.", [
        ("waiting_call", "n = min(len(self._calls), limit)", "n = len(self._calls)")]),
    Fault("L10", "the-plan-outlives-a-hold", "A new hold keeps the moments of the one before.", [
        ("limiter", "        self._queue.forget_plan()\n", ""),
        ("waiting_call", _MOMENT, "call.moment_ms = call.moment_ms or end_ms + (i * 1_000 + n - 1) // n")]),
    Fault("L11", "a-rise-starts-nobody", "Who waits does not start when the limit rises.", [
        ("limiter", "            self._start_who_may()\n\n    def _close_window",
         "            if self._hold.until_ms <= self._now_ms and self._hold.until_ms > 0:\n"
         "                self._start_who_may()\n\n    def _close_window"),
        ("limiter", '                self._refuse(call, "queue_timeout")\n        self._start_who_may()\n',
         '                self._refuse(call, "queue_timeout")\n')]),
    Fault("L11", "room-above-the-limit", "What ends above a lowered limit makes room.", [
        ("limiter", "        self._in_flight -= 1\n        self._start_who_may()\n",
         "        self._in_flight -= 1\n        call = self._queue.next(now_ms)\n"
         "        if call is not None and self._queue.remove(call):\n"
         "            self._in_flight += 1\n            self._observer.started(call)\n")]),
    Fault("L12", "a-retry-comes-last", "A retry has a new place, behind everybody.", [
        ("limiter", "        self._queue.add(call)\n", "        call.place = None\n        self._queue.add(call)\n")]),
    Fault("L12", "a-full-queue-keeps-retries-out", "A full queue refuses a retry.", [
        ("limiter", _FULL, _FULL.replace(" and not is_retry", ""))]),
    Fault("L12", "a-retry-has-old-time", "A retry's time in the queue goes on from where its call's was.", [
        ("limiter", _EXPIRES, f"if not is_retry:\n            {_EXPIRES}")]),
    Fault("L13", "one-more-in-the-queue", "One call more than max_queue may wait.", [
        ("limiter", _FULL, _FULL.replace(">= self", "> self"))]),
    Fault("L13", "no-room-for-who-starts", "A call that could start at once is refused by a queue without room.", [
        ("limiter", "        waiting = len(self._queue)\n",
         "        waiting = len(self._queue)\n        if waiting >= self._config.max_queue and not is_retry:\n"
         "            self._refuse(call, \"queue_full\")\n            return\n")]),
    Fault("L13", "timeouts-a-millisecond-late", "Who has waited queue_timeout_ms waits on.", [
        ("limiter", _EXPIRES, _EXPIRES.replace("queue_timeout_ms", "queue_timeout_ms + 1"))]),
    Fault("L13", "timeouts-come-first", "A slot that comes free in the millisecond of a timeout is too late.", [
        ("limiter", "            if self._window_end_ms == self._now_ms:",
         "            self._expire()\n            if self._window_end_ms == self._now_ms:")]),
    Fault("L13", "last-come-first-served", "Of those that wait the last one starts first.", [
        ("waiting_call", "return self._calls[0] if self._calls and",
         "return self._calls[-1] if self._calls and")]),
    Fault("L15", "no-event-of-a-later-end", "A hold that grows is not told.", [
        ("limiter", '        self._tell("hold")\n',
         '        self._tell("hold" if longer_ms == retry_after_ms else None)\n')]),
    Fault("L15", "hold-before-the-backoff", "A hold is told before the throttle that brought it.", [
        ("limiter", "        self._tell(self._throttles.throttle(now_ms, self.limit))\n",
         "        told = self._throttles.throttle(now_ms, self.limit)\n"),
        ("limiter", "        if longer_ms == 0:\n            return\n        self._tell(\"hold\")\n",
         "        self._tell(\"hold\" if longer_ms else None)\n        self._tell(told)\n"
         "        if longer_ms == 0:\n            return\n")]),
    Fault("L15", "the-first-fall-alone", "Only the first fall of the latency ceiling is told.", [
        ("latency_ceiling", '            self._fell_ms = end_ms\n        return "latency_backoff"',
         '            self._fell_ms = end_ms\n            return "latency_backoff"\n        return None')]),
    Fault("L15", "every-rise-is-a-recovery", "Each rise of the throttle ceiling is told.", [
        ("throttle_ceiling", 'return "throttle_recovery" if self.value == self._most else None',
         'return "throttle_recovery"')]),
    Fault("L15", "rejections-untold", "Who is refused by the queue is not told as an event.", [
        ("limiter", '        self._tell("queue_rejected")\n', "")]),
    Fault("L15", "hold-untold", "The snapshot does not tell the end of a hold.", [
        ("limiter", '"hold_until_ms": self._hold.until_ms if is_held else None', '"hold_until_ms": None')]),
    Fault("L16", "as-of-the-look", "A window at which nobody looked is closed as of the look.", [
        ("limiter", "self._now_ms = min(now_ms, self._due_ms())", "self._now_ms = now_ms"),
        ("limiter", "if self._window_end_ms == self._now_ms:", "if self._window_end_ms <= self._now_ms:"),
        ("limiter", "window, end_ms = self._window, self._window_end_ms",
         "window, end_ms = self._window, self._now_ms")]),
    Fault("L16", "one-rise-a-look", "A look after several seconds of recovery gives back one.", [
        ("limiter", "self._now_ms = min(now_ms, self._due_ms())", "self._now_ms = now_ms"),
        ("limiter", "if self._throttles.due_ms == self._now_ms:", "if self._throttles.due_ms <= self._now_ms:")]),
    Fault("L16", "a-look-closes", "Whoever looks closes the window.", [
        ("limiter", "        self._pass(now_ms)\n        self._expire()\n",
         "        self._pass(now_ms)\n        self._expire()\n        if self._window.count:\n"
         "            self._window_end_ms = now_ms\n            self._close_window()\n")]),
    Fault("L16", "a-look-recovers", "Each look gives a throttled limit one back.", [
        ("limiter", "        is_held = self._hold.is_on(now_ms)\n",
         "        is_held = self._hold.is_on(now_ms)\n        if self._throttles.due_ms < math.inf:\n"
         "            self._throttles.rise()\n")]),
]
