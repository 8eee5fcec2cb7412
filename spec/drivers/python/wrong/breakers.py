"""The breaker of a data source: I2."""

from __future__ import annotations

from wrong import Fault

_SLOW = 'took_ms <= max(self._settings["slow_ratio"] * baseline_ms, interval_ms):'
_IN_A_ROW = 'if self.state == HALF_OPEN or self._slow_in_a_row >= self._settings["slow_flushes"]:'
_OLD = "elif oldest_ms > bound_ms + self._age_allowance_ms:"
_MANY = 'if active <= self._settings["parts_share"] * delay_at:'
_HOLD = 'hold_ms = self._settings["hold_ms"] * (1 - jitter + 2 * jitter * self._draw())'
_OVER = "if now_ms < self.until_ms or not self._is_fit(node):"
_LOST = 'if now_ms - self._probed_ms > self._settings["probe_timeout_ms"]:'
_ERROR = 'error_ms < self._settings["resource_error_ms"]'
_PING = 'node.ping_ms < self._settings["ping_ratio"] * ordinary_ms'
_VAIN = 'in_vain = reason == self.reason and measure >= self._settings["better_ratio"] * self._measure'
_GIVE_UP = 'if in_vain and self.holds >= self._settings["max_holds"]:'
_ALLOWANCE = "self._age_allowance_ms = max(self._age_allowance_ms, now_ms - self._held_since_ms)"
_WELL = "        if self.reason == reason:\n            self.holds = 0\n"
_WEIGHT = "weight = 1 / self.flushes if self.flushes <= self._needed else _WEIGHT"
_LEFT = "left_ms = max(0, self.until_ms - now_ms) if self.state == OPEN else 0"
_FAILED = "        if self.state == HALF_OPEN:\n            self._hold(now_ms)\n\n    def aged"

FAULTS = [
    Fault("I2", "a-baseline-at-once", "The first flush is a baseline.", [
        ("flush_baseline", "None if self.flushes < self._needed", "None if self.flushes < 1")]),
    Fault("I2", "a-baseline-a-flush-late", "There is no baseline with the last flush that it needs.", [
        ("flush_baseline", "self.flushes < self._needed", "self.flushes <= self._needed")]),
    Fault("I2", "baseline-is-a-mean-for-ever", "Each flush moves the baseline as little as all before.", [
        ("flush_baseline", _WEIGHT, "weight = 1 / self.flushes")]),
    Fault("I2", "baseline-moves-from-the-first", "The first flushes make no mean.", [
        ("flush_baseline", _WEIGHT, "weight = 1 if self.flushes == 1 else _WEIGHT")]),
    Fault("I2", "one-baseline-for-all", "What is ordinary for one is ordinary for all.", [
        ("keyed_breaker", "        return Breaker(self._settings, self._draw)",
         "        one = Breaker(self._settings, self._draw)\n"
         "        for other in self._breakers.values():\n"
         "            one._baseline = other._baseline\n        return one")]),
    Fault("I2", "slow-at-the-ratio", "A flush of exactly slow_ratio times the baseline is slow.", [
        ("breaker", _SLOW, _SLOW.replace("<=", "<"))]),
    Fault("I2", "slow-within-the-interval", "A flush within its interval can be slow.", [
        ("breaker", _SLOW, _SLOW.replace("max(", "(").replace(", interval_ms", ""))]),
    Fault("I2", "slow-by-the-interval-alone", "A flush longer than its interval is slow.", [
        ("breaker", _SLOW, "took_ms <= interval_ms:")]),
    Fault("I2", "a-slow-flush-more", "One slow flush more is needed.", [
        ("breaker", _IN_A_ROW, _IN_A_ROW.replace(">=", ">"))]),
    Fault("I2", "slow-ones-add-up", "Slow flushes add up, with others between them.", [
        ("breaker", "            self._slow_in_a_row = 0\n            self._baseline",
         "            self._baseline")]),
    Fault("I2", "slow-ones-are-learned", "A slow flush moves the baseline.", [
        ("breaker", "        self._slow_in_a_row += 1\n",
         "        self._slow_in_a_row += 1\n        self._baseline.learn(took_ms)\n")]),
    Fault("I2", "late-flushes-count", "A flush that ends while it is open counts.", [
        ("breaker", "        if self.state == OPEN:\n            return  # it had begun before\n", "")]),
    Fault("I2", "errors-open-it", "A flush that ends in an error opens it.", [
        ("breaker", _FAILED,
         "        self._hold(now_ms)\n\n    def aged")]),
    Fault("I2", "a-failed-probe-closes", "A probe that ends in an error closes it.", [
        ("breaker", _FAILED,
         _FAILED.replace("_hold", "_close"))]),
    Fault("I2", "a-failed-probe-is-in-vain", "A hold after an error counts as one in vain.", [
        ("breaker", _FAILED,
         _FAILED.replace("self._hold", "self.holds += 1\n            self._hold"))]),
    Fault("I2", "a-slow-probe-closes", "A probe that is written slowly closes it.", [
        ("breaker", _IN_A_ROW,
         f"if self.state == HALF_OPEN:\n            self._close(now_ms)\n        elif {_IN_A_ROW[3:]}")]),
    Fault("I2", "a-probe-is-no-success", "A probe that is written leaves it half-open.", [
        ("breaker", "            if self.state == HALF_OPEN:\n                self._close(now_ms)\n            return",
         
         "            return")]),
    Fault("I2", "old-at-the-bound", "An oldest event of exactly old_intervals is too old.", [
        ("breaker", "if oldest_ms <= bound_ms:", "if oldest_ms < bound_ms:"),
        ("breaker", _OLD, _OLD.replace(">", ">="))]),
    Fault("I2", "old-by-one-interval", "An event older than one flush interval is too old.", [
        ("breaker", 'bound_ms = self._settings["old_intervals"] * interval_ms', "bound_ms = interval_ms")]),
    Fault("I2", "held-events-are-old", "What a hold made old opens it again.", [
        ("breaker", _OLD, "elif oldest_ms > bound_ms:")]),
    Fault("I2", "allowed-by-what-was-told-alone", "Where nobody told an age the hold's length allows nothing.", [
        ("breaker", _ALLOWANCE, "pass  # what was told stands")]),
    Fault("I2", "allowed-by-length-alone", "The age that was told while it was open allows nothing.", [
        ("breaker", "            self._age_allowance_ms = oldest_ms\n", "            pass\n")]),
    Fault("I2", "allowed-for-ever", "An allowance stays once the age has been within its bound.", [
        ("breaker", "            self._age_allowance_ms = 0\n            self._well", "            self._well")]),
    Fault("I2", "many-at-the-share", "Exactly parts_share of the parts are too many.", [
        ("breaker", _MANY, _MANY.replace("<=", "<"))]),
    Fault("I2", "many-at-the-delay", "Parts are too many where the engine delays.", [
        ("breaker", _MANY, "if active <= delay_at:")]),
    Fault("I2", "hold-without-jitter", "Every hold is as long as another.", [
        ("breaker", _HOLD, 'hold_ms = self._settings["hold_ms"]')]),
    Fault("I2", "hold-only-lengthened", "The jitter lengthens a hold, and never shortens it.", [
        ("breaker", _HOLD, 'hold_ms = self._settings["hold_ms"] * (1 + jitter * self._draw())')]),
    Fault("I2", "one-draw-for-all", "All holds have the first draw.", [
        ("source_machines", "self._draws.pop(0) if len(self._draws) > 1 else self._draws[0]", "self._draws[0]")]),
    Fault("I2", "probed-too-early", "A probe is made a second before the hold is over.", [
        ("breaker", _OVER, _OVER.replace("self.until_ms", "self.until_ms - 1_000"))]),
    Fault("I2", "probed-a-moment-late", "At the end of the hold itself there is no probe.", [
        ("breaker", _OVER, _OVER.replace("now_ms <", "now_ms <="))]),
    Fault("I2", "many-probes", "While a probe is under way others are.", [
        ("breaker", "                self._hold(now_ms)\n            return False\n",
         "                self._hold(now_ms)\n            return True\n")]),
    Fault("I2", "lost-at-the-bound", "A probe is lost after exactly probe_timeout_ms.", [
        ("breaker", _LOST, _LOST.replace(">", ">="))]),
    Fault("I2", "never-lost", "A probe of which nothing is heard is waited for for ever.", [
        ("breaker", _LOST, "if False:")]),
    Fault("I2", "probes-any-node", "A probe goes to a node whose ping is slow.", [
        ("breaker", _PING, "node.ping_ms < 1e9 * ordinary_ms")]),
    Fault("I2", "ping-at-the-ratio", "A ping of exactly ping_ratio times the ordinary will do.", [
        ("breaker", _PING, _PING.replace(" < ", " <= "))]),
    Fault("I2", "no-ping-will-do", "A node that does not answer gets a probe.", [
        ("breaker", "if node.ping_ms is None or (",
         "if node.ping_ms is None:\n            return True\n        if (")]),
    Fault("I2", "resource-errors-are-forgotten", "A resource error keeps no probe away.", [
        ("breaker", _ERROR, "error_ms < 0")]),
    Fault("I2", "resource-error-at-the-bound", "A resource error of exactly resource_error_ms ago counts.", [
        ("breaker", _ERROR, _ERROR.replace("<", "<="))]),
    Fault("I2", "delays-for-ever", "Where delaying does not help it goes on.", [("breaker", _GIVE_UP, "if False:")]),
    Fault("I2", "gives-up-a-hold-late", "It takes one hold in vain more.", [
        ("breaker", _GIVE_UP, _GIVE_UP.replace(">=", ">"))]),
    Fault("I2", "better-is-in-vain", "What got better counts as in vain.", [
        ("breaker", _VAIN, "in_vain = reason == self.reason")]),
    Fault("I2", "another-signal-is-in-vain", "A hold for another signal counts with those before.", [
        ("breaker", _VAIN, _VAIN.replace("reason == self.reason and ", "self.reason is not None and "))]),
    Fault("I2", "better-than-the-first", "What gets better is measured by what opened it first.", [
        ("breaker", "        self._measure = measure\n        self.reason = reason\n",
         "        self._measure = self._measure if in_vain else measure\n        self.reason = reason\n")]),
    Fault("I2", "unanswered-for-ever", "What was unanswered stays so, though it is well.", [
        ("breaker", "        self.unanswered = [each for each in self.unanswered if each != reason]\n", "")]),
    Fault("I2", "unanswered-is-well", "Who is not delayed since that does not help is not saturated.", [
        ("breaker", "self.state != CLOSED or bool(self.unanswered)", "self.state != CLOSED")]),
    Fault("I2", "unanswered-opens-nothing", "Where one signal is unanswered none opens it.", [
        ("breaker", "if reason in self.unanswered:", "if self.unanswered:")]),
    Fault("I2", "well-and-in-vain", "A hold in which the signal was well is in vain all the same.", [
        ("breaker", _WELL, _WELL.replace("reason:", "reason and self.state != OPEN:"))]),
    Fault("I2", "never-well", "Holds in vain count on after the signal was well.", [
        ("breaker", _WELL, _WELL.replace("self.holds = 0", "pass"))]),
    Fault("I2", "closed-by-a-restart", "After a restart it is closed.", [
        ("breaker", 'if saved["open_for_ms"] is not None:', "if False:")]),
    Fault("I2", "held-anew-after-a-restart", "After a restart the hold begins anew.", [
        ("breaker", _LEFT, 'left_ms = self._settings["hold_ms"] if self.state == OPEN else 0')]),
    Fault("I2", "answered-by-a-restart", "A restart forgets what was unanswered.", [
        ("breaker", '        self.unanswered = list(saved["unanswered"])\n', "")]),
    Fault("I2", "a-probe-outlives-a-restart", "A probe that a restart broke off is waited for.", [
        ("breaker", _LEFT, 'left_ms = max(0, self.until_ms - now_ms) if self.state == OPEN else 60_000')]),
    Fault("I2", "measured-anew-after-a-restart", "A restart forgets what the signal was when it opened.", [
        ("breaker", '        self._measure = saved["measure"]\n', "")]),
    Fault("I2", "held-since-the-restart", "A restart forgets how long it has been open.", [
        ("breaker", 'self._held_since_ms = now_ms - saved["held_for_ms"]', "self._held_since_ms = now_ms")]),
    Fault("I2", "a-restart-forgets-the-age", "A restart forgets the age that was told during the hold.", [
        ("breaker", '        self._age_allowance_ms = saved["age_allowance_ms"]\n', "")]),
    Fault("I2", "held-since-the-last-hold", "Only the last of several holds counts for the age.", [
        ("breaker", "        if self.state == CLOSED:\n            self._held_since_ms = now_ms\n",
         "        self._held_since_ms = now_ms\n")]),
    Fault("I2", "opens-again-while-open", "Many parts begin another hold while it is open.", [
        ("breaker", '        elif self.state == CLOSED:\n            self._trip(now_ms, "many_parts"',
         '        else:\n            self._trip(now_ms, "many_parts"')]),
    Fault("I2", "half-open-for-ever", "A slow probe leaves it half-open where slow flushes are unanswered.", [
        ("breaker", "        if reason in self.unanswered:\n            self._close(now_ms)\n",
         "        if reason in self.unanswered:\n")]),
    Fault("I2", "an-unknown-node-gets-no-probe", "A node whose ordinary ping is not known gets no probe.", [
        ("breaker", "ordinary_ms is None or ", "ordinary_ms is not None and ")]),
    Fault("I2", "three-slow-probes", "A slow probe of what another signal opened is not enough.", [
        ("breaker", _IN_A_ROW, _IN_A_ROW.replace("self.state == HALF_OPEN or ", ""))]),
    Fault("I2", "given-up-and-asks-its-node", "Where it delays no longer a flush waits for a node that is fit.", [
        ("breaker", "        if self.state == CLOSED:\n            return True\n",
         "        if self.state == CLOSED:\n            return not self.unanswered or self._is_fit(node)\n")]),
    Fault("I2", "well-for-all", "One signal that is well answers for all.", [
        ("breaker", "[each for each in self.unanswered if each != reason]",
         "[] if reason in self.unanswered else self.unanswered")]),
    Fault("I2", "forgets-whoever-is-oldest", "Above the most keys an open one can be forgotten.", [
        ("keyed_breaker", "next(quiet, None) or ", "")]),
    Fault("I2", "forgets-nobody", "All keys are remembered.", [
        ("keyed_breaker", 'if len(self._breakers) <= self._settings["max_keys"]:', "if True:")]),
    Fault("I2", "forgets-the-first-to-come", "The one that came first is forgotten, not the one unused for longest.", [
        ("keyed_breaker", "self._breakers[key] = self._breakers.pop(key, None) or self._new()",
         "self._breakers[key] = self._breakers.get(key) or self._new()")]),
]
